package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// mostLibrary is the longest program whose calls of libraries are looked for.
const mostLibrary = 16 << 10

// libraries notes what calls of libraries do that stand for commands: those of
// Docker, Git and remote machines, and of the system below the language's own.
func (a *act) libraries(in *interpreter, text string) {
	if len(text) > mostLibrary {
		return
	}
	if strings.Contains(text, "0x5412") || strings.Contains(text, "TIOCSTI") { // typed into a terminal
		for _, keys := range inQuotes(text) {
			a.typedKeys(keys)
		}
	}
	if in.language != library.Python {
		return
	}
	if strings.Contains(text, "fabric") || strings.Contains(text, "invoke") {
		a.fabric(text)
	}
	if strings.Contains(text, "docker") {
		a.dockerCalls(text)
	}
}

// fabric reads the commands that are given to another machine, or to this one.
func (a *act) fabric(text string) {
	for _, name := range []string{".sudo(", ".run(", ".local("} {
		eachAfter(text, name, func(_, after string) {
			command, ok := quotedText(after)
			switch {
			case !ok:
			case name == ".local(" || !strings.Contains(text, "Connection("):
				a.script(command)
			default:
				a.remotely(command)
			}
		})
	}
}

// dockerCalls reads the containers that a program starts as those of the command
// line.
func (a *act) dockerCalls(text string) {
	for _, name := range []string{"containers.run(", "containers.create("} {
		eachAfter(text, name, func(_, after string) {
			call := inParentheses(after)
			words := []string{"docker", "run"}
			if compact := strings.ReplaceAll(call, " ", ""); strings.Contains(compact, "privileged=True") {
				words = append(words, "--privileged")
				if strings.Contains(compact, "pid_mode='host'") || strings.Contains(compact, `pid_mode="host"`) {
					words = append(words, "--pid=host")
				}
			}
			given, volumes, _ := strings.Cut(call, "volumes")
			texts := inQuotes(volumes)
			for i, at := range texts {
				switch {
				case at == "bind" && i > 0 && i+1 < len(texts):
					words = append(words, "-v", texts[i-1]+":"+texts[i+1])
				case strings.HasPrefix(at, "/") && strings.Contains(at, ":"):
					words = append(words, "-v", at)
				}
			}
			if own := inQuotes(given); len(own) > 0 {
				words = append(words, own[0])
				for _, command := range own[1:] {
					words = append(words, strings.Fields(command)...)
				}
				a.argv(words)
			}
		})
	}
}

// inParentheses is what stands before the parenthesis that closes a call.
func inParentheses(text string) string {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[:i]
			}
		}
	}
	return text
}

// throughModule reads the program that a module of Python runs in its own way:
// python -m pdb, -m cProfile, -m code. It reports false for other modules.
func (a *act) throughModule(name string, args []string) bool {
	in := interpreters["python"]
	switch name {
	case "cProfile", "profile", "trace", "pdb", "coverage", "runpy", "debugpy", "viztracer", "memory_profiler", "kernprof", "line_profiler", "scalene", "ipdb", "pudb", "bdb":
	case "code", "asyncio", "IPython", "ptpython", "bpython":
		if text := (&act{Command: &Command{Args: args}}).after("-c"); len(text) > 0 {
			a.program(in, text[0], -1, nil)
		} else if a.in.piped && (name == "code" || name == "asyncio") {
			a.programInput(in, nil)
		}
		return true
	default:
		return false
	}
	first := len(a.Args) - len(args)
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case name == "pdb" && (arg == "-c" || arg == "--command") && i+1 < len(args):
			i++
			a.program(in, strings.TrimLeft(args[i], "! "), first+i, nil)
		case (name == "cProfile" || name == "profile") && (arg == "-o" || arg == "--outfile") && i+1 < len(args):
			i++
			a.writes(args[i])
		case name == "trace" && strings.HasPrefix(arg, "--file="):
			a.writes(strings.TrimPrefix(arg, "--file="))
		case strings.HasSuffix(arg, ".py"), arg == "/dev/stdin", arg == "/dev/fd/0", first+i < len(a.words()) && a.words()[first+i].made != nil:
			a.scriptOf(in, first+i)
			return true
		}
	}
	return true
}

// startsWith reads what the environment tells an interpreter to run before, or
// beside, what it is given.
func (a *act) startsWith(in *interpreter) {
	switch in.language {
	case library.Python:
		if file := a.Env["PYTHONSTARTUP"]; file != "" {
			if content, _ := a.file(file); content != "" {
				a.program(in, content, -1, nil)
			}
		}
	case library.Perl:
		if program := a.Env["PERL5DB"]; program != "" && slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "-d") }) {
			a.program(in, program, -1, nil)
		}
	default:
	}
}
