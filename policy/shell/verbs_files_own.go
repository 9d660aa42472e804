package shell

import (
	"path"
	"strings"
)

// someOf stands in paths for some of the files in a directory, which no list names.
const someOf = "(some)"

// isRecord reports whether a file is a record of what happened, of which nothing is
// left once it is written anew.
func isRecord(p string) bool {
	return strings.HasPrefix(p, "/var/log/") || strings.HasSuffix(p, "_history") && strings.Contains(p, "/.")
}

// isByItself reports whether a path can only be a directory by way of itself.
func isByItself(p string) bool {
	p = strings.TrimRight(p, "/")
	return p == "." || strings.HasSuffix(p, "/.")
}

// renames reports whether files of the project only get other names in the
// directory in which they are: mv "$f" "old_$f" for each of them.
func (a *act) renames(source, target string) bool {
	if a.at.Cwd == "" || !strings.ContainsAny(source, "*?[") || !strings.ContainsAny(target, "*?[") {
		return false
	}
	base := path.Base(source)
	if i := strings.Index(target, source); i > 0 && target[i-1] != '/' { // the whole path behind a text: old_./*
		target = path.Join(path.Dir(source), target[:i]+base+target[i+len(source):])
	}
	from, to := a.path(source), a.path(target)
	return strings.HasPrefix(from, a.at.Cwd+"/") && path.Dir(from) == path.Dir(to) && path.Base(from) != path.Base(to) && strings.Contains(path.Base(to), strings.Trim(base, "*"))
}

// ownProgram reports whether a program of the machine is put elsewhere under its
// own name, with or without its version, and in no place of the machine itself; or
// beside the one program that is all of them.
func (a *act) ownProgram(from, to string) bool {
	if a.Remote || unknown(from) || unknown(to) || strings.ContainsAny(from+to, "*?[") {
		return false
	}
	dir, name := path.Split(to)
	switch dir {
	case "/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/":
		return false
	}
	if !strings.HasSuffix(dir, "bin/") {
		return false
	}
	if path.Base(from) == "busybox" && a.at.Cwd != "" && strings.HasPrefix(to, a.at.Cwd+"/") {
		return a.r.file(from) == nil
	}
	switch fromDir, program := path.Split(from); fromDir {
	case "/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/local/bin/":
		return unversioned(program) == unversioned(name) && a.r.file(from) == nil
	default:
		return false
	}
}

// unversioned is the name of a program without the version at its end.
func unversioned(name string) string { return strings.TrimRight(name, "0123456789.-") }
