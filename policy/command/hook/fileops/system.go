package fileops

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// KillsProcesses is kill: a number with a dash may be a signal, a group of processes or,
// as -1, all of them.
func KillsProcesses(a *invocation.Act, in *command.Reading) {
	targets := in.Values("process")
	if in.Surely("list", "table") || in.Value("signal") == "0" {
		return
	}
	if len(in.Options()) == 0 && len(targets) > len(in.Values("after")) && strings.HasPrefix(targets[0], "-") && (len(targets) > 1 || targets[0] != "-1") {
		if targets[0] == "-0" { // it only asks whether they are there
			return
		}
		targets = targets[1:]
	}
	if len(targets) == 0 && a.More { // those that the input names
		guard.Kills(a, false, "")
	}
	for _, target := range follow.Few(a, targets) {
		guard.Kills(a, target == "-1", target)
	}
}

// SudoAnswers notes that sudo gets its password from the text instead of from somebody:
// on its input, or by a program that the text names.
func SudoAnswers(a *invocation.Act, in *command.Reading) {
	program, _ := a.Variable("SUDO_ASKPASS")
	if program == "" {
		program = a.R.From.Env["SUDO_ASKPASS"]
	}
	if in.Has("stdin") && a.In.Piped && a.In.By != "/dev/null" || in.Has("askpass") && program != "" && !ofMachine(program) {
		a.Does(effect.Grant, "sudo with a password from the text")
	}
}

// ofMachine reports whether a program was installed by the machine's owner, by
// its path.
func ofMachine(p string) bool {
	return strings.HasPrefix(p, "/usr/") || strings.HasPrefix(p, "/opt/") || strings.HasPrefix(p, "/bin/") || strings.HasPrefix(p, "/Applications/") || !strings.Contains(p, "/")
}
