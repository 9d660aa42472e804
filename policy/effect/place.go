package effect

import (
	"path"
	"strings"
)

// Place is where the client works. Empty means unknown.
type Place struct {
	Cwd, Home string
}

// MaxPlace is the maximum length of a directory: every path is joined to it.
const MaxPlace = 4096

// Clean normalises a place that a host reported.
func (at Place) Clean() Place { return Place{Cwd: clean(at.Cwd), Home: clean(at.Home)} }

func clean(dir string) string {
	if dir = strings.TrimSpace(dir); dir == "" || len(dir) > MaxPlace {
		return ""
	}
	if IsWindows(dir) {
		dir = strings.ReplaceAll(dir, `\`, "/")
	}
	if dir[0] == '/' && isClean(dir[1:]) {
		return dir
	}
	return path.Clean(dir)
}

// IsWindows reports whether a path starts with a drive or is a network path.
func IsWindows(p string) bool {
	return hasDrive(p) || strings.HasPrefix(p, `\\`)
}

func hasDrive(p string) bool {
	return len(p) >= 2 && p[1] == ':' && 'a' <= p[0]|0x20 && p[0]|0x20 <= 'z' && (len(p) == 2 || p[2] == '\\' || p[2] == '/')
}

// IsAbs reports whether a path does not depend on the working directory.
func IsAbs(p string) bool { return strings.HasPrefix(p, "/") || hasDrive(p) }

// homes are the ways to write the home directory.
var homes = []string{"~", "$HOME", "${HOME}", "%USERPROFILE%", "$env:USERPROFILE", "$env:HOME", "%HOME%"}

// standard are variables for directories in the home, with their defaults.
var standard = []struct{ written, means string }{
	{"$XDG_CONFIG_HOME", ".config"}, {"${XDG_CONFIG_HOME}", ".config"}, {"$XDG_DATA_HOME", ".local/share"}, {"${XDG_DATA_HOME}", ".local/share"},
	{"$XDG_STATE_HOME", ".local/state"}, {"${XDG_STATE_HOME}", ".local/state"}, {"$XDG_CACHE_HOME", ".cache"}, {"${XDG_CACHE_HOME}", ".cache"},
}

// here are the ways to write the working directory.
var here = []string{"$PWD", "${PWD}", "$CWD", "%CD%"}

// Resolve cleans a path and makes it absolute as far as the place is known. A
// path in an unknown home begins with ~/. It is not known if the path contains
// an expansion.
func (at Place) Resolve(p string) (resolved string, known bool) {
	p = strings.TrimPrefix(strings.TrimPrefix(p, "file://"), "file:")
	if rest, ok := cutDir(p, "/proc/self/cwd"); ok && at.Cwd != "" {
		p = at.Cwd + "/" + strings.TrimPrefix(rest, "/")
	}
	if IsWindows(p) || strings.HasPrefix(p, "~\\") || strings.HasPrefix(p, "%") || strings.HasPrefix(p, "$env:") {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	if p != "" && strings.IndexByte("~$%", p[0]) >= 0 { // most paths begin otherwise
		for _, home := range homes {
			rest, ok := cutDir(p, home)
			if !ok {
				continue
			}
			if at.Home != "" {
				resolved = path.Join(at.Home, rest)
			} else {
				resolved = under("~", rest)
			}
			return resolved, !Expands(rest)
		}
		for i := range standard {
			if rest, ok := cutDir(p, standard[i].written); ok {
				return at.Resolve("~/" + standard[i].means + "/" + strings.TrimPrefix(rest, "/"))
			}
		}
		for _, dir := range here {
			if rest, ok := cutDir(p, dir); ok {
				p = strings.TrimPrefix(rest, "/")
				break
			}
		}
	}
	known = !Expands(p)
	if len(p) > 2 && p[0] == '.' && p[1] == '/' && isClean(p[2:]) {
		p = p[2:]
	}
	switch {
	case strings.HasPrefix(p, "$"), strings.HasPrefix(p, "`"):
		return strings.TrimRight(p, "/"), known // what .. takes back is not known
	case strings.HasPrefix(p, "~"), IsAbs(p):
		return path.Clean(p), known
	case strings.HasPrefix(at.Cwd, "$"), strings.HasPrefix(at.Cwd, "`"):
		return at.Cwd + "/" + path.Clean(p), known
	case at.Cwd == "":
		return path.Clean(p), known
	case strings.HasPrefix(at.Cwd, "~"):
		rest, _ := cutDir(at.Cwd, "~")
		return under("~", rest+"/"+p), known
	case isClean(p) && at.Cwd[0] == '/' && isClean(at.Cwd[1:]): // most
		return at.Cwd + "/" + p, known
	default:
		return path.Join(at.Cwd, p), known
	}
}

// isClean reports whether a path below a clean directory is clean too.
func isClean(p string) bool {
	if p == "" || p[len(p)-1] == '/' {
		return false
	}
	for i := range len(p) {
		if c := p[i]; c == '/' || c == '.' && (i == 0 || p[i-1] == '/') { // an element that is empty, or . or ..
			if c == '/' && (i+1 == len(p) || p[i+1] == '/' || i == 0) {
				return false
			}
			if c == '.' && (i+1 == len(p) || p[i+1] == '/' || p[i+1] == '.') {
				return false
			}
		}
	}
	return true
}

// cutDir cuts a directory off the start of a path.
func cutDir(p, dir string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(p, dir)
	return rest, ok && (rest == "" || rest[0] == '/')
}

// under joins a path to an unknown directory: parts that lead out of it stay
// visible.
func under(dir, rest string) string {
	rest = path.Clean(strings.TrimLeft(rest, "/"))
	if rest == "." || rest == "" {
		return dir
	}
	return dir + "/" + rest
}

// Expands reports whether a path contains something that the shell expands and
// that is not known.
func Expands(p string) bool { return strings.IndexByte(p, '$') >= 0 || strings.IndexByte(p, '`') >= 0 }
