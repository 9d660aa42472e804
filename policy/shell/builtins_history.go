package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// historyVerbs are the builtins of shells by which they forget what was run.
var historyVerbs = map[string]verb{"history": history, "fc": history, "unset": unset, "shopt": unset}

// history forgets what was run.
func history(a *act) {
	switch {
	case a.Name == "fc":
		if a.Has("p") {
			a.does(effect.Disarm, "history")
		}
	case a.Has("c"), a.Has("d"), a.Has("--clear"), a.Sub == "clear", a.Sub == "delete":
		a.does(effect.Disarm, "history")
	}
}

// unset notes where the shell is told to forget what is run.
func unset(a *act) {
	for _, name := range a.Operands() {
		if strings.HasPrefix(name, "HIST") && name != "HISTCONTROL" && name != "HISTTIMEFORMAT" {
			a.does(effect.Disarm, "history")
			return
		}
	}
	if a.Name == "shopt" && a.Has("u") && slices.Contains(a.Args, "history") {
		a.does(effect.Disarm, "history")
	}
}
