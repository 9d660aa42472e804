package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// destination is a place that files are copied, moved or linked to. dir says that it is
// a directory for sure.
type destination struct {
	target string
	dir    bool
}

// destinations are those of a command, in every way it can be meant.
func destinations(in *command.Reading) []destination {
	sources, certain := in.Values("source"), in.Certain("source")
	isMany := func(list []string) bool {
		return len(list) > 1 || len(list) == 1 && strings.ContainsAny(list[0], "*?[")
	}
	var list []destination
	for _, target := range in.Values("target") {
		sure := (isMany(certain) || isDirectory(target)) && !in.Has("no-target-directory")
		list = append(list, destination{target, sure || in.Has("target-directory")})
		if !sure && isMany(sources) && !in.Has("no-target-directory") {
			list = append(list, destination{target, true})
		}
	}
	return list
}

// lands notes that a source is written to a target: to a file of its name if
// the target is a directory, and perhaps if it may be one.
func (a *act) lands(source, target string, dir, whole, guess bool) {
	if isNoFile(target) {
		return
	}
	from, name := source, path.Base(source)
	if machine, there := elsewhere(source); machine == "" || a.Name != "scp" {
		from = a.path(a.searched(source)[0])
	} else {
		name = path.Base(there)
	}
	if from == "" || name == "." || name == ".." || name == "/" || strings.HasSuffix(source, "/") && a.Name == "rsync" {
		name = "" // what is in it, under the names that it has there
	}
	switch {
	case isDevice(target):
		a.put(target, from)
	case !dir:
		a.add(effect.Effect{Verb: effect.Write, Object: a.path(target), From: from, Wide: whole, How: a.toolFrom(from, a.path(target))})
		if guess && name != "" && mayBeDirectory(target) && path.Base(target) != name {
			a.add(effect.Effect{Verb: effect.Write, Object: a.path(join(target, name)), From: from, Wide: whole, Guess: true})
		}
	case name == "":
		a.within(target, from)
	default:
		a.add(effect.Effect{Verb: effect.Write, Object: a.path(join(target, name)), From: from, Wide: whole || strings.ContainsAny(name, "*?["), How: a.toolFrom(from, a.path(join(target, name)))})
	}
}

// toolInstall is how a tool gets to where people have their own, under its own name:
// as it was found, or as its makers give it out.
const toolInstall = effect.ToolInstall

// toolFrom is toolInstall where that is what a copy does, and empty otherwise. Of the
// tools that others rely on it is only for one that people install in this way; a
// script that somebody wrote here is no tool that is found.
func (a *act) toolFrom(from, to string) string {
	if a.ownProgram(from, to) {
		return toolInstall
	}
	dir, ok := strings.CutSuffix(to, "/kubectl")
	if !ok || path.Base(from) != "kubectl" || a.Remote || a.guess || unknown(from) || isHidden(from) {
		return ""
	}
	home := a.at.Home
	switch dir {
	case "/usr/local/bin", "~/bin", "~/.local/bin", home + "/bin", home + "/.local/bin":
	default:
		return ""
	}
	if f := a.r.file(from); f != nil && (f.Content != "" || f.Link != "" || f.From != "" || f.Remote != "" && !isRelease(f.Remote)) {
		return ""
	}
	return toolInstall
}

// isHidden reports whether a path leads through a name that does not show.
func isHidden(p string) bool { return strings.Contains(p, "/.") || strings.HasPrefix(p, ".") }

// move is mv: the sources are gone from where they were. A move to nowhere
// removes them.
func move(a *act, in *command.Reading) {
	guess := !in.Has("no-target-directory")
	for _, to := range destinations(in) {
		for _, source := range in.Values("source") {
			if a.guess && isByItself(source) { // mv . fails
				continue
			}
			a.lands(source, to.target, to.dir, false, guess)
			if !a.renames(source, to.target) {
				a.deletes(mayBeDirectory(source), source)
			}
		}
	}
}

