package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// inside reads what a command runs in turn. It returns what that prints, and
// whether all is said about the command.
func (r *reader) inside(a *act, called string) (out flow, done bool) {
	switch {
	case isShell(a.Name):
		return r.shell(a), true
	case strings.Contains(called, "/") && !unknown(called) && (!ofSystem(called) || r.wrote[called] != nil):
		if !r.isProgram(a.Name) || r.file(a.path(called)) != nil {
			return r.scriptFile(a, called), true
		}
		a.does(effect.Run, a.path(called)) // it may be what it is called, or not
	}
	switch a.Name {
	case "eval":
		return r.eval(a), true
	case "iex", "Invoke-Expression":
		if a.in.piped {
			return r.runInput(a), true
		}
	case "source", ".":
		if a.in.piped && len(a.Args) == 0 { // fish
			return r.runInput(a), true
		}
		return r.source(a), true
	case "trap":
		if len(a.Args) > 1 && !strings.HasPrefix(a.Args[0], "-") {
			a.script(a.Args[0])
		}
	case "alias":
		r.alias(a)
	case "unset":
		for _, name := range a.Operands() {
			delete(r.scope.vars, name)
			a.does(effect.UnsetVariable, name)
		}
	case "set":
		r.positional(a)
	case "shift":
		if len(r.scope.params) > 0 {
			r.scope.params = r.scope.params[1:]
		}
	case "read", "mapfile", "readarray":
		r.input(a)
	case "hash":
		if program := a.Flag("p"); program != "" && len(a.Args) > 2 {
			if r.scope.aliases == nil {
				r.scope.aliases = map[string]string{}
			}
			for _, name := range a.few(a.Operands("p")) {
				r.scope.aliases[name] = program
			}
		}
	case "getopts":
		r.scope.set(lastOf(a.Args), firm("$"+lastOf(a.Args)))
	case "find", "gfind", "fd", "fdfind":
		return r.runner(a)
	}
	return flow{}, false
}

// ofSystem reports whether a program is one of the machine, by its path.
func ofSystem(called string) bool {
	switch path.Dir(called) {
	case "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin", "/opt/local/bin", "/usr/libexec", "/snap/bin", "/run/current-system/sw/bin":
		return true
	}
	return false
}

func lastOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

// firstOr is the first of a list, or something else if it is empty.
func firstOr(list []string, other string) string {
	if len(list) > 0 {
		return list[0]
	}
	return other
}
