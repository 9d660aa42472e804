package output

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
)

// listsEach is what each line stands for that a program prints which lists things of
// one kind, with ** where it is all of them.
func listsEach(a *invocation.Act) []string {
	switch a.Name {
	case "ls":
		for _, arg := range a.Args {
			if arg != "-d" && arg != "-1" && arg != "*/" {
				return nil
			}
		}
		return []string{"./**"}
	case "kubectl", "oc", "k", "kubecolor":
		in := Reading(a, "kubectl", a.Args)
		if in == nil || in.Value("command") != "get" || len(in.Values("words")) != 1 || in.Value("output") != "name" {
			return nil
		}
		switch in.Value("kind") {
		case "po", "pod", "pods":
			if in.Value("selector") != "" || in.Value("field-selector") != "" {
				return []string{"pod/*"}
			}
			return []string{"pod/**"}
		}
	}
	return nil
}

// picksEach is what each line stands for that grep leaves of a list: some of the pods,
// or the names in a directory that begin with that of what is built. Nothing but
// what is written at the start of a name tells which names those are.
func picksEach(a *invocation.Act) []string {
	if len(a.In.Each) != 1 {
		return nil
	}
	var pattern string
	extended := a.Name == "egrep"
	for _, arg := range a.Args {
		switch {
		case arg == "-E":
			extended = true
		case strings.HasPrefix(arg, "-") || pattern != "" || invocation.Unknown(arg):
			return nil
		default:
			pattern = arg
		}
	}
	if a.In.Each[0] != "./**" {
		if strings.Trim(pattern, "^.*$/pod") == "" { // all of them
			return nil
		}
		return []string{"pod/*"}
	}
	start, ok := strings.CutPrefix(pattern, "^")
	if !ok {
		return nil
	}
	if extended && strings.HasPrefix(start, "(") && strings.HasSuffix(start, ")") {
		start = start[1 : len(start)-1]
	} else {
		extended = false
	}
	names := []string{start}
	if extended {
		names = strings.Split(start, "|")
	}
	for i, name := range names {
		name = strings.TrimSuffix(strings.TrimSuffix(name, "$"), "/")
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_-0123456789") != "" || !slices.ContainsFunc(builtNames, func(built string) bool { return strings.HasPrefix(name, built) }) {
			return nil
		}
		names[i] = "./" + name + "*"
	}
	return names
}

// builtNames are what names of directories begin with that are built again.
var builtNames = []string{"dist", "build", "target", "coverage", "node_modules", "htmlcov", "tmp"}
