package fileops

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// DebuggerDoes reads the commands given to a debugger, which can make another program
// call anything.
func DebuggerDoes(a *invocation.Act, in *command.Reading) {
	for _, instruction := range in.Values("instruction") {
		trimmed := strings.TrimSpace(instruction)
		switch word, rest, _ := strings.Cut(trimmed, " "); {
		case strings.HasPrefix(trimmed, "!"):
			a.Script(trimmed[1:])
		case word == "shell", word == "make":
			a.Script(rest)
		case strings.HasPrefix(trimmed, "platform shell "):
			a.Script(strings.TrimPrefix(trimmed, "platform shell "))
		case word == "python", word == "py", word == "pi", word == "python-interactive", word == "script", word == "source":
			if !follow.Calls(a, rest, "system(", "popen(") {
				a.Doubt(invocation.Eval)
			}
			if word != "source" {
				a.Argv([]string{"python3", "-c", rest})
			}
		default:
			follow.Calls(a, trimmed, "system(", "popen(")
		}
	}
}
