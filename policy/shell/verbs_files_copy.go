package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// targets takes the place that files are copied, moved or linked to off the
// operands. dir says that it is a directory for sure.
func targets(g *given) (target string, dir bool) {
	if target = g.value("t", "target-directory"); target != "" {
		return target, true
	}
	target = g.last()
	many := len(g.operands) > 1 || len(g.operands) == 1 && strings.ContainsAny(g.operands[0], "*?[")
	return target, (many || isDirectory(target)) && !g.has("T", "no-target-directory")
}

var copyUsage = usage{values: "tS", long: []string{"target-directory", "suffix"}}

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
func move(a *act) {
	g := a.given(&copyUsage)
	target, dir := targets(&g)
	guess := !g.has("T", "no-target-directory")
	for _, source := range g.operands {
		if a.guess && isByItself(source) { // mv . fails
			continue
		}
		a.lands(source, target, dir, false, guess)
		if !a.renames(source, target) {
			a.deletes(mayBeDirectory(source), source)
		}
	}
}

func duplicate(a *act) {
	g := a.given(&copyUsage)
	whole := a.Name == "ditto" || g.has("r", "R", "a", "recursive", "archive")
	links, guess := g.has("l", "s", "link", "symbolic-link"), !g.has("T", "no-target-directory")
	target, dir := targets(&g)
	for _, source := range g.operands {
		switch {
		case isNoFile(source) && !isDevice(target): // cp /dev/null log
			a.deletes(false, target)
			continue
		case links:
			a.add(effect.Effect{Verb: effect.Link, Object: a.path(source), From: a.path(target), Wide: whole})
		default:
			a.looks(whole, source)
		}
		a.lands(source, target, dir, whole, guess)
	}
}

func installFile(a *act) {
	g := a.given(&usage{values: "gmotS", long: []string{"group", "mode", "owner", "target-directory", "suffix", "strip-program"}})
	mode := g.value("m", "mode")
	if g.has("d", "directory") {
		for _, p := range g.operands {
			a.modeOf(p, mode, false, true)
		}
		a.directories(g.operands)
		return
	}
	target, dir := targets(&g)
	for _, source := range g.operands {
		if source == "/dev/null" && !dir {
			a.emptied(target)
		}
		a.looks(false, source)
		a.lands(source, target, dir, false, true)
		if dir {
			a.mode(join(target, path.Base(source)), mode, false)
		} else {
			a.mode(target, mode, false)
		}
	}
}

// link is ln: a symbolic link's target counts from where the link is.
func link(a *act) {
	g := a.given(&copyUsage)
	symbolic := g.has("s", "symbolic")
	if len(g.operands) == 1 && !g.has("t", "target-directory") {
		g.operands = append(g.operands, ".")
	}
	target, dir := targets(&g)
	for _, source := range g.operands {
		name := target
		if dir {
			name = join(target, path.Base(source))
		}
		to := source
		if symbolic && !effect.IsAbs(source) && !strings.HasPrefix(source, "~") && !unknown(source) {
			to = join(path.Dir(name), source)
		}
		if a.guess && unknown(a.Text) { // what it would lead to is not known, and not more for that
			continue
		}
		of, as := a.path(to), a.path(name)
		if of == "/dev/null" && isRecord(as) { // what is recorded goes nowhere
			a.deletes(false, name)
		}
		how := a.toolFrom(of, as)
		a.add(effect.Effect{Verb: effect.Link, Object: of, From: as, How: how})
		a.add(effect.Effect{Verb: effect.Write, Object: as, From: of, How: how})
	}
}

// rename changes the names of files by an expression, which is a program in one
// of its kinds.
func rename(a *act) {
	g := a.given(&usage{values: "eE"})
	if g.has("n", "no-act", "dry-run", "nono", "just-print") {
		return
	}
	if !g.has("e", "E") && len(g.operands) > 1 {
		if expression := g.first(); strings.Contains(expression, "system") || strings.ContainsAny(expression, "`") {
			a.doubt(Eval)
		}
	}
	for _, p := range g.operands {
		a.put(p, "")
	}
}

func makeNode(a *act) {
	g := a.given(&usage{values: "m"})
	if len(g.operands) > 1 && strings.ContainsAny(g.operands[1], "bcu") {
		a.does(effect.Grant, "device "+a.path(g.operands[0]))
	}
	a.put(g.first(), "")
}

// makeTemp writes a new file, which matters only where it is told to make it
// elsewhere than among temporary files.
func makeTemp(a *act) {
	g := a.given(&usage{values: "p", long: []string{"suffix", "tmpdir"}})
	if dir := g.value("p", "tmpdir"); dir != "" {
		a.writes(dir)
		return
	}
	if !g.has("t", "u", "dry-run") {
		a.writes(g.operands...)
	}
}

func mkfile(a *act) {
	g := a.given(&usage{})
	g.first()
	a.writes(g.operands...)
}

// tee writes its input to files.
func tee(a *act) {
	g := a.given(&usage{})
	from, whole := a.cameFrom(), a.in.known && !g.has("a", "append")
	for _, p := range g.operands {
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

// split writes pieces of its input, or gives each to a command.
func split(a *act) {
	g := a.given(&usage{values: "abClnt", long: []string{"suffix-length", "additional-suffix", "bytes", "line-bytes", "filter", "lines", "number", "separator"}})
	a.looks(false, g.first())
	if command := g.value("filter"); command != "" {
		a.script(command)
		return
	}
	prefix := g.first()
	if prefix == "" {
		prefix = "x"
	}
	a.writes(prefix + "*")
}

func csplit(a *act) {
	g := a.given(&usage{values: "bfn", long: []string{"prefix", "suffix-format", "digits"}})
	a.looks(false, g.first())
	prefix := g.value("f", "prefix")
	if prefix == "" {
		prefix = "xx"
	}
	a.writes(prefix + "*")
}

// patch changes the file it names, or those that the patch names.
func patch(a *act) {
	g := a.given(&usage{values: "BDFVYdgioprxz", long: []string{"directory", "input", "output", "strip", "fuzz", "reject-file", "prefix", "suffix", "basename-prefix", "ifdef", "get"}})
	a.looks(false, g.all("i", "input")...)
	if g.has("dry-run", "C", "check") {
		return
	}
	dir := g.value("d", "directory")
	switch out := g.value("o", "output"); {
	case out != "":
		a.put(out, "")
	case len(g.operands) > 0:
		a.put(g.operands[0], "")
	case dir != "":
		a.within(dir, "")
	default:
		a.patched()
	}
	if len(g.operands) > 1 {
		a.looks(false, g.operands[1])
	}
}

// patched notes the files that a patch on the input names, and the directory if
// they cannot be read.
func (a *act) patched() {
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
