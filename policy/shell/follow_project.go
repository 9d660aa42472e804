package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/project"
	"github.com/sluice-project/sluice/policy/sql"
)

// followProject reads the files of a project that a program follows.
func (r *reader) followProject(a *act) {
	entries := a.facts().files
	if len(entries) == 0 || !r.hasFiles() || a.Remote {
		return
	}
	for i := range entries {
		p := &entries[i]
		if len(p.subs) > 0 && !slices.ContainsFunc(a.Args, func(s string) bool { return slices.Contains(p.subs, s) }) {
			continue
		}
		for _, content := range r.projectContents(a, p) {
			r.once(a.Name+"\n"+content[:min(len(content), 256)], func() { r.readProject(a, p, content) })
		}
	}
}

// projectContents is what is known of the files that an entry means.
func (r *reader) projectContents(a *act, p *projectFile) []string {
	var names []string
	if len(p.given) > 0 {
		names = a.after(p.given...)
		for _, flag := range p.given {
			names = append(names, attached(a.Args, flag+"=")...)
		}
	}
	if p.operands != "" {
		for _, arg := range a.Args {
			if strings.HasSuffix(arg, p.operands) && !strings.HasPrefix(arg, "-") {
				names = append(names, arg)
			}
		}
	}
	if len(names) == 0 {
		var patterns []string
		for name := range strings.FieldsSeq(p.names) {
			if IsPattern(name) {
				patterns = append(patterns, name)
			} else {
				names = append(names, name)
			}
		}
		if len(patterns) > 0 && r.pay(searchSteps) {
			names = append(names, strings.Join(patterns, "|"))
		}
	}
	list := r.contents(a, names...)
	slices.Sort(list)
	return slices.Compact(list)
}

// readProject reads one file in the way of its kind.
func (r *reader) readProject(a *act, p *projectFile, content string) {
	if !r.pay(len(content)) {
		return
	}
	if p.tasks {
		content = project.PythonTasks(content, a.Args)
	}
	if len(p.blocks) > 0 {
		content = project.Blocks(content, p.blocks)
	}
	before := len(r.reading.Effects)
	if in := interpreters[p.language]; in != nil {
		a.program(in, content, -1, nil)
	}
	switch p.way {
	case byWords, byKeys:
		a.worded(p, content)
	case byLook:
		r.lookOver(a, content)
	case byName:
		a.steps(project.NamedTasks(content, a.few(a.Args)), a.in)
	case byElement:
		a.steps(project.Elements(content), a.in)
	case byParens:
		a.steps(project.Dune(content), a.in)
	case bySchema:
		a.schemaLost(content)
	case byCalls:
		a.compiledCalls(content)
		a.calledIn(content)
		a.started(content)
	case byBackend:
		a.backend(content)
	}
	if p.tests {
		r.ofTests(before, content)
	}
}

// backend reads the module that builds a package, where it lies in the project.
func (a *act) backend(content string) {
	name, dirs := project.Backend(content)
	for _, dir := range dirs {
		a.loads(interpreters["python"], path.Join(dir, modulePath(name)))
	}
}

// schemaLost notes statements of a migration that delete a whole database. What
// else it drops is what migrations are for.
func (a *act) schemaLost(content string) {
	if a.Env["RAILS_ENV"] == "test" || a.Env["NODE_ENV"] == "test" || a.Env["MIX_ENV"] == "test" || a.Env["APP_ENV"] == "test" || a.Env["APP_ENV"] == "testing" {
		return
	}
	if lost := sql.MigrationLost(content); lost != "" {
		a.drops(lost)
	}
}
