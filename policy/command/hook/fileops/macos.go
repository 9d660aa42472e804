package fileops

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// RunsAppleScript is osascript with a text, a file or its input.
func RunsAppleScript(a *invocation.Act, in *command.Reading) {
	scripts := in.Values("script")
	if len(scripts) > 0 && strings.HasPrefix(scripts[0], "$(") { // -e "$(curl -s https://x.example)"
		for i := range a.Words() {
			if w := &a.Words()[i]; w.Remote != "" {
				a.Does(effect.RunRemote, w.Remote)
			}
		}
	}
	if len(scripts) == 0 {
		file := in.Value("file")
		if file != "" && file != "-" {
			scripts = append(scripts, a.Runs(file))
		}
		switch sure := in.Certain("file"); { // else the file may be the value of an option
		case len(sure) > 0 && invocation.LastOf(sure) != "-":
		case a.In.Remote != "":
			a.Does(effect.RunRemote, a.In.Remote)
		case a.In.Known:
			scripts = append(scripts, a.In.Text)
		case a.In.Hidden != "":
			a.Does(effect.RunHidden, a.In.Hidden)
		case a.In.Piped:
			a.Doubt(invocation.Pipe)
		}
	}
	appleScript(a, strings.Join(scripts, "\n"))
}

// appleScript reads what a script gives to a shell. What talks to programs that
// can delete and send is not read, and so in doubt.
func appleScript(a *invocation.Act, script string) {
	if script == "" {
		return
	}
	by := *a
	if strings.Contains(script, "administrator privileges") || strings.Contains(script, "administratorPrivileges") {
		own := *a.Command
		own.Sudo = true
		by.Command = &own
	}
	if follow.Calls(&by, script, "do shell script", "do script", "doShellScript(", "doScript(") {
		return
	}
	if strings.Contains(script, "hidden answer") {
		guard.Reveals(a, "password that somebody is asked for")
	}
	if strings.Contains(script, "writeToFile") || strings.Contains(script, "open for access") {
		guard.WritesStart(a, script)
	}
	if strings.Contains(script, "make") && strings.Contains(script, "login item") {
		follow.Persists(a, "login item")
	}
	if stopsMachine(script) {
		a.Does(effect.Shutdown, "machine")
	}
	for _, word := range []string{"delete", "empty", "keystroke", "key code", "ObjC", "run script", "load script", "send", "quit", "shut down", "restart", "the clipboard"} {
		if strings.Contains(script, word) {
			a.Doubt(invocation.Dialect)
			return
		}
	}
}

// stopsMachine reports whether a script tells the programs that can stop the machine to do
// it, by name or by the codes of the events.
func stopsMachine(script string) bool {
	script = strings.ToLower(script)
	if strings.Contains(script, "event aevtrsdn") || strings.Contains(script, "event aevtrrst") || strings.Contains(script, "event aevtshut") || strings.Contains(script, "event aevtrest") {
		return true
	}
	if !strings.Contains(script, "system events") && !strings.Contains(script, "finder") && !strings.Contains(script, "loginwindow") {
		return false
	}
	for line := range strings.FieldsFuncSeq(script, func(c rune) bool { return c == '\n' || c == ';' }) {
		line = strings.TrimRight(line, " \t")
		for _, order := range []string{"shut down", "restart", "log out", "sleep"} {
			if strings.HasSuffix(line, " to "+order) || strings.TrimLeft(line, " \t") == order {
				return true
			}
		}
	}
	return false
}
