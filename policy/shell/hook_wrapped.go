package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
)

// splitsString is env -S: a text that becomes the first words of a command.
func splitsString(a *act, in *command.Reading) {
	text, rest := in.Value("line"), in.Behind("line")
	if len(rest) > 0 && !strings.ContainsAny(text, "'\"\\") {
		a.passes(a.r.argv(append(strings.Fields(text), rest...), a.origin(), a.in))
		return
	}
	a.passes(a.r.inner(text+" "+quoted(rest), a.origin(), a.in))
}

// runsLine is for programs that join their words to a line for a shell.
func runsLine(a *act, in *command.Reading) {
	for words := range in.Begins("line") {
		a.passes(a.r.inner(strings.Join(words, " "), a.origin(), a.in))
	}
}

// tracesTo is where strace writes what it sees: a file, or a command behind |.
func tracesTo(a *act, in *command.Reading) {
	for _, to := range in.Values("output") {
		if line, runs := strings.CutPrefix(to, "|"); runs {
			a.script(strings.TrimPrefix(line, "|"))
		} else {
			a.put(to, "")
		}
	}
}

// runsArgv is for programs whose words are a command as they are.
func runsArgv(a *act, in *command.Reading) {
	for words := range in.Begins("line") {
		a.passes(a.r.argv(words, a.origin(), a.in))
	}
}

// runsBehindFile runs the words behind that of a file, unless they are options.
func runsBehindFile(a *act, in *command.Reading) {
	if words := in.Behind("file"); len(words) > 0 && !strings.HasPrefix(words[0], "-") {
		a.passes(a.r.argv(words, a.origin(), a.in))
	}
}
