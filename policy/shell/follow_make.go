package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/project"
)

// made reads a makefile or justfile for what a command line names.
func made(a *act) func(f project.File) project.Steps {
	if a.Name != "just" && (a.Has("n") || a.Has("--dry-run") || a.Has("--just-print") || a.Has("--recon")) || a.Has("--list") || a.Has("--summary") {
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
		p, _ := a.at.Resolve(name) // one that is not known is none that was written
		f := a.r.file(p)
		if f != nil && f.Remote != "" {
			a.does(effect.RunRemote, f.Remote)
		}
		if f == nil || !a.r.pay(len(f.Content)) {
			return project.File{}, false
		}
		return f.ofProject(), true
	}
	return func(f project.File) project.Steps { return project.Make(f, setting) }
}
