package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/project"
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
		dir := lastOf(a.Operands())
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
	script := project.Containerfile(content)
	if script == "" || !r.pay(len(script)) {
		return
	}
	image := reader{state: state{known: r.known, scope: &scope{}, units: r.units, budget: r.budget, depth: r.depth}}
	image.inner(script, origin{remote: true}, flow{})
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

// mostServices is how many commands of one file are read.
const mostServices = 64

// composed reads what the services of a compose file are given of this machine,
// and what they do with it, as if each was started by itself.
func (r *reader) composed(a *act, content string) {
	read := r.readYAML("compose", project.File{Content: content}, func(f project.File) (read parsedFile) {
		read.services, read.steps.Unknown = project.Compose(f)
		return read
	})
	if read.steps.Unknown {
		a.doubt(Unseen)
	}
	for i := range read.services {
		s := &read.services[i]
		line := []string{"docker", "run"}
		with := func(flag string, values ...string) {
			for _, value := range values {
				line = append(line, flag, value)
			}
		}
		with("-v", s.Volumes...)
		for _, source := range s.Mounted {
			with("--mount", "type=bind,source="+source+",target=/mounted")
		}
		if s.Privileged {
			line = append(line, "--privileged")
		}
		if s.PID != "" {
			with("--pid", s.PID)
		}
		with("--cap-add", s.Capabilities...)
		with("--device", s.Devices...)
		r.argv(append(append(line, "image"), s.Command...), a.origin(), flow{})
	}
}
