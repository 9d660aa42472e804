package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// chmod says who may use a file. The mode is the content of the effect.
func chmod(a *act) {
	var mode string
	var files []string
	whole := false
	for i, arg := range a.Args {
		switch {
		case arg == "--":
			files = append(files, a.Args[i+1:]...)
		case isMode(arg) && mode == "":
			mode = arg
		case strings.HasPrefix(arg, "--"):
			reference, ok := strings.CutPrefix(arg, "--reference=")
			if ok {
				if mode = reference; isSetID(reference) {
					mode = "u+s"
				}
			}
			o := option{name: arg[2:], long: true}
			whole = whole || o.is("recursive")
		case strings.HasPrefix(arg, "-") && len(arg) > 1:
			whole = whole || strings.Contains(arg, "R")
		case mode == "":
			mode = arg
		default:
			files = append(files, arg)
		}
		if arg == "--" {
			break
		}
	}
	if mode == "" && len(files) > 0 {
		mode, files = files[0], files[1:]
	}
	for _, p := range files {
		a.mode(p, mode, whole)
	}
}

// isSetID reports whether a program of the machine runs as its owner, whoever
// calls it.
func isSetID(p string) bool {
	switch baseName(p) {
	case "sudo", "su", "passwd", "mount", "umount", "pkexec", "newgrp", "chsh", "chfn", "gpasswd", "doas", "fusermount", "fusermount3", "ping", "crontab", "at", "newuidmap", "newgidmap", "login", "unix_chkpwd":
		return strings.Contains(p, "/") || p == "sudo"
	}
	return false
}

// isMode reports whether an argument that may begin with a dash is a mode, as
// the -x in chmod -x file.
func isMode(arg string) bool {
	return strings.Trim(arg, "01234567") == "" && arg != "" ||
		len(arg) > 1 && strings.ContainsAny(arg, "+-=") && strings.Trim(arg, "ugoa+-=rwxXst,") == ""
}

// mode notes a change of a file's mode, and what that lets others do.
func (a *act) mode(p, mode string, whole bool) { a.modeOf(p, mode, whole, false) }

// modeOf is mode for what may be known to be a directory: there, a group's bit says
// whose the files in it will be, and lets nothing run as another.
func (a *act) modeOf(p, mode string, whole, directory bool) {
	if isNoFile(p) || mode == "" {
		return
	}
	a.add(effect.Effect{Verb: effect.Mode, Object: a.path(p), Wide: whole || strings.ContainsAny(p, "*?["), Content: mode})
	if user, group := setsID(mode); user {
		a.does(effect.Grant, "setuid "+a.path(p))
	} else if group && !directory {
		a.does(effect.Grant, "setgid "+a.path(p))
	}
}

// setsID reports whether a mode makes a program run as its owner or its group.
func setsID(mode string) (user, group bool) {
	if strings.Trim(mode, "01234567") == "" {
		mode = strings.TrimLeft(mode, "0")
		if len(mode) < 4 {
			return false, false
		}
		special := mode[len(mode)-4]
		return special&4 != 0, special&2 != 0
	}
	for clause := range strings.SplitSeq(mode, ",") {
		i := strings.IndexAny(clause, "+=")
		if i < 0 || !strings.Contains(clause[i:], "s") {
			continue
		}
		who := clause[:i]
		user = user || who == "" || strings.ContainsAny(who, "ua")
		group = group || who == "" || strings.ContainsAny(who, "ga")
	}
	return user, group
}

// chown says whose a file is. The owner is the content of the effect.
func chown(a *act) {
	g := a.given(&usage{long: []string{"from", "reference"}})
	owner := g.value("reference")
	if owner == "" {
		owner = g.first()
	}
	a.attributes(owner, g.has("R", "recursive"), g.operands)
	a.takes(owner, g.operands)
}

// attributes notes that owners or attributes of files change.
func (a *act) attributes(how string, whole bool, files []string) {
	for _, p := range files {
		if !isNoFile(p) {
			a.add(effect.Effect{Verb: effect.Mode, Object: a.path(p), Wide: whole || strings.ContainsAny(p, "*?["), Content: how})
		}
	}
}

func chattr(a *act) {
	whole, how := false, ""
	var files []string
	for i := 0; i < len(a.Args); i++ {
		switch arg := a.Args[i]; {
		case how == "" && strings.HasPrefix(arg, "-") && strings.Trim(arg[1:], "RVf") == "" && arg != "-":
			whole = whole || strings.Contains(arg, "R")
		case arg == "-v", arg == "-p":
			i++
		case how == "" && len(arg) > 1 && strings.ContainsAny(arg[:1], "+-="):
			how = arg
		default:
			files = append(files, arg)
		}
	}
	a.attributes(how, whole, files)
}

func chflags(a *act) {
	g := a.given(&usage{})
	how := g.first()
	a.attributes(how, g.has("R"), g.operands)
}

func setfacl(a *act) {
	g := a.given(&usage{values: "mxMX", long: []string{"modify", "remove", "modify-file", "remove-file", "set", "set-file", "restore"}})
	if g.has("test") {
		return
	}
	a.attributes(strings.Join(g.all("m", "modify", "set"), ","), g.has("R", "recursive"), g.operands)
}

// xattr shows or changes attributes on macOS, of which one keeps what was
// fetched from running unasked.
func xattr(a *act) {
	g := a.given(&usage{})
	switch {
	case g.has("c"):
		a.attributes("-", g.has("r"), g.operands)
	case g.has("d"):
		how := g.first()
		a.attributes("-"+how, g.has("r"), g.operands)
	case g.has("w"):
		how := g.first()
		g.first()
		a.attributes(how, g.has("r"), g.operands)
	}
}

func setcap(a *act) {
	g := a.given(&usage{values: "n"})
	if g.has("v", "r", "h") {
		return
	}
	for len(g.operands) > 1 {
		capability := g.first()
		a.does(effect.Grant, "capability "+capability+" "+a.path(g.first()))
	}
}

// mount puts a file system into a directory, or shows one directory as another.
func mount(a *act) {
	g := a.given(&usage{values: "toLUONT", long: []string{"types", "options", "source", "target", "label", "uuid", "namespace"}})
	from, to := g.value("source"), g.value("target")
	if from == "" {
		from = g.first()
	}
	if to == "" {
		to = g.first()
	}
	if from == "" || to == "" && !strings.Contains(g.value("o", "options"), "remount") {
		return // a list of what is mounted
	}
	if g.has("B", "R", "M", "bind", "rbind", "move") || strings.Contains(g.value("o", "options"), "bind") {
		a.add(effect.Effect{Verb: effect.Link, Object: a.path(from), From: a.path(to), Wide: true})
		return
	}
	if to == "" {
		to = from
	}
	a.does(effect.Grant, "mount "+a.path(to))
}

func unmount(a *act) {
	g := a.given(&usage{values: "tO"})
	for _, p := range g.operands {
		a.does(effect.Stop, "mount "+a.path(p))
	}
}
