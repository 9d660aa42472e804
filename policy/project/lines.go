package project

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/internal/scan"
)

// Texts reads a file of YAML in which any text may be a command: the settings of hooks
// that run before a commit.
func Texts(f File) Steps { return f.texts(parseYAML(f)) }

// texts is Texts for a file that was parsed.
func (f File) texts(d *document) Steps {
	if d == nil || d.unknown {
		s := Lines(f)
		s.Unknown = s.Unknown || d != nil
		return s
	}
	var s Steps
	d.all(func(_ string, value *yaml.Node) bool {
		if value.Kind == yaml.ScalarNode && isCommand(value.Value) {
			s.shell(value.Value)
		}
		return true
	})
	s.Unknown = s.Unknown || d.unknown
	return f.OrLines(s)
}

// Lines reads a file in which any line may be a command, alone or behind a key or a
// dash: a Procfile, an Earthfile, YAML that does not parse.
func Lines(f File) Steps {
	var s Steps
	for line := range strings.Lines(f.Content) {
		line = strings.TrimLeft(strings.TrimSpace(line), "- ")
		if key, value, ok := strings.Cut(line, ":"); ok && !strings.ContainsAny(key, " '\"$/") {
			line = strings.TrimSpace(value)
		}
		if line = strings.Trim(line, `"'|>`); strings.Contains(line, " ") {
			s.shell(line)
		}
	}
	return f.OrLines(s)
}

// Quoted reads a file in which any text in quotes may be a command.
func Quoted(f File) Steps { return f.OrLines(texts(scan.Quoted(f.Content))) }

// Settings reads settings of the kind key = command, with further lines below a key:
// tox.ini, the tasks in pyproject.toml.
func Settings(f File) Steps {
	var s Steps
	for line := range strings.Lines(f.Content) {
		line = strings.TrimSpace(line)
		if key, value, ok := strings.Cut(line, "="); ok && !strings.ContainsAny(strings.TrimSpace(key), " '\"$/(") {
			line = strings.TrimSpace(value)
		}
		line = strings.Trim(strings.TrimLeft(line, "-@"), ` "'[],{}`)
		if strings.Contains(line, " ") && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, ";") {
			s.shell(line)
		}
	}
	return f.OrLines(s)
}

// GoGenerate returns the commands that a file of Go has for go generate.
func GoGenerate(content string) Steps {
	var s Steps
	for line := range strings.Lines(content) {
		if command, ok := strings.CutPrefix(line, "//go:generate "); ok {
			s.shell(strings.TrimPrefix(strings.TrimSpace(command), "-command "))
		}
	}
	return s
}
