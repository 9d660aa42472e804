package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// publishesDirectory is a program that puts a directory on the web, or at a service
// that does: the keys that are in it are there for everybody. Without a directory it
// is the one that it runs in.
func publishesDirectory(a *act) {
	if a.Has("help") || a.Has("version") {
		return
	}
	for _, dir := range append([]string{"."}, a.few(a.Args)...) {
		if _, dashes := cutDashes(dir); dashes > 0 {
			_, dir, _ = strings.Cut(dir, "=")
		}
		if dir != "" && !strings.ContainsAny(dir, " \n:") && a.holdsKeys(dir) {
			a.add(effect.Effect{Verb: effect.Send, Object: a.Name, From: a.path(dir), Wide: true})
		}
	}
}

// bakes notes the directories that an image is built from, where keys are in them: it
// may be pushed later in the text.
func (a *act) bakes() {
	in := a.reading("docker", a.Args)
	if in == nil {
		return
	}
	for _, dir := range a.few(append(in.Values("words"), in.Values("build-context")...)) {
		dir = dir[strings.IndexByte(dir, '=')+1:]
		if dir != "" && !strings.Contains(dir, "://") && a.holdsKeys(dir) {
			a.add(effect.Effect{Verb: effect.SetVariable, Object: bakedVariable, From: a.path(dir), Wide: true})
		}
	}
}

// holdsKeys reports whether a directory is one in which somebody keeps keys, or a home
// with all of them.
func (a *act) holdsKeys(dir string) bool {
	p := a.path(dir)
	rest, ok := inHome(p, a.at)
	switch {
	case p == "/" || p == "/home" || p == "/Users" || p == "/etc" || ok && rest == "":
		return true
	case !ok:
		return false
	}
	first, _, _ := strings.Cut(rest, "/")
	return keyDirectories[first] || first == ".config" && (rest == ".config" || containsAny(rest, []string{"gcloud", "gh", "op", "sops", "age"}))
}

// keyDirectories are those of a home whose contents are keys.
var keyDirectories = valued(".ssh .aws .gnupg .kube .docker .azure .password-store .netrc .local .mozilla .electrum .bitcoin .ethereum")
