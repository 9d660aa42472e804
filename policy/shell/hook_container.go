package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// containerCopies is docker cp, of which one side is NAME:PATH.
func containerCopies(a *act, in *command.Reading) {
	if len(in.Values("target")) == 0 { // what it is copied to is not known
		a.reads(in.Values("source")...)
	}
	for _, from := range a.few(in.Values("source")) {
		for _, to := range a.few(in.Values("target")) {
			if strings.Contains(from, ":") && !strings.HasPrefix(from, "/") {
				a.add(effect.Effect{Verb: effect.Write, Object: a.path(to), From: from})
				continue
			}
			a.reads(from)
			if _, file, ok := strings.Cut(to, ":"); ok && from == "/dev/null" {
				a.remotely("truncate -s 0 " + quote(file))
			}
		}
	}
}

// composeScales is --scale SERVICE=0, which stops it.
func composeScales(a *act, in *command.Reading) {
	for _, scale := range append(in.Values("scale"), in.Values("service")...) {
		if service, count, ok := strings.Cut(scale, "="); ok && count == "0" {
			a.stops(service)
		}
	}
}

// hasTestLabel reports whether only what has a label that says that it is for tests
// is removed, on this machine.
func hasTestLabel(a *act, in *command.Reading) bool {
	return a.hereOnly(in) && labelledForTests(in.Values("filter"))
}

// hasOwnVolume reports whether a volume is one that a project on this machine can make
// again.
func hasOwnVolume(a *act, in *command.Reading) bool {
	names := in.Values("volume")
	return len(names) == 1 && a.ownVolume(in, names[0])
}

// labelledForTests reports whether filters leave nothing but what has a label that
// says that it is for tests.
func labelledForTests(filters []string) bool {
	for _, filter := range filters {
		label, ok := strings.CutPrefix(filter, "label=")
		if !ok || unknown(label) || strings.Contains(label, "example") || effect.PurposeOf(label) != effect.ForTests {
			return false
		}
		if _, value, given := strings.Cut(label, "="); given && value == "false" {
			return false
		}
	}
	return len(filters) > 0
}

// ownVolume reports whether a volume is one that a project on this machine can make
// again: compose names them after the project, shop_pgdata.
func (a *act) ownVolume(in *command.Reading, name string) bool {
	project, volume, ok := strings.Cut(name, "_")
	if !ok || project == "" || volume == "" || unknown(name) || strings.ContainsAny(name, "*?[{") || isProduction(name) || keepsForOthers(name) {
		return false
	}
	return a.hereOnly(in)
}

// hereOnly reports whether docker works on this machine, and on nothing but what the
// command names.
func (a *act) hereOnly(in *command.Reading) bool {
	if a.More || a.Remote {
		return false
	}
	if slices.ContainsFunc([]string{"host", "context", "url", "remote"}, in.Has) {
		return false
	}
	for _, variable := range []string{"DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST"} {
		if value, _ := a.variable(variable); value != "" {
			return false
		}
	}
	return true
}

// keepsForOthers reports whether a name says that what it names is kept for later,
// or that others use it.
func keepsForOthers(name string) bool {
	name = strings.ToLower(name)
	for _, word := range [...]string{"backup", "archive", "staging", "live", "master", "vault", "customer", "shared", "sluice"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// containerExecutes runs the words behind the name of a container, pod or machine, or
// behind --, in it. The directory there is not known.
func containerExecutes(a *act, in *command.Reading) {
	if words := in.Values("after"); len(words) > 0 {
		a.inContainer(in, words)
		return
	}
	for words := range in.From("container") {
		a.inContainer(in, words[1:])
	}
}

func (a *act) inContainer(in *command.Reading, words []string) {
	if len(words) == 0 {
		return
	}
	if slices.ContainsFunc(in.Values("words"), func(s string) bool { return strings.HasPrefix(s, "node/") || s == "node" }) {
		words = slices.Clone(words)
		for i, w := range words { // the files of the node lie there
			words[i] = strings.ReplaceAll(w, "/host/", "/")
		}
	}
	r, from, outer := a.r, a.origin(), a.r.scope
	from.remote, from.within = true, a.inBox(a.Args[:max(len(a.Args)-len(words), 0)])
	r.scope = r.sub(outer)
	r.scope.at, r.scope.dir, r.scope.lost = effect.Place{}, "", false
	r.argv(words, from, a.in)
	r.scope = outer
}