// duplicate is cp.
func duplicate(a *act, in *command.Reading) {
	whole := in.Name == "ditto" || in.Has("recursive") || in.Has("archive")
	links, guess := in.Has("link") || in.Has("symbolic-link"), !in.Has("no-target-directory")
	for _, to := range destinations(in) {
		for _, source := range in.Values("source") {
			switch {
			case isNoFile(source) && !isDevice(to.target): // cp /dev/null log
				a.deletes(false, to.target)
				continue
			case links:
				a.add(effect.Effect{Verb: effect.Link, Object: a.path(source), From: a.path(to.target), Wide: whole})
			default:
				a.looks(whole, source)
			}
			a.lands(source, to.target, to.dir, whole, guess)
		}
	}
}

// installFile is install.
func installFile(a *act, in *command.Reading) {
	mode := in.Value("mode")
	if in.Has("directory") {
		for _, p := range in.Values("source") {
			a.modeOf(p, mode, false, true)
		}
		a.directories(in.Values("source"))
		return
	}
	for _, to := range destinations(in) {
		for _, source := range in.Values("source") {
			if source == "/dev/null" && !to.dir {
				a.emptied(to.target)
			}
			a.looks(false, source)
			a.lands(source, to.target, to.dir, false, true)
			if to.dir {
				a.mode(join(to.target, path.Base(source)), mode, false)
			} else {
				a.mode(to.target, mode, false)
			}
		}
	}
}

// link is ln: a symbolic link's target counts from where the link is.
func link(a *act, in *command.Reading) {
	list := destinations(in)
	if len(list) == 0 {
		list = []destination{{".", true}}
	}
	for _, to := range list {
		for _, source := range in.Values("source") {
			a.linked(source, to, in.Has("symbolic"))
		}
	}
}

func (a *act) linked(source string, at destination, symbolic bool) {
	name := at.target
	if at.dir {
		name = join(at.target, path.Base(source))
	}
	to := source
	if symbolic && !effect.IsAbs(source) && !strings.HasPrefix(source, "~") && !unknown(source) {
		to = join(path.Dir(name), source)
	}
	if a.guess && unknown(a.Text) { // what it would lead to is not known, and not more for that
		return
	}
	of, as := a.path(to), a.path(name)
	if of == "/dev/null" && isRecord(as) { // what is recorded goes nowhere
		a.deletes(false, name)
	}
	how := a.toolFrom(of, as)
	a.add(effect.Effect{Verb: effect.Link, Object: of, From: as, How: how})
	a.add(effect.Effect{Verb: effect.Write, Object: as, From: of, How: how})
}

// renamed is rename, whose expression is a program in one of its kinds.
func renamed(a *act, in *command.Reading) {
	for _, expression := range in.Values("expression") {
		if strings.Contains(expression, "system") || strings.ContainsAny(expression, "`") {
			a.doubt(Eval)
		}
	}
}

// tee writes its input to files.
func tee(a *act, in *command.Reading) {
	from, whole := a.cameFrom(), a.in.known && !in.Has("append")
	for _, p := range in.Values("path") {
		if isNoFile(p) || isOpen(p) {
			continue
		}
		if isDevice(p) {
			a.put(p, from)
			continue
		}
		if a.nothingIn() && whole {
			a.emptied(p)
		}
		e := effect.Effect{Verb: effect.Write, Object: a.path(p), From: from}
		if whole || a.in.known && e.Object == "/etc/hosts" { // there, every line is an entry of its own
			e.Content = a.in.text
		}
		a.add(e)
	}
}

// patched notes the files that a patch on the input names, and the directory if
// they cannot be read.
func patched(a *act, in *command.Reading) {
	if len(in.Values("path"))+len(in.Values("output"))+len(in.Values("directory")) > 0 {
		return
	}
	found := false
	if a.in.known {
		for line := range strings.Lines(a.in.text) {
			if name, ok := strings.CutPrefix(line, "+++ "); ok {
				name, _, _ = strings.Cut(strings.TrimRight(name, "\r\n"), "\t")
				a.writes(strings.TrimPrefix(name, "b/"))
				found = true
			}
		}
	}
	if !found {
		a.within(".", "")
	}
}
