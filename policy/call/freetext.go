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
		c.operand(t, text, depth)
	}
}

// operand reads free text as the one argument of a tool: what a tool for a program
// runs, what one for files touches, what any other is asked.
func (c *Call) operand(t *tool, text string, depth int) {
	if text = strings.TrimSpace(text); text == "" || looksLikeObject(text) { // see encoded
		return
	}
	var room, more [maxWords]string
	words, server := wordsOf(room[:0], t.name), wordsOf(more[:0], c.Server)
	member := "query"
	switch {
	case t.touch != 0:
		member = "path"
	case namesProgram(words) || namesProgram(server):
		member = "command"
	}
	c.reread(said{name: c.Name, server: c.Server, text: `{"` + member + `":` + string(jsonscan.AppendString(nil, text)) + `}`}, text, depth)
}

// reread reads free text a second time, written as arguments.
func (c *Call) reread(as said, text string, depth int) {
	at, cwd := c.at, c.Cwd
	c.read(as, depth+1)
	c.Raw, c.freeform, c.at, c.Cwd = text, true, at, cwd
}

// encoded reads free text that is JSON as the arguments as well: a client may pass
// its tool one or the other. What is not an object is what the tool acts on.
func (c *Call) encoded(t *tool, from said, depth int) {
	text := strings.TrimSpace(from.text)
	if text == "" || strings.IndexByte(`{["`, text[0]) < 0 || jsonscan.Valid(jsonscan.View(text)) != nil {
		return
	}
	if text[0] != '{' {
		member := `{"input":`
		if t.kind == KindShell {
			member = `{"command":`
		}
		text = member + text + "}"
	}
	as := from
	as.text, as.freeform, as.readable = text, false, false
	c.reread(as, from.text, depth)
}
