package follow

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/program/library"
)

// ReadsFiles notes that files are read. Names that are no files, such as "-" and
// /dev/null, are left out.
func ReadsFiles(a *invocation.Act, paths ...string) { a.Files(effect.Read, paths) }

// scriptLine is the command line of an interpreter.
type scriptLine struct {
	*command.Reading

	in   *interpreter
	args []string
	// programs are the texts of -e and the like.
	programs []programArg
	// file is the place of the script, -1 if there is none; others are words that may be
	// it instead, where that is the value of an option that is not known.
	file   int
	others []int
	// nothing: only the version or help is shown, or the text is only checked.
	nothing bool
}

type programArg struct {
	text string
	word int
}

// readLine reads the command line of an interpreter by its description.
func readLine(a *invocation.Act, in *interpreter) scriptLine {
	return in.read(&command.Invocation{Name: a.Name, Args: a.Args, More: a.More, In: a}, 0, !a.Is("node", "nodejs"))
}

// read reads a command line from a place on. verbs: the script may stand behind a
// subcommand, as those of deno and bun do.
func (in *interpreter) read(given *command.Invocation, from int, verbs bool) scriptLine {
	behind := *given
	behind.Args = given.Args[from:]
	l := scriptLine{Reading: command.Builtin().Part(in.description()).Read(&behind), in: in, args: given.Args, file: -1}
	texts := l.Values("code")
	for i, at := range l.Places("code") {
		l.programs = append(l.programs, programArg{texts[i], at + from})
	}
	scripts := slices.Clone(l.Places("script"))
	for i := range scripts {
		scripts[i] += from
	}
	if l.programs == nil && l.Value("module") == "" && len(scripts) > 0 {
		l.file, l.others = scripts[0], scripts[1:]
	}
	l.nothing = l.programs == nil && l.Surely(in.explains()...)
	if verbs && in.language == library.JavaScript && l.file >= 0 {
		l.subcommand(given)
	}
	return l
}

func (in *interpreter) description() string { return "_run-" + in.name }

// explains are the options with which an interpreter runs nothing.
func (in *interpreter) explains() []string {
	switch in.language {
	case library.Python:
		return []string{"version", "help"}
	case library.Ruby:
		return []string{"version", "help", "c"}
	case library.PHP:
		return []string{"version", "help", "v", "h", "l"}
	case library.Lua:
		return []string{"version", "help"}
	default:
		return []string{"version", "help", "v", "h", "c", "V"}
	}
}

// subcommand reads what stands before the script.
func (l *scriptLine) subcommand(given *command.Invocation) {
	switch l.args[l.file] {
	case "run", "serve", "watch", "x":
		*l = l.in.read(given, l.file+1, false)
	case "eval", "repl":
		if inner := l.in.read(given, l.file+1, false); inner.file >= 0 && inner.programs == nil { // deno eval
			l.programs, l.file = []programArg{{l.args[inner.file], inner.file}}, -1
		}
	case "install", "add", "test", "build", "i", "ci", "remove", "fmt", "lint", "check", "task", "cache", "compile", "doc", "create", "init", "update", "upgrade", "pm", "publish", "info", "types":
		l.nothing = true
	}
}

// arguments are the name and the arguments of a program that stands in a flag.
func (l *scriptLine) arguments() []string {
	last := 0
	for _, p := range l.programs {
		last = max(last, p.word+1)
	}
	rest := l.args[min(last, len(l.args)):]
	if l.in.language != library.Python { // its own flags may follow
		for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
			rest = rest[1:]
		}
	}
	if l.in.language == library.JavaScript {
		return rest
	}
	return append([]string{"-c"}, rest...)
}

// operands are the words behind the options and the script.
func (l *scriptLine) operands() []string {
	if l.programs != nil {
		return append(l.Values("script"), l.Values("word")...)
	}
	return l.Values("word")
}

// loops reports whether the program runs for every line of its files: -n, or -p; quiet,
// whether what it does not print is gone.
func (l *scriptLine) loops() bool { return l.in.edits && (l.Has("n") || l.Has("p")) }
func (l *scriptLine) quiet() bool { return l.Has("n") && !l.Has("p") }

// looped is a program that perl -n runs for every line of its files, if it may
// give them away.
func (l *scriptLine) looped(text string) string {
	if !l.loops() || l.in.language != library.Perl || !invocation.ContainsAny(text, []string{"Socket", "HTTP::", "LWP"}) && !slices.ContainsFunc(l.Values("load"), func(s string) bool {
		return strings.HasPrefix(s, "HTTP") || strings.HasPrefix(s, "LWP") || strings.HasPrefix(s, "IO::Socket")
	}) {
		return text
	}
	return "while(<>){\n" + text + "\n}"
}
