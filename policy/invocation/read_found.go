package invocation

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// InSome stands in paths for directories in which something was found. It is no
// name that anything has: only what stands behind it counts.
const InSome = "(found)"

// keyPlaces are directories of which a search of a whole home or machine also
// reads what has the name that it looks for.
var keyPlaces = []string{"~/.ssh/", "~/.aws/", "~/.kube/", "~/.docker/", "~/.config/gh/", "~/.config/gcloud/", "~/.claude/", "~/.codex/", "~/.cargo/", "~/", "/etc/"}

// Searched are the paths that a read of what a search found stands for: the name
// in any directory, and where it matters in those for keys. That some directory
// is full of keys is no reason to think that main.go lies in it.
func (a *Act) Searched(p string) []string {
	root, name, ok := strings.Cut(p, "/**/")
	if !ok || name == "" || name == "*" || name == "**" || !a.isWholeHome(root) {
		return []string{p}
	}
	list := []string{strings.TrimSuffix(root, "/") + "/" + InSome + "/" + name}
	if strings.IndexByte("*?[(", name[0]) >= 0 && !IsKeyFile(name) {
		return list
	}
	for _, place := range keyPlaces {
		if place == "~/.ssh/" && !MayBeKey(name) {
			continue
		}
		list = append(list, place+name)
	}
	return list
}

// changed is searched for what is written: in homes, files with an ending of which
// no startup file is are none, wherever they are.
func (a *Act) changed(p string) []string {
	root, name, _ := strings.Cut(p, "/**/")
	if strings.Trim(root, "/") == "" || startupEndings[strings.ToLower(path.Ext(name))] {
		return []string{p}
	}
	return a.Searched(p)
}

// startupEndings are those of files that run by themselves in some home, and of
// names that may be any.
var startupEndings = func() map[string]bool {
	set := map[string]bool{"": true, ".*": true}
	for ending := range strings.FieldsSeq("sh bash zsh fish ksh csh rc profile env conf cfg config ini toml yaml yml json lua vim el py pl rb js ts ps1 plist service timer socket desktop nu elv xsh sbt gradle pth exs jl R scpt") {
		set["."+strings.ToLower(ending)] = true
	}
	return set
}()

// isWholeHome reports whether a directory holds the home of somebody, or more.
func (a *Act) isWholeHome(dir string) bool {
	dir = strings.TrimSuffix(dir, "/")
	switch resolved, _ := a.At.Resolve(dir); {
	case dir == "", dir == "~", dir == "$HOME", dir == "/root", dir == "/home", dir == "/Users", resolved == "~", resolved == a.At.Home && resolved != "":
		return true
	default:
		parent := path.Dir(resolved)
		return effect.IsAbs(resolved) && (parent == "/home" || strings.EqualFold(parent, "/Users"))
	}
}

// MayBeKey reports whether a file with a name that is looked for could be a key,
// where keys lie: those have endings of their own, or none.
func MayBeKey(name string) bool { return IsKeyFile(name) || !strings.Contains(name, ".") }

// IsKeyFile reports whether a name is one by which people look for keys.
func IsKeyFile(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"id_", "rsa", "ed25519", "ecdsa", "credential", "secret", "token", "wallet", "password", "passwd", "shadow", ".pem", ".key", ".ppk", ".p12", ".pfx", ".kdbx", "netrc", "keychain", "cookies", "login data"} {
		if strings.Contains(name, word) {
			return !strings.HasSuffix(name, ".pub")
		}
	}
	return false
}
