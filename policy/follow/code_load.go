package follow

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/program/library"
)

// preloads reads the files of the conversation that an interpreter is told to run
// before its program: node -r ./m.js, NODE_OPTIONS, ruby -r ./m.
func preloads(a *invocation.Act, in *interpreter, line *command.Reading) {
	if a.R.Set.Files == nil && len(a.R.Wrote) == 0 {
		return
	}
	if variable := map[library.Language]string{library.JavaScript: "NODE_OPTIONS", library.Ruby: "RUBYOPT", library.Perl: "PERL5OPT"}[in.language]; a.Env[variable] != "" {
		line = line.With(strings.Fields(a.Env[variable]))
	}
	files := line.Values("load")
	switch in.language {
	case library.Perl:
		for i, module := range files {
			module, _, _ = strings.Cut(module, "=")
			files[i] = strings.ReplaceAll(module, "::", "/") + ".pm"
		}
	case library.PHP:
		for _, setting := range line.Values("define") {
			if file, ok := strings.CutPrefix(setting, "auto_prepend_file="); ok {
				files = append(files, file)
			}
		}
	case library.Python:
		files = pythonStarts(a)
	default:
	}
	for _, file := range Few(a, files) {
		loads(a, in, file)
	}
}

// written is the name under which the conversation wrote a file that a program
// names without its ending, empty if it wrote none.
func written(a *invocation.Act, in *interpreter, p string) string {
	for _, ending := range library.Of(in.language).Way("endings") {
		if a.R.File(a.Path(p+ending)) != nil {
			return p + ending
		}
	}
	return ""
}

// loads reads a file that a program loads, if the conversation wrote it.
func loads(a *invocation.Act, in *interpreter, p string) {
	if p == "" || invocation.Unknown(p) || !a.R.Pay(invocation.StepCost) {
		return
	}
	name := written(a, in, p)
	if name == "" {
		return
	}
	Once(a.R, "load "+name, func() { programFile(a, in, name, []string{name}) })
}

// mostLoads is how many modules of one program are looked for.
const mostLoads = 32

// loadsIn reads the modules that a program loads and the conversation wrote. They
// lie beside the script, or where it runs.
func loadsIn(a *invocation.Act, in *interpreter, program string, args []string) {
	if a.R.Set.Files == nil && len(a.R.Wrote) == 0 || a.R.Depth >= invocation.MaxDepth {
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
		loads(a, in, p)
		if beside != "" && !strings.HasPrefix(p, "/") {
			loads(a, in, beside+p)
		}
	}
	if in.language == library.Python {
		pythonModules(program, load)
	}
	for _, word := range library.Of(in.language).Way("loads") {
		rest := program
		for left > 0 {
			_, after, ok := strings.Cut(rest, word)
			if !ok {
				break
			}
			rest = after
			if p, known := QuotedText(after[:min(len(after), MostMatched)]); known && p != "" {
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
