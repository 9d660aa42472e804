package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// preloads reads the files of the conversation that an interpreter is told to run
// before its program: node -r ./m.js, NODE_OPTIONS, ruby -r ./m.
func (a *act) preloads(in *interpreter) {
	if a.r.set.Files == nil && len(a.r.wrote) == 0 {
		return
	}
	var files []string
	args := a.Args
	if in.language == library.JavaScript && a.Env["NODE_OPTIONS"] != "" {
		args = append(strings.Fields(a.Env["NODE_OPTIONS"]), args...)
	}
	given := act{Command: &Command{Args: args}}
	switch in.language {
	case library.JavaScript:
		files = append(given.after("-r", "--require", "--import", "--loader", "--experimental-loader", "--preload"),
			attached(args, "--require=", "--import=", "--loader=", "--experimental-loader=", "--preload=")...)
	case library.Ruby:
		files = append(given.after("-r"), attached(append(strings.Fields(a.Env["RUBYOPT"]), args...), "-r")...)
	case library.Perl:
		for _, module := range append(given.after("-M", "-m"), attached(append(strings.Fields(a.Env["PERL5OPT"]), args...), "-M", "-m")...) {
			module, _, _ = strings.Cut(module, "=")
			files = append(files, strings.ReplaceAll(module, "::", "/")+".pm")
		}
	case library.Lua:
		files = given.after("-l")
	case library.PHP:
		for _, setting := range append(given.after("-d"), attached(args, "-d")...) {
			if file, ok := strings.CutPrefix(setting, "auto_prepend_file="); ok {
				files = append(files, file)
			}
		}
	default:
	}
	if in.language == library.Python {
		files = a.pythonStarts()
	}
	for _, file := range a.few(files) {
		a.loads(in, file)
	}
}

// written is the name under which the conversation wrote a file that a program
// names without its ending, empty if it wrote none.
func (a *act) written(in *interpreter, p string) string {
	for _, ending := range library.Of(in.language).Endings() {
		if a.r.file(a.path(p+ending)) != nil {
			return p + ending
		}
	}
	return ""
}

// loads reads a file that a program loads, if the conversation wrote it.
func (a *act) loads(in *interpreter, p string) {
	if p == "" || unknown(p) || !a.r.pay(stepCost) {
		return
	}
	name := a.written(in, p)
	if name == "" {
		return
	}
	a.r.once("load "+name, func() { a.programFile(in, name, []string{name}) })
}

// mostLoads is how many modules of one program are looked for.
const mostLoads = 32

// loadsIn reads the modules that a program loads and the conversation wrote. They
// lie beside the script, or where it runs.
func (a *act) loadsIn(in *interpreter, program string, args []string) {
	if a.r.set.Files == nil && len(a.r.wrote) == 0 || a.r.depth >= MaxDepth {
		return
	}
	beside := ""
	if len(args) > 0 {
		if dir := path.Dir(args[0]); dir != "." {
			beside = dir + "/"
		}
	}
	left := mostLoads
	load := func(p string) {
		if left--; left < 0 {
			return
		}
		a.loads(in, p)
		if beside != "" && !strings.HasPrefix(p, "/") {
			a.loads(in, beside+p)
		}
	}
	if in.language == library.Python {
		pythonModules(program, load)
	}
	for _, word := range library.Of(in.language).Loads() {
		rest := program
		for left > 0 {
			_, after, ok := strings.Cut(rest, word)
			if !ok {
				break
			}
			rest = after
			if p, known := quotedText(after[:min(len(after), mostMatched)]); known && p != "" {
				load(p)
			}
		}
	}
}

// pythonModules calls load for the files that may be the modules of a program:
// import a.b, from a import b.
func pythonModules(program string, load func(p string)) {
	for line := range strings.Lines(program) {
		for statement := range strings.SplitSeq(line, ";") {
			words := strings.Fields(strings.ReplaceAll(strings.TrimSpace(statement), ",", " "))
			if len(words) < 2 || words[0] != "import" && words[0] != "from" {
				continue
			}
			if words[0] == "import" {
				for _, module := range words[1:] {
					load(modulePath(module))
				}
				continue
			}
			module := modulePath(words[1])
			load(module)
			for _, name := range words[min(3, len(words)):] {
				if name = strings.Trim(name, "()"); name != "*" && name != "" {
					load(strings.TrimPrefix(module+"/"+name, "/"))
				}
			}
		}
	}
}

// modulePath is the path of a module, .a.b is in the same directory.
func modulePath(module string) string {
	return strings.ReplaceAll(strings.TrimLeft(module, "."), ".", "/")
}
