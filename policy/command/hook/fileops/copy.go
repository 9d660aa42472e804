package fileops

import (
	"path"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
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
func lands(a *invocation.Act, source, target string, dir, whole, guess bool) {
	if invocation.IsNoFile(target) {
		return
	}
	from, name := source, path.Base(source)
	if machine, there := elsewhere(source); machine == "" || a.Name != "scp" {
		from = a.Path(a.Searched(source)[0])
	} else {
		name = path.Base(there)
	}
	if from == "" || name == "." || name == ".." || name == "/" || strings.HasSuffix(source, "/") && a.Name == "rsync" {
		name = "" // what is in it, under the names that it has there
	}
	switch {
	case invocation.IsDevice(target):
		a.Put(target, from)
	case !dir:
		a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(target), From: from, Wide: whole, How: toolFrom(a, from, a.Path(target))})
		if guess && name != "" && MayBeDirectory(target) && path.Base(target) != name {
			a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(follow.Join(target, name)), From: from, Wide: whole, Guess: true})
		}
	case name == "":
		a.Within(target, from)
	default:
		a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(follow.Join(target, name)), From: from, Wide: whole || strings.ContainsAny(name, "*?["), How: toolFrom(a, from, a.Path(follow.Join(target, name)))})
	}
}

// toolInstall is how a tool gets to where people have their own, under its own name:
// as it was found, or as its makers give it out.
const toolInstall = effect.ToolInstall

// toolFrom is toolInstall where that is what a copy does, and empty otherwise. Of the
// tools that others rely on it is only for one that people install in this way; a
// script that somebody wrote here is no tool that is found.
func toolFrom(a *invocation.Act, from, to string) string {
	if ownProgram(a, from, to) {
		return toolInstall
	}
	dir, ok := strings.CutSuffix(to, "/kubectl")
	if !ok || path.Base(from) != "kubectl" || a.Remote || a.Guess || invocation.Unknown(from) || isHidden(from) {
		return ""
	}
	home := a.At.Home
	switch dir {
	case "/usr/local/bin", "~/bin", "~/.local/bin", home + "/bin", home + "/.local/bin":
	default:
		return ""
	}
	if f := a.R.File(from); f != nil && (f.Content != "" || f.Link != "" || f.From != "" || f.Remote != "" && !isRelease(f.Remote)) {
		return ""
	}
	return toolInstall
}

// isHidden reports whether a path leads through a name that does not show.
func isHidden(p string) bool { return strings.Contains(p, "/.") || strings.HasPrefix(p, ".") }

// Move is mv: the sources are gone from where they were. A move to nowhere
// removes them.
func Move(a *invocation.Act, in *command.Reading) {
	guess := !in.Has("no-target-directory")
	for _, to := range destinations(in) {
		for _, source := range in.Values("source") {
			if a.Guess && endsInDot(source) { // mv . fails
				continue
			}
			a.As(takesPlace(in), func() { lands(a, source, to.target, to.dir, false, guess) })
			if !renames(a, source, to.target) {
				a.DeletesFiles(MayBeDirectory(source), source)
			}
		}
	}
}

// Duplicate is cp.
func Duplicate(a *invocation.Act, in *command.Reading) {
	whole := in.Name == "ditto" || in.Has("recursive") || in.Has("archive")
	links, guess := in.Has("link") || in.Has("symbolic-link"), !in.Has("no-target-directory")
	for _, to := range destinations(in) {
		for _, source := range in.Values("source") {
			switch {
			case invocation.IsNoFile(source) && !invocation.IsDevice(to.target): // cp /dev/null log
				a.DeletesFiles(false, to.target)
				continue
			case links:
				a.Add(effect.Effect{Verb: effect.Link, Object: a.Path(source), From: a.Path(to.target), Wide: whole})
			default:
				a.Looks(whole, source)
			}
			a.As(takesPlace(in), func() { lands(a, source, to.target, to.dir, whole, guess) })
		}
	}
}

// takesPlace is the kind of what is written where it takes the place of what has the name,
// even of a directory; empty otherwise.
func takesPlace(in *command.Reading) effect.Kind {
	if in.Has("no-target-directory") {
		return effect.Replace
	}
	return ""
}

