package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// boxName is the name of the container, which stands last or before the dashes.
func boxName(args []string) string {
	if n := len(args) - 1; n >= 0 && args[n] == "--" {
		if r := command.Builtin().Program("kubectl").Read(&command.Invocation{Args: args[:n]}); r != nil {
			return firstOr(r.Values("words"), "")
		}
		return ""
	}
	return lastOf(args)
}

// inBox says what is known of the container that a command line leads into.
func (a *act) inBox(args []string) *box {
	in := &box{here: a.Is("docker", "podman", "nerdctl", "docker-compose", "podman-compose")}
	for _, name := range []string{"DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST"} {
		if value, set := a.Variable(name); set {
			in.here = false
			in.purpose |= effect.PurposeOf(value) & effect.ForUse
		}
	}
	in.purpose |= effect.PurposeOf(boxName(args))
	starts := slices.Index(args, "exec")
	for i := 0; i < len(args); i++ {
		body, dashes := cutDashes(args[i])
		name, value, given := strings.Cut(body, "=")
		in.purpose |= effect.PurposeOf(args[i]) & effect.ForUse
		switch {
		case dashes == 0:
			continue
		case !given && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			value = args[i+1]
		}
		switch name {
		case "f", "file", "p", "project-name":
			if i > starts {
				continue
			}
			in.purpose |= effect.PurposeOf(value[strings.LastIndexByte(value, '/')+1:])
		case "H", "host", "c", "context", "connection", "url":
			if i < starts {
				in.here = false
			}
		case "e", "env":
			if variable, value, ok := strings.Cut(value, "="); ok && len(in.env) < maxEnv {
				if in.env == nil {
					in.env = map[string]string{}
				}
				in.env[variable] = value
			}
		case "u", "user", "w", "workdir", "env-file", "index", "n", "namespace", "container", "profile":
		default:
			continue
		}
		if !given && dashes > 0 && value != "" {
			in.purpose |= effect.PurposeOf(value) & effect.ForUse
			i++
		}
	}
	if a.Is("kubectl", "oc") {
		if r := a.reading(a.Name, args); r != nil && a.kubeLocal(r) {
			in.purpose |= effect.ForTests
		}
	}
	return in
}
