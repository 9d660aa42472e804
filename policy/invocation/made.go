package invocation

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// Made is what files were made from, each perhaps of several others: what was copied, moved,
// packed or written together. It also answers for directories: what was put below one is in it,
// and what is below a copy of one is what lay there in the original. Nothing is ever taken away
// from it but by [Made.Anew]: more commands never make a file come from less. Its zero value is
// empty.
type Made struct {
	of map[string]madeFile
	// patterns are those of them that have wildcards: cp a/* b writes b/*.
	patterns []string
	// call is the number of the call that is noted, where there are several.
	call int
}

type madeFile struct {
	from []string
	// trees are those that were copied, moved or unpacked there with all that is in them.
	trees []string
	// by is the command that was noted last, by the numbers of its call and its own.
	by [2]int
}

// Bounds of what is remembered, and of how far it is followed.
const (
	mostMade    = 2000
	mostOrigins = 64
	mostParents = 32
)

// MadeBefore is for Files that know what files were made from.
type MadeBefore interface {
	// MadeFrom returns what a file and, with below, what is in a directory was made from.
	MadeFrom(path string, below bool) []string
}

// Note notes what a write put into a file. It reports whether the same command wrote another
// part of the file before, and false if nothing is remembered of it because there are too many.
func (m *Made) Note(e *effect.Effect) (more, ok bool) {
	if e.Verb != effect.Write || e.From == "" || e.From == e.Object || FromAfar(e.From) {
		return false, true
	}
	f, known := m.of[e.Object]
	if !known && len(m.of) >= mostMade || len(f.from) >= mostOrigins {
		return false, false
	}
	if m.of == nil {
		m.of = map[string]madeFile{}
	}
	if !known && isPattern(e.Object) {
		m.patterns = append(slices.Clip(m.patterns), e.Object)
	}
	by := [2]int{m.call, e.Command}
	more = known && f.by == by && e.Command >= 0
	if f.by = by; !slices.Contains(f.from, e.From) {
		f.from = append(slices.Clip(f.from), e.From)
	}
	if (e.Wide || e.Moves()) && !slices.Contains(f.trees, e.From) {
		f.trees = append(slices.Clip(f.trees), e.From)
	}
	m.of[e.Object] = f
	return more, true
}

// Next says that what is noted from now on is of another call.
func (m *Made) Next() { m.call++ }

// Anew notes that a file was written anew, from nothing that is known.
func (m *Made) Anew(p string) {
	if len(m.of) > 0 {
		delete(m.of, p)
	}
}

// Len is how many files are remembered.
func (m *Made) Len() int { return len(m.of) }

// From returns what a path was made from in one step: the file itself, what it was in the
// original if it lies below a copy and, with below, what was put below it if it is a directory. A
// path with wildcards is every file that it can mean.
func (m *Made) From(p string, below bool) []string {
	if len(m.of) == 0 || p == "" {
		return nil
	}
	list := slices.Clone(m.of[p].from)
	switch {
	case isPattern(p):
		meant := NewPattern(p)
		for name, f := range m.of {
			if meant.Matches(name) {
				list = merged(list, f.from)
			}
		}
	case below:
		list = m.below(p, list)
	}
	dir := p
	for range mostParents {
		for _, from := range m.meant(dir) {
			if !isPattern(from) {
				from += p[len(dir):]
			}
			list = merged(list, []string{from})
		}
		up := path.Dir(dir)
		if up == dir || up == "." {
			break
		}
		dir = up
		trees := m.of[dir].trees
		if len(list) == 0 { // what has something below it is a directory
			trees = m.of[dir].from
		}
		for _, from := range trees {
			if p == from || strings.HasPrefix(p, from+"/") { // it lies beside what is made of it
				continue
			}
			if archive := m.of[from]; len(archive.from) > 0 { // what was unpacked
				list = merged(list, archive.from)
			}
			if from = strings.TrimSuffix(from, "/"); !IsPrivateSource(from) || strings.Contains(from, "/") {
				from += p[len(dir):]
			}
			list = merged(list, []string{from})
		}
	}
	slices.Sort(list)
	return list
}

// meant is what a file was copied from under a pattern that it matches.
func (m *Made) meant(p string) []string {
	var list []string
	for _, pattern := range m.patterns {
		meant := NewPattern(pattern)
		if pattern == p || !meant.Matches(p) {
			continue
		}
		for _, from := range m.of[pattern].from {
			if within := strings.TrimSuffix(pattern[:strings.IndexAny(pattern, "*?[")], "/"); strings.HasPrefix(from, within+"/") { // it lies beside what is made of it
				list = append(list, from)
				continue
			}
			if path.Base(from) == path.Base(pattern) { // under the same name
				from = strings.TrimSuffix(from, path.Base(from)) + path.Base(p)
			}
			list = append(list, from)
		}
	}
	return list
}

func isPattern(p string) bool { return strings.ContainsAny(p, "*?[") }

// below adds what was put below a directory.
func (m *Made) below(dir string, list []string) []string {
	inside := strings.TrimSuffix(dir, "/") + "/"
	for name, f := range m.of {
		if strings.HasPrefix(name, inside) || dir == "." && !effect.IsAbs(name) {
			list = merged(list, f.from)
		}
	}
	return list
}

func merged(list, more []string) []string {
	list = slices.Clip(list)
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// Origins are a file and all that its contents were made from; of a directory, also of what was
// put below it.
func (r *Reader) Origins(p string) []string { return r.origins(p, true) }

// OriginsAlone are those of a file or a directory, without what was put below it.
func (r *Reader) OriginsAlone(p string) []string { return r.origins(p, false) }

func (r *Reader) origins(of string, below bool) []string {
	list := []string{of}
	if _, opened := descriptorOf(of); !opened && r.Made.Len() == 0 && !r.HasFiles() { // nothing was written
		return list
	}
	for i := 0; i < len(list); i++ {
		p := list[i]
		if p == "" || p == Environment || p == Secret || p == Database || p == Rows {
			continue
		}
		if f := r.File(p); f != nil && f.From != "" {
			list = merged(list, []string{f.From})
		} else {
			list = merged(list, r.openedFrom(p))
		}
		if r.Made.Len() > 0 && r.Pay(r.Made.Len()) {
			list = merged(list, r.Made.From(p, below))
		}
		if before, ok := r.Set.Files.(MadeBefore); ok && r.HasFiles() {
			list = merged(list, before.MadeFrom(p, below))
		}
		if len(list) > mostOrigins {
			r.Mark(Many)
			break
		}
	}
	return list
}
