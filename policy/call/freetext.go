package call

import (
	"strings"

	"github.com/sluice-project/sluice/policy/shell"
)

// freeText reads the input of a tool that takes text instead of JSON.
func (c *Call) freeText(t *tool, text string, depth int) {
	switch {
	case t.kind == KindEdit || strings.HasPrefix(strings.TrimSpace(text), "*** Begin Patch"):
		if !c.patch(text, c.at) {
			c.doubt(Shape, Incomplete{Writes: true})
		}
	case isCodeTool(t.name):
		c.program(text, depth)
	case t.kind == KindShell:
		if strings.EqualFold(t.name, "PowerShell") || strings.EqualFold(t.name, "cmd") {
			c.doubt(shell.Dialect, everything)
		}
		first := len(c.Commands)
		c.shell(text)
		for i := first; i < len(c.Commands); i++ {
			c.touches(&c.Commands[i])
		}
	default:
		c.urlsIn(text)
	}
}
