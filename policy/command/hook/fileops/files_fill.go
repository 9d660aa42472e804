package fileops

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// isEndless reports whether what is read there never ends.
func isEndless(p string) bool {
	return p == "/dev/zero" || p == "/dev/urandom" || p == "/dev/random" || p == "/dev/full"
}

// FillsDisk notes that output without end is put into a file.
func FillsDisk(a *invocation.Act, _ *command.Reading) {
	if isTimed(a) {
		return
	}
	for _, p := range a.Writes {
		if !strings.HasPrefix(p, "/dev/") && !invocation.IsNoFile(p) && !invocation.Unknown(p) {
			a.Does(effect.Exhaust, "disk of "+p)
			return
		}
	}
}

// isTimed reports whether something ends the command before long.
func isTimed(a *invocation.Act) bool {
	return strings.Contains(a.Text, "timeout") || strings.Contains(a.Text, "ulimit") || strings.Contains(a.Text, "&")
}
