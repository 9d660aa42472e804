package javascript

import "strings"

// primary reads a value without what follows it. Targets of assignments are
// read as the values they look like.
func (p *parser) primary() *node {
	switch p.tok.sort {
	case quoted:
		n := p.named(opText, p.tok.text)
		p.advance()
		return n
	case digits:
		n := p.node(opNumber)
		if strings.HasSuffix(p.tok.text, "n") {
			p.advance()
			return &nothing // of any length, which is not computed
		}
		var ok bool
		if n.num, ok = parseNumber(p.tok.text); !ok {
			p.doubt(doubtSyntax)
			n.op = opNone
		}
		p.advance()
		return n
	case word:
		return p.nameOrKeyword()
	case sign:
		return p.bracketed()
	case atEnd:
	}
	p.doubt(doubtSyntax)
	return &nothing
}

func (p *parser) bracketed() *node {
	switch p.tok.text {
	case "(":
		p.advance()
		list := p.list(")")
		switch {
		case p.is("=>") && !p.tok.newline:
			return p.arrow(p.node(opList, list...))
		case len(list) == 1 && list[0].op != opSpread:
			return list[0]
		}
		return p.node(opList, list...)
	case "[":
		p.advance()
		return p.node(opArray, p.list("]")...)
	case "{":
		return p.object()
	case "`":
		return p.template()
	case "/", "/=":
		pattern, flags := p.regexp(p.tok.start)
		p.advance()
		n := p.named(opRegexp, pattern)
		n.more = []string{flags}
		return n
	}
	p.doubt(doubtSyntax)
	return &nothing
}

func (p *parser) nameOrKeyword() *node {
	text := p.tok.text
	if p.tok.escaped {
		p.advance()
		return p.named(opName, text)
	}
	switch text {
	case "true", "false", "null", "undefined":
		p.advance()
		return p.named(opConst, text)
	case "this":
		p.advance()
		return p.node(opThis)
	case "function":
		return p.function()
	case "class":
		return p.class()
	case "new":
		return p.make()
	case "import":
		p.advance()
		if p.accept(".") {
			p.advance()
			return &nothing // import.meta
		}
		return p.node(opImport, p.arguments()...)
	case "async":
		p.advance()
		switch {
		case p.is("function") && !p.tok.newline:
			return p.function()
		case p.tok.sort == word && !p.tok.newline && !p.is("of") && !p.is("in"):
			param := p.named(opName, p.tok.text)
			p.advance()
			return p.arrow(p.node(opList, param))
		}
		return p.named(opName, text)
	}
	p.advance()
	return p.named(opName, text)
}

// function reads one at its keyword.
func (p *parser) function() *node {
	p.advance()
	p.accept("*")
	name := ""
	if p.tok.sort == word {
		name = p.tok.text
		p.advance()
	}
	n := p.method()
	n.text = name
	return n
}

// method reads parameters and a body.
func (p *parser) method() *node {
	if !p.nested() {
		return &nothing
	}
	defer func() { p.depth-- }()
	params := p.node(opList, p.arguments()...)
	if p.accept(":") { // the type of the result
		for p.tok.sort != atEnd && !p.is("{") {
			p.advance()
		}
	}
	return p.node(opFunction, params, p.block())
}

func (p *parser) class() *node {
	if !p.nested() {
		return &nothing
	}
	defer func() { p.depth-- }()
	p.advance()
	n := p.node(opClass, nil)
	if p.tok.sort == word && !p.is("extends") {
		n.text = p.tok.text
		p.advance()
	}
	if p.accept("extends") {
		n.kids[0] = p.postfix(p.primary())
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
				n.kids = append(n.kids, p.named(opEntry, "", p.block()))
				continue
			}
		}
		entry := p.entry()
		switch value := entry.kid(0); {
		case value.op == opAssign: // name = value
			entry.kids[0] = value.kid(1)
		case value.op == opName && value.text == entry.text:
			entry.kids[0] = nil
		}
		if p.accept("=") { // after a name that is computed
			entry.kids[0] = p.assignment()
		}
		p.accept(";")
		n.kids = append(n.kids, entry)
		if p.tok.start == at {
			p.doubt(doubtSyntax)
			p.advance()
		}
	}
	p.expect("}")
	return n
}

// make reads new X(...).
func (p *parser) make() *node {
	if !p.nested() {
		return &nothing
	}
	defer func() { p.depth-- }()
	p.advance()
	if p.accept(".") { // new.target
		p.advance()
		return &nothing
	}
	class := p.primary()
	for {
		switch {
		case p.accept("."):
			class = p.named(opMember, p.tok.text, class)
			p.memberName()
			continue
		case p.accept("["):
			class = p.index(class)
			continue
		}
		break
	}
	n := p.node(opNew, class)
	if p.is("(") {
		n.kids = append(n.kids, p.arguments()...)
	}
	return n
}

func (p *parser) object() *node {
	p.advance()
	n := p.node(opObject)
	for p.tok.sort != atEnd && !p.is("}") {
		at := p.tok.start
		if p.accept("...") {
			n.kids = append(n.kids, p.node(opSpread, p.assignment()))
		} else {
			n.kids = append(n.kids, p.entry())
		}
		if !p.accept(",") && !p.is("}") {
			p.doubt(doubtSyntax)
			if p.tok.start == at {
				p.advance()
			}
		}
	}
	p.expect("}")
	return n
}

// entry reads a member of an object or a class.
func (p *parser) entry() *node {
	computes := false // its value is made by a function
	for p.is("get") || p.is("set") || p.is("async") || p.is("*") {
		if next := p.peek(); !p.is("*") && (next == '(' || next == ',' || next == ':' || next == '}' || next == '=' || next == ';') {
			break
		}
		computes = computes || p.is("get") || p.is("set")
		p.advance()
	}
	n := p.node(opEntry, nil)
	name := p.tok
	switch {
	case p.accept("["):
		n.kids = append(n.kids, p.assignment())
		p.expect("]")
	case name.sort == word || name.sort == quoted || name.sort == digits:
		n.text = name.text
		p.advance()
		if name.sort == digits {
			if v, ok := parseNumber(name.text); ok {
				n.text = numberText(v)
			}
		}
	default:
		p.doubt(doubtSyntax)
	}
	switch {
	case p.accept(":"):
		n.kids[0] = p.assignment()
	case p.is("("):
		n.kids[0] = p.method()
		if computes { // reading the member runs it
			n.kids[0] = p.node(opCall, p.node(opNone), n.kids[0])
		}
	case name.sort == word:
		n.kids[0] = p.named(opName, name.text)
		if p.accept("=") { // of a target
			n.kids[0] = p.named(opAssign, "=", n.kids[0], p.assignment())
		}
	}
	return n
}
