package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// scriptLine is the command line of an interpreter.
type scriptLine struct {
	in   *interpreter
	args []string
	// programs are the texts of -e and the like; module that of python -m.
	programs []programArg
	module   string
	// listens is the address that php -S serves, serves the directory that it
	// does it with; named, a script after --file=; loaded, what node --import=
	// and the like load before.
	listens, serves, named string
	loaded                 []string
	// file is the place of the script, -1 if there is none; rest, of what
	// follows it or the programs.
	file, rest int
	// inPlace: -i; loops: -n or -p; nothing: only the version or help is shown,
	// or the text is only checked.
	inPlace, loops, nothing bool
	// quiet: -n without -p; what is not printed is gone.
	quiet bool
	// plain: its first operand is a script, whatever it is called.
	plain bool
}

type programArg struct {
	text string
	word int
}

func (l *scriptLine) read() {
	l.file = -1
	i := 0
	for ; i < len(l.args); i++ {
		arg := l.args[i]
		body, dashes := cutDashes(arg)
		switch {
		case arg == "--":
			i++
			l.operand(i)
			return
		case arg == "-", dashes == 0:
			if l.verb(arg) {
				if l.nothing {
					return
				}
				continue
			}
			if l.in.language == library.JavaScript && l.programs != nil && len(l.programs) == 0 { // deno eval
				l.programs = append(l.programs, programArg{arg, i})
				l.rest = i + 1
				return
			}
			l.operand(i)
			return
		case dashes == 2:
			i = l.word(body, i)
		default:
			i = l.letters(body, i)
		}
		if l.nothing {
			return
		}
		if l.module != "" || l.in.language == library.Python && l.programs != nil {
			break // the rest belongs to the program
		}
	}
	l.rest = min(i+1, len(l.args))
	if l.module == "" {
		l.rest = min(i, len(l.args))
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

// looped is a program that perl -n runs for every line of its files, if it may
// give them away.
func (l *scriptLine) looped(text string) string {
	if !l.loops || l.in.language != library.Perl || !strings.Contains(text, "Socket") && !strings.Contains(text, "HTTP::") && !strings.Contains(text, "LWP") && !slices.ContainsFunc(l.args, func(s string) bool {
		return strings.HasPrefix(s, "-MHTTP") || strings.HasPrefix(s, "-MLWP") || strings.HasPrefix(s, "-MIO::Socket")
	}) {
		return text
	}
	return "while(<>){\n" + text + "\n}"
}

// operand notes the first operand: the script, unless there was a program.
func (l *scriptLine) operand(i int) {
	l.rest = min(i, len(l.args))
	if l.programs == nil && i < len(l.args) {
		l.file = i
		l.rest = i + 1
	}
}

// verb reports whether a word is a subcommand before the script.
func (l *scriptLine) verb(arg string) bool {
	if l.in.language != library.JavaScript || l.programs != nil || l.plain {
		return false
	}
	switch arg {
	case "run", "serve", "watch", "x":
		return true
	case "eval", "repl":
		l.programs = []programArg{}
		return true
	case "install", "add", "test", "build", "i", "ci", "remove", "fmt", "lint", "check", "task", "cache", "compile", "doc", "create", "init", "update", "upgrade", "pm", "publish", "info", "types":
		l.nothing = true
		return true
	}
	return false
}

// word reads a long option.
func (l *scriptLine) word(body string, i int) int {
	name, value, has := strings.Cut(body, "=")
	switch {
	case slices.Contains(l.in.programs, name) && len(name) > 1:
		if has {
			l.programs = append(l.programs, programArg{value, i})
			return i
		}
		return l.take(i)
	case name == "version", name == "help", name == "check" && l.in.language == library.JavaScript:
		l.nothing = true
	case name == "file" && has:
		l.named = value
	case l.in.language == library.JavaScript && (name == "import" || name == "loader" || name == "experimental-loader" || name == "require" || name == "preload"):
		if !has && i+1 < len(l.args) {
			i++
			value = l.args[i]
		}
		l.loaded = append(l.loaded, value)
	case l.in.language == library.PHP && name == "docroot" && has:
		l.serves = value
	case !has && slices.Contains(l.in.values, name) && len(name) > 1:
		return i + 1
	}
	return i
}

// take takes the next argument as a program.
func (l *scriptLine) take(i int) int {
	if i+1 < len(l.args) {
		l.programs = append(l.programs, programArg{l.args[i+1], i + 1})
	}
	return i + 1
}

// letters reads short options, several in one word.
func (l *scriptLine) letters(body string, i int) int {
	if l.in.language == library.JavaScript && slices.Contains(l.in.programs, body) {
		return l.take(i)
	}
	for n := range len(body) {
		letter, rest := body[n:n+1], body[n+1:]
		switch {
		case letter == "i" && l.in.edits:
			l.inPlace = true
		case letter == "n", letter == "p":
			l.quiet = letter == "n" && !l.loops || letter == "n" && l.quiet
			l.loops = true
		case l.in.language == library.Python && letter == "m":
			if rest == "" && i+1 < len(l.args) {
				rest = l.args[i+1]
				i++
			}
			l.module = rest
			return i
		case l.in.language == library.PHP && (letter == "S" || letter == "f" || letter == "F" || letter == "t"):
			if rest == "" && i+1 < len(l.args) {
				i++
				rest = l.args[i]
			}
			switch letter {
			case "S":
				l.listens = rest
			case "t":
				l.serves = rest
			default:
				l.file = i
			}
			return i
		case (letter == "v" || letter == "h" || letter == "V") && len(body) == 1 && l.in.language != library.Python && l.in.language != library.Ruby,
			letter == "V" && l.in.language == library.Python, letter == "l" && l.in.language == library.PHP, letter == "c" && len(body) == 1 && (l.in.language == library.Perl || l.in.language == library.Ruby || l.in.language == library.JavaScript):
			l.nothing = true
			return i
		}
		switch {
		case slices.Contains(l.in.programs, letter):
			if rest != "" {
				l.programs = append(l.programs, programArg{rest, i})
				return i
			}
			return l.take(i)
		case strings.Contains(l.in.attached, letter):
			if letter != "0" && letter != "l" && (rest != "" || !slices.Contains(l.in.values, letter)) {
				return i
			}
			if rest == "" && slices.Contains(l.in.values, letter) {
				return i + 1
			}
		case slices.Contains(l.in.values, letter):
			if rest == "" {
				return i + 1
			}
			return i
		}
	}
	return i
}
