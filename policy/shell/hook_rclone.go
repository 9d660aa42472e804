package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// rcloneCopies copies between here and remotes, which are name:path.
func rcloneCopies(a *act, in *command.Reading) {
	does := in.Value("command")
	for _, from := range a.few(in.Values("source")) {
		for _, to := range a.few(in.Values("target")) {
			a.transfers(from, to, isRcloneRemote)
			if does == "sync" {
				a.removesThere(to, "files in ", isRcloneRemote)
			}
		}
		if strings.HasPrefix(does, "move") {
			a.removesThere(from, "", isRcloneRemote)
		}
	}
}

func rcloneDeletes(a *act, in *command.Reading) {
	for _, place := range a.few(in.Values("source")) {
		a.removesThere(place, "", isRcloneRemote)
	}
}

func rcloneServes(a *act, in *command.Reading) {
	a.does(effect.Listen, in.Value("address"))
	for _, dir := range a.few(in.Values("source")) {
		if !isRcloneRemote(dir) {
			a.serves(in.Value("address"), dir)
		}
	}
}

func isRcloneRemote(p string) bool {
	name, _, ok := strings.Cut(p, ":")
	return ok && !strings.ContainsAny(name, "/\\") && !effect.IsWindows(p)
}

// transfers notes a copy between two places of which either may be elsewhere.
func (a *act) transfers(from, to string, elsewhere func(string) bool) {
	switch there, here := elsewhere(to), !elsewhere(from); {
	case there && here:
		for _, source := range a.withFiles(a.sources(), []string{from}) {
			wide := strings.HasPrefix(source, "/") && mayBeDirectory(source) && !strings.HasPrefix(path.Base(source), ".env")
			a.add(effect.Effect{Verb: effect.Send, Object: placeOf(to), From: source, Wide: wide})
		}
	case there:
		a.add(effect.Effect{Verb: effect.Send, Object: placeOf(to), From: from})
	case !here:
		a.does(effect.Fetch, from)
		a.saves(to, from)
	default:
		a.reads(from)
		a.add(effect.Effect{Verb: effect.Write, Object: a.path(to), From: a.path(from)})
	}
}

// placeOf is where a copy goes: an address, or the name of a remote, whose path
// nobody may take for a port.
func placeOf(to string) string {
	if strings.HasPrefix(to, ":") { // a remote that is made for this: :webdav,url=ADDRESS:path
		for _, name := range [...]string{"url=", "host=", "endpoint="} {
			if _, address, ok := strings.Cut(to, name); ok {
				address, _, _ = strings.Cut(strings.Trim(address, `"'`), ",")
				return hostOf(strings.TrimRight(address, `"':/`))
			}
		}
	}
	if strings.Contains(to, "://") {
		return reachable(to)
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(to, ":"), ":")
	return name
}

// removesThere notes that stored files are removed, or files if it is here.
func (a *act) removesThere(p, what string, elsewhere func(string) bool) {
	if elsewhere(p) {
		a.add(effect.Effect{Verb: effect.Destroy, Object: what + p, Wide: true})
		return
	}
	a.deletes(true, p)
}
