package hook

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// boxName is the name of the container, which stands last or before the dashes.
func boxName(args []string) string {
	if n := len(args) - 1; n >= 0 && args[n] == "--" {
		if r := command.Builtin().Program("kubectl").Read(&command.Invocation{Args: args[:n]}); r != nil {
			return firstOr(r.Values("words"), "")
		}
		return ""
	}
	return invocation.LastOf(args)
}

// inBox says what is known of the container that a command line leads into.
func inBox(a *invocation.Act, args []string) *invocation.Box {
	in := &invocation.Box{Here: a.Is("docker", "podman", "nerdctl", "docker-compose", "podman-compose")}
	for _, name := range []string{"DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST"} {
		if value, set := a.Variable(name); set {
			in.Here = false
			in.Purpose |= effect.PurposeOf(value) & effect.ForUse
		}
	}
	in.Purpose |= effect.PurposeOf(boxName(args))
	starts := slices.Index(args, "exec")
	for i := 0; i < len(args); i++ {
		body, dashes := invocation.CutDashes(args[i])
		name, value, given := strings.Cut(body, "=")
		in.Purpose |= effect.PurposeOf(args[i]) & effect.ForUse
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
			in.Purpose |= effect.PurposeOf(value[strings.LastIndexByte(value, '/')+1:])
		case "H", "host", "c", "context", "connection", "url":
			if i < starts {
				in.Here = false
			}
		case "e", "env":
			if variable, value, ok := strings.Cut(value, "="); ok && len(in.Env) < invocation.MaxEnv {
				if in.Env == nil {
					in.Env = map[string]string{}
				}
				in.Env[variable] = value
			}
		case "u", "user", "w", "workdir", "env-file", "index", "n", "namespace", "container", "profile":
		default:
			continue
		}
		if !given && dashes > 0 && value != "" {
			in.Purpose |= effect.PurposeOf(value) & effect.ForUse
			i++
		}
	}
	if a.Is("kubectl", "oc") {
		if r := output.Reading(a, a.Name, args); r != nil && kubeLocal(a, r) {
			in.Purpose |= effect.ForTests
		}
	}
	return in
}

// TestVerbs are programs that run tests and nothing else: what these do is read
// by tests, also where they are called by a path.
var TestVerbs = func() map[string]invocation.Verb {
	table := map[string]invocation.Verb{}
	for _, name := range []string{"pytest", "py.test", "nose2", "tox", "nox", "jest", "vitest", "mocha", "ava", "jasmine", "rspec", "phpunit", "pest", "bats", "gotestsum", "ginkgo"} {
		table[name] = func(*invocation.Act) {}
	}
	return table
}()
