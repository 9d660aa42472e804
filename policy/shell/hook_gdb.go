package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
)

// debuggerDoes is what a debugger is told: it can make another program call what it
// likes.
func debuggerDoes(a *act, in *command.Reading) {
	for _, instruction := range in.Values("instruction") {
		trimmed := strings.TrimSpace(instruction)
		switch word, rest, _ := strings.Cut(trimmed, " "); {
		case strings.HasPrefix(trimmed, "!"):
			a.script(trimmed[1:])
		case word == "shell", word == "make":
			a.script(rest)
		case strings.HasPrefix(trimmed, "platform shell "):
			a.script(strings.TrimPrefix(trimmed, "platform shell "))
		case word == "python", word == "py", word == "script", word == "source":
			if !a.calls(rest, "system(", "popen(") {
				a.doubt(Eval)
			}
		default:
			a.calls(trimmed, "system(", "popen(")
		}
	}
}
