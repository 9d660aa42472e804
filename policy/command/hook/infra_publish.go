package hook

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// publishesDirectory is a program that puts a directory on the web, or at a service that
// does: keys in it become public. The default is the working directory.
func publishesDirectory(a *invocation.Act) {
	if a.Has("help") || a.Has("version") {
		return
	}
	for _, dir := range append([]string{"."}, follow.Few(a, a.Args)...) {
		if _, dashes := invocation.CutDashes(dir); dashes > 0 {
			_, dir, _ = strings.Cut(dir, "=")
		}
		if dir != "" && !strings.ContainsAny(dir, " \n:") && holdsKeys(a, dir) {
			a.Add(effect.Effect{Verb: effect.Send, Object: a.Name, From: a.Path(dir), Wide: true})
		}
	}
}

// bakes notes the directories that an image is built from, where keys are in them: it
// may be pushed later in the text.
func bakes(a *invocation.Act) {
	in := output.Reading(a, "docker", a.Args)
	if in == nil {
		return
	}
	for _, dir := range follow.Few(a, append(in.Values("words"), in.Values("build-context")...)) {
		dir = dir[strings.IndexByte(dir, '=')+1:]
		if dir != "" && !strings.Contains(dir, "://") && holdsKeys(a, dir) {
			a.Add(effect.Effect{Verb: effect.SetVariable, Object: bakedVariable, From: a.Path(dir), Wide: true})
		}
	}
}

// holdsKeys reports whether a directory is one in which somebody keeps keys, or a home
// with all of them.
func holdsKeys(a *invocation.Act, dir string) bool {
	p := a.Path(dir)
	rest, ok := invocation.InHome(p, a.At)
	switch {
	case p == "/" || p == "/home" || p == "/Users" || p == "/etc" || ok && rest == "":
		return true
	case !ok:
		return false
	}
	first, _, _ := strings.Cut(rest, "/")
	return command.Builtin().In("key-directories", first) || first == ".config" && (rest == ".config" || invocation.ContainsAny(rest, []string{"gcloud", "gh", "op", "sops", "age"}))
}
