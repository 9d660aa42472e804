package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// setsPasswords is chpasswd, whose input says whose password is set: NAME:PASSWORD.
func setsPasswords(a *act, _ *command.Reading) {
	name := ""
	if a.in.known {
		name, _, _ = strings.Cut(strings.TrimSpace(a.in.text), ":")
	}
	a.does(effect.Grant, strings.TrimSpace("password of "+name))
}

// editsAsRoot is sudoedit, and sudo -e.
func editsAsRoot(a *act, in *command.Reading) {
	if in.Name != "sudoedit" && !in.Has("edit") {
		return
	}
	a.Sudo = true
	for _, role := range []string{"file", "word"} {
		for _, p := range in.Values(role) {
			a.put(p, "")
		}
	}
}

// sudoAnswers notes that sudo gets its password from the text instead of from somebody:
// on its input, or by a program that the text names.
func sudoAnswers(a *act, in *command.Reading) {
	program, _ := a.Variable("SUDO_ASKPASS")
	if program == "" {
		program = a.r.from.env["SUDO_ASKPASS"]
	}
	if in.Has("stdin") && a.in.piped && a.in.by != "/dev/null" || in.Has("askpass") && program != "" && !ofMachine(program) {
		a.does(effect.Grant, "sudo with a password from the text")
	}
}

// ofMachine reports whether a program was installed by the machine's owner, by
// its path.
func ofMachine(p string) bool {
	return strings.HasPrefix(p, "/usr/") || strings.HasPrefix(p, "/opt/") || strings.HasPrefix(p, "/bin/") || strings.HasPrefix(p, "/Applications/") || !strings.Contains(p, "/")
}

// adminShell is a shell of Windows that somebody starts as an administrator.
func adminShell(a *act) {
	words := slices.ContainsFunc(a.Args, func(s string) bool { return !strings.HasPrefix(s, "--") })
	if a.Sudo && !words && !a.in.piped {
		a.does(effect.Grant, "shell as another user")
	}
}
