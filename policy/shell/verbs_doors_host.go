package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// isHostRoot reports whether a directory of this machine in a container is as good
// as the machine.
func (a *act) isHostRoot(dir string) bool {
	if dir == "" || !isHostPath(dir) {
		return false
	}
	switch p := path.Clean(a.path(dir)); p {
	case "/", "/etc", "/root", "/home", "/Users", "/var", "/usr", "/boot", "/proc", "/dev", "/sys", "~", a.at.Home:
		return true
	default:
		return strings.HasSuffix(p, "docker.sock") || strings.HasSuffix(p, "containerd.sock")
	}
}

// hostByContainer is for programs that keep containers by other words than docker:
// those that see all of the machine are no longer in a box.
func hostByContainer(a *act) {
	if slices.Contains(a.Args, "--privileged") || slices.ContainsFunc(a.Args, func(s string) bool {
		return s == "security.privileged=true" || strings.HasPrefix(s, "raw.lxc=") || s == "security.privileged" && slices.Contains(a.Args, "true")
	}) {
		a.does(effect.Grant, "host")
	}
	for _, text := range append(a.after("--mount"), attached(a.Args, "--mount=")...) {
		if m, ok := a.mountOf(text); ok && a.isHostRoot(m.from) {
			a.does(effect.Grant, "host files "+m.from)
		}
	}
	if a.Name == "ctr" || !slices.Contains(a.Args, "disk") {
		return
	}
	for _, arg := range a.Args { // lxc config device add c d disk source=/ path=/r
		if from, ok := strings.CutPrefix(arg, "source="); ok && a.isHostRoot(from) {
			a.does(effect.Grant, "host files "+from)
		}
	}
}

// hostVolume is a volume that is a directory of the machine by its options.
func hostVolume(a *act) {
	if a.Sub != "volume" || !slices.Contains(a.Args, "create") {
		return
	}
	for _, arg := range append(a.after("--opt", "-o"), attached(a.Args, "--opt=", "-o=")...) {
		if from, ok := strings.CutPrefix(arg, "device="); ok && a.isHostRoot(from) {
			a.does(effect.Grant, "host files "+from)
		}
	}
}

// isMachineFile reports whether whoever owns a file of the machine owns the machine.
func isMachineFile(p string) bool {
	switch p {
	case "/etc", "/etc/passwd", "/etc/shadow", "/etc/group", "/etc/gshadow", "/etc/sudoers", "/etc/sudoers.d", "/etc/crontab", "/etc/cron.d", "/etc/ld.so.preload", "/etc/profile", "/etc/pam.d", "/etc/ssh", "/etc/ssh/sshd_config", "/root", "/bin", "/usr/bin", "/usr/sbin", "/sbin",
		"/usr/bin/sudo", "/bin/bash", "/bin/sh", "/usr/bin/bash", "/etc/systemd/system":
		return true
	}
	return strings.HasPrefix(p, "/etc/sudoers.d/") || strings.HasPrefix(p, "/etc/cron.") || strings.HasPrefix(p, "/etc/pam.d/")
}

// takes notes that files of the machine become somebody else's than root's.
func (a *act) takes(owner string, files []string) {
	if user, _, _ := strings.Cut(owner, ":"); user == "" || user == "root" || user == "0" {
		return
	}
	for _, p := range files {
		if full := a.path(p); isMachineFile(full) {
			a.does(effect.Grant, "owner of "+full)
		}
	}
}
