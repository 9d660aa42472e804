package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// followContainers reads the files by which containers are built and started.
func (r *reader) followContainers(a *act) {
	composes := strings.HasSuffix(a.Name, "compose") || a.Sub == "compose"
	switch {
	case composes:
		names := append(a.after("-f", "--file"), attached(a.Args, "--file=")...)
		if len(names) == 0 {
			names = []string{"docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml", "docker-compose.override.yml", "docker-compose.override.yaml", "compose.override.yml", "compose.override.yaml"}
		}
		for _, name := range names {
			if name == "-" {
				name = "/dev/stdin"
			}
			if f := r.file(a.path(name)); f != nil {
				r.composed(a, f.Content)
			}
		}
	case a.Sub == "build", a.Sub == "buildx", a.Sub == "bud":
		dir := lastOf(a.Args)
		names := append(a.after("-f", "--file"), attached(a.Args, "--file=")...)
		if len(names) == 0 {
			names = []string{strings.TrimSuffix(dir, "/") + "/Dockerfile", strings.TrimSuffix(dir, "/") + "/Containerfile"}
		}
		for _, name := range names {
			if f := r.file(a.path(name)); f != nil {
				r.built(a, f.Content)
			}
		}
		if dir == "-" && a.in.known {
			r.built(a, a.in.text)
		}
	}
}

// built reads the commands of a Dockerfile. They change nothing but the image:
// only code that nobody has read is noted.
func (r *reader) built(a *act, content string) {
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
			command = strings.Join(inQuotes(command), " ")
		}
		script.WriteString(command + "\n")
	}
	if script.Len() == 0 || !r.pay(script.Len()) {
		return
	}
	image := reader{state: state{known: r.known, scope: &scope{}, units: r.units, budget: r.budget, depth: r.depth}}
	image.inner(script.String(), origin{remote: true}, flow{})
	r.units, r.budget = image.units, image.budget
	for _, e := range image.reading.Effects {
		switch e.Verb {
		case effect.RunRemote:
			if !IsInstaller(e.Object) {
				a.add(e)
			}
		case effect.RunHidden, effect.ReverseShell:
			a.add(e)
		default: // stays in the image
		}
	}
}

// mostServices is how many services of one file are read.
const mostServices = 64

// composed reads what the services of a compose file are given of this machine,
// and what they do with it, as if each was started by itself.
func (r *reader) composed(a *act, content string) {
	var words, command []string
	services, list := 0, ""
	start := func() {
		if len(words) > 0 && services < mostServices {
			services++
			line := append([]string{"docker", "run"}, words...)
			line = append(line, "image")
			r.argv(append(line, command...), a.origin(), flow{})
		}
		words, command, list = nil, nil, ""
	}
	deep := -1
	for line := range strings.Lines(content) {
		text := strings.TrimSpace(line)
		if text == "" || text[0] == '#' {
			continue
		}
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		key, value, isKey := strings.Cut(text, ":")
		if item, ok := strings.CutPrefix(text, "- "); ok && list != "" {
			words, command = composeItem(list, strings.Trim(item, `"' `), words, command)
			continue
		}
		if !isKey || strings.HasPrefix(text, "- ") {
			continue
		}
		value = strings.TrimSpace(value)
		if value == "" && indent <= 2 && indent != deep || indent == deep && value == "" { // the next service
			start()
			deep = indent
			continue
		}
		list = key
		switch {
		case value == "":
		case strings.HasPrefix(value, "["):
			items := inQuotes(value)
			if len(items) == 0 {
				items = strings.Split(strings.Trim(value, "[] "), ",")
			}
			for _, item := range items {
				words, command = composeItem(key, strings.TrimSpace(item), words, command)
			}
		default:
			words, command = composeItem(key, strings.Trim(value, `"'`), words, command)
		}
	}
	start()
}

// composeItem adds what one line of a service says.
func composeItem(key, item string, words, command []string) (flags, runs []string) {
	switch key {
	case "volumes":
		if strings.Contains(item, ":") && !strings.Contains(item, ": ") {
			words = append(words, "-v", item)
		}
	case "source": // the long form of a volume
		words = append(words, "--mount", "type=bind,source="+item+",target=/mounted")
	case "privileged":
		if item == "true" {
			words = append(words, "--privileged")
		}
	case "pid", "userns_mode", "network_mode":
		if key == "pid" {
			words = append(words, "--pid", item)
		}
	case "cap_add":
		words = append(words, "--cap-add", item)
	case "devices":
		words = append(words, "--device", item)
	case "command", "entrypoint":
		if len(command) == 0 && strings.Contains(item, " ") {
			command = []string{"sh", "-c", item}
		} else {
			command = append(command, item)
		}
	}
	return words, command
}
