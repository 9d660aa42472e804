package guard

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Brackets are put into a pattern so that it does not find itself: [s]luice.
var Brackets = strings.NewReplacer("[", "", "]", "")

// MostLooked is how many commands of a text are looked at again.
const MostLooked = 256

// Kills notes the end of processes.
func Kills(a *invocation.Act, wide bool, targets ...string) {
	for _, target := range follow.Few(a, targets) {
		a.Add(effect.Effect{Verb: effect.Kill, Object: target, Wide: wide})
	}
}

// Stops notes that services stop.
func Stops(a *invocation.Act, names ...string) {
	for _, name := range names {
		a.Does(effect.Stop, name)
	}
}

// guardVariables are the variables by which clients are pointed at the guard.
var guardVariables = strings.Fields("ANTHROPIC_BASE_URL OPENAI_BASE_URL OPENAI_API_BASE GOOGLE_GEMINI_BASE_URL ANTHROPIC_BEDROCK_BASE_URL ANTHROPIC_VERTEX_BASE_URL CLAUDE_CODE_API_BASE_URL")

// IsGuardVariable is for every variable that is expanded, most of which end otherwise.
func IsGuardVariable(name string) bool {
	return (strings.HasSuffix(name, "_URL") || strings.HasSuffix(name, "_BASE")) && slices.Contains(guardVariables, name)
}

// UnsetsMatching is unset with names that were looked for: ${!ANTHROPIC*}, or what
// grep found among those that are set.
func UnsetsMatching(a *invocation.Act) {
	for i, arg := range a.Args {
		if !invocation.Unknown(arg) || i >= len(a.Words()) {
			continue
		}
		about := strings.TrimLeft(a.Words()[i].About, "^")
		if prefix, ok := strings.CutPrefix(arg, "${!"); ok {
			about = strings.TrimRight(prefix, "*@}")
		}
		if len(about) < 3 {
			continue
		}
		for _, name := range guardVariables {
			if strings.Contains(name, strings.ToUpper(about)) {
				a.Does(effect.UnsetVariable, name)
			}
		}
	}
}

// PrintsFound says of a program that lists processes and the like what it was
// asked for.
func PrintsFound(a *invocation.Act, out *invocation.Flow) {
	switch a.Name {
	case "ps":
		out.About = strings.Join(follow.After(a, "-C", "--command"), " ")
	case "lsof", "ss", "fuser":
		if slices.ContainsFunc(a.Args, func(s string) bool {
			_, port, _ := strings.Cut(s, ":")
			return invocation.IsGuardPort(port) || invocation.IsGuardPort(s) || strings.HasPrefix(s, "8484/")
		}) {
			out.About = invocation.GuardName
		}
		if name := a.Flag("c"); name != "" && a.Name == "lsof" {
			out.About = name
		}
	case "docker", "podman", "nerdctl":
		for _, arg := range a.Args {
			if _, filter, ok := strings.Cut(arg, "="); ok && isGuard(filter) {
				out.About = invocation.GuardName
			}
		}
	case "systemctl":
		if a.Sub == "show" && slices.ContainsFunc(a.Args, isGuard) {
			out.About = invocation.GuardName
		}
	case "tmux":
		if slices.ContainsFunc(a.Args, isGuard) {
			out.About = invocation.GuardName
		}
	case "printenv":
		if slices.ContainsFunc(a.Args, IsGuardVariable) {
			out.About = invocation.GuardName
		}
	case "compgen":
		if words := a.Operands("A", "P", "S", "X", "W"); len(words) > 0 && (a.Has("v") || a.Has("e") || a.Has("A")) {
			out.About = words[0]
		}
	}
}

// KillsFound notes a kill of a process that was looked for by the guard's name in
// another way: grep -q sluice /proc/1/comm && kill 1.
func KillsFound(a *invocation.Act, _ *command.Reading) {
	if !a.More && !slices.ContainsFunc(a.Args, func(s string) bool { return invocation.Unknown(s) || strings.ContainsAny(s, "*?[") }) {
		return
	}
	for i, c := range a.R.Reading.Commands {
		if i > MostLooked {
			return
		}
		switch c.Name {
		case "grep", "egrep", "rg", "awk", "sed", "[", "[[", "test", "case":
			if !slices.ContainsFunc(c.Args, func(s string) bool { return isGuard(s) || isGuard(Brackets.Replace(s)) }) {
				continue
			}
			piped := len(c.Operands("e", "A", "B", "C", "m")) < 2 && c.Name != "[" && c.Name != "[[" && c.Name != "test"
			if piped && slices.ContainsFunc(a.R.Reading.Commands, isProcessList) || slices.ContainsFunc(c.Args, func(s string) bool {
				return strings.Contains(s, "/comm") || strings.Contains(s, "/cmdline") || strings.Contains(s, "/proc/")
			}) {
				Kills(a, false, invocation.GuardName)
				return
			}
		case "pgrep", "pidof", "ps", "lsof":
			if slices.ContainsFunc(c.Args, isGuard) {
				Kills(a, false, invocation.GuardName)
				return
			}
		}
	}
}

func isProcessList(c invocation.Command) bool {
	return c.Name == "ps" || c.Name == "top" || c.Name == "ss" || c.Name == "netstat" || c.Name == "lsof"
}

// EndsPort is fuser -k and kill-port, for the port on which the guard listens.
func EndsPort(a *invocation.Act, in *command.Reading) {
	if slices.ContainsFunc(a.Mixture(), func(v invocation.Value) bool { return v.About == invocation.GuardName }) {
		Kills(a, false, invocation.GuardName)
	}
	for _, what := range append(in.Values("what"), in.Values("port")...) {
		port, _, _ := strings.Cut(strings.TrimPrefix(what, "tcp:"), "/")
		if invocation.IsGuardPort(port) {
			Kills(a, false, invocation.GuardName)
		}
	}
}
