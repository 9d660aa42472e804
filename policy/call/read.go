package call

import (
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/shell"
)

// maxUnwrap is how many dispatchers may pass a call on.
const maxUnwrap = 4

// read takes a call for what it says. Called again for the calls inside, it
// adds what they say.
func (c *Call) read(from said, depth int) {
	known, server, ok := canonical(from.name)
	if server == "" {
		server = from.server
	}
	name, kind := known.name, known.kind
	if _, is := cutFold(clean(from.name), "mcp_"); is || server != "" || from.mcp {
		kind = KindMCP
	}
	if depth == 0 || c.Kind != KindShell {
		c.Kind = kind
	}
	c.Name, c.Raw, c.freeform = name, from.text, from.freeform
	c.at, c.Cwd = c.base, c.base.Cwd
	if server != "" {
		c.Server = clean(server)
	}
	if depth > maxUnwrap {
		c.doubt(shell.Nesting, everything)
		return
	}
	if from.freeform {
		c.freeText(&known, from.text, depth)
		return
	}
	data := jsonscan.View(from.text)
	if !from.readable && jsonscan.Classify(data) != jsonscan.ShapeObject {
		c.doubt(Arguments, everything)
		return
	}
	room := newRoom()
	defer room.give()
	m := scan(room[:0], data, from.text)
	if !ok { // of those that are known, none only passes calls on
		one, many := dispatches(name)
		if one && c.pass(m, depth) || many && c.passAll(m, depth, said{name: name, server: c.Server, text: from.text}) {
			return
		}
		known.touch = guess(name)
		if kind == KindOther && m.hasCommand() {
			c.Kind = KindShell
		}
	}
	c.place(&known, m)
	c.commands(&known, m, depth)
	c.files(&known, m)
	c.addresses(&known, m)
	if isComputer(name) {
		c.doubt(Computer, everything)
	}
}

// pass reads the call that a dispatcher passes on, if there is one.
func (c *Call) pass(m members, depth int) bool {
	name, ok := m.text(fieldName)
	if !ok {
		return false
	}
	inner := said{name: name, text: "{}"}
	inner.server, _ = m.text(fieldServer)
	if inner.server == "" {
		inner.server = c.Server
	}
	for i := range m {
		v := &m[i]
		if v.field != fieldArguments && v.field != fieldInput {
			continue
		}
		switch v.kind {
		case jsonscan.Object:
			inner.text = string(v.raw)
		case jsonscan.String:
			inner.text = v.text
			inner.freeform = !looksLikeObject(v.text) && strings.TrimSpace(v.text) != ""
		case jsonscan.Null:
		default:
			c.doubt(Shape, everything)
		}
		break
	}
	c.read(inner, depth+1)
	return true
}

// passAll reads the list of calls that a dispatcher passes on. The call keeps
// its own name; its kind is shell if one of them is.
func (c *Call) passAll(m members, depth int, outer said) bool {
	found := false
	kind := c.Kind
	for i := range m {
		v := &m[i]
		if v.field != fieldCalls || v.kind != jsonscan.Array {
			continue
		}
		found = true
		var s jsonscan.Scanner
		s.Reset(v.raw)
		s.Array()
		for s.Elem() {
			raw := s.Raw()
			if !c.pass(scan(nil, raw, string(raw)), depth+1) {
				c.doubt(Shape, everything)
			}
			if c.Kind == KindShell {
				kind = KindShell
			}
		}
	}
	if found {
		c.Name, c.Server, c.Raw, c.freeform, c.Kind = outer.name, outer.server, outer.text, false, kind
	}
	return found
}

// hasCommand reports whether there is a text or list that could be a command.
func (m members) hasCommand() bool {
	for i := range m {
		if f := m[i].field; (f == fieldCommand || f == fieldCommands) && (m[i].kind == jsonscan.String || m[i].kind == jsonscan.Array) {
			return true
		}
	}
	return false
}

// place notes the directory in which the commands of the call run.
func (c *Call) place(t *tool, m members) {
	if t.kind != KindShell && !m.hasCommand() {
		return
	}
	dir, _ := m.text(fieldDir)
	if dir == "" {
		dir, _ = m.text(fieldDirPath)
	}
	if dir == "" {
		return
	}
	at, known := c.at.resolve(dir)
	c.Cwd = ""
	if !known || len(at) > maxPlace {
		c.doubt(Location, Incomplete{Reads: true, Writes: true})
	}
	if len(at) > maxPlace {
		c.at.Cwd = ""
		return
	}
	if isAbs(at) || strings.HasPrefix(at, "~") {
		c.Cwd = at
	}
	// A relative directory under an unknown one still names files rightly.
	c.at.Cwd = at
}
