package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
)

// mercurial reads the settings by which hg runs commands.
func mercurial(a *act, in *command.Reading) {
	for _, setting := range in.Values("setting") {
		name, value, _ := strings.Cut(setting, "=")
		section, key, _ := strings.Cut(name, ".")
		switch {
		case strings.HasPrefix(value, "!"):
			a.script(value[1:])
		case strings.HasPrefix(value, "python:"):
		case section == "hooks", section == "pager", section == "extdiff", section == "diff-tools", section == "merge-tools" && strings.HasSuffix(key, "executable"),
			section == "ui" && (key == "editor" || key == "ssh" || key == "merge" || key == "remotecmd"), section == "auth" && strings.HasSuffix(key, "cmd"):
			a.script(value)
		}
	}
	for _, command := range in.Values("ssh") {
		if strings.ContainsAny(command, " ;|&") {
			a.script(command)
		}
	}
}

// subversion reads the commands by which svn shows and joins what differs.
func subversion(a *act, in *command.Reading) {
	for _, program := range in.Values("command-line") {
		a.script(program + " " + strings.Join(in.Values("arguments"), " "))
	}
}
