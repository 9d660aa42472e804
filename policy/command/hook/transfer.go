package hook

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/hook/fileops"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// transfer copies from the role source to the role target, either of which may be
// elsewhere: an address, or a path with a name before a colon.
func transfer(a *invocation.Act, in *command.Reading) {
	if len(in.Values("target")) == 0 { // what it is copied to is not known
		follow.ReadsFiles(a, in.Values("source")...)
	}
	for _, from := range follow.Few(a, in.Values("source")) {
		for _, to := range follow.Few(a, in.Values("target")) {
			if isAddressed := isObject(from) || isObject(to); isAddressed {
				transfers(a, from, to, isObject)
			} else {
				transfers(a, from, to, isNamed)
			}
		}
	}
}

// isObject reports whether a path is an address.
func isObject(p string) bool { return strings.Contains(p, "://") || strings.HasPrefix(p, "arn:") }

// isNamed reports whether a path has the name of a machine or a store before it.
func isNamed(p string) bool {
	return strings.Contains(p, ":") && strings.IndexByte("/.~", p[0]) < 0 && !effect.IsWindows(p)
}

// transfers notes a copy between two places of which either may be elsewhere.
func transfers(a *invocation.Act, from, to string, elsewhere func(string) bool) {
	switch there, here := elsewhere(to), !elsewhere(from); {
	case there && here:
		for _, source := range a.WithFiles(a.Sources(), []string{from}) {
			wide := strings.HasPrefix(source, "/") && fileops.MayBeDirectory(source) && !strings.HasPrefix(path.Base(source), ".env")
			a.Add(effect.Effect{Verb: effect.Send, Object: placeOf(to), From: source, Wide: wide})
		}
	case there:
		a.Add(effect.Effect{Verb: effect.Send, Object: placeOf(to), From: from})
	case !here:
		a.Does(effect.Fetch, from)
		a.MaySend(to, from, false)
		fileops.Saves(a, to, from)
	default:
		follow.ReadsFiles(a, from)
		a.MayFetch(from)
		a.MaySend(to, from, false)
		a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(to), From: a.Path(from)})
	}
}

// placeOf is where a copy goes: an address, or the name of a remote, whose path
// nobody may take for a port.
func placeOf(to string) string {
	if strings.HasPrefix(to, ":") { // a remote that is made for this: :webdav,url=ADDRESS:path
		for _, name := range [...]string{"url=", "host=", "endpoint="} {
			if _, address, ok := strings.Cut(to, name); ok {
				address, _, _ = strings.Cut(strings.Trim(address, `"'`), ",")
				return invocation.HostOf(strings.TrimRight(address, `"':/`))
			}
		}
	}
	if strings.Contains(to, "://") {
		return invocation.Reachable(to)
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(to, ":"), ":")
	return name
}

// uploads sends the role source to the service that a program is for.
func uploads(a *invocation.Act, in *command.Reading) {
	files := in.Values("source")
	if len(in.Values("target")) == 0 {
		files = append(files, in.Values("words")...)
	}
	for _, file := range follow.Few(a, files) {
		if !isObject(file) {
			fileops.Ships(a, in.Name, file, fileops.MayBeDirectory(file))
		}
	}
}
