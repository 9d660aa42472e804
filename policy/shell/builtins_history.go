package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/command/hook/fileops"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// builtinVerbs are the builtins of shells that have effects, and shells that run programs
// in a language of their own.
var builtinVerbs = map[string]invocation.Verb{
	"history": history, "fc": history, "unset": unset, "shopt": unset,
	"cmd": windowsShell, "powershell": windowsShell, "pwsh": windowsShell,
	"set": shellVariables, "export": shellVariables, "declare": shellVariables, "typeset": shellVariables,
}

// history forgets what was run.
func history(a *invocation.Act) {
	switch {
	case a.Name == "fc":
		if a.Has("p") {
			a.Does(effect.Disarm, "history")
		}
	case a.Has("r") || a.Has("n"):
		for _, p := range a.Operands() {
			if output.IsPrivateKey(a.Path(p)) {
				follow.Prints(a, p)
			}
		}
	case a.Has("a") || a.Has("w"):
		if a.Has("c") {
			a.Does(effect.Disarm, "history")
		}
		p := invocation.LastOf(a.Operands())
		if v, ok := a.R.Scope.Vars["HISTFILE"]; p == "" && ok {
			p, _ = v.Known()
		}
		if p != "" {
			a.WritesFiles(p)
		}
	case a.Has("c"), a.Has("d"), a.Has("--clear"), a.Sub == "clear", a.Sub == "delete":
		a.Does(effect.Disarm, "history")
	}
}

// unset notes where the shell is told to forget what is run.
func unset(a *invocation.Act) {
	for _, name := range a.Operands() {
		if strings.HasPrefix(name, "HIST") && name != "HISTCONTROL" && name != "HISTTIMEFORMAT" {
			a.Does(effect.Disarm, "history")
			break
		}
	}
	guard.UnsetsMatching(a)
	if a.Name == "shopt" && a.Has("u") && slices.Contains(a.Args, "history") {
		a.Does(effect.Disarm, "history")
	}
}

// shellVariables are set, export and declare where they only print.
func shellVariables(a *invocation.Act) {
	switch {
	case a.Name == "set" && slices.Contains(a.Args, "+o") && slices.Contains(a.Args, "history"):
		guard.Disarm(a, "history")
		return
	case len(a.Args) == 0:
	case a.Name != "set" && len(a.Args) == 1 && (a.Args[0] == "-p" || a.Args[0] == "-x" || a.Args[0] == "-xp" || a.Args[0] == "-px"):
	default:
		if a.Name != "set" && a.Has("p") {
			for _, name := range a.Operands() {
				fileops.RevealsVariable(a, name)
			}
		}
		return
	}
	guard.Reveals(a, "environment")
}

// lists says what a declaration prints that declares nothing: export -p, declare -x.
func (r *reader) lists(c *invocation.Command, number int) {
	if number >= 0 && !slices.ContainsFunc(c.Args, func(arg string) bool { return !strings.HasPrefix(arg, "-") }) {
		shellVariables(&invocation.Act{Command: c, R: &r.Reader, Number: number, At: r.Scope.At})
	}
}

// windowsShell is a shell of Windows, which somebody may start as an administrator.
func windowsShell(a *invocation.Act) {
	guard.Otherwise(a)
	if a.Sudo && !a.In.Piped && !slices.ContainsFunc(a.Args, func(s string) bool { return !strings.HasPrefix(s, "--") }) {
		a.Does(effect.Grant, "shell as another user")
	}
}

// forgets reports whether a variable tells a shell to keep no record of what it ran.
func forgets(name, value string) bool {
	switch name {
	case "HISTFILE":
		return value == "" || value == "/dev/null"
	case "HISTSIZE", "HISTFILESIZE", "SAVEHIST":
		return value == "0"
	}
	return false
}
