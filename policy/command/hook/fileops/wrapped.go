package fileops

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/invocation"
)

// SplitsString is env -S: a text that becomes the first words of a command.
func SplitsString(a *invocation.Act, in *command.Reading) {
	text, rest := in.Value("line"), in.Behind("line")
	if len(rest) > 0 && !strings.ContainsAny(text, "'\"\\") {
		a.Passes(a.R.Shell.Argv(slices.Concat([]string{"env"}, strings.Fields(text), rest), a.Origin(), a.In))
		return
	}
	a.Passes(a.R.Shell.Inner("env "+text+" "+invocation.Quoted(rest), a.Origin(), a.In))
}

// RunsBehindFile runs the words behind that of a file, unless they are options.
func RunsBehindFile(a *invocation.Act, in *command.Reading) {
	if words := in.Behind("file"); len(words) > 0 && !strings.HasPrefix(words[0], "-") {
		a.Passes(a.R.Shell.Argv(words, a.Origin(), a.In))
	}
}

// MostFilled is how many arguments xargs and parallel are followed with.
const MostFilled = 64

// Lines are those of a text that are not empty.
func Lines(s string) []string {
	return strings.FieldsFunc(s, func(c rune) bool { return c == '\n' || c == '\r' })
}
