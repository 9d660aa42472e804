package hook

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/command/guard"
)

// boxed is where paths of a container are put that are not mounted: nothing
// that happens there happens to this machine.
const boxed = "/tmp/container"

// onHost writes the paths in a text of a container as they are called on this
// machine.
func onHost(text string, mounts []guard.HostMount) string {
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

func hostPath(p string, mounts []guard.HostMount) string {
	best, found := guard.HostMount{}, false
	clean := path.Clean(p)
	for _, m := range mounts {
		if (clean == m.To || m.To == "/" || strings.HasPrefix(clean, m.To+"/")) && len(m.To) >= len(best.To) {
			best, found = m, true
		}
	}
	switch {
	case found:
		rest := strings.TrimPrefix(clean, strings.TrimSuffix(best.To, "/"))
		return path.Join(best.From, rest)
	case strings.HasPrefix(clean, "/dev/"), strings.HasPrefix(clean, "/bin/"), strings.HasPrefix(clean, "/usr/bin/"), strings.HasPrefix(clean, "/usr/local/bin/"), strings.HasPrefix(clean, "/sbin/"):
		return p
	case clean == "/" && len(mounts) > 0: // all of the container, with what is mounted in it
		return path.Clean(mounts[0].From)
	}
	return boxed + clean
}
