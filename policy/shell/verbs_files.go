package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// erase notes that files are removed or overwritten for good.
func (a *act) erase(wide bool, paths ...string) {
	for _, p := range paths {
		if isDevice(p) {
			a.add(effect.Effect{Verb: effect.Format, Object: a.path(p)})
		} else {
			a.deletes(wide, p)
		}
	}
}

// put notes that a file is written, from another one if that is known. A disk
// that is written to is gone.
func (a *act) put(p, from string) {
	switch {
	case isNoFile(p), isOpen(p):
	case isDevice(p):
		a.add(effect.Effect{Verb: effect.Format, Object: a.path(p), From: from})
	case strings.Contains(p, "/**/"):
		for _, p := range a.changed(p) {
			a.add(effect.Effect{Verb: effect.Write, Object: a.path(p), From: from})
		}
	default:
		a.add(effect.Effect{Verb: effect.Write, Object: a.path(p), From: from})
	}
}

// isOpen reports whether a name stands for what the shell has opened, as it does
// for <(command).
func isOpen(p string) bool { return strings.HasPrefix(p, "/dev/fd/") }

// within is put for everything in a directory.
func (a *act) within(dir, from string) {
	if !isNoFile(dir) {
		a.add(effect.Effect{Verb: effect.Write, Object: a.path(dir), From: from, Wide: true})
	}
}

// looks notes that files are read, with all that is in them if wide.
func (a *act) looks(wide bool, paths ...string) {
	for _, p := range paths {
		if isNoFile(p) || isOpen(p) {
			continue
		}
		if !strings.Contains(p, "/**/") {
			a.looksAt(wide, p)
			continue
		}
		for _, p := range a.searched(p) {
			a.looksAt(wide, p)
		}
	}
}

func (a *act) looksAt(wide bool, p string) {
	a.add(effect.Effect{Verb: effect.Read, Object: a.path(p), Wide: wide || strings.ContainsAny(p, "*?[")})
	if strings.IndexByte(p, '/') < 0 || !a.r.hasLinks() {
		return
	}
	if to := a.leadsTo(p); to != "" { // through a link
		a.add(effect.Effect{Verb: effect.Read, Object: to, Wide: wide || strings.ContainsAny(p, "*?[")})
	}
}

// cameFrom is where the input of a command comes from, if it is one place.
func (a *act) cameFrom() string {
	if from := a.remote(); from != "" {
		return from
	}
	if list := a.in.sources; len(list) == 1 {
		return list[0]
	}
	return ""
}

// mayBeDirectory reports whether a path is not evidently a file: it has no
// ending, or one that directories have.
func mayBeDirectory(p string) bool {
	base := path.Base(p)
	dot := strings.LastIndexByte(base, '.')
	if dot <= 0 || base == ".." {
		return true
	}
	switch ending := base[dot+1:]; ending {
	case "d", "git", "app", "old", "bak", "orig", "":
		return true
	default:
		return len(ending) > 5 || strings.ContainsAny(ending, "*?[$`~")
	}
}

// isDirectory reports whether a path can only be a directory.
func isDirectory(p string) bool {
	if p == "." || p == ".." || p == "~" || p == "$HOME" || p == "${HOME}" {
		return true
	}
	switch p {
	case "/usr", "/etc", "/var", "/opt", "/home", "/tmp", "/root", "/srv", "/mnt", "/media", "/boot", "/usr/local", "/usr/share", "/var/lib", "/var/tmp", "/Users": // they are there
		return true
	}
	return strings.HasSuffix(p, "/") || strings.HasSuffix(p, "/.") || strings.HasSuffix(p, "/..")
}

// join is a name in a directory as a shell writes it: no part is resolved yet.
func join(dir, name string) string { return strings.TrimSuffix(dir, "/") + "/" + name }
