package project

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/internal/scan"
)

// Containerfile reads the commands that run while an image is built: one script of
// all of them, "" if there are none.
func Containerfile(content string) string {
	var script strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(content, "\\\n", " ")) {
		word, command, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || !strings.EqualFold(word, "RUN") {
			continue
		}
		for strings.HasPrefix(command, "--") {
			_, command, _ = strings.Cut(command, " ")
		}
		if strings.HasPrefix(command, "[") {
			command = strings.Join(scan.Quoted(command), " ")
		}
		script.WriteString(command + "\n")
	}
	return script.String()
}

// TakesHost reports whether objects of a Kubernetes cluster give what runs in them the
// machine that they run on: a privileged container among the machine's own processes or
// with its files, or all of its files to write to.
func TakesHost(f File) bool {
	d := parseYAML(f)
	if d == nil || d.unknown {
		return takesHost(f.Content)
	}
	privileged, processes, root, readOnly := false, false, false, false
	d.all(func(key string, value *yaml.Node) bool {
		is := value.Kind == yaml.ScalarNode && value.Value == "true"
		switch key {
		case "privileged":
			privileged = privileged || is
		case "hostPID":
			processes = processes || is
		case "readOnly":
			readOnly = readOnly || is
		case "hostPath":
			path, _ := d.text(d.member(value, "path"))
			root = root || path == "/"
		}
		return true
	})
	return privileged && (processes || root) || root && !readOnly || d.unknown // what only reads the files cannot change them
}

// takesHost is TakesHost for a text that does not parse, as templates do not.
func takesHost(manifest string) bool {
	squeezed := strings.Map(func(c rune) rune {
		if strings.ContainsRune(" \t\"'", c) {
			return -1
		}
		return c
	}, manifest)
	privileged := strings.Contains(squeezed, "privileged:true")
	host := strings.Contains(squeezed, "hostPID:true") || strings.Contains(squeezed, "hostPath:{path:/}") || strings.Contains(squeezed, "path:/\n") && strings.Contains(squeezed, "hostPath")
	root := strings.Contains(squeezed, "hostPath:{path:/}") || strings.Contains(squeezed, "hostPath:\npath:/\n") || strings.HasSuffix(squeezed, "hostPath:\npath:/")
	return privileged && host || root && !strings.Contains(squeezed, "readOnly:true")
}
