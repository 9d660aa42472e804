package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// inside reads what a command runs in turn. It returns what that prints, and
// whether all is said about the command.
func (r *reader) inside(a *invocation.Act, called string) (out invocation.Flow, done bool) {
	switch {
	case follow.IsShell(a.Name):
		return r.shell(a), true
	case strings.Contains(called, "/") && !invocation.Unknown(called) && (!ofSystem(called) || r.Wrote[called] != nil):
		if !r.IsProgram(a.Name) || r.File(a.Path(called)) != nil {
			return follow.ScriptFile(&r.Reader, a, called), true
		}
		a.Does(effect.Run, a.Path(called)) // it may be what it is called, or not
	}
	switch a.Name {
	case "eval":
		return r.eval(a), true
	case "iex", "Invoke-Expression":
		if a.In.Piped {
			return r.RunInput(a), true
		}
	case "source", ".":
		if a.In.Piped && len(a.Args) == 0 { // fish
			return r.RunInput(a), true
		}
		return r.source(a), true
	case "trap":
		if len(a.Args) > 1 && !strings.HasPrefix(a.Args[0], "-") {
			a.Script(a.Args[0])
		}
	case "alias":
		r.alias(a)
	case "unset":
		for _, name := range a.Operands() {
			delete(r.Scope.Vars, name)
			r.Scope.Withhold(name)
			a.Does(effect.UnsetVariable, name)
		}
	case "set":
		r.positional(a)
	case "shift":
		if len(r.Scope.Params) > 0 {
			r.Scope.Params = r.Scope.Params[1:]
		}
	case "read", "mapfile", "readarray":
		r.input(a)
	case "hash":
		if program := a.Flag("p"); program != "" && len(a.Args) > 2 {
			if r.Scope.Aliases == nil {
				r.Scope.Aliases = map[string]string{}
			}
			for _, name := range follow.Few(a, a.Operands("p")) {
				r.Scope.Aliases[name] = program
			}
		}
	case "getopts":
		r.Scope.Set(invocation.LastOf(a.Args), follow.Firm("$"+invocation.LastOf(a.Args)))
	case "find", "gfind", "fd", "fdfind":
		return r.runner(a)
	}
	return invocation.Flow{}, false
}

// ofSystem reports whether a program is one of the machine, by its path.
func ofSystem(called string) bool {
	switch path.Dir(called) {
	case "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin", "/opt/local/bin", "/usr/libexec", "/snap/bin", "/run/current-system/sw/bin":
		return true
	}
	return false
}
