package call

import (
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// freeText reads the input of a tool that takes text instead of JSON.
func (c *Call) freeText(t *tool, text string, depth int) {
	switch {
	case t.kind == KindEdit || strings.HasPrefix(strings.TrimSpace(text), "*** Begin Patch"):
		if !c.patch(text, c.at) {
			c.doubt(Shape, Incomplete{Writes: true})
		}
	case isPython(t.name):
		c.python(text)
	case isCodeTool(t.name):
		c.program(text, depth)
	case t.kind == KindShell:
		c.dialect(t, members{{field: fieldCommand, kind: jsonscan.String, text: text}})
		c.shell(text)
	default:
		c.urlsIn(text)
	}
}
