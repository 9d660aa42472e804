package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// namesLive reports whether a word of the command says that others use what it is
// about.
func (a *act) namesLive() bool { return slices.ContainsFunc(a.Args, effect.IsLive) }

// kubeLocal reports whether a command line of kubectl or helm, or its environment,
// names a cluster of this machine and no other.
func (a *act) kubeLocal(in *command.Reading) bool {
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
		if !a.isLocalConfig(config) {
			return false
		}
		named = true
	}
	if config, set := a.Variable("KUBECONFIG"); set && !named {
		named = a.isLocalConfig(config)
	}
	return named
}

// kubeChosen reports whether the call chose a cluster of this machine before, and
// no other, and the command names none. The command that chose it may have failed: a
// name of what is destroyed must say that it is for tests, too.
func (a *act) kubeChosen(in *command.Reading) bool {
	for _, role := range []string{"context", "kube-context", "cluster", "kubeconfig", "server"} {
		if len(in.Values(role)) > 0 {
			return false
		}
	}
	chosen := false
	for i := range a.r.reading.Commands {
		c := &a.r.reading.Commands[i]
		to := ""
		switch {
		case c.Is("kubectl", "oc", "k") && c.Sub == "config":
			config := a.reading("kubectl", c.Args)
			if config == nil {
				continue
			}
			switch words := config.Values("words"); firstOr(words, "") {
			case "use-context", "use":
				to = lastOf(words)
			case "current-context", "view", "get-contexts", "get-clusters", "get-users":
				continue
			}
		case c.Is("kubectx"):
			to = lastOf(c.Args)
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
	if effect.PurposeOf(name)&effect.ForUse != 0 || unknown(name) {
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
func (a *act) isLocalConfig(config string) bool {
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
		if !isLocalCluster(name) && name != "kind" && name != "k3d" && !a.madeByCluster(file) {
			return false
		}
	}
	return len(files) > 0
}

// madeByCluster reports whether a tool for clusters of this machine wrote a file,
// and nothing else did.
func (a *act) madeByCluster(file string) bool {
	p := a.path(file)
	made := false
	for i := range a.r.reading.Effects {
		e := &a.r.reading.Effects[i]
		if e.Object != p || e.Verb != effect.Write {
			continue
		}
		if e.Command < 0 || e.Command >= len(a.r.reading.Commands) {
			return false
		}
		if c := &a.r.reading.Commands[e.Command]; !c.Is("kind", "k3d") {
			return false
		}
		made = true
	}
	return made
}
