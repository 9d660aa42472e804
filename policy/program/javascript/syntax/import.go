package syntax

// use reads an import.
func (p *parser) use() *Node {
	if next := p.peek(); next == '(' || next == '.' {
		return nil // an expression
	}
	p.advance()
	n := p.node(OpUse)
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
				n.Kids = append(n.Kids, p.named(opEntry, name, p.named(OpName, local)))
				p.accept(",")
			}
			p.accept("}")
		case p.accept("*"):
			p.accept("as")
			n.Kids = append(n.Kids, p.named(opEntry, "", p.named(OpName, p.tok.text)))
			p.advance()
		case p.is("from"), p.is(","):
			p.advance()
		default:
			n.Kids = append(n.Kids, p.named(opEntry, "default", p.named(OpName, p.tok.text)))
			p.advance()
		}
	}
	n.Text = p.tok.text
	p.advance()
	if p.accept("with") || p.accept("assert") {
		p.primary()
	}
	return p.ended(n)
}

func (p *parser) export() *Node {
	p.advance()
	if p.accept("default") {
		return p.ended(p.assignment())
	}
	if !p.is("*") && !p.is("{") {
		return p.statement()
	}
	for p.tok.sort != atEnd && !p.is(";") && p.tok.sort != quoted && !p.is("}") { // names of what is elsewhere
		p.advance()
	}
	p.accept("}")
	if !p.accept("from") && p.tok.sort != quoted {
		return &Nothing
	}
	n := p.named(OpUse, p.tok.text)
	p.advance()
	return n
}
