package follow

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/internal/scan"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/program/library"
)

// mostLibrary is the longest program whose calls of libraries are looked for.
const mostLibrary = 16 << 10

// libraries notes what calls of libraries do that stand for commands: those of
// Docker, Git and remote machines, and of the system below the language's own.
func libraries(a *invocation.Act, in *interpreter, text string) {
	if len(text) > mostLibrary {
		return
	}
	if strings.Contains(text, "0x5412") || strings.Contains(text, "TIOCSTI") { // typed into a terminal
		for _, keys := range InQuotes(text) {
			TypedKeys(a, keys)
		}
	}
	if in.language != library.Python {
		return
	}
	if strings.Contains(text, "fabric") || strings.Contains(text, "invoke") {
		fabric(a, text)
	}
	if strings.Contains(text, "docker") {
		dockerCalls(a, text)
	}
}

// fabric reads the commands that are given to another machine, or to this one.
func fabric(a *invocation.Act, text string) {
	for _, name := range []string{".sudo(", ".run(", ".local("} {
		EachAfter(text, name, func(_, after string) {
			command, ok := QuotedText(after)
			switch {
			case !ok:
			case name == ".local(" || !strings.Contains(text, "Connection("):
				a.Script(command)
			default:
				a.Remotely(command)
			}
		})
	}
}

// dockerCalls reads the containers that a program starts as those of the command
// line.
func dockerCalls(a *invocation.Act, text string) {
	for _, name := range []string{"containers.run(", "containers.create("} {
		EachAfter(text, name, func(_, after string) {
			_, end := scan.Bracketed("(" + after)
			call := after[:max(0, min(end-1, len(after)))]
			words := []string{"docker", "run"}
			if compact := strings.ReplaceAll(call, " ", ""); strings.Contains(compact, "privileged=True") {
				words = append(words, "--privileged")
				if strings.Contains(compact, "pid_mode='host'") || strings.Contains(compact, `pid_mode="host"`) {
					words = append(words, "--pid=host")
				}
			}
			given, volumes, _ := strings.Cut(call, "volumes")
			texts := InQuotes(volumes)
			for i, at := range texts {
				switch {
				case at == "bind" && i > 0 && i+1 < len(texts):
					words = append(words, "-v", texts[i-1]+":"+texts[i+1])
				case strings.HasPrefix(at, "/") && strings.Contains(at, ":"):
					words = append(words, "-v", at)
				}
			}
			if own := InQuotes(given); len(own) > 0 {
				words = append(words, own[0])
				for _, command := range own[1:] {
					words = append(words, strings.Fields(command)...)
				}
				a.Argv(words)
			}
		})
	}
}

// throughModule reads the program that a module of Python runs in its own way:
// python -m pdb, -m cProfile, -m code. It reports false for other modules.
func throughModule(a *invocation.Act, name string, args []string) bool {
	in := Interpreters["python"]
	switch name {
	case "cProfile", "profile", "trace", "pdb", "coverage", "runpy", "debugpy", "viztracer", "memory_profiler", "kernprof", "line_profiler", "scalene", "ipdb", "pudb", "bdb":
	case "code", "asyncio", "IPython", "ptpython", "bpython":
		if text := After((&invocation.Act{Command: &invocation.Command{Args: args}}), "-c"); len(text) > 0 {
			Program(a, in, text[0], -1, nil)
		} else if a.In.Piped && (name == "code" || name == "asyncio") {
			programInput(a, in, nil)
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
			Program(a, in, strings.TrimLeft(args[i], "! "), first+i, nil)
		case (name == "cProfile" || name == "profile") && (arg == "-o" || arg == "--outfile") && i+1 < len(args):
			i++
			a.WritesFiles(args[i])
		case name == "trace" && strings.HasPrefix(arg, "--file="):
			a.WritesFiles(strings.TrimPrefix(arg, "--file="))
		case strings.HasSuffix(arg, ".py"), arg == "/dev/stdin", arg == "/dev/fd/0", first+i < len(a.Words()) && a.Words()[first+i].Made != nil:
			scriptOf(a, in, first+i)
			return true
		}
	}
	return true
}

// startsWith reads what the environment tells an interpreter to run before, or
// beside, what it is given.
func startsWith(a *invocation.Act, in *interpreter) {
	switch in.language {
	case library.Python:
		if file := a.Env["PYTHONSTARTUP"]; file != "" {
			if content, _ := a.File(file); content != "" {
				Program(a, in, content, -1, nil)
			}
		}
	case library.Perl:
		if program := a.Env["PERL5DB"]; program != "" && slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "-d") }) {
			Program(a, in, program, -1, nil)
		}
	default:
	}
}

// ContentsGiven are the files, and what programs keep, in a command's input and
// arguments. Of variables others tell.
func ContentsGiven(a *invocation.Act) []string {
	return slices.DeleteFunc(slices.Clone(a.Sources()), func(s string) bool { return strings.HasPrefix(s, "$") })
}
