package project

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// Playbook reads the tasks of an Ansible playbook: any text in them may be a command,
// and files that shall be absent are removed.
func Playbook(f File) Steps {
	d := parseYAML(f)
	if d == nil || d.unknown {
		s := Lines(f)
		s.Unknown = s.Unknown || d != nil
		return s
	}
	var s Steps
	d.all(func(_ string, value *yaml.Node) bool {
		switch {
		case value.Kind == yaml.ScalarNode && isCommand(value.Value):
			s.shell(value.Value)
		case value.Kind == yaml.MappingNode:
			d.absent(&s, value)
		}
		return true
	})
	s.Unknown = s.Unknown || d.unknown
	return f.OrLines(s)
}

// absent adds what a task of a playbook removes.
func (d *document) absent(s *Steps, task *yaml.Node) {
	d.pairs(task, func(module string, value *yaml.Node) {
		if module[strings.LastIndexByte(module, '.')+1:] != "file" {
			return
		}
		given := map[string]string{}
		d.pairs(value, func(name string, value *yaml.Node) { given[name], _ = d.text(value) })
		if text, ok := d.text(value); ok { // path=/x state=absent
			for word := range strings.FieldsSeq(text) {
				name, value, _ := strings.Cut(word, "=")
				given[name] = strings.Trim(value, `"'`)
			}
			d.pairs(d.member(task, "args"), func(name string, value *yaml.Node) { given[name], _ = d.text(value) })
		}
		if given["state"] != "absent" {
			return
		}
		for _, name := range [...]string{"path", "dest", "name"} {
			path, ok := given[name]
			if !ok {
				continue
			}
			if strings.ReplaceAll(path, " ", "") != "{{item}}" {
				s.remove(path, true)
				continue
			}
			for _, list := range [...]string{"loop", "with_items", "with_list"} {
				for _, path := range d.texts(d.member(task, list)) {
					s.remove(path, true)
				}
			}
		}
	})
}
