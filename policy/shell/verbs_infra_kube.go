package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

var kubeTakes = func() takes {
	values := valued("f filename k kustomize l selector field-selector o output replicas p patch type image overrides grace-period timeout c container from-literal from-file cascade wait-for-delete address accept-hosts accept-paths")
	for _, name := range kubeFlags {
		values[name] = true
	}
	delete(values, "cascade")
	return values
}()

// kubeWide are the kinds that store something or hold others.
var kubeWide = valued(`ns namespace namespaces pv persistentvolume persistentvolumes pvc persistentvolumeclaim persistentvolumeclaims no node nodes
	crd crds customresourcedefinition customresourcedefinitions all sc storageclass storageclasses project projects sts statefulset statefulsets cluster clusters volumesnapshot volumesnapshots
	secret secrets clusterrole clusterrolebinding apiservice apiservices`)

func kubectl(a *act) {
	l := a.line(kubeTakes)
	words := l.operands
	if (a.Name == "k3s" || a.Name == "microk8s") && len(words) > 0 && words[0] == "kubectl" {
		words = words[1:]
	}
	a.spare = kubeSpare
	if dry := l.value("dry-run"); len(words) == 0 || l.exact("dry-run") && dry != "none" {
		return
	}
	rest := strings.Join(words[1:], " ")
	switch words[0] {
	case "delete":
		a.kubeDeletes(&l, words[1:])
	case "drain":
		a.destroys("node "+rest, true)
	case "cordon", "taint":
		a.applies(words[0] + " " + rest)
	case "scale":
		if l.value("replicas") == "0" {
			a.destroys("replicas of "+rest, l.has("all") || !strings.ContainsAny(rest, "/ "))
		} else {
			a.applies(rest)
		}
	case "apply", "create", "replace", "patch", "edit", "set", "label", "annotate", "rollout", "autoscale", "expose", "run":
		a.kubeChanges(&l, words)
	case "config":
		a.kubeConfig(&l, words)
	case "cp":
		if len(words) > 2 {
			a.transfers(words[1], words[2], func(p string) bool { return strings.Contains(p, ":") })
		}
	case "debug":
		if kind, _, ok := strings.Cut(l.operand(1), "/"); ok && (kind == "node" || kind == "nodes" || kind == "no") || l.value("profile") == "sysadmin" {
			a.does(effect.Grant, "host of "+l.operand(1))
		}
	case "port-forward", "proxy":
		if address := l.value("address"); address == "0.0.0.0" {
			a.does(effect.Listen, address)
			if hosts := l.value("accept-hosts"); words[0] == "proxy" && (l.has("disable-filter") || strings.Trim(hosts, "^.*$+") == "" && hosts != "") {
				a.does(effect.Grant, "cluster to everybody")
			}
		}
	}
}

// kubeConfig is kubectl config set-cluster NAME --server ADDRESS: whoever is there gets
// the credentials of every later command, if nobody asks for a certificate.
func (a *act) kubeConfig(l *line, words []string) {
	server := l.value("server")
	if len(words) < 2 || words[1] != "set-cluster" || server == "" || isInside(hostOf(server)) {
		return
	}
	if strings.HasPrefix(server, "http://") || l.has("insecure-skip-tls-verify") && l.value("insecure-skip-tls-verify") != "false" {
		a.add(effect.Effect{Verb: effect.Persist, Object: "server of cluster", From: server})
	}
}

func (a *act) kubeChanges(l *line, words []string) {
	rest := strings.Join(words[1:], " ")
	switch words[0] {
	case "replace":
		if l.has("force") {
			a.destroys("objects in "+l.value("f", "filename"), false)
			return
		}
	case "rollout":
		if len(words) > 1 && (words[1] == "status" || words[1] == "history") {
			return
		}
	case "create":
		if len(words) > 1 && (words[1] == "clusterrolebinding" || words[1] == "rolebinding") {
			a.does(effect.Grant, strings.TrimSpace(rest+" "+l.value("clusterrole", "role")))
			return
		}
		if len(l.after) > 0 { // job and cronjob
			a.remotely(quoted(l.after))
		}
	case "run":
		if strings.Contains(l.value("overrides"), "privileged") || strings.Contains(l.value("overrides"), "hostPath") || strings.Contains(l.value("overrides"), "hostPID") {
			a.does(effect.Grant, "host")
		}
		if len(l.after) > 0 {
			a.remotely(quoted(l.after))
		}
	case "apply":
		if l.has("prune") {
			a.destroys("what "+l.value("f", "filename")+" does not name", true)
		}
	}
	if files := l.values("f", "filename", "k", "kustomize"); len(files) > 0 {
		for _, file := range files {
			if strings.Contains(file, "://") {
				a.does(effect.Fetch, file)
			} else if content, known := a.file(file); known {
				a.kubeGrants(content)
			} else if file == "-" && a.in.known {
				a.kubeGrants(a.in.text)
			}
		}
		rest = strings.Join(files, " ")
	}
	a.applies(strings.TrimSpace(rest))
}

