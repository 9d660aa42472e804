package call

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// forged reports whether a path is one in a repository that the server of the tool keeps.
// One that begins at a root is of this machine.
func (c *Call) forged(p string) bool {
	return c.atForge() && !effect.IsAbs(p) && !effect.IsWindows(p) && !strings.HasPrefix(p, "~") && !strings.ContainsAny(p, "\\$:")
}

// atForge reports whether the tool is surely one of such a server.
func (c *Call) atForge() bool {
	if c.Server == "" || c.ServerUnknown {
		return false
	}
	return means(c.Server, "forge")
}
