package hook

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// kubeDeletes: kubectl delete KIND NAME..., KIND/NAME..., KIND --all, -f FILE.
func kubeDeletes(a *invocation.Act, in *command.Reading) {
	d := kubeDeletion{Act: a, in: in, where: kubeProduction(in)}
	if !namesLive(a) {
		d.local, d.chosen = kubeLocal(a, in), kubeChosen(a, in)
	}
	selector := strings.Join(in.Values("selector"), " ")
	d.all = in.Has("all") || in.Has("all-namespaces") || in.Has("selector") && selector == ""
	for _, file := range append(in.Values("filename"), in.Values("kustomize")...) {
		what, all := "objects in "+file, d.all
		if file == "-" {
			made, wide := madeManifest(a)
			what, all = what+made, all || wide
		}
		d.destroys(what+d.where, all)
	}
	names := in.Values("name")
	for _, kinds := range in.Values("kind") {
		if strings.Contains(kinds, "/") {
			for _, name := range append([]string{kinds}, names...) {
				kind, _, _ := strings.Cut(name, "/")
				d.object(kind, strings.Replace(name, "/", " ", 1), false)
			}
			continue
		}
		if len(names) == 0 {
			d.object(kinds, strings.TrimSpace(kinds+" "+selector), a.More)
		}
		for _, name := range names {
			d.object(kinds, kinds+" "+name, false)
		}
	}
	if len(in.Values("kind")) == 0 && a.More {
		d.destroys("*", true)
	}
}

// kubeDeletion is one kubectl delete.
type kubeDeletion struct {
	*invocation.Act

	in    *command.Reading
	where string // that it happens in production
	all   bool
	// local: in a cluster of this machine; chosen: in one that was chosen before.
	local, chosen bool
}

// object notes that one is deleted; kinds are one or several: pods,svc.
func (d *kubeDeletion) object(kinds, what string, wide bool) {
	list := strings.Split(kinds, ",")
	wide = wide || d.all || slices.ContainsFunc(list, isWideKind)
	if !slices.ContainsFunc(list, isWideKind) && slices.ContainsFunc(list, func(kind string) bool { return !command.Builtin().In("passing-kinds", strings.ToLower(kind)) }) {
		what += d.where
	}
	d.destroys(what, wide)
}

func (d *kubeDeletion) destroys(what string, wide bool) {
	spare := d.local || d.chosen && (effect.PurposeOf(what)|effect.PurposeOf(d.in.Value("namespace")))&effect.ForTests != 0
	d.Add(effect.Effect{Verb: effect.Destroy, Object: what, Wide: wide, Scratch: spare})
}

func isWideKind(kind string) bool {
	kind, _, _ = strings.Cut(strings.ToLower(kind), ".")
	return command.Builtin().In("wide-kinds", kind)
}

// kubeProduction names where something is deleted, if others use what is there.
func kubeProduction(in *command.Reading) string {
	for _, role := range []string{"namespace", "context", "cluster", "kubeconfig"} {
		for _, name := range in.Values(role) {
			if isProduction(name) {
				return " in prod: " + name
			}
		}
	}
	return ""
}

// madeManifest describes the manifest that the preceding command writes to the input.
func madeManifest(a *invocation.Act) (of string, wide bool) {
	for i := len(a.R.Reading.Commands) - 1; i >= 0 && i >= len(a.R.Reading.Commands)-3; i-- {
		switch c := &a.R.Reading.Commands[i]; {
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
