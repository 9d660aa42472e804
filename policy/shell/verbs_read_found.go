package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// inSome stands in paths for directories in which something was found. It is no
// name that anything has: only what stands behind it counts.
const inSome = "(found)"

// someHome is the home of somebody, below which something was found.
const someHome = "/home/" + inSome + "/"

// located stands for the paths that locate finds, anywhere on the machine: those
// with one of its texts in them, in the places where people keep what matters.
func located(a *act) []string {
	words := a.Operands("d", "database", "l", "limit", "n", "r", "regexp", "onlyin", "name")
	words = append(words, a.Flag("r")+a.Flag("regexp")+a.Flag("name"))
	var roots []string
	for _, w := range a.few(words) {
		w = strings.ReplaceAll(strings.TrimPrefix(strings.TrimSuffix(w, "$"), "^"), `\`, "")
		if w = strings.TrimPrefix(strings.Trim(w, "*"), "/"); w != "" && len(roots) < mostRoots {
			roots = append(roots, someHome+w, "/etc/"+w)
			if mayBeKey(w) {
				roots = append(roots, someHome+".ssh/"+w)
			}
			if isKeyFile(w) {
				roots = append(roots, someHome+w+"*", someHome+".ssh/"+w+"*")
			}
		}
	}
	return roots
}

// keyPlaces are directories of which a search of a whole home or machine also
// reads what has the name that it looks for.
var keyPlaces = []string{"~/.ssh/", "~/.aws/", "~/.kube/", "~/.docker/", "~/.config/gh/", "~/.config/gcloud/", "~/.claude/", "~/.codex/", "~/.cargo/", "~/", "/etc/"}

// searched are the paths that a read of what a search found stands for: the name
// in any directory, and where it matters in those for keys. That some directory
// is full of keys is no reason to think that main.go lies in it.
func (a *act) searched(p string) []string {
	root, name, ok := strings.Cut(p, "/**/")
	if !ok || name == "" || name == "*" || name == "**" || !a.isWholeHome(root) {
		return []string{p}
	}
	list := []string{strings.TrimSuffix(root, "/") + "/" + inSome + "/" + name}
	if strings.IndexByte("*?[(", name[0]) >= 0 && !isKeyFile(name) {
		return list
	}
	for _, place := range keyPlaces {
		if place == "~/.ssh/" && !mayBeKey(name) {
			continue
		}
		list = append(list, place+name)
	}
	return list
}

// changed is searched for what is written: in homes, files with an ending of which
// no startup file is are none, wherever they are.
func (a *act) changed(p string) []string {
	root, name, _ := strings.Cut(p, "/**/")
	if strings.Trim(root, "/") == "" || startupEndings[strings.ToLower(path.Ext(name))] {
		return []string{p}
	}
	return a.searched(p)
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
func (a *act) isWholeHome(dir string) bool {
	dir = strings.TrimSuffix(dir, "/")
	switch resolved, _ := a.at.Resolve(dir); {
	case dir == "", dir == "~", dir == "$HOME", dir == "/root", dir == "/home", dir == "/Users", resolved == "~", resolved == a.at.Home && resolved != "":
		return true
	default:
		parent := path.Dir(resolved)
		return effect.IsAbs(resolved) && (parent == "/home" || strings.EqualFold(parent, "/Users"))
	}
}

// mayBeKey reports whether a file with a name that is looked for could be a key,
// where keys lie: those have endings of their own, or none.
func mayBeKey(name string) bool { return isKeyFile(name) || !strings.Contains(name, ".") }

// isKeyFile reports whether a name is one by which people look for keys.
func isKeyFile(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"id_", "rsa", "ed25519", "ecdsa", "credential", "secret", "token", "wallet", "password", "passwd", "shadow", ".pem", ".key", ".ppk", ".p12", ".pfx", ".kdbx", "netrc", "keychain", "cookies", "login data"} {
		if strings.Contains(name, word) {
			return !strings.HasSuffix(name, ".pub")
		}
	}
	return false
}

// patternName is the name that a regular expression asks for, as a wildcard says
// it: id_* for ^id_.
func patternName(expression string) string {
	name := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(expression, "^"), "$"), `\.`, ".")
	if strings.HasPrefix(expression, "^") && !strings.HasSuffix(expression, "$") {
		name += "*"
	}
	return name
}

// pathName is the part of a path that find -path or -regex asks for.
func pathName(pattern string) string {
	pattern = strings.ReplaceAll(strings.ReplaceAll(pattern, ".*", "*"), `\.`, ".")
	return strings.TrimRight(strings.TrimLeft(strings.TrimPrefix(pattern, "./"), "*/"), "*/")
}
