package guard

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// IsHostRoot reports whether a directory of this machine in a container is as good
// as the machine.
func IsHostRoot(a *invocation.Act, dir string) bool {
	if dir == "" || !IsHostPath(dir) {
		return false
	}
	switch p := path.Clean(a.Path(dir)); p {
	case "/", "/etc", "/root", "/home", "/Users", "/var", "/usr", "/boot", "/proc", "/dev", "/sys", "~", a.At.Home:
		return true
	default:
		return strings.HasSuffix(p, "docker.sock") || strings.HasSuffix(p, "containerd.sock") || strings.HasSuffix(p, "podman.sock")
	}
}

// HostFiles notes that a container sees the files of the machine: it is no longer in a
// box.
func HostFiles(a *invocation.Act, in *command.Reading) {
	for _, text := range in.Values("mount") {
		if m, ok := MountOf(a, text); ok && IsHostRoot(a, m.From) {
			a.Does(effect.Grant, "host files "+m.From)
		}
	}
	texts := in.Values("opt") // a volume of docker
	if words := in.Values("words"); slices.Contains(words, "disk") {
		texts = append(texts, words...) // lxc config device add c d disk source=/ path=/r
	}
	for _, text := range texts {
		if name, from, ok := strings.Cut(text, "="); ok && (name == "device" || name == "source") && IsHostRoot(a, from) {
			a.Does(effect.Grant, "host files "+from)
		}
	}
}

// isMachineFile reports whether whoever owns a file of the machine owns the machine.
func isMachineFile(p string) bool {
	return command.Builtin().In("machine-files", p) || strings.HasPrefix(p, "/etc/sudoers.d/") || strings.HasPrefix(p, "/etc/cron.") || strings.HasPrefix(p, "/etc/pam.d/")
}

// Takes notes that files of the machine become somebody else's than root's.
func Takes(a *invocation.Act, owner string, files []string) {
	if user, _, _ := strings.Cut(owner, ":"); user == "" || user == "root" || user == "0" {
		return
	}
	for _, p := range files {
		if full := a.Path(p); isMachineFile(full) {
			a.Does(effect.Grant, "owner of "+full)
		}
	}
}

// HostMount is a directory of this machine that a container sees elsewhere.
type HostMount struct {
	From, To string
}

// IsHostPath reports whether the source of a volume is a path, not a name.
func IsHostPath(from string) bool {
	return from != "" && strings.IndexByte("/.~$`%", from[0]) >= 0 || len(from) > 2 && from[1] == ':'
}

// MountOf reads --mount type=bind,source=/x,target=/y.
func MountOf(a *invocation.Act, text string) (HostMount, bool) {
	var m HostMount
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "source", "src":
			m.From = value
		case "target", "dst", "destination":
			m.To = path.Clean(value)
		}
	}
	if !IsHostPath(m.From) || m.To == "" {
		return m, false
	}
	m.From = a.Path(m.From)
	return m, true
}
