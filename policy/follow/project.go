package follow

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/project"
	"github.com/sluice-project/sluice/policy/sql"
)

// playbookSteps are those of a playbook, without what it removes elsewhere: deep in the
// machine, or in a directory with a name that is put in.
func playbookSteps(f project.File) project.Steps {
	s := project.Playbook(f)
	var wide []project.Removal
	for _, removal := range s.Removals {
		p := removal.Path
		p = p[:len(p)-len(strings.TrimLeft(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/~"))] // up to what is put in
		if strings.HasPrefix(p, "/") && strings.Count(p, "/") <= 2 || p == "~" {
			wide = append(wide, project.Removal{Path: p, All: true})
		}
	}
	s.Removals = wide
	return s
}

// backend reads the module that builds a package, where it lies in the project.
func backend(a *invocation.Act, content string) {
	name, dirs := project.Backend(content)
	for _, dir := range dirs {
		loads(a, Interpreters["python"], path.Join(dir, modulePath(name)))
	}
}

// schemaLost notes statements of a migration that delete a whole database. What
// else it drops is what migrations are for.
func schemaLost(a *invocation.Act, content string) {
	if a.Env["RAILS_ENV"] == "test" || a.Env["NODE_ENV"] == "test" || a.Env["MIX_ENV"] == "test" || a.Env["APP_ENV"] == "test" || a.Env["APP_ENV"] == "testing" {
		return
	}
	if lost := sql.MigrationLost(content); lost != "" {
		a.Drops(lost)
	}
}

// parseCost is what a byte costs that is parsed as YAML, in bytes that are only read.
const parseCost = 24

// mostParsed is how many texts of YAML are remembered.
const mostParsed = 32

// readYAML reads a file of YAML in one way. The same file is parsed once, and one that
// would cost too much is read line by line; if even that would, nothing is read.
func readYAML(r *invocation.Reader, way string, f project.File, read func(f project.File) invocation.ParsedFile) invocation.ParsedFile {
	key := invocation.ParsedAs{Way: way, File: f}
	if result, ok := r.Yaml[key]; ok {
		r.Pay(len(f.Content))
		return result
	}
	cost := parseCost * len(f.Content)
	if f.Unparsed = cost > r.Budget || len(f.Content) > project.MaxYAML; f.Unparsed {
		cost = len(f.Content)
	}
	if !r.Pay(cost) {
		return invocation.ParsedFile{}
	}
	result := read(f)
	if r.Yaml == nil {
		r.Yaml = map[invocation.ParsedAs]invocation.ParsedFile{}
	}
	if len(r.Yaml) < mostParsed {
		r.Yaml[key] = result
	}
	return result
}

// parsing is read for files of YAML, each parsed once.
func parsing(r *invocation.Reader, way string, read func(f project.File) project.Steps) func(f project.File) project.Steps {
	return func(f project.File) project.Steps {
		result := readYAML(r, way, f, func(f project.File) invocation.ParsedFile { return invocation.ParsedFile{Steps: read(f)} })
		return result.Steps
	}
}
