package follow

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/project"
)

// Assignments set variables for the command behind them, of NAME=value, and of NAME, which
// has the value that it has here. There are none if no value is known.
func Assignments(a *invocation.Act, variables []string) []string {
	var words []string
	for _, v := range Few(a, variables) {
		name, value, ok := strings.Cut(v, "=")
		if !ok {
			value, ok = a.KnownVariable(name)
		}
		if !ok || !IsWord(name) {
			continue
		}
		if len(words) == 0 {
			words = append(words, "env")
		}
		words = append(words, name+"="+value)
	}
	return words
}

// built reads the commands of a Dockerfile. They change nothing but the image:
// only code that nobody has read is noted.
func built(r *invocation.Reader, a *invocation.Act, content string) {
	script := project.Containerfile(content)
	if script == "" || !r.Pay(len(script)) {
		return
	}
	image := r.Shell.Apart()
	image.Shell.Inner(script, invocation.Origin{Remote: true}, invocation.Flow{})
	r.Units, r.Budget = image.Units, image.Budget
	for _, e := range image.Reading.Effects {
		switch e.Verb {
		case effect.RunRemote:
			if !IsInstaller(e.Object) {
				a.Add(e)
			}
		case effect.RunHidden, effect.ReverseShell:
			a.Add(e)
		default: // stays in the image
		}
	}
}

// composed reads what the services of a compose file are given of this machine,
// and what they do with it, as if each was started by itself.
func composed(r *invocation.Reader, a *invocation.Act, content string) {
	read := readYAML(r, "compose", project.File{Content: content}, func(f project.File) (read invocation.ParsedFile) {
		read.Services, read.Steps.Unknown = project.Compose(f)
		return read
	})
	if read.Steps.Unknown {
		a.Doubt(invocation.Unseen)
	}
	for i := range read.Services {
		s := &read.Services[i]
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
		r.Shell.Argv(append(append(line, "image"), s.Command...), a.Origin(), invocation.Flow{})
	}
}
