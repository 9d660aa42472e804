package javascript

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// imported is what import(...) gives: a module by its name, or a program that
// stands in its address, data:text/javascript,... What is not known of such a
// program runs all the same.
func (e *evaluator) imported(v value) value {
	if v.kind != text {
		return e.requireValue(v)
	}
	kind, program, ok := strings.Cut(v.text, ",")
	if !ok || len(kind) < len("data:") || !strings.EqualFold(kind[:len("data:")], "data:") {
		return e.requireValue(v)
	}
	if v.partial {
		return e.eval(value{})
	}
	if strings.HasSuffix(strings.ToLower(kind), ";base64") {
		decoded, err := base64.StdEncoding.DecodeString(program)
		if err != nil {
			return e.eval(value{})
		}
		return e.eval(textValue(string(decoded)))
	}
	if plain, err := url.PathUnescape(program); err == nil {
		program = plain
	}
	return e.eval(textValue(program))
}

// use reads an import.
func (p *parser) use() *node {
	if next := p.peek(); next == '(' || next == '.' {
		return nil // an expression
	}
	p.advance()
	n := p.node(opUse)
	for p.tok.sort != quoted && p.tok.sort != atEnd && !p.is(";") {
		switch {
		case p.accept("{"):
			for p.tok.sort != atEnd && !p.is("}") {
				name := p.tok.text
				p.advance()
				local := name
				if p.accept("as") {
					local = p.tok.text
					p.advance()
				}
				n.kids = append(n.kids, p.named(opEntry, name, p.named(opName, local)))
				p.accept(",")
			}
			p.accept("}")
		case p.accept("*"):
			p.accept("as")
			n.kids = append(n.kids, p.named(opEntry, "", p.named(opName, p.tok.text)))
			p.advance()
		case p.is("from"), p.is(","):
			p.advance()
		default:
			n.kids = append(n.kids, p.named(opEntry, "default", p.named(opName, p.tok.text)))
			p.advance()
		}
	}
	n.text = p.tok.text
	p.advance()
	if p.accept("with") || p.accept("assert") {
		p.primary()
	}
	p.ends()
	return n
}

func (p *parser) export() *node {
	p.advance()
	if p.accept("default") {
		n := p.assignment()
		p.ends()
		return n
	}
	if p.is("*") || p.is("{") { // names of what is elsewhere
		for p.tok.sort != atEnd && !p.is(";") && p.tok.sort != quoted && !p.is("}") {
			p.advance()
		}
		p.accept("}")
		if p.accept("from") || p.tok.sort == quoted {
			n := p.named(opUse, p.tok.text)
			p.advance()
			return n
		}
		return &nothing
	}
	return p.statement()
}
