package hook

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// namesLive reports whether a word of the command says that others use what it is
// about.
func namesLive(a *invocation.Act) bool { return slices.ContainsFunc(a.Args, effect.IsLive) }

// kubeLocal reports whether a command line of kubectl or helm, or its environment,
// names a cluster of this machine and no other.
func kubeLocal(a *invocation.Act, in *command.Reading) bool {
	if in.Value("server") != "" {
		return false
	}
	named := false
	for _, role := range []string{"context", "kube-context", "cluster"} {
		for _, name := range in.Values(role) {
			if !isLocalCluster(name) {
				return false
			}
			named = true
		}
	}
	for _, config := range in.Values("kubeconfig") {
		if !isLocalConfig(a, config) {
			return false
		}
		named = true
	}
	if config, set := a.Variable("KUBECONFIG"); set && !named {
		named = isLocalConfig(a, config)
	}
	return named
}

// kubeChosen reports whether the call chose a cluster of this machine before, and
// no other, and the command names none. The command that chose it may have failed: a
// name of what is destroyed must say that it is for tests, too.
func kubeChosen(a *invocation.Act, in *command.Reading) bool {
	for _, role := range []string{"context", "kube-context", "cluster", "kubeconfig", "server"} {
		if len(in.Values(role)) > 0 {
			return false
		}
	}
	chosen := false
	for i := range a.R.Reading.Commands {
		c := &a.R.Reading.Commands[i]
		to := ""
		switch {
		case c.Is("kubectl", "oc", "k") && c.Sub == "config":
			config := output.Reading(a, "kubectl", c.Args)
			if config == nil {
				continue
			}
			switch words := config.Values("words"); firstOr(words, "") {
			case "use-context", "use":
				to = invocation.LastOf(words)
			case "current-context", "view", "get-contexts", "get-clusters", "get-users":
				continue
			}
		case c.Is("kubectx"):
			to = invocation.LastOf(c.Args)
		case c.Is("aws", "gcloud", "az", "doctl", "kubie", "kubeswitch", "switch", "eksctl", "tsh") && slices.ContainsFunc(c.Args, func(s string) bool {
			return strings.Contains(s, "kube") || strings.Contains(s, "credentials") || s == "eks" || s == "ctx"
		}):
		default:
			continue
		}
		if !isLocalCluster(to) {
			return false
		}
		chosen = true
	}
	_, set := a.Variable("KUBECONFIG")
	return chosen && !set && !a.Remote
}

// isLocalCluster reports whether a context is by its name one of a cluster that
// only exists on this machine.
func isLocalCluster(name string) bool {
	if effect.PurposeOf(name)&effect.ForUse != 0 || invocation.Unknown(name) {
		return false
	}
	for _, of := range []string{"kind", "minikube", "k3d", "docker-desktop", "docker-for-desktop", "orbstack", "colima", "rancher-desktop", "microk8s"} {
		if rest, ok := strings.CutPrefix(name, of); ok && (rest == "" && of != "kind" && of != "k3d" || strings.HasPrefix(rest, "-")) {
			return true
		}
	}
	return false
}

// isLocalConfig reports whether a configuration is that of a cluster of this
// machine: by its name, or since the tool that made the cluster wrote it.
func isLocalConfig(a *invocation.Act, config string) bool {
	if made, ok := strings.CutPrefix(config, "$("); ok {
		made = strings.TrimSpace(strings.TrimSuffix(made, ")"))
		return !strings.ContainsAny(made, ";|&`$(\n") && (strings.HasPrefix(made, "k3d kubeconfig ") || strings.HasPrefix(made, "kind get kubeconfig"))
	}
	files := strings.Split(config, ":")
	for _, file := range files {
		name := file[strings.LastIndexByte(file, '/')+1:]
		for _, end := range []string{".yaml", ".yml", ".kubeconfig", ".config", ".conf", "-kubeconfig", "-config"} {
			name = strings.TrimSuffix(name, end)
		}
		for _, begin := range []string{"kubeconfig-", "kubeconfig.", "config-"} {
			name = strings.TrimPrefix(name, begin)
		}
		if !isLocalCluster(name) && name != "kind" && name != "k3d" && !madeByCluster(a, file) {
			return false
		}
	}
	return len(files) > 0
}

// madeByCluster reports whether a tool for clusters of this machine wrote a file,
// and nothing else did.
func madeByCluster(a *invocation.Act, file string) bool {
	p := a.Path(file)
	made := false
	for i := range a.R.Reading.Effects {
		e := &a.R.Reading.Effects[i]
		if e.Object != p || e.Verb != effect.Write {
			continue
		}
		if e.Command < 0 || e.Command >= len(a.R.Reading.Commands) {
			return false
		}
		if c := &a.R.Reading.Commands[e.Command]; !c.Is("kind", "k3d") {
			return false
		}
		made = true
	}
	return made
}
