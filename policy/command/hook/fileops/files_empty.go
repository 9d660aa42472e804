package fileops

import (
	"strings"

	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// nothingIn reports whether the input of a command is known to be empty.
func nothingIn(a *invocation.Act) bool {
	return a.In.Piped && a.In.Known && a.In.Text == "" && a.In.Remote == ""
}

// sedEmpties reports whether programs of sed leave nothing of a file.
func sedEmpties(programs []string, quiet bool) bool {
	for _, program := range programs {
		switch strings.Map(follow.Unspaced, program) {
		case "d", "1,$d", "0,$d", "/^/d", "/.*/d", "/$/d", "/^.*$/d", "1,$!{d};d", "{d}", "1Q", "Q", "D", "1,$D", "/./d", "/./,$d":
			return true
		case "":
			return quiet
		}
	}
	return false
}

// awkEmpties reports whether programs of awk print nothing.
func awkEmpties(programs []string) bool {
	for _, program := range programs {
		trimmed := strings.TrimSpace(program)
		if strings.Contains(program, "print") || trimmed != "0" && !strings.HasSuffix(trimmed, "}") || strings.Contains(program, "system") {
			return false
		}
		if _, last, ok := strings.Cut(trimmed, "}"); ok && strings.TrimSpace(last) != "" && !strings.HasSuffix(strings.TrimSpace(last), "}") {
			return false
		}
	}
	return len(programs) > 0
}

// exEmpties reports whether commands of ex or ed remove all lines.
func exEmpties(commands []string) bool {
	for _, command := range commands {
		for part := range strings.SplitSeq(command, "|") {
			switch strings.TrimLeft(strings.Map(follow.Unspaced, part), ":") {
			case "%d", "%d_", "%delete", "1,$d", ",d", "0,$d", "g/^/d", "g/./d", "g/.*/d", "g/$/d", "normalggdG", "normal!ggdG", "norm!ggdG", "normggdG", "%dl", "1,$delete", "v/^$/d":
				return true
			}
		}
	}
	return false
}
