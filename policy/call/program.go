package call

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// program reads JavaScript that calls tools, as Codex lets its models write it:
//
//	const r = await tools.exec_command({cmd: "ls"});
//
// Only calls with literal arguments can be read. Anything else that could reach
// a tool leaves a doubt.
func (c *Call) program(text string, depth int) {
	name, raw := c.Name, c.Raw
	p := script{src: text}
	calls := 0
	for p.next() {
		calls++
		if calls > maxCalls || !p.readable {
			p.doubt = true
			continue
		}
		c.read(said{name: p.tool, text: p.argument, freeform: p.freeform}, depth+1)
	}
	if p.doubt || calls == 0 {
		c.doubt(Script, everything)
	}
	if calls == 0 {
		// Elsewhere a tool of this name may well be a shell.
		c.shell(text)
		for i := range c.Commands {
			c.touches(&c.Commands[i])
		}
	}
	c.Name, c.Raw, c.freeform = name, raw, true
	if len(c.Commands) > 0 || p.doubt || calls == 0 {
		c.Kind = KindShell
	}
}

// maxCalls is how many calls are read from one program.
const maxCalls = 1000

// script finds calls of tools in JavaScript.
type script struct {
	src string
	pos int

	tool, argument     string
	freeform, readable bool
	doubt              bool // something else in the code could call a tool
}

// reaching are words that can reach a tool by another way.
var reaching = []string{"eval", "Function", "constructor", "globalThis", "self", "window", "this", "Reflect", "Proxy", "import", "require", "with", "ALL_TOOLS", "process", "Deno", "Bun"}

// next finds the next call of a tool.
func (p *script) next() bool {
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case c == '"' || c == '\'' || c == '`':
			if _, whole := p.literal(); !whole {
				p.doubt = true
			}
		case strings.HasPrefix(p.src[p.pos:], "//"):
			p.skipLine()
		case strings.HasPrefix(p.src[p.pos:], "/*"):
			p.skipPast("*/")
		case c == '\\' || c == '/' || c >= utf8.RuneSelf || c == '[' && p.computed():
			// An escape in a name, a regular expression that may hide a
			// quote, a blank that is none in ASCII, or a name that is
			// computed: x["con" + "structor"].
			p.doubt = true
			p.pos++
		case isWordByte(c):
			switch word := p.word(); {
			case word == "tools":
				if p.call() {
					return true
				}
				p.doubt = true
			case slices.Contains(reaching, word):
				p.doubt = true
			}
		default:
			p.pos++
		}
	}
	return false
}

// computed reports whether the bracket at the cursor follows a value.
func (p *script) computed() bool {
	before := strings.TrimRight(p.src[max(0, p.pos-8):p.pos], " \t\r\n")
	if before == "" {
		return p.pos > 0
	}
	last := before[len(before)-1]
	return isWordByte(last) || strings.IndexByte(")]}\"'`", last) >= 0
}

// call reads .name(argument) after the word tools.
func (p *script) call() bool {
	if !p.accept('.') {
		return false
	}
	p.blanks()
	p.tool = p.word()
	if p.tool == "" || !p.accept('(') {
		return false
	}
	at := p.pos
	p.argument, p.freeform, p.readable = "{}", false, true
	p.blanks()
	if p.accept(')') {
		return true
	}
	data, ok := p.value(nil, 0)
	p.accept(',')
	if !ok || !p.accept(')') {
		p.readable = false
		p.pos = at
		return true
	}
	if data[0] == '"' {
		text, _ := jsonscan.Unquote(nil, data)
		p.argument, p.freeform = string(text), true
		return true
	}
	p.argument = string(data)
	return true
}

// value reads a literal and appends it as JSON.
func (p *script) value(b []byte, depth int) ([]byte, bool) {
	p.blanks()
	if p.pos == len(p.src) || depth > 16 {
		return b, false
	}
	switch c := p.src[p.pos]; {
	case c == '"' || c == '\'' || c == '`':
		text, whole := p.literal()
		return jsonscan.AppendString(b, text), whole
	case c == '{':
		return p.object(b, depth)
	case c == '[':
		p.pos++
		b = append(b, '[')
		for n := 0; ; n++ {
			if p.accept(']') {
				return append(b, ']'), true
			}
			if n > 0 {
				b = append(b, ',')
			}
			var ok bool
			if b, ok = p.value(b, depth+1); !ok {
				return b, false
			}
			if !p.accept(',') {
				return append(b, ']'), p.accept(']')
			}
		}
	case c == '-' || '0' <= c && c <= '9':
		start := p.pos
		p.pos++
		for p.pos < len(p.src) && (isWordByte(p.src[p.pos]) || p.src[p.pos] == '.') {
			p.pos++
		}
		number := strings.ReplaceAll(p.src[start:p.pos], "_", "")
		return append(b, number...), jsonscan.Valid([]byte(number)) == nil
	}
	switch word := p.word(); word {
	case "true", "false", "null":
		return append(b, word...), true
	case "undefined":
		return append(b, "null"...), true
	}
	return b, false
}

// object reads {name: value, ...}.
func (p *script) object(b []byte, depth int) ([]byte, bool) {
	p.pos++
	b = append(b, '{')
	for n := 0; ; n++ {
		if p.accept('}') {
			return append(b, '}'), true
		}
		if n > 0 {
			b = append(b, ',')
		}
		p.blanks()
		var key string
		whole := true
		if p.pos < len(p.src) && (p.src[p.pos] == '"' || p.src[p.pos] == '\'') {
			key, whole = p.literal()
		} else {
			key = p.word()
		}
		if key == "" || !whole || !p.accept(':') {
			return b, false
		}
		b = append(jsonscan.AppendString(b, key), ':')
		var ok bool
		if b, ok = p.value(b, depth+1); !ok {
			return b, false
		}
		if !p.accept(',') {
			return append(b, '}'), p.accept('}')
		}
	}
}
