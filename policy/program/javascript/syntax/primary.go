package syntax

import "strings"

// primary reads a value without what follows it. Targets of assignments are
// read as the values they look like.
func (p *parser) primary() *Node {
	switch p.tok.sort {
	case quoted:
		n := p.named(OpText, p.tok.text)
		p.advance()
		return n
	case digits:
		n := p.node(OpNumber)
		if strings.HasSuffix(p.tok.text, "n") {
			p.advance()
			return &Nothing // of any length, which is not computed
		}
		var ok bool
		if n.Num, ok = ParseNumber(p.tok.text); !ok {
			p.doubt(Syntax)
			n.Op = OpNone
		}
		p.advance()
		return n
	case word:
		return p.nameOrKeyword()
	case sign:
		return p.bracketed()
	case atEnd:
	}
	p.doubt(Syntax)
	return &Nothing
}

func (p *parser) bracketed() *Node {
	switch p.tok.text {
	case "(":
		p.advance()
		list := p.list(")")
		switch {
		case p.is("=>") && !p.tok.newline:
			return p.arrow(p.node(OpList, list...))
		case len(list) == 1 && list[0].Op != OpSpread:
			return list[0]
		}
		return p.node(OpList, list...)
	case "[":
		p.advance()
		return p.node(OpArray, p.list("]")...)
	case "{":
		return p.object()
	case "`":
		return p.template()
	case "/", "/=":
		pattern, flags := p.regexp(p.tok.start)
		p.advance()
		n := p.named(OpRegexp, pattern)
		n.More = []string{flags}
		return n
	}
	p.doubt(Syntax)
	return &Nothing
}

func (p *parser) nameOrKeyword() *Node {
	text, escaped := p.tok.text, p.tok.escaped
	if !escaped {
		switch text {
		case "function":
			return p.function()
		case "class":
			return p.class()
		case "new":
			return p.make()
		}
	}
	p.advance()
	if !escaped {
		switch text {
		case "true", "false", "null", "undefined":
			return p.named(OpConst, text)
		case "this":
			return p.node(OpThis)
		case "import":
			if p.accept(".") {
				p.advance()
				return &Nothing // import.meta
			}
			return p.node(OpImport, p.arguments()...)
		case "async":
			switch {
			case p.is("function") && !p.tok.newline:
				return p.function()
			case p.tok.sort == word && !p.tok.newline && !p.is("of") && !p.is("in"):
				param := p.named(OpName, p.tok.text)
				p.advance()
				return p.arrow(p.node(OpList, param))
			}
		}
	}
	return p.named(OpName, text)
}

// function reads one at its keyword.
func (p *parser) function() *Node {
	p.advance()
	p.accept("*")
	name := ""
	if p.tok.sort == word {
		name = p.tok.text
		p.advance()
	}
	n := p.method()
	n.Text = name
	return n
}

// method reads parameters and a body.
func (p *parser) method() *Node {
	if !p.nested() {
		return &Nothing
	}
	defer func() { p.depth-- }()
	params := p.node(OpList, p.arguments()...)
	if p.accept(":") { // the type of the result
		for p.tok.sort != atEnd && !p.is("{") {
			p.advance()
		}
	}
	return p.node(OpFunction, params, p.block())
}

func (p *parser) class() *Node {
	if !p.nested() {
		return &Nothing
	}
	defer func() { p.depth-- }()
	p.advance()
	n := p.node(OpClass, nil)
	if p.tok.sort == word && !p.is("extends") {
		n.Text = p.tok.text
		p.advance()
	}
	if p.accept("extends") {
		n.Kids[0] = p.postfix(p.primary())
	}
	p.expect("{")
	for p.tok.sort != atEnd && !p.is("}") {
		if p.accept(";") {
			continue
		}
		at := p.tok.start
		if p.is("static") && p.peek() != '(' && p.peek() != '=' {
			p.advance()
			if p.is("{") {
				n.Kids = append(n.Kids, p.named(opEntry, "", p.block()))
				continue
			}
		}
		entry := p.entry()
		switch value := entry.Kid(0); {
		case value.Op == OpAssign: // name = value
			entry.Kids[0] = value.Kid(1)
		case value.Op == OpName && value.Text == entry.Text:
			entry.Kids[0] = nil
		}
		if p.accept("=") { // after a name that is computed
			entry.Kids[0] = p.assignment()
		}
		p.accept(";")
		n.Kids = append(n.Kids, entry)
		if p.tok.start == at {
			p.doubt(Syntax)
			p.advance()
		}
	}
	p.expect("}")
	return n
}

// make reads new X(...).
func (p *parser) make() *Node {
	if !p.nested() {
		return &Nothing
	}
	defer func() { p.depth-- }()
	p.advance()
	if p.accept(".") { // new.target
		p.advance()
		return &Nothing
	}
	class := p.primary()
	for {
		switch {
		case p.accept("."):
			class = p.named(OpMember, p.tok.text, class)
			p.memberName()
			continue
		case p.accept("["):
			class = p.index(class)
			continue
		}
		break
	}
	n := p.node(OpNew, class)
	if p.is("(") {
		n.Kids = append(n.Kids, p.arguments()...)
	}
	return n
}

func (p *parser) object() *Node {
	p.advance()
	n := p.node(OpObject)
	for p.tok.sort != atEnd && !p.is("}") {
		at := p.tok.start
		if p.accept("...") {
			n.Kids = append(n.Kids, p.node(OpSpread, p.assignment()))
		} else {
			n.Kids = append(n.Kids, p.entry())
		}
		if !p.accept(",") && !p.is("}") {
			p.stuck(at)
		}
	}
	p.expect("}")
	return n
}

// entry reads a member of an object or a class.
func (p *parser) entry() *Node {
	computes := false // its value is made by a function
	for p.is("get") || p.is("set") || p.is("async") || p.is("*") {
		if next := p.peek(); !p.is("*") && strings.IndexByte("(,:}=;", next) >= 0 && next != 0 {
			break
		}
		computes = computes || p.is("get") || p.is("set")
		p.advance()
	}
	n := p.node(opEntry, nil)
	name := p.tok
	switch {
	case p.accept("["):
		n.Kids = append(n.Kids, p.assignment())
		p.expect("]")
	case name.sort == word || name.sort == quoted || name.sort == digits:
		n.Text = name.text
		p.advance()
		if v, ok := ParseNumber(name.text); ok && name.sort == digits {
			n.Text = NumberText(v)
		}
	default:
		p.doubt(Syntax)
	}
	switch {
	case p.accept(":"):
		n.Kids[0] = p.assignment()
	case p.is("("):
		if n.Kids[0] = p.method(); computes { // reading the member runs it
			n.Kids[0] = p.node(OpCall, p.node(OpNone), n.Kids[0])
		}
	case name.sort == word:
		n.Kids[0] = p.named(OpName, name.text)
		if p.accept("=") { // of a target
			n.Kids[0] = p.named(OpAssign, "=", n.Kids[0], p.assignment())
		}
	}
	return n
}

// stuck notes something unexpected, and goes on if nothing was read since a place.
func (p *parser) stuck(at int) {
	p.doubt(Syntax)
	if p.tok.start == at {
		p.advance()
	}
}
