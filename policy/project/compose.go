package project

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/internal/scan"
)

// Service is what a compose file says of one container, as far as it concerns the
// machine that it runs on.
type Service struct {
	// Volumes are mounts in the short form, source:target[:mode].
	Volumes []string
	// Mounted are directories of this machine that are mounted in the long form.
	Mounted    []string
	Privileged bool
	// PID is the name space of processes that it shares.
	PID                   string
	Capabilities, Devices []string
	// Command is what runs in it, empty if that is what the image says.
	Command []string
}

func (s *Service) isEmpty() bool {
	return len(s.Volumes) == 0 && len(s.Mounted) == 0 && !s.Privileged && s.PID == "" && len(s.Capabilities) == 0 && len(s.Devices) == 0
}

// Compose reads the services of a compose file that are given something of this
// machine. unknown says that there is more than could be read.
func Compose(f File) (services []Service, unknown bool) {
	d := parseYAML(f)
	if d == nil || d.unknown {
		return composeLines(f.Content), d != nil
	}
	add := func(n *yaml.Node) {
		s := d.service(n)
		if s.isEmpty() {
			return
		}
		if len(services) == maxItems {
			d.unknown = true
			return
		}
		services = append(services, s)
	}
	for _, root := range d.roots {
		list := d.member(root, "services")
		if list == nil { // the oldest form has none, and of a file a piece may be known
			list = root
			add(root)
		}
		d.pairs(list, func(_ string, value *yaml.Node) { add(value) })
		if items := d.items(root); len(items) > 0 { // a piece of a list of volumes
			s := Service{}
			for _, item := range items {
				d.volume(&s, item)
			}
			if !s.isEmpty() {
				services = append(services, s)
			}
		}
	}
	return services, d.unknown
}

// service reads one service.
func (d *document) service(n *yaml.Node) Service {
	var s Service
	var entry, command []string
	d.pairs(n, func(key string, value *yaml.Node) {
		text, _ := d.text(value)
		switch key {
		case "volumes":
			for _, item := range d.items(value) {
				d.volume(&s, item)
			}
		case "privileged":
			s.Privileged = s.Privileged || text == "true"
		case "pid":
			s.PID = text
		case "cap_add":
			s.Capabilities = append(s.Capabilities, d.texts(value)...)
		case "devices":
			s.Devices = append(s.Devices, d.texts(value)...)
		case "entrypoint":
			entry = d.texts(value)
		case "command":
			command = d.texts(value)
		}
	})
	s.Command = joined(entry, command)
	return s
}

// volume reads one volume of a service.
func (d *document) volume(s *Service, n *yaml.Node) {
	if text, ok := d.text(n); ok {
		if strings.Contains(text, ":") && !strings.Contains(text, ": ") {
			s.Volumes = append(s.Volumes, text)
		}
		return
	}
	if source, ok := d.text(d.member(n, "source")); ok {
		s.Mounted = append(s.Mounted, source)
	}
}

// joined is what runs in a container: its entry point with its command behind it. A
// text of several words is one for a shell.
func joined(entry, command []string) []string {
	var words []string
	for _, item := range append(entry, command...) {
		if len(words) == 0 && strings.Contains(item, " ") {
			words = []string{"sh", "-c", item}
		} else {
			words = append(words, item)
		}
	}
	return words
}

// composeLines reads a compose file that does not parse, line by line.
func composeLines(content string) []Service {
	var services []Service
	var s Service
	list := ""
	flush := func() {
		if !s.isEmpty() && len(services) < maxItems {
			services = append(services, s)
		}
		s, list = Service{}, ""
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
			s.item(list, strings.Trim(item, `"' `))
			continue
		}
		if !isKey || strings.HasPrefix(text, "- ") {
			continue
		}
		value = strings.TrimSpace(value)
		if value == "" && indent <= 2 && indent != deep || indent == deep && value == "" { // the next service
			flush()
			deep = indent
			continue
		}
		list = key
		switch {
		case value == "":
		case strings.HasPrefix(value, "["):
			items := scan.Quoted(value)
			if len(items) == 0 {
				items = strings.Split(strings.Trim(value, "[] "), ",")
			}
			for _, item := range items {
				s.item(key, strings.TrimSpace(item))
			}
		default:
			s.item(key, strings.Trim(value, `"'`))
		}
	}
	flush()
	return services
}

// item adds what one line of a service says.
func (s *Service) item(key, item string) {
	switch key {
	case "volumes":
		if strings.Contains(item, ":") && !strings.Contains(item, ": ") {
			s.Volumes = append(s.Volumes, item)
		}
	case "source": // the long form of a volume
		s.Mounted = append(s.Mounted, item)
	case "privileged":
		s.Privileged = s.Privileged || item == "true"
	case "pid":
		s.PID = item
	case "cap_add":
		s.Capabilities = append(s.Capabilities, item)
	case "devices":
		s.Devices = append(s.Devices, item)
	case "command", "entrypoint":
		s.Command = joined(s.Command, []string{item})
	}
}
