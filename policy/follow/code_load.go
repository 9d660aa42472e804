package follow

import (
	"cmp"
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

// loads reads a file that a program loads and the conversation wrote, and returns its
// text.
func loads(a *invocation.Act, in *interpreter, p string) (content string) {
	if p == "" || invocation.Unknown(p) || !a.R.Pay(invocation.StepCost) {
		return ""
	}
	name := written(a, in, p)
	if name == "" {
		return ""
	}
	Once(a.R, "load "+name, func() { programFile(a, in, name, []string{name}) })
	if f := a.R.File(a.Path(name)); f != nil && len(f.Content) <= mostImporting {
		content = f.Content
	}
	return content
}

// mostLoads is how many modules of one program are looked for, and mostImporting how long
// one of which the values are known may be.
const (
	mostLoads     = 32
	mostImporting = 64 << 10
)

// loader reads the modules of the conversation that a program loads, nil if there can be
// none. They lie beside the script, or where it runs.
func loader(a *invocation.Act, in *interpreter, args []string) func(module string) string {
	if a.R.Set.Files == nil && len(a.R.Wrote) == 0 || a.R.Depth >= invocation.MaxDepth {
		return nil
	}
	left := mostLoads
	return func(module string) string {
		if left--; left < 0 {
			return ""
		}
		content := loads(a, in, module)
		if len(args) > 0 && path.Dir(args[0]) != "." && !path.IsAbs(module) {
			content = cmp.Or(loads(a, in, path.Dir(args[0])+"/"+module), content)
		}
		return content
	}
}

// modulePath is the path of a module, .a.b is in the same directory.
func modulePath(module string) string {
	return strings.ReplaceAll(strings.TrimLeft(module, "."), ".", "/")
}
