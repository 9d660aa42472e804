package windows

import "strings"

// command reads a command with its arguments and runs it.
func (p *parser) command(in value) value {
	var words []value
	to := value{}
	appends := false
	first := len(p.r.out.Effects)
	if in.text != "" || in.list != nil || in.remote != "" || in.sources != nil {
		outer := p.r.vars["_"]
		p.r.vars["_"] = in
		defer func() { p.r.vars["_"] = outer }()
	}
	for p.pos < len(p.src) && p.r.step() {
		p.blanks(false)
		c := p.at(0)
		if c == 0 || strings.IndexByte("\n;|)}", c) >= 0 || p.has("&&") || c == '&' && strings.TrimSpace(p.src[p.pos+1:min(len(p.src), p.pos+2)]) == "" {
			if c == '&' && !p.has("&&") {
				p.pos++
			}
			break
		}
		if target, ok := p.redirection(); ok {
			if target {
				to, appends = p.word(), true
			}
			continue
		}
		start := p.pos
		if c == '@' && isWord(p.at(1)) && len(words) > 0 {
			p.pos++
			words = append(words, splat(p.r.variable(p.name()))...)
			continue
		}
		v := p.word()
		for p.r.step() && p.list(&v) {
			continue
		}
		words = append(words, v)
		if p.pos == start {
			p.pos++
		}
		if len(words) > mostWords {
			p.r.doubt(Limit)
			break
		}
	}
	p.r.since = first
	out := p.r.run(words, in)
	if appends {
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
	next := p.word()
	if len(v.list) == 0 {
		*v = value{list: []value{*v}, known: v.known}
	}
	v.known = v.known && next.known
	v.list = append(v.list, next)
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
	out := value{known: true, bare: true}
	pieces := 0
	var plain []byte
	flush := func() {
		if len(plain) > 0 {
			out = p.join(out, value{text: string(plain), known: true}, pieces)
			pieces++
			plain = plain[:0]
		}
	}
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case strings.IndexByte(" \t\r\n;|)},", c) >= 0 || p.has("&&") || c == '>' && len(plain)+pieces > 0:
			flush()
			return out
		case c == '(' && len(plain)+pieces > 0: // a further argument
			flush()
			return out
		case c == '`' && p.pos+1 < len(p.src):
			plain = append(plain, p.src[p.pos+1])
			p.pos += 2
		case c == '\'' || c == '"' || c == '@' && (p.at(1) == '\'' || p.at(1) == '"'):
			flush()
			if pieces == 0 {
				out.bare = false
			}
			out = p.join(out, p.quoted(), pieces)
			pieces++
		case c == '$' && (p.at(1) == '(' || p.at(1) == '{' || isWord(p.at(1)) || p.at(1) == '?'), c == '(' || c == '@' && (p.at(1) == '(' || p.at(1) == '{') || c == '[' && len(plain)+pieces == 0 && strings.Contains(p.src[p.pos:min(len(p.src), p.pos+64)], "]::"):
			flush()
			if pieces == 0 {
				out.bare = false
			}
			out = p.join(out, p.postfix(p.primary()), pieces)
			pieces++
		case c == '{' && len(plain)+pieces == 0:
			v := p.block(p.r.vars["_"])
			v.object = "block"
			return v
		default:
			plain = append(plain, c)
			p.pos++
		}
	}
	flush()
	return out
}

// join puts a further piece of a word behind the others. A word of one piece is
// that piece.
func (p *parser) join(word, piece value, pieces int) value {
	if pieces == 0 {
		piece.bare = word.bare
		return piece
	}
	bare := word.bare
	word = p.r.concat(word, piece)
	word.bare = bare
	return word
}

// quoted reads a text in quotes, also one over several lines.
func (p *parser) quoted() value {
	p.clamp()
	long := p.at(0) == '@'
	if long {
		p.pos++
	}
	quote := p.at(0)
	p.pos++
	if long {
		end := strings.Index(p.src[p.pos:], "\n"+string(quote)+"@")
		text := p.src[p.pos:]
		if end >= 0 {
			text = p.src[p.pos : p.pos+end]
			p.pos += end + 3
		} else {
			p.pos = len(p.src)
		}
		text = strings.TrimPrefix(strings.TrimPrefix(text, "\r"), "\n")
		if quote == '\'' {
			return literal(text)
		}
		if p.r.depth >= MaxDepth {
			p.r.doubt(Limit)
			return value{}
		}
		p.r.depth++
		in := parser{r: p.r, src: text}
		v := in.expanded(0)
		p.r.depth--
		return v
	}
	if quote == '\'' {
		var b strings.Builder
		for p.pos < len(p.src) {
			if p.src[p.pos] == '\'' {
				if p.at(1) != '\'' {
					break
				}
				p.pos++
			}
			b.WriteByte(p.src[p.pos])
			p.pos++
		}
		p.pos++
		return literal(b.String())
	}
	v := p.expanded('"')
	p.pos++
	return v
}

var escaped = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', '0': ' ', 'a': '\a', 'b': '\b', 'f': '\f', 'v': '\v', 'e': 0x1b}

// expanded reads a text with variables in it, up to the quote.
func (p *parser) expanded(quote byte) value {
	out := value{known: true}
	var plain []byte
	flush := func() {
		if len(plain) > 0 {
			out = p.r.concat(out, value{text: string(plain), known: true})
			plain = plain[:0]
		}
	}
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case c == quote && quote != 0:
			if p.at(1) != quote {
				flush()
				return out
			}
			plain = append(plain, c)
			p.pos += 2
		case c == '`' && p.pos+1 < len(p.src):
			next := p.src[p.pos+1]
			if e, ok := escaped[next]; ok {
				next = e
			}
			plain = append(plain, next)
			p.pos += 2
		case c == '$' && p.at(1) == '(':
			flush()
			p.pos += 2
			out = p.r.concat(out, p.statements(')'))
		case c == '$' && (p.at(1) == '{' || isWord(p.at(1)) && p.at(1) != '-'):
			flush()
			p.pos++
			out = p.r.concat(out, p.r.variable(p.name()))
		default:
			plain = append(plain, c)
			p.pos++
		}
	}
	flush()
	return out
}
