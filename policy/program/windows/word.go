package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/values"
)

// command reads a command with its arguments and runs it.
func (p *parser) command(in value) value {
	var words []value
	to, writes, first := value{}, false, len(p.r.out.Effects)
	if shown(in) != "" || list(in) != nil || in.Remote() != "" || in.Sources() != nil {
		outer := p.r.vars["_"]
		p.r.vars["_"] = in
		defer func() { p.r.vars["_"] = outer }()
	}
	for p.pos < len(p.src) && p.r.Step() {
		p.blanks(false)
		start, c := p.pos, p.at(0)
		if c == '&' && !p.has("&&") && strings.TrimSpace(p.src[p.pos+1:min(len(p.src), p.pos+2)]) == "" { // in the background
			p.pos++
			break
		}
		if c == 0 || strings.IndexByte("\n;|)}", c) >= 0 || p.has("&&") {
			break
		}
		if target, ok := p.redirection(); ok {
			if target {
				to, writes = p.word(), true
			}
			continue
		}
		if c == '@' && isWord(p.at(1)) && len(words) > 0 {
			p.pos++
			words = append(words, splat(p.r.variable(p.name()))...)
			continue
		}
		v := p.word()
		for p.r.Step() && p.list(&v) {
			continue
		}
		words = append(words, v)
		p.pos = max(p.pos, start+1)
		if len(words) > mostWords {
			p.r.doubt(Limit)
			break
		}
	}
	p.r.since = first
	out := p.r.run(words, in)
	if writes {
		p.r.writes(to, out)
		return value{}
	}
	return out
}

// list reads a comma and the next item of a list.
func (p *parser) list(v *value) bool {
	p.clamp()
	start := p.pos
	p.blanks(false)
	if p.at(0) != ',' {
		p.pos = start
		return false
	}
	p.pos++
	p.blanks(true)
	*v = and(*v, p.word())
	return true
}

// redirection goes over > and its relatives. target says that a file follows.
func (p *parser) redirection() (target, ok bool) {
	at := 0
	if c := p.at(0); (c == '*' || '0' <= c && c <= '9') && p.at(1) == '>' {
		at = 1
	}
	if p.at(at) != '>' {
		return false, false
	}
	p.pos += at + 1
	if p.at(0) == '>' {
		p.pos++
	}
	if p.at(0) == '&' {
		p.pos += 2
		return false, true
	}
	p.blanks(false)
	return true, true
}

// word reads one argument: what stands together, in quotes or not.
func (p *parser) word() value {
	p.clamp()
	l := letters{r: p.r, out: value{Form: values.IsText, Bare: true}}
	put := func(read func() value) {
		if l.flush(); l.pieces == 0 {
			l.out.Bare = false
		}
		l.put(read())
	}
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case strings.IndexByte(" \t\r\n;|)},", c) >= 0 || p.has("&&") || (c == '>' || c == '(') && !l.isEmpty(): // a bracket begins a further argument
			return l.flush()
		case c == '`' && p.pos+1 < len(p.src):
			l.add(p.src[p.pos+1])
			p.pos += 2
		case c == '\'' || c == '"' || c == '@' && (p.at(1) == '\'' || p.at(1) == '"'):
			put(p.quoted)
		case c == '$' && (p.at(1) == '(' || p.at(1) == '{' || isWord(p.at(1)) || p.at(1) == '?'), c == '(' || c == '@' && (p.at(1) == '(' || p.at(1) == '{') || c == '[' && l.isEmpty() && strings.Contains(p.src[p.pos:min(len(p.src), p.pos+64)], "]::"):
			put(func() value { return p.postfix(p.primary()) })
		case c == '{' && l.isEmpty():
			return p.closure()
		default:
			l.add(c)
			p.pos++
		}
	}
	return l.flush()
}

// quoted reads a text in quotes, also one over several lines.
func (p *parser) quoted() (v value) {
	p.clamp()
	long := p.at(0) == '@'
	if long {
		p.pos++
	}
	quote := p.at(0)
	p.pos++
	if long {
		text, _, _ := strings.Cut(p.src[min(p.pos, len(p.src)):], "\n"+string(quote)+"@")
		p.pos += len(text) + 3
		text = strings.TrimPrefix(strings.TrimPrefix(text, "\r"), "\n")
		if quote == '\'' {
			return values.Text(text)
		}
		p.r.deeper(func() { v = (&parser{r: p.r, src: text}).expanded(0) })
		return v
	}
	if quote == '\'' {
		start := p.pos
		for p.pos < len(p.src) && (p.src[p.pos] != '\'' || p.at(1) == '\'') {
			if p.src[p.pos] == '\'' {
				p.pos++
			}
			p.pos++
		}
		p.pos++
		return values.Text(strings.ReplaceAll(p.src[start:min(p.pos-1, len(p.src))], "''", "'"))
	}
	v = p.expanded('"')
	p.pos++
	return v
}

var escaped = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', '0': ' ', 'a': '\a', 'b': '\b', 'f': '\f', 'v': '\v', 'e': 0x1b}

// expanded reads a text with variables in it, up to the quote.
func (p *parser) expanded(quote byte) value {
	l := letters{r: p.r, out: values.Text(""), pieces: 1}
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case c == quote && quote != 0:
			if p.at(1) != quote {
				return l.flush()
			}
			l.add(c)
			p.pos += 2
		case c == '`' && p.pos+1 < len(p.src):
			next := p.src[p.pos+1]
			if e, ok := escaped[next]; ok {
				next = e
			}
			l.add(next)
			p.pos += 2
		case c == '$' && p.at(1) == '(':
			p.pos += 2
			l.flush()
			l.put(p.statements(')'))
		case c == '$' && (p.at(1) == '{' || isWord(p.at(1)) && p.at(1) != '-'):
			p.pos++
			l.put(p.r.variable(p.name()))
		default:
			l.add(c)
			p.pos++
		}
	}
	return l.flush()
}
