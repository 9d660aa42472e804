package invocation

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"

	"github.com/sluice-project/sluice/policy/effect"
)

// Attributes notes that owners or attributes of files change.
func (a *Act) Attributes(how string, whole bool, files []string) {
	for _, p := range files {
		if !IsNoFile(p) {
			a.Add(effect.Effect{Verb: effect.Mode, Object: a.Path(p), Wide: whole || strings.ContainsAny(p, "*?["), Content: how})
		}
	}
}

// IsDevice reports whether a path is a disk or the memory, so that writing to it
// destroys what is there.
func IsDevice(p string) bool {
	if strings.HasPrefix(p, `\\.\`) { // \\.\PhysicalDrive0
		return true
	}
	name, ok := strings.CutPrefix(p, "/dev/")
	if !ok {
		return false
	}
	for strings.HasPrefix(name, "./") || strings.HasPrefix(name, "/") {
		if name = name[1:]; name == "" { // /dev/$(lsblk), of which only is known that it lists disks
			return true
		}
	}
	for _, disk := range command.Builtin().Set("disks") {
		if strings.HasPrefix(name, disk) {
			return true
		}
	}
	return false
}

// formats notes that a disk is made new. In an image it is only a file.
func (a *Act) formats(paths ...string) {
	for _, p := range paths {
		switch {
		case IsNoFile(p):
		case strings.HasPrefix(p, "/dev/") || IsDevice(p) || Unknown(p):
			a.Add(effect.Effect{Verb: effect.Format, Object: a.Path(p)})
		default:
			a.WritesFiles(p)
		}
	}
}

// erase notes that files are removed or overwritten for good.
func (a *Act) erase(wide bool, paths ...string) {
	for _, p := range paths {
		if IsDevice(p) {
			a.Add(effect.Effect{Verb: effect.Format, Object: a.Path(p)})
		} else {
			a.DeletesFiles(wide, p)
		}
	}
}

// Put notes that a file is written, from another one if that is known. A disk
// that is written to is gone.
func (a *Act) Put(p, from string) {
	switch {
	case IsNoFile(p), IsOpen(p):
	case IsDevice(p):
		a.Add(effect.Effect{Verb: effect.Format, Object: a.Path(p), From: from})
	case strings.Contains(p, "/**/"):
		for _, p := range a.changed(p) {
			a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(p), From: from})
		}
	default:
		a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(p), From: from})
	}
}

// IsOpen reports whether a name stands for what the shell has opened, as it does
// for <(command).
func IsOpen(p string) bool { return strings.HasPrefix(p, "/dev/fd/") }

// Within is put for everything in a directory.
func (a *Act) Within(dir, from string) {
	if !IsNoFile(dir) {
		a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(dir), From: from, Wide: true})
	}
}

// Looks notes that files are read, with all that is in them if wide.
func (a *Act) Looks(wide bool, paths ...string) {
	for _, p := range paths {
		if IsNoFile(p) || IsOpen(p) {
			continue
		}
		if !strings.Contains(p, "/**/") {
			a.looksAt(wide, p)
			continue
		}
		for _, p := range a.Searched(p) {
			a.looksAt(wide, p)
		}
	}
}

func (a *Act) looksAt(wide bool, p string) {
	a.Add(effect.Effect{Verb: effect.Read, Object: a.Path(p), Wide: wide || strings.ContainsAny(p, "*?[")})
	if strings.IndexByte(p, '/') < 0 || !a.R.hasLinks() {
		return
	}
	if to := a.leadsTo(p); to != "" { // through a link
		a.Add(effect.Effect{Verb: effect.Read, Object: to, Wide: wide || strings.ContainsAny(p, "*?[")})
	}
}

// CameFrom is where the input of a command comes from, if it is one place.
func (a *Act) CameFrom() string {
	if from := a.remote(); from != "" {
		return from
	}
	if list := a.In.Sources; len(list) == 1 {
		return list[0]
	}
	return ""
}
