package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// chmod says who may use a file. The mode is the content of the effect.
func chmod(a *act, in *command.Reading) {
	modes := in.Values("mode")
	for _, reference := range in.Values("reference") {
		if isSetID(reference) {
			reference = "u+s"
		}
		modes = append(modes, reference)
	}
	var taken []byte // -x is a mode
	for _, option := range in.Options() {
		if len(option) == 1 && strings.IndexByte("rwxXstugoa", option[0]) >= 0 {
			taken = append(taken, option[0])
		}
	}
	if len(taken) > 0 {
		modes = append(modes, "-"+string(taken))
	}
	for _, p := range in.Values("path") {
		for _, mode := range modes {
			a.mode(p, mode, in.Has("recursive"))
		}
	}
}

// chattr gives files attributes and takes them away: +i, -i.
func chattr(a *act, in *command.Reading) {
	var how strings.Builder
	for _, added := range in.Values("attribute") {
		how.WriteString("+" + added)
	}
	for _, option := range in.Options() {
		if len(option) == 1 && strings.IndexByte("RVf+", option[0]) < 0 {
			how.WriteString("-" + option)
		}
	}
	a.attributes(how.String(), in.Has("R"), in.Values("path"))
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

// owned notes that files of the machine become somebody else's.
func owned(a *act, in *command.Reading) {
	for _, owner := range append(in.Values("owner"), in.Values("reference")...) {
		a.takes(owner, in.Values("path"))
	}
}

// attributes notes that owners or attributes of files change.
func (a *act) attributes(how string, whole bool, files []string) {
	for _, p := range files {
		if !isNoFile(p) {
			a.add(effect.Effect{Verb: effect.Mode, Object: a.path(p), Wide: whole || strings.ContainsAny(p, "*?["), Content: how})
		}
	}
}
