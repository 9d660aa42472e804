package effect

import (
	"slices"
	"strings"
)

// Dirs are directories, written as the patterns of Paths, each with everything in
// it: /srv/app and /srv/app/** are the same here. Paths say what an effect could
// concern; Dirs say where all of it certainly is.
type Dirs struct {
	in []*pattern
	// but is what is excluded from them.
	but *Paths
}

// NewDirs returns the directories that patterns name.
func NewDirs(list []string) *Dirs {
	d := &Dirs{}
	var but []string
	for _, text := range list {
		out, isOut := strings.CutPrefix(text, "!")
		switch {
		case !isOut:
			d.in = append(d.in, newPattern(whole(text)))
		case !strings.HasPrefix(out, "!"):
			but = append(but, whole(out))
		default: // nothing is taken out of it
			d.in = append(d.in, newPattern(whole(strings.TrimLeft(out, "!"))))
		}
	}
	if but != nil {
		d.but = NewPaths(but)
	}
	return d
}

// whole is a directory with everything in it, as a pattern.
func whole(dir string) string {
	if strings.HasSuffix(dir, "/**") {
		return dir
	}
	return strings.TrimRight(dir, "/") + "/**"
}

// Lies says whether all of an effect is in some directories.
type Lies uint8

const (
	// Outside: some of it is elsewhere, or may be.
	Outside Lies = iota
	// Inside: all of it is there.
	Inside
	// NoCwd, NoHome and NoPath: that depends on the working directory, on the
	// home or on a path that is not known.
	NoCwd
	NoHome
	NoPath
)

// Within says whether all of an effect is in the directories. What is not a
// file, or is on another machine, is outside.
func (d *Dirs) Within(e *Effect, at Place) Lies {
	switch {
	case !e.Verb.OfFile() || e.Remote:
		return Outside
	case e.Verb == Link: // the new name is created where it is
		return both(d.within(e.Object, at), d.within(e.From, at))
	default:
		return d.within(e.Object, at)
	}
}

// both combines the answers for two paths: outside if one is, and inside if both
// are.
func both(a, b Lies) Lies {
	if a == Outside || b == Inside {
		return a
	}
	return b
}

// Steps is the cost of Within, in the units of Paths.Steps.
func (d *Dirs) Steps() int {
	n := 16 + 8*len(d.in)
	if d.but != nil {
		n += d.but.steps + 2*len(d.but.in.all)
	}
	return n
}

// OfFile reports whether the object of a verb is the path of a file.
func (v Verb) OfFile() bool {
	switch v {
	case Read, Write, Delete, Mode, Format, Link, Run:
		return true
	default:
		return false
	}
}

func (d *Dirs) within(path string, at Place) Lies {
	switch {
	case path == "" || strings.ContainsAny(path, "$`{"):
		if d.excludes(path, at) {
			return Outside
		}
		return NoPath
	case strings.Contains(path, "://"): // an address
		return Outside
	}
	elements, begin := elementsOf(nil, path)
	if elements, begin = absolute(elements, begin, at); begin == elsewhere {
		return NoPath
	}
	found := Outside
	for _, p := range d.in {
		switch lies := p.holds(elements, begin, at); lies {
		case Inside:
			if d.but != nil && d.but.Touches(&Effect{Object: path, Wide: true}, at) {
				return Outside
			}
			return Inside
		case Outside:
		default:
			found = lies
		}
	}
	return found
}

// excludes reports whether what is known of the beginning of a path is enough to
// tell that it is in none of the directories.
func (d *Dirs) excludes(path string, at Place) bool {
	dir, ok := known(path)
	if !ok || strings.Contains(path, "..") {
		return false
	}
	elements, begin := elementsOf(nil, dir)
	if elements, begin = absolute(elements, begin, at); begin != atRoot {
		return false
	}
	for _, p := range d.in {
		switch {
		case p.begin == atWork && at.Cwd == "", p.begin == atHome && at.Home == "", p.could(elements, begin, true, at):
			return false
		}
	}
	return true
}

// holds says whether a path is in the directory of a pattern, whatever its
// wildcards match.
func (p *pattern) holds(path []string, begin begin, at Place) Lies {
	steps := mostSteps
	if p.begin == anywhere {
		if p.isAll() || surely(path, p.elements, &steps) {
			return Inside
		}
		if begin != atRoot { // what precedes the path is not known
			return missing(begin)
		}
		return Outside
	}
	dir, dirBegin := p.elements, p.begin
	if dirBegin == atWork && at.Cwd != "" {
		cwd, cwdBegin := elementsOf(nil, at.Cwd)
		dir, dirBegin = in(cwd, dir), cwdBegin
	}
	if dirBegin == atHome && at.Home != "" {
		dir, dirBegin = in(split(nil, at.Home), dir), atRoot
	}
	switch climbs := len(path) > 0 && path[0] == ".."; {
	case begin == dirBegin && climbs:
		return missing(begin)
	case begin == dirBegin:
		if surely(path, dir, &steps) {
			return Inside
		}
		return Outside
	case isAround(path, begin):
		return Outside
	case begin == atRoot:
		return missing(dirBegin)
	case dirBegin == atRoot:
		return missing(begin)
	default:
		return NoCwd
	}
}

// missing is what would have to be known about a path that starts there.
func missing(b begin) Lies {
	if b == atHome {
		return NoHome
	}
	return NoCwd
}

// absolute is a path from the root, as far as the place is known.
func absolute(path []string, begin begin, at Place) ([]string, begin) {
	if begin == atWork && at.Cwd != "" {
		cwd, cwdBegin := elementsOf(nil, at.Cwd)
		for len(path) > 0 && path[0] == ".." && len(cwd) > 0 {
			path, cwd = path[1:], cwd[:len(cwd)-1]
		}
		path, begin = append(cwd, path...), cwdBegin
	}
	if begin == atHome && at.Home != "" {
		path, begin = append(split(nil, at.Home), path...), atRoot
	}
	if begin == atRoot {
		for len(path) > 0 && path[0] == ".." { // above the root is the root
			path = path[1:]
		}
	}
	return path, begin
}

// isAround reports whether a path is the root, or a home or a directory of homes:
// no working directory contains these.
func isAround(path []string, begin begin) bool {
	if begin == atHome {
		return len(path) == 0
	}
	if begin != atRoot {
		return false
	}
	home, inHome := locate(path, atRoot, Place{})
	return len(path) == 0 || inHome && home == len(path) || len(path) == 1 && (path[0] == "home" || strings.EqualFold(path[0], "Users"))
}

// surely reports whether a path is in a directory, whatever the wildcards in the
// path match. The pattern ends with **.
func surely(path []string, dir []element, steps *int) bool {
	for {
		if *steps--; *steps < 0 {
			return false
		}
		switch {
		case len(dir) == 1 && dir[0].kind == anyElements:
			return !slices.Contains(path, "..")
		case len(path) == 0:
			return false
		case dir[0].kind == anyElements:
			if surely(path, dir[1:], steps) {
				return true
			}
			path = path[1:]
		case !dir[0].surely(path[0]):
			return false
		default:
			path, dir = path[1:], dir[1:]
		}
	}
}

// surely reports whether an element of a path matches one of a pattern,
// whatever its wildcards match.
func (e *element) surely(name string) bool {
	switch {
	case name == "**" || name == "..":
		return false
	case !isWild(name):
		return e.is(name)
	default:
		return name == e.text || e.text == "*" && !hidden(name)
	}
}
