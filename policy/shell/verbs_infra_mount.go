package shell

import (
	"path"
	"strings"
)

// hostMount is a directory of this machine that a container sees elsewhere.
type hostMount struct {
	from, to string
}

// isHostPath reports whether the source of a volume is a path, not a name.
func isHostPath(from string) bool {
	return from != "" && strings.IndexByte("/.~$`%", from[0]) >= 0 || len(from) > 2 && from[1] == ':'
}

// mountOf reads --mount type=bind,source=/x,target=/y.
func (a *act) mountOf(text string) (hostMount, bool) {
	var m hostMount
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "source", "src":
			m.from = value
		case "target", "dst", "destination":
			m.to = path.Clean(value)
		}
	}
	if !isHostPath(m.from) || m.to == "" {
		return m, false
	}
	m.from = a.path(m.from)
	return m, true
}

// boxed is where paths of a container are put that are not mounted: nothing
// that happens there happens to this machine.
const boxed = "/tmp/container"

// onHost writes the paths in a text of a container as they are called on this
// machine.
func onHost(text string, mounts []hostMount) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '/' || i > 0 && !strings.ContainsRune(" \t\n'\"=;|&(<>,{@", rune(text[i-1])) {
			b.WriteByte(text[i])
			i++
			continue
		}
		end := i
		for end < len(text) && !strings.ContainsRune(" \t\n'\";|&()<>,}:", rune(text[end])) {
			end++
		}
		b.WriteString(hostPath(text[i:end], mounts))
		i = end
	}
	return b.String()
}

func hostPath(p string, mounts []hostMount) string {
	best, found := hostMount{}, false
	clean := path.Clean(p)
	for _, m := range mounts {
		if (clean == m.to || m.to == "/" || strings.HasPrefix(clean, m.to+"/")) && len(m.to) >= len(best.to) {
			best, found = m, true
		}
	}
	switch {
	case found:
		rest := strings.TrimPrefix(clean, strings.TrimSuffix(best.to, "/"))
		return path.Join(best.from, rest)
	case strings.HasPrefix(clean, "/dev/"), strings.HasPrefix(clean, "/bin/"), strings.HasPrefix(clean, "/usr/bin/"), strings.HasPrefix(clean, "/usr/local/bin/"), strings.HasPrefix(clean, "/sbin/"):
		return p
	case clean == "/" && len(mounts) > 0: // all of the container, with what is mounted in it
		return path.Clean(mounts[0].from)
	}
	return boxed + clean
}