// InstallFile is install.
func InstallFile(a *invocation.Act, in *command.Reading) {
	mode := in.Value("mode")
	if in.Has("directory") {
		for _, p := range in.Values("source") {
			follow.ModeOf(a, p, mode, false, true)
		}
		directories(a, in.Values("source"))
		return
	}
	for _, to := range destinations(in) {
		for _, source := range in.Values("source") {
			if source == "/dev/null" && !to.dir {
				follow.Emptied(a, to.target)
			}
			a.Looks(false, source)
			lands(a, source, to.target, to.dir, false, true)
			if to.dir {
				follow.Mode(a, follow.Join(to.target, path.Base(source)), mode, false)
			} else {
				follow.Mode(a, to.target, mode, false)
			}
		}
	}
}

// Link is ln: a symbolic link's target counts from where the link is.
func Link(a *invocation.Act, in *command.Reading) {
	list := destinations(in)
	if len(list) == 0 {
		list = []destination{{".", true}}
	}
	for _, to := range list {
		for _, source := range in.Values("source") {
			kind := takesPlace(in)
			if in.Has("no-dereference") {
				kind = effect.Replace
			}
			a.As(kind, func() { linked(a, source, to, in.Has("symbolic")) })
		}
	}
}

func linked(a *invocation.Act, source string, at destination, symbolic bool) {
	name := at.target
	if at.dir {
		name = follow.Join(at.target, path.Base(source))
	}
	to := source
	if symbolic && !effect.IsAbs(source) && !strings.HasPrefix(source, "~") && !invocation.Unknown(source) {
		to = follow.Join(path.Dir(name), source)
	}
	if a.Guess && invocation.Unknown(a.Text) { // what it would lead to is not known, and not more for that
		return
	}
	of, as := a.Path(to), a.Path(name)
	if of == "/dev/null" && IsRecord(as) { // what is recorded goes nowhere
		a.DeletesFiles(false, name)
	}
	how := toolFrom(a, of, as)
	a.Add(effect.Effect{Verb: effect.Link, Object: of, From: as, How: how})
	a.Add(effect.Effect{Verb: effect.Write, Object: as, From: of, How: how})
}

// Tee writes its input to files.
func Tee(a *invocation.Act, in *command.Reading) {
	from, whole := a.CameFrom(), a.In.Known && !in.Has("append")
	for _, p := range in.Values("path") {
		if invocation.IsNoFile(p) || invocation.IsOpen(p) {
			continue
		}
		if invocation.IsDevice(p) {
			a.Put(p, from)
			continue
		}
		if nothingIn(a) && whole {
			follow.Emptied(a, p)
		}
		if !whole && a.In.Known && from == "" && a.Path(p) != "/etc/hosts" {
			follow.Adds(a, p, a.In.Text, false)
			continue
		}
		e := effect.Effect{Verb: effect.Write, Object: a.Path(p), From: from}
		if whole || a.In.Known && e.Object == "/etc/hosts" { // there, every line is an entry of its own
			e.Content = a.In.Text
		}
		a.Add(e)
	}
}

// Patched notes the files that a patch names, on the input or in a file that is known, with what
// it puts into them, and the directory if it cannot be read.
func Patched(a *invocation.Act, in *command.Reading) {
	text, known := a.In.Text, a.In.Known
	for _, file := range in.Values("patch") {
		if content, ok := a.File(file); ok {
			text, known = content, true
		}
	}
	p := follow.Patch{Text: text, Strip: -1, Dir: in.Value("directory"), Reverse: in.Has("reverse")}
	if n, err := strconv.Atoi(in.Value("strip")); err == nil && n > 0 {
		p.Strip = n
	}
	if len(in.Values("path"))+len(in.Values("output")) > 0 { // the file is named beside the patch
		added, files := "", in.Values("output")
		if known {
			added = p.Added()
		}
		if len(files) == 0 {
			files = in.Values("path")
		}
		for _, name := range files {
			follow.Adds(a, name, added, false)
		}
		return
	}
	if found := known && p.Apply(a); !found && p.Dir == "" {
		a.Within(".", "")
	}
}
