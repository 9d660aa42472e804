package fileops

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/sql"
)

// redisSome reports whether the keys that a command is given are those of a
// pattern that leaves others out.
func redisSome(a *invocation.Act) bool {
	for i := range a.Words() {
		if strings.ContainsAny(a.Words()[i].About, "*?[") && strings.Trim(a.Words()[i].About, "*?[]^-") != "" {
			return true
		}
	}
	return false
}

// RedisCommand adds what a command of redis does.
func RedisCommand(a *invocation.Act, words []string) {
	anyKeys := (a.More || len(words) > 1 && strings.Contains(words[1], "$(")) && !redisSome(a)
	for _, e := range sql.Redis(words, anyKeys) {
		a.AddStored(e)
	}
}

// MayBeDirectory reports whether a path is not evidently a file: it has no
// ending, or one that directories have.
func MayBeDirectory(p string) bool {
	base := path.Base(p)
	dot := strings.LastIndexByte(base, '.')
	if dot <= 0 || base == ".." {
		return true
	}
	switch ending := base[dot+1:]; ending {
	case "d", "git", "app", "old", "bak", "orig", "":
		return true
	default:
		return len(ending) > 5 || strings.ContainsAny(ending, "*?[$`~")
	}
}

// isDirectory reports whether a path can only be a directory.
func isDirectory(p string) bool {
	if p == "." || p == ".." || p == "~" || p == "$HOME" || p == "${HOME}" {
		return true
	}
	if command.Builtin().In("there-directories", p) {
		return true
	}
	return strings.HasSuffix(p, "/") || strings.HasSuffix(p, "/.") || strings.HasSuffix(p, "/..")
}

// IsElsewhere reports whether a program that is made is put outside of the project, where
// it may take the place of another.
func IsElsewhere(a *invocation.Act, in *command.Reading) bool {
	return slices.ContainsFunc(in.Values("target"), func(p string) bool {
		full := a.Path(strings.TrimPrefix(p, ":"))
		isHere := a.At.Cwd != "" && strings.HasPrefix(full, a.At.Cwd+"/")
		return !isHere && (effect.IsAbs(full) || strings.HasPrefix(full, "~")) && !strings.HasPrefix(full, "/tmp/")
	})
}

// IsRecord reports whether a file is a record of what happened, of which nothing is
// left once it is written anew.
func IsRecord(p string) bool {
	return strings.HasPrefix(p, "/var/log/") || strings.HasSuffix(p, "_history") && strings.Contains(p, "/.")
}

// endsInDot reports whether a path ends in ".", so that it can only be a directory.
func endsInDot(p string) bool {
	p = strings.TrimRight(p, "/")
	return p == "." || strings.HasSuffix(p, "/.")
}

// renames reports whether files of the project only get other names in the
// directory in which they are: mv "$f" "old_$f" for each of them.
func renames(a *invocation.Act, source, target string) bool {
	if a.At.Cwd == "" || !strings.ContainsAny(source, "*?[") || !strings.ContainsAny(target, "*?[") {
		return false
	}
	base := path.Base(source)
	if i := strings.Index(target, source); i > 0 && target[i-1] != '/' { // the whole path behind a text: old_./*
		target = path.Join(path.Dir(source), target[:i]+base+target[i+len(source):])
	}
	from, to := a.Path(source), a.Path(target)
	return strings.HasPrefix(from, a.At.Cwd+"/") && path.Dir(from) == path.Dir(to) && path.Base(from) != path.Base(to) && strings.Contains(path.Base(to), strings.Trim(base, "*"))
}

// ownProgram reports whether a program of the machine is put elsewhere under its
// own name, with or without its version, and in no place of the machine itself; or
// beside the one program that is all of them.
func ownProgram(a *invocation.Act, from, to string) bool {
	if a.Remote || invocation.Unknown(from) || invocation.Unknown(to) || strings.ContainsAny(from+to, "*?[") {
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
	if path.Base(from) == "busybox" && a.At.Cwd != "" && strings.HasPrefix(to, a.At.Cwd+"/") {
		return a.R.File(from) == nil
	}
	switch fromDir, program := path.Split(from); fromDir {
	case "/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/local/bin/":
		return unversioned(program) == unversioned(name) && a.R.File(from) == nil
	default:
		return false
	}
}

// unversioned is the name of a program without the version at its end.
func unversioned(name string) string { return strings.TrimRight(name, "0123456789.-") }
