package call

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// maxUnwrap is how many dispatchers may pass a call on.
const maxUnwrap = 4

// read takes a call for what it says. Called again for the calls inside, it
// adds what they say.
func (c *Call) read(from said, depth int) {
	known, of, ok := canonical(from.name)
	byName := of.is
	of, name := c.belongs(&from, of, &known, ok)
	if name != known.name {
		known, ok = toolOf(name)
	}
	name, kind := known.name, known.kind
	if of.is {
		kind = KindMCP
	}
	if depth == 0 || c.Kind != KindShell {
		c.Kind = kind
	}
	if !from.freeform {
		from.text = plainly(from.text)
	}
	c.Name, c.Raw, c.freeform = name, from.text, from.freeform
	c.at, c.Cwd = c.base, c.base.Cwd
	c.named(&from, of, name, kind)
	c.does(name)
	if depth > maxUnwrap {
		c.doubt(invocation.Nesting, everything)
		return
	}
	if from.freeform {
		c.freeText(&known, from.text, depth)
		c.encoded(&known, from, depth)
		return
	}
	data := jsonscan.View(from.text)
	if !from.readable && jsonscan.Classify(data) != jsonscan.ShapeObject {
		if inner, ok := unquoted(from.text); ok {
			from.text = inner
			c.read(from, depth+1)
			return
		}
		c.doubt(Arguments, everything)
		return
	}
	room := newRoom()
	defer room.give()
	m := membersIn(room[:0], data, from.text)
	running := known.kind == KindShell
	if !byName {
		c.besides(name, m)
	}
	if !ok { // of those that are known, none only passes calls on
		one, many := means(name, "passes"), means(name, "passes-all")
		outer, named, sure := said{name: name, server: c.Server, text: from.text, at: from.at}, c.identity, from.at
		if !one {
			sure = 0 // it is only taken for one
		}
		if (one || m.named()) && c.pass(m, from.text, sure, depth) {
			c.onBehalf(&named, one)
			return
		}
		if m.has(fieldCalls) && c.passAll(m, depth, outer, many) {
			return
		}
		m = m.unfold()
		c.does(m.doing(name))
		if known.touch = guess(c.doing); says(c.words, "sending") || searches(name, c.words, from.text, m) {
			known.touch = reads
		}
		running = c.runs(name, m)
		m.program(running, means(name, "starts"))
		if kind == KindOther && m.hasCommand() {
			c.Kind = KindShell
		}
	} else if running {
		m = m.unfold()
		m.program(true, true)
	}
	m.withArguments()
	c.place(&known, m)
	found := c.commands(&known, m, depth)
	found = c.code(&known, m, running, depth) || found
	if running && !found {
		c.anyText(from.text, known.kind == KindShell)
	}
	if !ok && c.Kind == KindOther && len(c.Commands) > 0 {
		c.Kind = KindShell
	}
	c.cell(&known, from.text)
	c.files(&known, m)
	c.addresses(&known, m)
	c.purpose(&known, ok, m, from.text)
	if known.touch&byVerb != 0 || known.kind == KindWrite || known.kind == KindEdit || m.has(fieldContent) {
		var s jsonscan.Scanner
		s.Reset(data)
		c.argumentContents(&s, "", 0)
	}
	if means(name, "foreign") {
		c.doubt(invocation.Dialect, everything)
	}
	if means(name, "computer") {
		c.doubt(Computer, everything)
		c.anyText(from.text, false) // it may be typed into a terminal
	}
}

