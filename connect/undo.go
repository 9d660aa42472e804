package connect

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// Undone is what [Undo] did.
type Undone struct {
	// Restored: something was restored, or taken out.
	Restored bool
	// LeftAlone are members that were written and have another value by now, which they
	// keep.
	LeftAlone []string
}

// Undo restores what a file was before [Edit.Write], however often it was written. Of a
// file that was changed since, only the members that still have the values that were
// written are restored or taken out; everything else stays as it is. With a file that was
// not there before, its directory goes if nothing else is in it.
func Undo(path string) (done Undone, err error) {
	path, mode, err := target(path)
	if err != nil {
		return done, err
	}
	defer func() { // the directory may have been made for the file: one that is empty serves nobody
		if _, gone := os.Lstat(path); err == nil && done.Restored && errors.Is(gone, fs.ErrNotExist) {
			_ = os.Remove(filepath.Dir(path))
		}
	}()
	for {
		back, err := restore(path, mode)
		if err != nil {
			return done, err
		}
		if !back {
			break
		}
		done.Restored = true
	}
	left := keptCopies(path)
	if len(left) == 0 {
		return done, nil
	}
	changes, err := changesOf(left)
	if err != nil {
		return done, err
	}
	if len(changes) == 0 {
		if done.Restored {
			return done, nil
		}
		return done, fmt.Errorf("%s was changed since it was written: take the gateway's members out by hand, or compare it with %s", path, left[len(left)-1])
	}
	err = done.takeOut(path, mode, changes, left)
	return done, err
}

// change is one change of a file, as its copies have it. before is nil if there was no
// file.
type change struct{ before, after []byte }

// changesOf reads the copies of a file.
func changesOf(kept []string) ([]change, error) {
	var list []change
	for _, name := range kept {
		after, err := readOwn(writtenName(name))
		if err != nil {
			return nil, err
		}
		if after == nil {
			continue
		}
		c := change{after: after}
		if !Created(name) {
			if c.before, err = readOwn(name); err != nil {
				return nil, err
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// takeOut takes the members out of a file that were written, and removes the copies unless
// some are left alone.
func (d *Undone) takeOut(path string, mode fs.FileMode, changes []change, copies []string) error {
	now, err := readOwn(path)
	if err != nil {
		return err
	}
	if now != nil {
		mark := now[:len(now)-len(bytes.TrimPrefix(now, []byte("\ufeff")))]
		after, others, err := without(filepath.Ext(path), now[len(mark):], changes)
		if err != nil {
			return fmt.Errorf("%s:%w", path, err)
		}
		d.LeftAlone = others
		switch {
		case bytes.Equal(after, now[len(mark):]):
		case isNothing(after) && slices.ContainsFunc(changes, func(c change) bool { return c.before == nil }):
			if err := os.Remove(path); err != nil {
				return err
			}
			d.Restored = true
		default:
			if err := replace(path, slices.Concat(mark, after), mode, path); err != nil {
				return err
			}
			d.Restored = true
		}
	}
	if len(d.LeftAlone) > 0 {
		return nil
	}
	for _, name := range copies {
		if err := discard(name); err != nil {
			return err
		}
	}
	return nil
}

// isNothing reports whether nothing is left of a file but an empty object.
func isNothing(body []byte) bool {
	text := strings.Join(strings.Fields(string(body)), "")
	return text == "" || text == "{}"
}

// values are the members of a file by their paths, joined: what they are, and how that is
// written.
type values map[string]written

type written struct {
	value any
	text  string
}

// pathMark joins the names of a path. No name has it.
const pathMark = "\x00"

// format is how the members of a kind of file are read and changed.
type format struct {
	read func(body []byte) (values, error)
	// put replaces the value of a member that is there; take takes it out, with the
	// objects around it for which empty says so.
	put  func(body []byte, path []string, to written) ([]byte, error)
	take func(body []byte, path []string, empty func(path []string) bool) ([]byte, error)
}

// formatOf is that of a file's ending.
func formatOf(ending string) format {
	switch ending {
	case ".json", ".jsonc":
		return format{jsonValues, putJSON, takeJSON}
	case ".toml":
		return format{tomlValues, putTOML, takeTOML}
	default:
		return format{dotenvValues, putDotenv, takeDotenv}
	}
}

// without returns a file with the members that were written as they were before, and the
// names of those that have another value by now.
func without(ending string, body []byte, changes []change) (after []byte, others []string, err error) {
	f := formatOf(ending)
	now, err := f.read(body)
	if err != nil {
		return nil, nil, err
	}
	type step struct{ from, to values }
	steps := make([]step, 0, len(changes))
	ours := map[string]bool{}
	for _, c := range changes {
		s := step{}
		if s.from, err = f.read(bytes.TrimPrefix(c.before, []byte("\ufeff"))); err != nil {
			return nil, nil, err
		}
		if s.to, err = f.read(bytes.TrimPrefix(c.after, []byte("\ufeff"))); err != nil {
			return nil, nil, err
		}
		for name, w := range s.to {
			if was, there := s.from[name]; !there || !reflect.DeepEqual(was.value, w.value) {
				ours[name] = true
			}
		}
		steps = append(steps, s)
	}
	want := values{}
	maps.Copy(want, now)
	isNew := func(path []string) bool { // no file had it before
		prefix := strings.Join(path, pathMark) + pathMark
		return slices.ContainsFunc(steps, func(s step) bool { return !s.from.hasBelow(prefix) })
	}
	for _, name := range sortedNames(ours) {
		current, there := now[name]
		if !there {
			continue // somebody took it out
		}
		used := make([]bool, len(steps))
		back, found, known := current, true, false
		for again := true; again && found; {
			again = false
			for i, s := range steps {
				from, had := s.from[name]
				to, wrote := s.to[name]
				if used[i] || !wrote || !reflect.DeepEqual(to.value, back.value) || had && reflect.DeepEqual(from.value, back.value) {
					continue
				}
				back, found, known, again = from, had, true, true
				used[i] = true
				break
			}
		}
		path := strings.Split(name, pathMark)
		switch {
		case !known:
			if !slices.ContainsFunc(steps, func(s step) bool { w, had := s.from[name]; return had && reflect.DeepEqual(w.value, current.value) }) {
				others = append(others, strings.Join(path, "."))
			}
			continue
		case found:
			body, err = f.put(body, path, back)
			want[name] = back
		default:
			body, err = f.take(body, path, isNew)
			delete(want, name)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	got, err := f.read(body)
	if err != nil || !got.same(want) {
		return nil, nil, errors.New(" other members would change: take the gateway's out by hand")
	}
	return body, others, nil
}

// hasBelow reports whether there is a member whose path begins so.
func (v values) hasBelow(prefix string) bool {
	for name := range v {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// same reports whether the members have the same values.
func (v values) same(other values) bool {
	if len(v) != len(other) {
		return false
	}
	for name, w := range v {
		if o, ok := other[name]; !ok || !reflect.DeepEqual(w.value, o.value) {
			return false
		}
	}
	return true
}

func sortedNames(set map[string]bool) []string {
	names := make([]string, 0, len(set))
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
