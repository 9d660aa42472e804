package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// jujutsu is jj, which keeps its work in repositories of git. Its pushes overwrite
// what they moved, and with --deleted they delete what is gone here.
func jujutsu(a *act) {
	l := a.line(valued("R repository b bookmark branch r revisions revision c change remote config config-file color at-operation at-op named m message"))
	switch {
	case l.has("dry-run", "ignore-working-copy-dry"):
	case l.operand(0) == "git" && l.operand(1) == "push":
		p := push{act: a, remote: l.value("remote")}
		switch names := l.values("b", "bookmark", "branch"); {
		case l.has("deleted"):
			p.does(effect.DeleteBranch, "*")
		case len(names) > 0:
			for _, name := range a.few(names) {
				p.does(effect.Push, strings.TrimPrefix(strings.TrimPrefix(name, "exact:"), "glob:"))
			}
		case l.has("all", "tracked"):
			p.does(effect.Push, "*")
		default:
			p.does(effect.Push, "HEAD")
		}
	case l.operand(0) == "abandon":
		a.does(effect.Discard, "commits "+strings.Join(l.from(1), " "))
	case l.operand(0) == "op" || l.operand(0) == "operation":
		if l.operand(1) == "abandon" {
			a.does(effect.Discard, "reflog")
		}
	}
}

// sapling is sl and hg.
func sapling(a *act) {
	l := a.line(valued("R repository cwd config r rev b branch B bookmark to d dest e ssh remotecmd"))
	switch l.operand(0) {
	case "push":
		to := l.value("to", "B", "bookmark", "b", "branch")
		if to == "" {
			to = "HEAD"
		}
		p := push{act: a, remote: l.operand(1)}
		switch name := l.value("delete"); {
		case l.has("delete"):
			if name == "" {
				name = l.operand(1)
			}
			p.does(effect.DeleteBranch, name)
		case l.exact("f") || l.has("force", "non-forward-move"):
			p.add(effect.Effect{Verb: effect.ForcePush, Object: to, From: p.remote, Wide: to == "HEAD" && a.Name == "sl"})
		default:
			p.does(effect.Push, to)
		}
	case "bookmark", "bookmarks", "book":
		if name := l.value("delete"); l.has("delete-remote", "remote") && l.has("d", "delete") {
			a.does(effect.DeleteBranch, name+l.operand(1))
		}
	case "strip", "debugstrip", "histedit", "prune", "hide":
		a.does(effect.RewriteHistory, "history")
		if rev := l.value("r", "rev") + l.operand(1); l.operand(0) != "histedit" && (rev == "0" || strings.HasPrefix(rev, "0:") || rev == "all()" || rev == ":") {
			a.add(effect.Effect{Verb: effect.Discard, Object: "history", Wide: true})
		}
	case "purge", "clean":
		if l.has("all", "ignored") {
			a.does(effect.Discard, "untracked files")
		}
	case "update", "up", "goto", "revert":
		if l.exact("C") || l.has("clean", "all") {
			a.discards(nil)
		}
	}
}

// gitListed are the refs on a command's input.
func (a *act) gitListed() []string {
	if !a.in.known {
		return []string{"*"}
	}
	return a.few(strings.Fields(a.in.text))
}

// isListed reports whether the name of a branch is taken from a list of which
// nothing is known.
func isListed(name string) bool { return unknown(name) || name == "{}" }

// gitEvery reports whether a list of branches was made by which all of them are
// meant. One of those that are merged, or without some, is everyday work.
func (a *act) gitEvery() bool {
	every := false
	for i, c := range a.r.reading.Commands {
		if i > mostLooked {
			break
		}
		switch {
		case c.Name == "git" && (c.Sub == "branch" || c.Sub == "for-each-ref" || c.Sub == "ls-remote" || c.Sub == "show-ref"):
			if slices.ContainsFunc(c.Args, isNarrow) {
				return false
			}
			every = true
		case c.Name == "git" && c.Sub == "tag":
			switch words := c.Operands(); {
			case c.Has("d") || c.Has("--delete"):
			case len(words) > 1 && words[1] != "*", slices.ContainsFunc(c.Args, isNarrow): // one that is made, or some
				return false
			default:
				every = true
			}
		case c.Name == "grep" || c.Name == "egrep" || c.Name == "rg" || c.Name == "head" || c.Name == "fzf":
			return every && slices.Contains(c.Args, ".")
		case c.Name == "awk" && slices.ContainsFunc(c.Args, func(s string) bool { return strings.ContainsAny(s, "/!~") }):
			return false
		}
	}
	return every
}

// mostLooked is how many commands of a text are looked at again.
const mostLooked = 256

// isNarrow reports whether an argument of a list of branches picks some.
func isNarrow(arg string) bool {
	for _, flag := range []string{"--merged", "--no-merged", "--contains", "--no-contains", "--points-at", "--count"} {
		if strings.HasPrefix(arg, flag) {
			return true
		}
	}
	rest, ok := strings.CutPrefix(arg, "refs/") // refs/heads/wip/*
	return ok && strings.Count(strings.Trim(rest, "/*"), "/") > 1
}

// forge is the command line of a place where repositories live: tea, fj, berg.
func forge(a *act) {
	l := a.line(valued("owner o name n login l remote R repo output"))
	switch topic, does := l.operand(0), l.operand(1); {
	case l.has("help", "h"):
	case topic == "repo" || topic == "repos" || topic == "r":
		if does == "delete" || does == "rm" || does == "remove" {
			about := strings.Trim(l.value("owner", "o")+"/"+l.value("name", "n", "repo")+l.operand(2), "/")
			a.add(effect.Effect{Verb: effect.Destroy, Object: "repository " + about, Wide: true})
		}
	case (topic == "branch" || topic == "branches" || topic == "b") && does == "unprotect":
		a.does(effect.Disarm, "branch protection of "+l.operand(2))
	}
}

// depot is p4: obliterate takes files out of the history, for good if it is told
// that it is meant.
func depot(a *act) {
	l := a.line(valued("c client u user p port P password H host d"))
	switch {
	case l.operand(0) == "obliterate" && (l.has("y") || slices.Contains(a.Args, "-y")):
		a.add(effect.Effect{Verb: effect.Destroy, Object: "history of " + strings.Join(l.from(1), " "), Wide: true})
	case l.operand(0) == "depot" && slices.Contains(a.Args, "-d"):
		a.add(effect.Effect{Verb: effect.Destroy, Object: "depot", Wide: true})
	}
}

// versions is for other programs that keep versions: bzr, brz, fossil, darcs. They push
// to an address, or where they pushed before.
func versions(a *act) {
	l := a.line(valued("d directory m message r revision remember"))
	if l.operand(0) != "push" || l.has("dry-run") {
		return
	}
	p := push{act: a, remote: l.operand(1)}
	if l.has("overwrite") {
		p.add(effect.Effect{Verb: effect.ForcePush, Object: "HEAD", From: p.remote})
		return
	}
	p.does(effect.Push, "HEAD")
}
