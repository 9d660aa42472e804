package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// makeDirectory is how an empty directory is made: nothing in it runs or is read.
const makeDirectory = "mkdir"

// makesDirectory is mkdir.
func makesDirectory(a *act, in *command.Reading) {
	a.directories(in.Values("path"))
	if !in.Has("parents") { // with -p it may have been there
		for _, p := range in.Values("path") {
			a.makes(p)
		}
	}
}

// removesEmpty is rmdir. Of what a wildcard matches it removes only the directories
// in which there is nothing.
func removesEmpty(a *act, in *command.Reading) {
	for _, p := range in.Values("path") {
		if dir, name := path.Split(p); strings.ContainsAny(dir+name, "*?[") {
			if !a.guess {
				a.add(effect.Effect{Verb: effect.Delete, Object: a.path(dir + someOf)})
			}
			continue
		}
		a.deletes(false, p)
	}
}

// directories notes that empty directories are made.
func (a *act) directories(paths []string) {
	for _, p := range paths {
		if !isNoFile(p) && !isOpen(p) {
			a.add(effect.Effect{Verb: effect.Write, Object: a.path(p), How: makeDirectory})
		}
	}
}

// makes notes that a command fails if a directory is there already: behind it, with
// &&, everything in the directory is the text's own.
func (a *act) makes(dir string) {
	if dir == "" || unknown(dir) || a.guess || a.Depth > 0 || a.More || a.Remote || len(a.r.verified) >= mostVerified {
		return
	}
	a.r.verified = append(a.r.verified, verified{path: a.path(dir), fact: begun})
}

// isMade reports whether a path lies in a directory that the text itself made, and
// nothing else was mounted there.
func (a *act) isMade(p string) bool {
	for i := range a.r.reading.Commands {
		name := a.r.reading.Commands[i].Name
		if !a.r.pay(1) || strings.Contains(name, "mount") || strings.HasSuffix(name, "fs") {
			return false
		}
	}
	for i := range a.r.verified {
		if v := &a.r.verified[i]; v.fact == begun && v.path != "" && (p == v.path || strings.HasPrefix(p, v.path+"/")) {
			return true
		}
	}
	return false
}

// deletesMoved notes that what was moved to where everything is deleted now is
// gone: mv /srv/app /tmp/x && rm -rf /tmp/x.
func (a *act) deletesMoved(p string) {
	for i := range a.r.reading.Effects {
		if !a.r.pay(1) {
			return
		}
		e := &a.r.reading.Effects[i]
		if e.Verb != effect.Write || e.How != "mv" || e.From == "" || e.Object != p && !strings.HasPrefix(e.Object, p+"/") {
			continue
		}
		a.add(effect.Effect{Verb: effect.Delete, Object: e.From, Wide: true})
	}
}
