package hook

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// gitUpdatesListed notes what git update-ref deletes that reads what to do.
func gitUpdatesListed(a *invocation.Act, _ *command.Reading) {
	if !a.In.Known {
		a.Does(effect.Discard, "refs")
		if gitEvery(a, false) && slices.ContainsFunc(a.R.Reading.Commands, makesDeletions) {
			a.Add(effect.Effect{Verb: effect.DeleteBranch, Object: "*", Wide: true})
		}
		return
	}
	deletes := false
	for order := range strings.FieldsFuncSeq(a.In.Text, func(r rune) bool { return r == '\n' || r == 0 }) {
		words := strings.Fields(order)
		if !a.R.Pay(invocation.ArgumentSteps) || len(words) < 2 || words[0] != "delete" {
			continue
		}
		deletes = true
		if branch, ok := strings.CutPrefix(strings.Trim(words[1], `"`), "refs/heads/"); ok && isTrunk(branch) {
			a.Does(effect.DeleteBranch, branch)
		}
	}
	if deletes {
		a.Does(effect.Discard, "refs")
	}
}

// makesDeletions reports whether a command makes orders to delete of a list.
func makesDeletions(c invocation.Command) bool {
	return slices.ContainsFunc(c.Args, func(arg string) bool { return strings.Contains(arg, "delete") })
}

// gitLogExpires reports whether the log of what there was is given up, too: then nothing
// can be found again of commits that nothing names.
func gitLogExpires(a *invocation.Act, _ *command.Reading) bool {
	for i := range a.R.Reading.Effects {
		if !a.R.Pay(1) {
			break
		}
		if before := &a.R.Reading.Effects[i]; before.Verb == effect.Discard && before.Object == "reflog" {
			return true
		}
	}
	for i := range a.R.Reading.Commands {
		if c := &a.R.Reading.Commands[i]; c.Name == "git" && a.R.Pay(invocation.ArgumentSteps) && gitExpiresLog(c.Args) {
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
		if invocation.Unknown(when) {
			return true
		}
	}
	return false
}

// gitListed are the refs on a command's input.
func gitListed(a *invocation.Act) []string {
	if !a.In.Known {
		return []string{"*"}
	}
	return follow.Few(a, strings.Fields(a.In.Text))
}

// isListed reports whether the name of a branch comes from a list whose contents are
// unknown.
func isListed(name string) bool { return invocation.Unknown(name) || name == "{}" }

// gitEvery reports whether a list of branches was made by which all of them are
// meant, or all but some. One of those that are merged is everyday work.
func gitEvery(a *invocation.Act, butSome bool) bool {
	every := false
	for i, c := range a.R.Reading.Commands {
		if i > guard.MostLooked {
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
		case butSome && c.Is("grep", "egrep", "rg") && (c.Has("v") || c.Has("--invert-match")):
		case c.Name == "grep" || c.Name == "egrep" || c.Name == "rg" || c.Name == "head" || c.Name == "fzf":
			return every && slices.Contains(c.Args, ".")
		case c.Name == "awk" && slices.ContainsFunc(c.Args, func(s string) bool { return strings.ContainsAny(s, "/!~") || strings.Contains(s, "==") }):
			return false
		}
	}
	return every
}

// gitFromList reports whether the name of a branch is each line of a list in turn: for b in
// $(git branch), git branch | while read b.
func gitFromList(a *invocation.Act, in *command.Reading) bool {
	for _, name := range in.Values("name") {
		if strings.HasPrefix(name, "$(git ") || strings.HasPrefix(name, "`git ") {
			return true
		}
		variable := strings.Trim(name, "${}")
		if variable == name {
			continue
		}
		lists := false
		for i := range a.R.Reading.Commands {
			c := &a.R.Reading.Commands[i]
			lists = lists || c.Name == "git" && (c.Sub == "branch" || c.Sub == "for-each-ref")
			if i <= guard.MostLooked && lists && c.Name == "read" && slices.Contains(c.Args, variable) {
				return true
			}
		}
	}
	return false
}

// isNarrow reports whether an argument of a list of branches picks some.
func isNarrow(arg string) bool {
	for _, flag := range []string{"--merged", "--no-merged", "--contains", "--no-contains", "--points-at", "--count", "--show-current", "refs/original"} {
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
