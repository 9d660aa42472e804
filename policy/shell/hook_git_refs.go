package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// gitUpdatesListed notes what git update-ref deletes that reads what to do.
func gitUpdatesListed(a *act, _ *command.Reading) {
	if !a.in.known {
		a.does(effect.Discard, "refs")
		if a.gitListsToDelete() {
			a.add(effect.Effect{Verb: effect.DeleteBranch, Object: "*", Wide: true})
		}
		return
	}
	deletes := false
	for order := range strings.FieldsFuncSeq(a.in.text, func(r rune) bool { return r == '\n' || r == 0 }) {
		words := strings.Fields(order)
		if !a.r.pay(argumentSteps) || len(words) < 2 || words[0] != "delete" {
			continue
		}
		deletes = true
		if branch, ok := strings.CutPrefix(strings.Trim(words[1], `"`), "refs/heads/"); ok && isTrunk(branch) {
			a.does(effect.DeleteBranch, branch)
		}
	}
	if deletes {
		a.does(effect.Discard, "refs")
	}
}

// gitListsToDelete reports whether the commands before list all refs, or all
// branches, and make orders to delete of them.
func (a *act) gitListsToDelete() bool {
	lists, deletes := false, false
	for i := range a.r.reading.Commands {
		c := &a.r.reading.Commands[i]
		if !a.r.pay(argumentSteps) {
			break
		}
		lists = lists || c.Name == "git" && (c.Sub == "for-each-ref" || c.Sub == "show-ref") && !slices.ContainsFunc(c.Args, isSomeRefs)
		deletes = deletes || slices.ContainsFunc(c.Args, func(arg string) bool { return strings.Contains(arg, "delete") })
	}
	return lists && deletes
}

// isSomeRefs reports whether a pattern of refs means neither all of them nor all
// branches: those below refs/original are copies of what was rewritten.
func isSomeRefs(arg string) bool {
	below, ok := strings.CutPrefix(arg, "refs/")
	switch kind, name, _ := strings.Cut(below, "/"); kind {
	case "", "*", "**", "heads", "remotes":
		return ok && strings.Trim(name, "*/") != ""
	}
	return ok
}

// gitLogExpires reports whether the log of what there was is given up, too: then nothing
// can be found again of commits that nothing names.
func gitLogExpires(a *act, _ *command.Reading) bool {
	for i := range a.r.reading.Effects {
		if !a.r.pay(1) {
			break
		}
		if before := &a.r.reading.Effects[i]; before.Verb == effect.Discard && before.Object == "reflog" {
			return true
		}
	}
	for i := range a.r.reading.Commands {
		if c := &a.r.reading.Commands[i]; c.Name == "git" && a.r.pay(argumentSteps) && gitExpiresLog(c.Args) {
			return true
		}
	}
	return false
}

// gitExpiresLog reports whether arguments of git say that its log is to be given up
// at once: -c gc.reflogExpire=now, config gc.reflogExpire now.
func gitExpiresLog(args []string) bool {
	const setting = "gc.reflogexpire" // and gc.reflogExpireUnreachable
	for i, arg := range args {
		if len(arg) < len(setting) || !strings.EqualFold(arg[:len(setting)], setting) {
			continue
		}
		_, when, given := strings.Cut(arg, "=")
		if !given && i+1 < len(args) {
			when = args[i+1]
		}
		switch when {
		case "now", "all", "0", "today":
			return true
		}
		if unknown(when) {
			return true
		}
	}
	return false
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

// isTrunk reports whether a branch is one that others build on.
func isTrunk(name string) bool {
	switch name {
	case "main", "master", "trunk", "develop", "production", "prod", "release":
		return true
	}
	return strings.HasPrefix(name, "release/")
}
