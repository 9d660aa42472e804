package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// compiledCalls reads the calls in a program in Go or Rust that run commands or
// delete files, where their arguments are texts: what else a test talks about in
// quotes is only talk.
func (a *act) compiledCalls(program string) {
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
				a.compiledCommand(callTexts(args, nil))
			}
		case "new":
			if strings.HasSuffix(before, "Command::") {
				a.compiledCommand(chainTexts(args))
			}
		case "RemoveAll", "Remove", "remove_dir_all", "remove_file", "remove_dir":
			for _, p := range callTexts(args, names) {
				if strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~") {
					a.add(effect.Effect{Verb: effect.Delete, Object: a.path(p), Wide: name == "RemoveAll" || name == "remove_dir_all"})
				}
			}
		default:
			return true
		}
		left--
		return left > 0
	})
}

func (a *act) compiledCommand(words []string) {
	if len(words) > 0 {
		a.argv(words)
	}
}

// mostCall is how far the arguments of a call are read.
const mostCall = 1000

// callTexts are the texts among the arguments of a call, up to its end. Names
// have values that are known; a path that is put together of both is one.
func callTexts(args string, names map[string]string) []string {
	end, depth := len(args), 0
	quote := byte(0)
	for i := range len(args) {
		switch c := args[i]; {
		case quote != 0:
			if c == quote && args[i-1] != '\\' {
				quote = 0
			}
		case c == '"' || c == '`':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
		if depth < 0 {
			end = i
			break
		}
	}
	args = args[:end]
	list := inQuotes(args)
	for name, value := range names {
		if !strings.Contains(args, name) {
			continue
		}
		if len(list) > 0 {
			return []string{join(value, strings.TrimPrefix(strings.Join(list, "/"), "/"))}
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
	return inQuotes(args)
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