// plainly is JSON in which no letter is hidden in an escape: what is looked for as
// text, a value that was read before or an operator of a query, is found however it
// is spelled.
func plainly(text string) string {
	if !strings.Contains(text, `\u00`) {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	from := 0
	for i := strings.IndexByte(text, '\\'); i >= 0 && i+1 < len(text); {
		after := i + 2
		if letter, ok := escapedLetter(text[i:]); ok {
			after = i + len(`\u0061`)
			out.WriteString(text[from:i])
			out.WriteByte(letter)
			from = after
		}
		next := strings.IndexByte(text[after:], '\\')
		if next < 0 {
			break
		}
		i = after + next
	}
	out.WriteString(text[from:])
	return out.String()
}

// escapedLetter is the printable letter of an escape at the beginning of a text.
// Quotes and backslashes stay escaped: JSON needs them so.
func escapedLetter(text string) (byte, bool) {
	digits, ok := strings.CutPrefix(text, `\u00`)
	if !ok || len(digits) < 2 {
		return 0, false
	}
	code, err := strconv.ParseUint(digits[:2], 16, 8)
	letter := byte(code)
	return letter, err == nil && letter >= ' ' && letter < 0x7f && letter != '"' && letter != '\\'
}

// unquoted is the JSON object that a JSON string holds, as arguments come that
// were written twice.
func unquoted(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if len(text) < 2 || text[0] != '"' {
		return "", false
	}
	inner, ok := jsonscan.Unquote(nil, jsonscan.View(text))
	return string(inner), ok && looksLikeObject(string(inner))
}

// pass reads the call that a dispatcher passes on, if there is one. Without
// arguments of its own, the call has those of the dispatcher, which are all.
func (c *Call) pass(m members, all string, begin at, depth int) bool {
	name, ok := m.text(fieldName)
	if !ok { // {"tool": {"name": "Bash", "arguments": {}}}
		for i := range m {
			if m[i].field == fieldName && m[i].kind == jsonscan.Object && depth <= maxUnwrap {
				text := string(m[i].raw)
				inner := membersIn(nil, m[i].raw, text)
				for j := range m { // the server is named beside it
					if m[j].field == fieldServer {
						inner = append(inner, m[j])
					}
				}
				return c.pass(inner, text, begin.plus(m[i].from), depth+1)
			}
		}
		return false
	}
	inner := said{name: name, text: all, mcp: m.has(fieldServer) || c.identity.is && c.identity.unsure}
	if inner.server, _ = m.server(); !inner.mcp {
		inner.server = c.Server
	}
	passed := Passed{Name: inner.name, Server: inner.server, MCP: inner.mcp}
	for i := range m {
		v := &m[i]
		if v.field != fieldArguments && v.field != fieldInput {
			continue
		}
		if begin != 0 && v.to > 0 && m.count(fieldArguments)+m.count(fieldInput) == 1 {
			passed.From, passed.To = int(begin-begins)+v.from, int(begin-begins)+v.to
		}
		switch v.kind {
		case jsonscan.Object:
			inner.text, inner.at = string(v.raw), begin.plus(v.from)
		case jsonscan.String:
			inner.text = v.text
			inner.freeform = !looksLikeObject(v.text) && strings.TrimSpace(v.text) != ""
		case jsonscan.Null:
			inner.text = "{}"
		default:
			inner.text = "{}"
			c.doubt(Shape, everything)
		}
		break
	}
	passed.Arguments, passed.Freeform = inner.text, inner.freeform
	c.passes(&passed)
	c.read(inner, depth+1)
	return true
}

// named reports whether the arguments name a tool that is known and have
// arguments for it, as those of a dispatcher do whatever it is called.
func (m members) named() bool {
	for i := range m {
		switch v := &m[i]; {
		case v.field != fieldName:
		case v.kind == jsonscan.Object:
			return true
		case v.kind == jsonscan.String && m.has(fieldArguments):
			if _, _, ok := canonical(v.text); ok {
				return true
			}
		}
	}
	return false
}

// passAll reads the list of calls that a dispatcher passes on. The call keeps
// its own name; its kind is shell if one of them is. If it is not sure that the
// tool is a dispatcher, the list may also be parts of its own arguments.
func (c *Call) passAll(m members, depth int, outer said, sure bool) bool {
	kind, back := c.Kind, c.keep()
	found := false
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
			begin := outer.at.plus(v.from + s.Pos())
			if !sure || v.to == 0 {
				begin = 0
			}
			raw := s.Raw()
			if c.calls++; c.calls > MaxTexts {
				c.doubt(invocation.Long, everything)
				break
			}
			all := string(raw)
			switch inner := membersIn(nil, raw, all); {
			case sure || inner.named():
				if !c.pass(inner, all, begin, depth+1) && sure {
					c.doubt(Shape, everything)
				}
			case looksLikeObject(all):
				c.read(said{name: outer.name, server: outer.server, text: all, readable: true}, depth+1)
			case raw[0] == '"':
				text, _ := jsonscan.Unquote(nil, raw)
				c.read(said{name: outer.name, server: outer.server, text: string(jsonscan.AppendString([]byte(`{"input":`), string(text))) + "}", readable: true}, depth+1)
			}
			if c.Kind == KindShell {
				kind = KindShell
			}
		}
	}
	if found {
		back()
		c.Name, c.Server, c.Raw, c.freeform, c.Kind = outer.name, outer.server, outer.text, false, kind
	}
	return found && sure
}

// unfold adds the members of objects that are in other members, also as text and
// some levels down: {"params": {"command": "ls"}}, {"input": "{\"command\": \"ls\"}"}.
// Lists beside a command are its words.
func (m members) unfold() members {
	lists := !m.hasCommand()
	from := 0
	for range maxNest {
		to := len(m)
		for i := from; i < to; i++ {
			v := &m[i]
			if v.field != fieldArguments && v.field != fieldInput || v.kind == jsonscan.Array && !lists {
				continue
			}
			raw := v.raw
			if v.kind == jsonscan.String {
				raw = []byte(v.text)
			}
			if len(raw) > 1 && bytes.ContainsAny(raw, "{\\") && jsonscan.Valid(raw) == nil {
				m = m.within(raw, 0)
			}
		}
		if from = to; from == len(m) {
			break
		}
	}
	return m
}

// within adds the members of the objects in JSON, in lists and as text as well.
func (m members) within(raw []byte, depth int) members {
	var s jsonscan.Scanner
	s.Reset(raw)
	switch kind := s.Kind(); {
	case kind == jsonscan.Object:
		return membersIn(m, raw, string(raw))
	case depth >= maxNest:
	case kind == jsonscan.Array:
		s.Array()
		for s.Elem() {
			m = m.within(s.Raw(), depth+1)
		}
	case kind == jsonscan.String:
		if text, ok := jsonscan.Unquote(nil, raw); ok && bytes.ContainsAny(text, "{\\") && jsonscan.Valid(text) == nil {
			return m.within(text, depth+1)
		}
	default:
	}
	return m
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
	c.placed = true
	at, known := c.at.Resolve(dir)
	c.Cwd = ""
	if !known || len(at) > effect.MaxPlace {
		c.doubt(Location, Incomplete{Reads: true, Writes: true})
	}
	if len(at) > effect.MaxPlace {
		c.at.Cwd = ""
		return
	}
	if effect.IsAbs(at) || strings.HasPrefix(at, "~") {
		c.Cwd = at
	}
	// A relative directory under an unknown one still names files rightly.
	c.at.Cwd = at
}
