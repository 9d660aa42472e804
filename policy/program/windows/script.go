package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

// parser reads the text of one PowerShell script.
type parser struct {
	r   *reader
	src string
	pos int
}

// script reads a script and returns the value of its last statement.
func (r *reader) script(text string) value {
	p := parser{r: r, src: r.within(text)}
	return p.statements(0)
}

func (p *parser) at(n int) byte {
	if p.pos+n < len(p.src) {
		return p.src[p.pos+n]
	}
	return 0
}

// clamp goes back to the end of the text, where a sign was taken to be longer
// than what is left of it.
func (p *parser) clamp() { p.pos = min(p.pos, len(p.src)) }

func (p *parser) has(s string) bool { return strings.HasPrefix(p.src[min(p.pos, len(p.src)):], s) }

// statements reads up to the bracket that ends them and goes behind it.
func (p *parser) statements(end byte) (last value) {
	if p.r.depth >= MaxDepth {
		p.r.doubt(Limit)
		p.pos = len(p.src)
		return last
	}
	p.r.depth++
	defer func() { p.r.depth-- }()
	for p.blanks(true); p.pos < len(p.src); p.blanks(true) {
		start, c := p.pos, p.at(0)
		switch {
		case !p.r.Step():
			p.pos = len(p.src)
			continue
		case c == end && end != 0:
			p.pos++
			return last
		case strings.IndexByte(";)}],|", c) >= 0 || p.has("&&"):
			p.pos++
			continue
		}
		if v := p.pipeline(); !isNothing(v) {
			last = v
		}
		p.pos = max(p.pos, start+1)
	}
	return last
}

// blanks goes over blanks and comments, and over lines if these do not end
// anything here.
func (p *parser) blanks(lines bool) {
	p.clamp()
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' && lines:
			p.pos++
		case c == '`' && (p.at(1) == '\n' || p.at(1) == '\r'):
			p.pos += 2
		case c == '#' && (p.pos == 0 || strings.IndexByte(" \t\n\r;({", p.src[p.pos-1]) >= 0):
			line, _, _ := strings.Cut(p.src[p.pos:], "\n")
			p.pos += len(line)
		case p.has("<#"):
			_, rest, _ := strings.Cut(p.src[p.pos:], "#>")
			p.pos = len(p.src) - len(rest)
		default:
			return
		}
	}
}

// pipeline reads commands and expressions with bars between them.
func (p *parser) pipeline() value {
	in := value{}
	for p.pos < len(p.src) && p.r.Step() {
		v := p.element(in)
		p.blanks(false)
		switch {
		case p.at(0) == '|' && p.at(1) != '|':
			p.pos++
			p.blanks(true)
			in = v
			continue
		case p.has("&&"), p.has("||"):
			p.pos += 2
		}
		return v
	}
	return in
}

// keywords are words before an expression or a block, which happens in any case.
var keywords = map[string]bool{
	"if": true, "elseif": true, "else": true, "while": true, "until": true, "do": true, "for": true, "switch": true, "try": true, "catch": true, "finally": true, "function": true, "filter": true, "param": true, "return": true, "throw": true,
	"begin": true, "process": true, "end": true, "exit": true, "break": true, "continue": true, "trap": true, "in": true, "class": true,
}

// element reads one part of a pipeline.
func (p *parser) element(in value) value {
	for p.r.Step() {
		p.blanks(false)
		c := p.at(0)
		switch {
		case c == '&' && p.at(1) != '&', c == '.' && strings.IndexByte(" \t({$'\"", p.at(1)) >= 0 && p.at(1) != 0:
			p.pos++
			p.blanks(false)
			return p.command(in)
		case c == '{':
			return p.block(in)
		case c == '$' || c == '[':
			if p.assignment() {
				return value{}
			}
			return p.expression()
		case c == '(' || c == '\'' || c == '"' || c == '@' || '0' <= c && c <= '9' || c == '-' || c == '!':
			return p.expression()
		}
		word := p.peekWord()
		lower := strings.ToLower(word)
		switch {
		case lower == "foreach" && p.loopsOver(len(word)):
			continue
		case keywords[lower] && word != "":
			p.pos += len(word)
			if lower == "function" || lower == "filter" {
				p.defines()
				return value{}
			}
			if lower == "class" {
				p.blanks(false)
				p.pos += len(p.peekWord())
			}
			p.blanks(true)
			if lower == "switch" {
				p.switched()
			}
			if p.pos >= len(p.src) || strings.IndexByte(";)}\n", p.at(0)) >= 0 {
				return value{}
			}
			continue
		}
		return p.command(in)
	}
	return value{}
}

