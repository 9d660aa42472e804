package project

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/effect"
)

// Taskfile reads a Taskfile.yml: the commands of the given tasks, of "default" if there
// are none, of those that they ask for, and what runs whatever is asked for. If one of
// the tasks is not in the file, any of them may be meant.
func Taskfile(f File, names []string) Steps {
	d := parseYAML(f)
	if d == nil || d.unknown {
		return f.texts(d)
	}
	if len(names) == 0 {
		names = []string{"default"}
	}
	t := &taskfile{document: d, tasks: map[string]*yaml.Node{}, done: map[string]bool{}}
	for _, root := range d.roots {
		d.pairs(root, func(key string, value *yaml.Node) {
			if key == "tasks" {
				d.pairs(value, t.add)
			}
		})
	}
	if !f.Whole || len(t.tasks) == 0 {
		return f.texts(d)
	}
	var s Steps
	if !t.runs(&s, names) {
		s, t.done, d.left = Steps{}, map[string]bool{}, maxYAMLNodes
		for _, name := range slices.Sorted(maps.Keys(t.tasks)) {
			t.run(&s, name)
		}
	}
	for _, root := range d.roots {
		d.pairs(root, func(key string, value *yaml.Node) {
			if key != "tasks" && !slices.Contains(described, key) {
				t.reads(&s, value, Command{})
			}
		})
	}
	s.Unknown = s.Unknown || d.unknown
	return s
}

// taskfile is a file of tasks, by their names and aliases.
type taskfile struct {
	*document
	tasks map[string]*yaml.Node
	done  map[string]bool
}

func (t *taskfile) add(name string, task *yaml.Node) {
	t.tasks[name] = task
	for _, alias := range t.texts(t.member(task, "aliases")) {
		t.tasks[alias] = task
	}
}

// runs adds what tasks do and those that they ask for. It is false if one of them is
// not in the file.
func (t *taskfile) runs(s *Steps, names []string) bool {
	for len(names) > 0 {
		name := names[0]
		names = names[1:]
		task := t.tasks[name]
		if task == nil || effect.Expands(name) {
			return false
		}
		if !t.done[name] {
			t.run(s, name)
			names = append(names, t.asked(task)...)
		}
	}
	return true
}

// run adds what one task does.
func (t *taskfile) run(s *Steps, name string) {
	t.done[name] = true
	task := t.tasks[name]
	dir, _ := t.text(t.member(task, "dir"))
	in := Command{Dir: dir, Env: t.variables(task)}
	if task.Kind != yaml.MappingNode {
		t.reads(s, task, in)
		return
	}
	t.pairs(task, func(key string, value *yaml.Node) {
		if !slices.Contains(described, key) {
			t.reads(s, value, in)
		}
	})
}

// described are the members of a task, or of the file, that are for people or that name
// files and other tasks.
var described = []string{"desc", "description", "summary", "label", "prompt", "sources", "generates", "aliases", "dir", "version", "includes", "deps"}

// reads adds every text below a value that may be a command.
func (t *taskfile) reads(s *Steps, value *yaml.Node, in Command) {
	take := func(_ string, value *yaml.Node) bool {
		if value.Kind == yaml.ScalarNode && isCommand(value.Value) {
			c := in
			c.Shell = value.Value
			s.add(c)
		}
		return true
	}
	take("", value)
	t.walk(value, take)
}

// asked returns the tasks that a task asks for.
func (t *taskfile) asked(task *yaml.Node) []string {
	var list []string
	add := func(n *yaml.Node) {
		if name, ok := t.text(n); ok && name != "" {
			list = append(list, strings.TrimPrefix(name, ":"))
		}
	}
	for _, item := range t.items(t.member(task, "deps")) {
		add(item)
	}
	t.walk(task, func(key string, value *yaml.Node) bool {
		if key == "task" {
			add(value)
		}
		return true
	})
	return list
}

// variables returns the environment of a task as far as it is written down.
func (t *taskfile) variables(task *yaml.Node) map[string]string {
	var env map[string]string
	t.pairs(t.member(task, "env"), func(name string, value *yaml.Node) {
		if text, ok := t.text(value); ok && len(env) < maxItems {
			if env == nil {
				env = map[string]string{}
			}
			env[name] = text
		}
	})
	return env
}
