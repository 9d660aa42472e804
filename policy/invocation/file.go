package invocation

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// keep remembers what was written to a file, in case it runs later.
func (r *Reader) keep(e *effect.Effect) {
	if len(r.Verified) > 0 && (e.Verb == effect.Write || e.Verb == effect.Delete || e.Verb == effect.Link) {
		r.unmakes(e)
	}
	switch e.Verb {
	case effect.Write:
		if r.Wrote == nil {
			r.Wrote = map[string]*File{}
		}
		if e.From != "" && (e.Wide || e.Moves()) {
			r.copies(e.From, e.Object)
		}
		if more, ok := r.Made.Note(e); !ok {
			r.Mark(Many)
		} else if more && e.Content == "" { // of the command that wrote the rest of it
			return
		}
		if len(r.Wrote) < MostFiles {
			f := &File{Content: e.Content, Known: e.Content != "" && e.From == ""}
			if e.Added != "" {
				f = r.addedTo(e)
			}
			if FromAfar(e.From) {
				f.Remote = e.From
			} else if e.From != "" { // a copy of another file
				if of := r.File(e.From); of != nil {
					*f = *of
				}
				if f.From == "" || IsPrivateSource(e.From) { // what a name meant is known only now: mv a b
					f.From = e.From
				}
			}
			r.Wrote[e.Object] = f
			r.Shell.Puts(e.Object)
			if f.Known && r.Waiting[e.Object] { // whoever reads it was started before
				delete(r.Waiting, e.Object)
				r.Shell.Inner(f.Content, r.From, Flow{})
			}
		}
	case effect.Link:
		if e.From != "" && len(r.Links) < MostFiles {
			if r.Links == nil {
				r.Links = map[string]string{}
			}
			r.Links[e.From] = e.Object
		}
	case effect.Delete:
		delete(r.Wrote, e.Object)
	default:
	}
}

// addedTo is a file to which something was added.
func (r *Reader) addedTo(e *effect.Effect) *File {
	before := r.File(e.Object)
	if before == nil || before.From != "" || len(before.Content)+len(e.Added) > MaxText || !r.Pay(1+len(before.Content)/16) {
		return &File{Content: e.Added}
	}
	if e.Possible { // in the place of something
		return &File{Content: before.Content, Remote: before.Remote + before.Shown}
	}
	return &File{Content: strings.TrimSuffix(before.Content, "\n") + "\n" + e.Added, Known: before.Known, Remote: before.Remote + before.Shown}
}

// copies notes that a directory is copied with the files in it that were written.
func (r *Reader) copies(from, to string) {
	for _, name := range slices.Sorted(maps.Keys(r.Wrote)) {
		rest, ok := strings.CutPrefix(name, strings.TrimSuffix(from, "/")+"/")
		if ok && len(r.Wrote) < MostFiles && !strings.HasPrefix(name, strings.TrimSuffix(to, "/")+"/") {
			f := *r.Wrote[name]
			r.Wrote[strings.TrimSuffix(to, "/")+"/"+rest] = &f
		}
	}
}

// FromAfar reports whether something comes from another machine: an URL, or
// host:path.
func FromAfar(from string) bool {
	if strings.Contains(from, "://") {
		return true
	}
	host, _, ok := strings.Cut(from, ":")
	return ok && len(host) > 1 && !strings.ContainsAny(host, "/ $")
}

// IsPrivateSource reports whether contents come from something that is by its name
// nobody else's: a file with secrets, the environment.
func IsPrivateSource(from string) bool {
	switch from {
	case Environment, Secret, Database:
		return true
	}
	return strings.HasPrefix(from, "$") && IsSecretName(from) || MayBePrivate(from)
}

// MostFiles is how many files a text may write of which the contents are
// remembered.
const MostFiles = 256

// HasFiles reports whether something may be known of a file.
func (r *Reader) HasFiles() bool {
	if len(r.Wrote) > 0 || r.Set.Files == nil {
		return len(r.Wrote) > 0
	}
	if !r.asked {
		r.asked, r.before = true, r.Set.Files.Wrote()
	}
	return r.before
}

// hasLinks reports whether a name may lead elsewhere.
func (r *Reader) hasLinks() bool {
	if len(r.Links) > 0 || r.Set.Files == nil {
		return len(r.Links) > 0
	}
	if !r.askedLinks {
		r.askedLinks, r.linked = true, r.Set.Files.Linked()
	}
	return r.linked
}

// still is what is known of a file from before, unless it was fetched and shown and
// the text may have put another in its place.
func (r *Reader) still(path string, f *File) *File {
	if f.Shown == "" {
		return f
	}
	changed := len(r.Links) > 0
	for name, wrote := range r.Wrote {
		changed = changed || wrote.Remote != "" || name == "." || strings.HasPrefix(path, strings.TrimSuffix(name, "/")+"/")
	}
	if changed {
		return &File{Remote: f.Shown, From: f.From}
	}
	return f
}

// File returns what is known of a file by its resolved path.
func (r *Reader) File(path string) *File {
	if f := r.Wrote[path]; f != nil {
		if *f == (File{}) && r.HasFiles() && r.Set.Files != nil { // changed by a program
			if before := r.Set.Files.File(path); before != nil {
				f.Remote = before.Remote + before.Shown // of which one is empty
			}
		}
		return f
	}
	if f := r.openFile(path); f != nil {
		return f
	}
	if !r.HasFiles() {
		return nil
	}
	if r.Set.Files != nil {
		if f := r.Set.Files.File(path); f != nil {
			return r.still(path, f)
		}
	}
	if strings.Contains(path, "**/") {
		if f := r.matched(path); f != nil {
			return f
		}
	}
	if strings.Contains(path, "/**/") { // what was searched for may lie where the search begins
		return r.File(strings.ReplaceAll(path, "/**/", "/"))
	}
	if strings.ContainsAny(path, "*?[") {
		return r.matched(path)
	}
	return nil
}
