package shell

import (
	"slices"
	"strings"
)

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
