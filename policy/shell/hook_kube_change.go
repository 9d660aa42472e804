package shell

import (
	"errors"
	"io"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// kubeChanges is kubectl apply, create, replace and the like: what it changes, and
// what the objects that it makes may do to the cluster and its machines.
func kubeChanges(a *act, in *command.Reading) {
	files := append(in.Values("filename"), in.Values("kustomize")...)
	for _, text := range in.Values("overrides") {
		if m := a.manifests(text); m.privileged || m.hostPID || m.hostPath {
			a.does(effect.Grant, "host")
		}
	}
	switch in.Value("command") {
	case "replace":
		if in.Has("force") {
			d := kubeDeletion{act: a, in: in}
			d.destroys(strings.TrimSpace("objects in "+in.Value("filename")), false)
			return
		}
	case "apply":
		if in.Has("prune") {
			d := kubeDeletion{act: a, in: in}
			d.destroys("what "+in.Value("filename")+" does not name", true)
		}
	}
	for _, file := range files {
		if strings.Contains(file, "://") {
			a.does(effect.Fetch, file)
		} else if content, known := a.file(file); known {
			a.kubeGrants(content)
		} else if file == "-" && a.in.known {
			a.kubeGrants(a.in.text)
		}
	}
	if len(files) == 0 {
		files = in.Values("words")
	}
	a.applies(strings.Join(files, " "))
}

// kubeGrants notes the objects in manifests that make somebody the owner of the
// cluster, or a container that of its host.
func (a *act) kubeGrants(text string) {
	m := a.manifests(text)
	if m.binding && m.admin {
		a.does(effect.Grant, "cluster-admin")
	}
	if m.privileged && (m.leaves || m.root) {
		a.does(effect.Grant, "host")
	}
}

// kubeManifest is what matters of objects of a cluster.
type kubeManifest struct {
	binding, admin      bool // it gives a role, and that of the cluster's owner
	privileged, hostPID bool
	hostPath, root      bool // it mounts a part of its host, and all of it
	leaves              bool // it enters the host by a command
}

// manifests reads objects that are written in YAML or JSON, as far as they can be
// read.
func (a *act) manifests(text string) kubeManifest {
	var m kubeManifest
	if !mayMatter(text) {
		return m
	}
	if len(text) > mostManifest { // a parsed one takes hundreds of times its size
		a.doubt(Long)
		text = text[:0]
	}
	if !a.r.pay(len(text)) {
		return m
	}
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for {
		var doc yaml.Node
		if err := decoder.Decode(&doc); err != nil {
			if !errors.Is(err, io.EOF) {
				a.doubt(Unseen)
			}
			return m
		}
		m.read(&doc, 0)
	}
}

// mayMatter is a prefilter: a manifest that has none of these words, and no escapes
// that could spell them, has nothing that manifests looks for.
func mayMatter(text string) bool {
	for _, word := range [...]string{"RoleBinding", "privileged", "hostPID", "hostPath", `\`} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// mostManifest is how large manifests may be that are read.
const mostManifest = 64 << 10

// mostDeep is how deep manifests are read.
const mostDeep = 64

func (m *kubeManifest) read(n *yaml.Node, depth int) {
	if depth > mostDeep {
		return
	}
	if n.Kind != yaml.MappingNode {
		if n.Kind == yaml.ScalarNode && (strings.Contains(n.Value, "nsenter") || strings.Contains(n.Value, "chroot")) {
			m.leaves = true
		}
		for _, e := range n.Content {
			m.read(e, depth+1)
		}
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, v := n.Content[i].Value, n.Content[i+1]
		switch {
		case key == "kind" && strings.HasSuffix(v.Value, "RoleBinding"):
			m.binding = true
		case key == "name" && v.Value == "cluster-admin":
			m.admin = true
		case key == "privileged" && v.Value == "true":
			m.privileged = true
		case key == "hostPID" && v.Value == "true":
			m.hostPID = true
		case key == "hostPath":
			m.hostPath = true
			for j := 0; j+1 < len(v.Content); j += 2 {
				m.root = m.root || v.Content[j].Value == "path" && path.Clean(v.Content[j+1].Value) == "/"
			}
		}
		m.read(v, depth+1)
	}
}
