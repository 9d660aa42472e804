package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// guardVariables are the variables by which clients are pointed at the guard.
var guardVariables = strings.Fields("ANTHROPIC_BASE_URL OPENAI_BASE_URL OPENAI_API_BASE GOOGLE_GEMINI_BASE_URL ANTHROPIC_BEDROCK_BASE_URL ANTHROPIC_VERTEX_BASE_URL CLAUDE_CODE_API_BASE_URL")

// isGuardVariable is for every variable that is expanded, most of which end otherwise.
func isGuardVariable(name string) bool {
	return (strings.HasSuffix(name, "_URL") || strings.HasSuffix(name, "_BASE")) && slices.Contains(guardVariables, name)
}

// unsetsMatching is unset with names that were looked for: ${!ANTHROPIC*}, or what
// grep found among those that are set.
func unsetsMatching(a *act) {
	for i, arg := range a.Args {
		if !unknown(arg) || i >= len(a.words()) {
			continue
		}
		about := strings.TrimLeft(a.words()[i].about, "^")
		if prefix, ok := strings.CutPrefix(arg, "${!"); ok {
			about = strings.TrimRight(prefix, "*@}")
		}
		if len(about) < 3 {
			continue
		}
		for _, name := range guardVariables {
			if strings.Contains(name, strings.ToUpper(about)) {
				a.does(effect.UnsetVariable, name)
			}
		}
	}
}

// isGuardPort reports whether a text is the port on which the guard listens.
func isGuardPort(text string) bool { return strings.Trim(text, ": \\b$^") == "8484" }

// printsFound says of a program that lists processes and the like what it was
// asked for.
func (r *reader) printsFound(a *act, out *flow) {
	switch a.Name {
	case "ps":
		out.about = strings.Join(a.after("-C", "--command"), " ")
	case "lsof", "ss", "fuser":
		if slices.ContainsFunc(a.Args, func(s string) bool {
			_, port, _ := strings.Cut(s, ":")
			return isGuardPort(port) || isGuardPort(s) || strings.HasPrefix(s, "8484/")
		}) {
			out.about = guardName
		}
		if name := a.Flag("c"); name != "" && a.Name == "lsof" {
			out.about = name
		}
	case "docker", "podman", "nerdctl":
		for _, arg := range a.Args {
			if _, filter, ok := strings.Cut(arg, "="); ok && isGuard(filter) {
				out.about = guardName
			}
		}
	case "systemctl":
		if a.Sub == "show" && slices.ContainsFunc(a.Args, isGuard) {
			out.about = guardName
		}
	case "tmux":
		if slices.ContainsFunc(a.Args, isGuard) {
			out.about = guardName
		}
	case "printenv":
		if slices.ContainsFunc(a.Args, isGuardVariable) {
			out.about = guardName
		}
	case "compgen":
		if words := a.Operands("A", "P", "S", "X", "W"); len(words) > 0 && (a.Has("v") || a.Has("e") || a.Has("A")) {
			out.about = words[0]
		}
	}
}

// killsGuard notes a kill of a process that was looked for by the guard's name in
// another way: grep -q sluice /proc/1/comm && kill 1.
func killsGuard(a *act) {
	if !a.More && !slices.ContainsFunc(a.Args, func(s string) bool { return unknown(s) || strings.ContainsAny(s, "*?[") }) {
		return
	}
	for i, c := range a.r.reading.Commands {
		if i > mostLooked {
			return
		}
		switch c.Name {
		case "grep", "egrep", "rg", "awk", "sed", "[", "[[", "test", "case":
			if !slices.ContainsFunc(c.Args, func(s string) bool { return isGuard(s) || isGuard(brackets.Replace(s)) }) {
				continue
			}
			piped := len(c.Operands("e", "A", "B", "C", "m")) < 2 && c.Name != "[" && c.Name != "[[" && c.Name != "test"
			if piped && slices.ContainsFunc(a.r.reading.Commands, isProcessList) || slices.ContainsFunc(c.Args, func(s string) bool {
				return strings.Contains(s, "/comm") || strings.Contains(s, "/cmdline") || strings.Contains(s, "/proc/")
			}) {
				a.kills(false, guardName)
				return
			}
		case "pgrep", "pidof", "ps", "lsof":
			if slices.ContainsFunc(c.Args, isGuard) {
				a.kills(false, guardName)
				return
			}
		}
	}
}

func isProcessList(c Command) bool {
	return c.Name == "ps" || c.Name == "top" || c.Name == "ss" || c.Name == "netstat" || c.Name == "lsof"
}

// endsPort is fuser -k and kill-port, for the port on which the guard listens.
func endsPort(a *act) {
	if a.Name == "fuser" && !a.Has("k") && !a.Has("--kill") {
		return
	}
	if slices.ContainsFunc(a.mixture(), func(v value) bool { return v.about == guardName }) {
		a.kills(false, guardName)
	}
	for _, arg := range a.Args {
		port, _, _ := strings.Cut(strings.TrimPrefix(arg, "tcp:"), "/")
		if isGuardPort(port) {
			a.kills(false, guardName)
		}
	}
}