// switched reads the flags of switch: the lines of a file are what it goes
// through.
func (p *parser) switched() {
	for p.at(0) == '-' && p.r.Step() {
		p.pos++
		flag := p.peekWord()
		p.pos += len(flag)
		p.blanks(true)
		if flag != "" && begins("file", strings.ToLower(flag)) {
			p.r.vars["_"] = p.r.reads(p.word())
			p.blanks(true)
		}
	}
}

func (p *parser) peekWord() string {
	p.clamp()
	end := p.pos
	for end < len(p.src) && isWord(p.src[end]) {
		end++
	}
	return p.src[p.pos:end]
}

func isWord(c byte) bool {
	return c == '_' || c == '-' || 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
}

// loopsOver reads the head of foreach ($x in ...). It reports false if this is
// the cmdlet of that name.
func (p *parser) loopsOver(size int) bool {
	start := p.pos
	p.pos += size
	p.blanks(false)
	if p.at(0) != '(' {
		p.pos = start
		return false
	}
	p.pos++
	p.blanks(true)
	name := ""
	if p.at(0) == '$' {
		p.pos++
		name = p.name()
	}
	p.blanks(true)
	if strings.EqualFold(p.peekWord(), "in") {
		p.pos += 2
	}
	v := p.statements(')')
	p.r.vars[strings.ToLower(name)] = v
	p.blanks(true)
	return true
}

// block reads a block as if it ran, with $_ as what comes in.
func (p *parser) block(in value) value {
	p.pos++
	old, had := p.r.vars["_"]
	p.r.vars["_"] = in
	v := p.statements('}')
	if had {
		p.r.vars["_"] = old
	}
	return v
}

// assignment reads $x = ... It reports false if this is none.
func (p *parser) assignment() bool {
	start := p.pos
	if p.at(0) == '[' { // [string]$x = ...
		end := strings.IndexByte(p.src[p.pos:min(len(p.src), p.pos+64)], ']')
		if end < 0 || p.at(end+1) != '$' {
			return false
		}
		p.pos += end + 1
	}
	p.pos++
	name := strings.ToLower(p.name())
	p.blanks(false)
	add := p.has("+=")
	if name == "" || !add && (p.at(0) != '=' || p.at(1) == '=') {
		p.pos = start
		return false
	}
	if p.pos++; add {
		p.pos++
	}
	p.blanks(true)
	var v value
	if p.at(0) == '{' {
		v = p.closure()
	} else {
		v = p.pipeline()
	}
	if add {
		v = p.r.concat(p.r.vars[name], v)
	}
	if variable, ok := strings.CutPrefix(name, "env:"); ok {
		p.r.add(effect.Effect{Verb: effect.SetVariable, Object: strings.ToUpper(variable), From: shown(v)})
	}
	p.r.bind(name, v)
	return true
}

// name reads the name of a variable, after its dollar sign.
func (p *parser) name() string {
	p.clamp()
	if p.at(0) == '{' {
		name, rest, ok := strings.Cut(p.src[p.pos+1:], "}")
		if p.pos = len(p.src) - len(rest); !ok {
			return ""
		}
		return name
	}
	start := p.pos
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		if !(isWord(c) && c != '-' || c == ':' && p.pos > start && p.at(1) != ':' && isWord(p.at(1)) || c == '?' && p.pos == start) {
			break
		}
		p.pos++
	}
	return p.src[start:p.pos]
}

// variable is the value of a variable.
func (r *reader) variable(name string) value {
	lower := strings.ToLower(name)
	if v, ok := r.vars[lower]; ok {
		return v
	}
	if s, ok := library.Of(library.PowerShell).Constant("$" + lower); ok {
		return values.Text(s)
	}
	if env, ok := strings.CutPrefix(lower, "env:"); ok {
		if dir, ok := directoryOf(env); ok {
			return values.Text(dir)
		}
		v := values.Unknown("env:" + strings.ToUpper(env))
		if library.NamesSecret(env) {
			v = v.MadeOf(values.FromEnvironment)
		}
		return v
	}
	if len(name) > 3 && name[1] == ':' && (name[2] == '\\' || name[2] == '/') { // ${C:\x} is what is in the file
		return r.reads(values.Text(name))
	}
	return values.Unknown(strings.ReplaceAll(lower, ":", "_"))
}
