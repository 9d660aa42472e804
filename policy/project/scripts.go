package project

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/internal/scan"
)

// Scripts reads the scripts of a package.json: those of the given names, each with the
// ones that run before and after it, or all of them if every is true.
func Scripts(f File, names []string, every bool) Steps {
	all, ok := scriptsOf(f.Content)
	if !ok {
		return Quoted(f)
	}
	if every {
		return texts(slices.Sorted(maps.Values(all)))
	}
	var s Steps
	for _, name := range names {
		for _, stage := range []string{"pre" + name, name, "post" + name} {
			if script, ok := all[stage]; ok {
				s.shell(script)
			}
		}
	}
	return s
}

// scriptsOf returns the scripts of a package.json, or of a piece of one that has
// nothing but scripts. It is false for anything else.
func scriptsOf(content string) (map[string]string, bool) {
	var manifest struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal([]byte(content), &manifest) == nil {
		return manifest.Scripts, true
	}
	part := strings.Trim(content, ", \t\r\n")
	return manifest.Scripts, json.Unmarshal([]byte("{"+part+"}"), &manifest.Scripts) == nil
}

// Programs says which files of a package its package.json names as programs: the one
// that the package stands for, "" if none, and those that it installs.
func Programs(content string) (main string, installed []string) {
	var manifest struct {
		Main string          `json:"main"`
		Bin  json.RawMessage `json:"bin"`
	}
	if json.Unmarshal([]byte(content), &manifest) != nil {
		return "", nil
	}
	var one string
	if json.Unmarshal(manifest.Bin, &one) == nil && one != "" {
		return manifest.Main, []string{one}
	}
	var named map[string]string
	if json.Unmarshal(manifest.Bin, &named) != nil {
		return manifest.Main, nil
	}
	return manifest.Main, slices.Sorted(maps.Values(named))
}

// NamedTasks reads the tasks of a JSON file that have one of the names, also as the
// last part of a name with colons: those below "tasks", "targets", "architect" and
// "scripts".
func NamedTasks(content string, names []string) Steps {
	var s Steps
	var root map[string]json.RawMessage
	if json.Unmarshal([]byte(content), &root) != nil && json.Unmarshal(withoutJSONComments(content), &root) != nil {
		return s
	}
	for _, key := range [...]string{"tasks", "targets", "architect", "scripts"} {
		var tasks map[string]any
		if json.Unmarshal(root[key], &tasks) != nil {
			continue
		}
		for _, name := range names {
			s.leaves(tasks[name], 0)
			if last := name[strings.LastIndexByte(name, ':')+1:]; last != name {
				s.leaves(tasks[last], 0)
			}
		}
	}
	return s
}

// maxTaskDepth is how deep the commands of a task in JSON may lie.
const maxTaskDepth = 6

// leaves adds the commands in a value of JSON.
func (s *Steps) leaves(value any, depth int) {
	if depth > maxTaskDepth {
		s.Unknown = true
		return
	}
	switch value := value.(type) {
	case string:
		if strings.Contains(value, " ") || strings.Contains(value, "/") {
			s.shell(value)
		}
	case []any:
		for _, item := range value[:min(len(value), maxFound)] {
			s.leaves(item, depth+1)
		}
	case map[string]any:
		for _, key := range [...]string{"command", "commands", "task", "options", "args"} {
			s.leaves(value[key], depth+1)
		}
	}
}

// withoutJSONComments returns JSON without the comments and trailing commas that some
// programs allow in it.
func withoutJSONComments(content string) []byte {
	b := make([]byte, 0, len(content))
	comma := -1 // where a comma lies that nothing has followed yet
	for i := 0; i < len(content); i++ {
		rest := content[i:]
		switch c := content[i]; {
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				return b
			}
			i += end
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return b
			}
			i += end + 3
		case c == '"':
			end := i + 1
			for end < len(content) && content[end] != '"' {
				if content[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end, len(content)-1)
			b, comma = append(b, content[i:end+1]...), -1
			i = end
		case c == ',':
			comma = len(b)
			b = append(b, c)
		case (c == '}' || c == ']') && comma >= 0:
			b[comma] = ' '
			b, comma = append(b, c), -1
		default:
			if c > ' ' {
				comma = -1
			}
			b = append(b, c)
		}
	}
	return b
}

// ComposerScripts reads the scripts of a composer.json.
func ComposerScripts(f File) Steps {
	var manifest struct {
		Scripts map[string]any `json:"scripts"`
	}
	if json.Unmarshal([]byte(f.Content), &manifest) != nil || len(manifest.Scripts) == 0 {
		return Quoted(f)
	}
	var s Steps
	for _, name := range slices.Sorted(maps.Keys(manifest.Scripts)) {
		s.leaves(manifest.Scripts[name], 0)
	}
	return s
}

// Backend returns the module that builds a Python package, and the directories in which
// it lies, where these are in the project. The module is "" if they are not.
func Backend(pyproject string) (module string, dirs []string) {
	if !strings.Contains(pyproject, "backend-path") {
		return "", nil
	}
	names := scan.Quoted(tomlLine(pyproject, "build-backend"))
	if len(names) == 0 {
		return "", nil
	}
	module, _, _ = strings.Cut(names[0], ":")
	return module, scan.Quoted(tomlLine(pyproject, "backend-path"))
}

// tomlLine returns what stands behind a key of TOML on its line.
func tomlLine(content, key string) string {
	for line := range strings.Lines(content) {
		if name, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(name) == key {
			return value
		}
	}
	return ""
}
