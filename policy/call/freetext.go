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
	case means(t.name, "python"):
		c.python(text)
	case means(t.name, "code"):
		c.program(text, depth)
	case t.kind == KindShell:
		c.dialect(t, members{{field: fieldCommand, kind: jsonscan.String, text: text}})
		c.shell(text)
	default:
		c.urlsIn(text)
		c.operand(t, text, depth)
	}
}

// operand reads free text as the one argument of a tool: what a tool for a program
// runs, what one for files touches, what any other is asked.
func (c *Call) operand(t *tool, text string, depth int) {
	if text = strings.TrimSpace(text); text == "" || looksLikeObject(text) { // see encoded
		return
	}
	member := "query"
	switch {
	case t.touch != 0:
		member = "path"
	case namesProgram(wordsOf(t.name)) || namesProgram(c.serverWords):
		member = "command"
	}
	c.reread(said{name: c.Name, server: c.Server, text: `{"` + member + `":` + string(jsonscan.AppendString(nil, text)) + `}`}, text, depth)
}

// reread reads free text a second time, written as arguments.
func (c *Call) reread(as said, text string, depth int) {
	back, cwd, server := c.keep(), c.Cwd, c.identity.server
	c.read(as, depth+1)
	another := c.identity.is && c.identity.server != server
	back()
	c.Raw, c.freeform, c.Cwd, c.ServerUnknown = text, true, cwd, c.ServerUnknown || another
}

// mostValues is how many values of JSON in free text are read.
const mostValues = 16

// encoded reads free text that is JSON as the arguments as well: a client may pass
// its tool one or the other. What is not an object is what the tool acts on. Clients that
// take the first or the last of several values, or stop behind an object, exist as well.
func (c *Call) encoded(t *tool, from said, depth int) {
	values, whole := valuesIn(from.text)
	if len(values) > mostValues {
		c.doubt(Shape, everything)
		return
	}
	for _, text := range values {
		switch {
		case text[0] == '{':
		case !whole || strings.IndexByte(`["`, text[0]) < 0:
			continue
		case t.kind == KindShell:
			text = `{"command":` + text + "}"
		default:
			text = `{"input":` + text + "}"
		}
		as := from
		as.text, as.freeform, as.readable = text, false, false
		c.reread(as, from.text, depth)
	}
}

// valuesIn returns the JSON values that a text begins with, at most one more than are read,
// and whether there is nothing behind them.
func valuesIn(text string) (values []string, whole bool) {
	text = strings.TrimSpace(text)
	for text != "" && strings.IndexByte(`{["`, text[0]) >= 0 && len(values) <= mostValues {
		var s jsonscan.Scanner
		s.Reset(jsonscan.View(text))
		s.Skip()
		if s.Err() != nil {
			return values, false
		}
		values = append(values, text[:s.Pos()])
		text = strings.TrimSpace(text[s.Pos():])
	}
	return values, text == ""
}
