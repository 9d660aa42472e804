package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// defaultsFile is the file in which macOS keeps the settings of a program.
func defaultsFile(a *act, in *command.Reading) {
	domains := in.Values("domain")
	if in.Has("globalDomain") {
		domains = append(domains, ".GlobalPreferences")
	}
	for _, file := range domains {
		if file == "NSGlobalDomain" {
			file = ".GlobalPreferences"
		}
		if !strings.HasPrefix(file, "/") && !strings.HasPrefix(file, "~") {
			file = "~/Library/Preferences/" + file
		}
		if !strings.HasSuffix(file, ".plist") {
			file += ".plist"
		}
		a.writes(file)
	}
}

// runsAppleScript is osascript with a text, a file or its input.
func runsAppleScript(a *act, in *command.Reading) {
	scripts := in.Values("script")
	if len(scripts) == 0 {
		file := in.Value("file")
		if file != "" && file != "-" {
			scripts = append(scripts, a.runs(file))
		}
		switch sure := in.Certain("file"); { // else the file may be the value of an option
		case len(sure) > 0 && lastOf(sure) != "-":
		case a.in.remote != "":
			a.does(effect.RunRemote, a.in.remote)
		case a.in.known:
			scripts = append(scripts, a.in.text)
		case a.in.hidden != "":
			a.does(effect.RunHidden, a.in.hidden)
		case a.in.piped:
			a.doubt(Pipe)
		}
	}
	a.appleScript(strings.Join(scripts, "\n"))
}

// appleScript reads what a script gives to a shell. What talks to programs that
// can delete and send is not read, and so in doubt.
func (a *act) appleScript(script string) {
	if script == "" {
		return
	}
	by := *a
	if strings.Contains(script, "administrator privileges") || strings.Contains(script, "administratorPrivileges") {
		own := *a.Command
		own.Sudo = true
		by.Command = &own
	}
	if by.calls(script, "do shell script", "do script", "doShellScript(", "doScript(") {
		return
	}
	if strings.Contains(script, "hidden answer") {
		a.reveals("password that somebody is asked for")
	}
	if strings.Contains(script, "writeToFile") || strings.Contains(script, "open for access") {
		a.writesStart(script)
	}
	if strings.Contains(script, "make") && strings.Contains(script, "login item") {
		a.persists("login item")
	}
	for _, word := range []string{"delete", "empty", "keystroke", "key code", "ObjC", "run script", "load script", "send", "quit", "shut down", "restart", "the clipboard"} {
		if strings.Contains(script, word) {
			a.doubt(Dialect)
			return
		}
	}
}
