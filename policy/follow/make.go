package follow

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/scan"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/project"
)

// Made reads a makefile or justfile for what a command line names.
func Made(a *invocation.Act) func(f project.File) project.Steps {
	if onlyShows(a) {
		return func(project.File) project.Steps { return project.Steps{} }
	}
	setting := project.MakeSetting{Variables: map[string]string{}, Environment: a.Env}
	for _, word := range a.Operands("C", "f", "I", "o", "W", "l", "directory", "file", "makefile", "justfile", "d", "working-directory") {
		if name, value, ok := strings.Cut(word, "="); ok {
			setting.Variables[name] = value
		} else {
			setting.Goals = append(setting.Goals, word)
		}
	}
	dir := a.Flag("C") + a.Flag("directory")
	setting.Open = func(name string) (project.File, bool) {
		if dir != "" && !effect.IsAbs(name) {
			name = path.Join(dir, name)
		}
		p, _ := a.At.Resolve(name) // one that is not known is none that was written
		f := a.R.File(p)
		if f != nil && f.Remote != "" {
			a.Does(effect.RunRemote, f.Remote)
		}
		if f == nil || !a.R.Pay(len(f.Content)) {
			return project.File{}, false
		}
		return f.OfProject(), true
	}
	return func(f project.File) project.Steps { return project.Make(f, setting) }
}

// mostCommands is how many commands of a file are read.
const mostCommands = 128

// starters are the names of calls that start a program, with what stands before
// them: others of that name are the program's own.
var starters = map[string]string{"exec": "getRuntime().", "ProcessBuilder": "new ", "cmd": "System.", "shell": "System.", "Start": "Process."}

// started reads the commands that such calls are given.
func started(a *invocation.Act, program string) {
	left := mostCommands
	eachNameWith(program, mostCall, func(name, before, after string) bool {
		with, ok := starters[name]
		if !ok || !strings.HasSuffix(before, with) || !strings.HasPrefix(after, "(") {
			return true
		}
		switch texts, _ := scan.Bracketed(after); {
		case len(texts) > 1:
			a.Script(strings.Join(texts[:1], "") + " " + invocation.Quoted(texts[1:]))
		case len(texts) == 1:
			a.Script(texts[0])
		}
		left--
		return left > 0
	})
}

// Makefiles are the files that make looks for, if none is given.
func Makefiles(given string) []string {
	if given != "" {
		return []string{given}
	}
	return []string{"Makefile", "makefile", "GNUmakefile"}
}

// onlyShows reports whether a program surely says what it would run, and runs nothing of it.
func onlyShows(a *invocation.Act) bool {
	p := command.Builtin().Program(a.Name)
	if p == nil {
		return false
	}
	in := &command.Invocation{Name: a.Name, Args: a.Args, More: a.More, In: a}
	r := p.Read(in)
	return r != nil && (r.Surely("just-print") || p.IsDry(in))
}
