package follow

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/scan"
	"github.com/sluice-project/sluice/policy/invocation"
)

// compiledCalls reads the calls in a program in Go or Rust that run commands or
// delete files, where their arguments are texts: what else a test talks about in
// quotes is only talk.
func compiledCalls(a *invocation.Act, program string) {
	names := homeNames(program)
	left := mostQuoted
	eachNameWith(program, mostCall, func(name, before, after string) bool {
		args, ok := strings.CutPrefix(after, "(")
		if !ok {
			return true
		}
		switch name {
		case "Command", "CommandContext":
			if strings.HasSuffix(before, "exec.") {
				compiledCommand(a, callTexts(args, nil))
			}
		case "new":
			if strings.HasSuffix(before, "Command::") {
				compiledCommand(a, chainTexts(args))
			}
		case "RemoveAll", "Remove", "remove_dir_all", "remove_file", "remove_dir":
			for _, p := range callTexts(args, names) {
				if strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~") {
					a.Add(effect.Effect{Verb: effect.Delete, Object: a.Path(p), Wide: name == "RemoveAll" || name == "remove_dir_all"})
				}
			}
		default:
			return true
		}
		left--
		return left > 0
	})
}

func compiledCommand(a *invocation.Act, words []string) {
	if len(words) > 0 {
		a.Argv(words)
	}
}

// mostCall is how far the arguments of a call are read.
const mostCall = 1000

// callTexts are the texts among the arguments of a call, up to its end. names maps names
// to their known values; a path joined from texts and such names is one text.
func callTexts(args string, names map[string]string) []string {
	list, end := scan.Bracketed("(" + args)
	args = args[:max(0, min(end-1, len(args)))]
	for name, value := range names {
		if !strings.Contains(args, name) {
			continue
		}
		if len(list) > 0 {
			return []string{Join(value, strings.TrimPrefix(strings.Join(list, "/"), "/"))}
		}
		return []string{value}
	}
	return list
}

// chainTexts are the texts in a chain of calls, up to the end of the statement:
// ("rm").arg("-rf").args(["/"]).
func chainTexts(args string) []string {
	if end := strings.Index(args, ";"); end >= 0 {
		args = args[:end]
	}
	return InQuotes(args)
}

// homeNames are what a program calls the home directory: the calls that give it,
// and the variables that these are put into.
func homeNames(program string) map[string]string {
	names := map[string]string{}
	for _, call := range []string{"os.UserHomeDir()", `os.Getenv("HOME")`, "dirs::home_dir()", "home::home_dir()", `env::var("HOME")`} {
		before, _, ok := strings.Cut(program, call)
		if !ok {
			continue
		}
		names[call] = "~"
		line := before[strings.LastIndexByte(before, '\n')+1:]
		line = line[strings.LastIndexAny(line, ";{")+1:]
		if left, _, assigns := strings.Cut(line, "="); assigns {
			left, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(left), ":")), "let "), ",")
			if left = strings.TrimSpace(left); len(left) > 1 {
				names[left] = "~"
			}
		}
	}
	return names
}
