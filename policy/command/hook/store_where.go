package hook

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// inBox says what is known of the container that a command line leads into.
func inBox(a *invocation.Act, r *command.Reading, args []string) *invocation.Box {
	in := &invocation.Box{Here: a.Is("docker", "podman", "nerdctl", "docker-compose", "podman-compose")}
	for _, name := range []string{"DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST"} {
		if value, set := a.Variable(name); set {
			in.Here = false
			in.Purpose |= effect.PurposeOf(value) & effect.ForUse
		}
	}
	in.Purpose |= effect.PurposeOf(firstOr(append(r.Values("container"), r.Values("words")...), ""))
	for _, arg := range args {
		in.Purpose |= effect.PurposeOf(arg) & effect.ForUse
	}
	if r.Value("host")+r.Value("context")+r.Value("connection")+r.Value("url") != "" {
		in.Here = false
	}
	for _, name := range append(r.Values("file"), r.Values("project-name")...) {
		in.Purpose |= effect.PurposeOf(name[strings.LastIndexByte(name, '/')+1:])
	}
	for _, assignment := range r.Values("env") {
		if variable, value, ok := strings.Cut(assignment, "="); ok && len(in.Env) < invocation.MaxEnv {
			if in.Env == nil {
				in.Env = map[string]string{}
			}
			in.Env[variable] = value
		}
	}
	if a.Is("kubectl", "oc") && kubeLocal(a, r) {
		in.Purpose |= effect.ForTests
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
