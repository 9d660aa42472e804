package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// keep remembers what was written to a file, in case it runs later.
func (r *reader) keep(e *effect.Effect) {
	if len(r.verified) > 0 && (e.Verb == effect.Write || e.Verb == effect.Delete || e.Verb == effect.Link) {
		r.unmakes(e)
	}
	switch e.Verb {
	case effect.Write:
		if r.wrote == nil {
			r.wrote = map[string]*File{}
		}
		if len(r.wrote) < mostFiles {
			f := &File{Content: e.Content, Known: e.Content != "" && e.From == ""}
			if fromAfar(e.From) {
				f.Remote = e.From
			} else if e.From != "" { // a copy of another file
				if of := r.file(e.From); of != nil {
					*f = *of
				}
				if f.From == "" || isPrivateSource(e.From) { // what a name meant is known only now: mv a b
					f.From = e.From
				}
			}
			r.wrote[e.Object] = f
			r.puts(e.Object)
			if f.Known && r.waiting[e.Object] { // whoever reads it was started before
				delete(r.waiting, e.Object)
				r.inner(f.Content, r.from, flow{})
			}
		}
	case effect.Link:
		if e.From != "" && len(r.links) < mostFiles {
			if r.links == nil {
				r.links = map[string]string{}
			}
			r.links[e.From] = e.Object
		}
	case effect.Delete:
		delete(r.wrote, e.Object)
	default:
	}
}

// fromAfar reports whether something comes from another machine: an URL, or
// host:path.
func fromAfar(from string) bool {
	if strings.Contains(from, "://") {
		return true
	}
	host, _, ok := strings.Cut(from, ":")
	return ok && len(host) > 1 && !strings.ContainsAny(host, "/ $")
}

// origins are a file and those that its contents were made from.
func (r *reader) origins(path string) []string {
	list := []string{path}
	for range 8 {
		if path == "" || path == environment || path == secret || path == database || path == rows {
			break
		}
		f := r.file(path)
		if f == nil || f.From == "" || f.From == path {
			list = append(list, r.openedFrom(path)...)
			break
		}
		path = f.From
		list = append(list, path)
	}
	return list
}

// isPrivateSource reports whether contents come from something that is by its name
// nobody else's: a file with secrets, the environment.
func isPrivateSource(from string) bool {
	switch from {
	case environment, secret, database:
		return true
	}
	return strings.HasPrefix(from, "$") && isSecretName(from) || mayBePrivate(from)
}

// mostFiles is how many files a text may write of which the contents are
// remembered.
const mostFiles = 256

// hasFiles reports whether something may be known of a file.
func (r *reader) hasFiles() bool {
	if len(r.wrote) > 0 || r.set.Files == nil {
		return len(r.wrote) > 0
	}
	if !r.asked {
		r.asked, r.before = true, r.set.Files.Wrote()
	}
	return r.before
}

// hasLinks reports whether a name may lead elsewhere.
func (r *reader) hasLinks() bool {
	if len(r.links) > 0 || r.set.Files == nil {
		return len(r.links) > 0
	}
	if !r.askedLinks {
		r.askedLinks, r.linked = true, r.set.Files.Linked()
	}
	return r.linked
}

// still is what is known of a file from before, unless it was fetched and shown and
// the text may have put another in its place.
func (r *reader) still(path string, f *File) *File {
	if f.Shown == "" {
		return f
	}
	changed := len(r.links) > 0
	for name, wrote := range r.wrote {
		changed = changed || wrote.Remote != "" || name == "." || strings.HasPrefix(path, strings.TrimSuffix(name, "/")+"/")
	}
	if changed {
		return &File{Remote: f.Shown, From: f.From}
	}
	return f
}

// file returns what is known of a file by its resolved path.
func (r *reader) file(path string) *File {
	if f := r.wrote[path]; f != nil {
		if *f == (File{}) && r.hasFiles() && r.set.Files != nil { // changed by a program
			if before := r.set.Files.File(path); before != nil {
				f.Remote = before.Remote + before.Shown // of which one is empty
			}
		}
		return f
	}
	if f := r.openFile(path); f != nil {
		return f
	}
	if !r.hasFiles() {
		return nil
	}
	if r.set.Files != nil {
		if f := r.set.Files.File(path); f != nil {
			return r.still(path, f)
		}
	}
	if strings.Contains(path, "**/") {
		if f := r.matched(path); f != nil {
			return f
		}
	}
	if strings.Contains(path, "/**/") { // what was searched for may lie where the search begins
		return r.file(strings.ReplaceAll(path, "/**/", "/"))
	}
	if strings.ContainsAny(path, "*?[") {
		return r.matched(path)
	}
	return nil
}
