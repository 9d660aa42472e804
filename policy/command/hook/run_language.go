package hook

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// runsPython is uv run and poetry run: a command, or a program for python.
func runsPython(a *invocation.Act, in *command.Reading) {
	for _, spec := range in.Values("with") {
		for one := range strings.SplitSeq(spec, ",") {
			a.Installs(one, invocation.SourcesOf(in.Registries(in.Values("registry"))))
		}
	}
	if in.Value("argv") == "" && a.In.Piped {
		a.Argv([]string{"python3", "-"})
	}
	for words := range in.Begins("argv") {
		runsPythonWords(a, in, words)
	}
}

func runsPythonWords(a *invocation.Act, in *command.Reading, words []string) {
	if environment, script, ok := strings.Cut(words[0], ":"); ok && in.Name == "hatch" && environment != "" {
		words = append([]string{script}, words[1:]...)
	}
	switch first := words[0]; {
	case in.Has("module"):
		a.Argv(append([]string{"python3", "-m"}, words...))
	case first == "-", in.Has("script"), in.Has("gui-script"): // a program on the input, or in a file of whatever name
		a.Argv(append([]string{"python3"}, words...))
	case strings.Contains(first, "://"):
		a.Does(effect.RunRemote, first)
	case a.R.Shell.IsProgram(invocation.BaseName(first)):
		a.Argv(append([]string{invocation.BaseName(first)}, words[1:]...))
	case strings.HasSuffix(first, ".py"):
		a.Argv(append([]string{"python3"}, words...))
	default:
		a.Argv(words)
	}
}

// nixShell is nix shell FLAKE... -c COMMAND.
func nixShell(a *invocation.Act, in *command.Reading) {
	flakes := append(in.Values("flake"), in.Values("word")...)
	if in.Has("command") {
		a.Argv(flakes)
		return
	}
	if i := slices.IndexFunc(flakes, func(s string) bool { return s == "-c" || s == "--command" }); i >= 0 {
		a.Argv(flakes[i+1:])
		flakes = flakes[:i]
	}
	for _, flake := range flakes {
		if command.IsAddress(flake) {
			a.Does(effect.RunRemote, flake)
		} else if flake != "." && !strings.HasPrefix(flake, ".#") {
			a.Installs(flake, []string{""})
		}
	}
}