// kubeGrants notes the objects in a manifest that make somebody the owner of the
// cluster, or a container that of its host.
func (a *act) kubeGrants(manifest string) {
	if !a.r.pay(len(manifest)) {
		return
	}
	if strings.Contains(manifest, "RoleBinding") && strings.Contains(manifest, "cluster-admin") {
		a.does(effect.Grant, "cluster-admin")
	}
	if !strings.Contains(manifest, "privileged") {
		return
	}
	plain := strings.NewReplacer(`"`, "", "'", "", " ", "").Replace(manifest)
	if strings.Contains(plain, "privileged:true") && (strings.Contains(plain, "nsenter") || strings.Contains(plain, "chroot") || strings.Contains(plain, "path:/\n") || strings.Contains(plain, "path:/}")) {
		a.does(effect.Grant, "host")
	}
}

// kubeDeletes: kubectl delete KIND NAME..., KIND/NAME..., KIND --all, -f FILE.
func (a *act) kubeDeletes(l *line, words []string) {
	all := l.has("all", "A", "all-namespaces") || l.has("l", "selector") && l.value("l", "selector") == ""
	where := kubeProduction(l)
	for _, file := range l.values("f", "filename", "k", "kustomize") {
		what := "objects in " + file
		if file == "-" {
			made, wide := a.madeManifest()
			what, all = what+made, all || wide
		}
		a.destroys(what+where, all)
	}
	if len(words) == 0 {
		if a.More {
			a.destroys("*", true)
		}
		return
	}
	if strings.Contains(words[0], "/") {
		for _, name := range words {
			kind, _, _ := strings.Cut(name, "/")
			a.destroys(strings.Replace(name, "/", " ", 1)+kubeLasting(kind, where), all || isWideKind(kind))
		}
		return
	}
	kinds := strings.Split(words[0], ",")
	wide := all || slices.ContainsFunc(kinds, isWideKind) || len(words) == 1 && a.More
	if len(words) == 1 {
		a.destroys(strings.TrimSpace(words[0]+" "+l.value("l", "selector"))+kubeLasting(words[0], where), wide)
	}
	for _, name := range words[1:] {
		a.destroys(words[0]+" "+name+kubeLasting(words[0], where), wide)
	}
}

// kubeProduction names where something is deleted, if others use what is there.
func kubeProduction(l *line) string {
	for _, name := range l.values("n", "namespace", "context", "cluster", "kubeconfig") {
		if isProduction(name) {
			return " in prod: " + name
		}
	}
	return ""
}

// kubeLasting is that place for kinds that nothing makes anew.
func kubeLasting(kind, where string) string {
	if isWideKind(kind) {
		return ""
	}
	switch kind {
	case "pod", "pods", "po", "job", "jobs", "rs", "replicaset", "replicasets", "event", "events", "lease", "leases", "cm", "configmap", "configmaps", "hpa", "pipelinerun", "pipelineruns", "taskrun", "taskruns", "workflow", "workflows":
		return ""
	}
	return where
}

// madeManifest says of what a manifest in the input is made by the command before.
func (a *act) madeManifest() (of string, wide bool) {
	for i := len(a.r.reading.Commands) - 1; i >= 0 && i >= len(a.r.reading.Commands)-3; i-- {
		switch c := &a.r.reading.Commands[i]; {
		case c.Is("kustomize", "helm", "kubectl", "ytt", "kompose", "jsonnet", "cue", "tanka", "tk") && c.Sub != "delete":
			for _, arg := range c.Args {
				if isProduction(arg) {
					return " of prod: " + arg, false
				}
			}
		case c.Is("linkerd", "istioctl", "cilium") && c.Sub == "uninstall":
			return " of " + c.Name, true
		}
	}
	return "", false
}

func isWideKind(kind string) bool {
	kind, _, _ = strings.Cut(strings.ToLower(kind), ".")
	return kubeWide[kind]
}
