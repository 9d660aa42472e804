package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// kubeSpare reports whether something of a cluster is made for tests: all of it
// is, where the command names a cluster that only exists on this machine. Where a
// command before it chose the cluster, which may have failed, a name of what is
// destroyed must say so too.
func kubeSpare(a *act, object string) bool {
	if slices.ContainsFunc(a.Args, effect.IsLive) {
		return false
	}
	if a.kubeLocal(a.Args) {
		return true
	}
	l := a.line(kubeTakes)
	if l.has("context", "kube-context", "kubeconfig", "s", "server", "cluster") || !a.kubeChosen() {
		return false
	}
	where := strings.Join(l.values("n", "namespace"), " ")
	return (effect.PurposeOf(object)|effect.PurposeOf(where))&effect.ForTests != 0
}

// kubeLocal reports whether a command line of kubectl or helm, or its environment,
// names a cluster of this machine and no other.
func (a *act) kubeLocal(args []string) bool {
	named := false
	for i, arg := range args {
		if arg == "--" {
			break
		}
		body, dashes := cutDashes(arg)
		flag, value, given := strings.Cut(body, "=")
		if dashes == 0 {
			continue
		}
		if !given && i+1 < len(args) {
			value = args[i+1]
		}
		switch flag {
		case "context", "kube-context", "cluster":
			if !isLocalCluster(value) {
				return false
			}
			named = true
		case "kubeconfig":
			if !a.isLocalConfig(value) {
				return false
			}
			named = true
		case "s", "server", "kube-apiserver":
			return false
		}
		if dashes == 1 && strings.HasPrefix(body, "s") && strings.Contains(body, "://") {
			return false
		}
	}
	if config, set := a.setVariable("KUBECONFIG"); set && !named {
		named = a.isLocalConfig(config)
	}
	return named
}

// kubeChosen reports whether the call chose a cluster of this machine before, and
// no other.
func (a *act) kubeChosen() bool {
	chosen := false
	for i := range a.r.reading.Commands {
		c := &a.r.reading.Commands[i]
		to := ""
		switch {
		case c.Is("kubectl", "oc", "k") && c.Sub == "config":
			words := c.Operands(kubeFlags...)
			if len(words) < 2 || words[1] != "use-context" && words[1] != "use" && words[1] != "set-context" && words[1] != "set" && words[1] != "set-cluster" {
				continue
			}
			if words[1] == "use-context" || words[1] == "use" {
				to = lastOf(words)
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
	_, set := a.setVariable("KUBECONFIG")
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
