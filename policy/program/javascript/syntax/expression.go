package syntax

import "strings"

// expression reads one with commas.
func (p *parser) expression() *Node {
	first := p.assignment()
	if !p.is(",") {
		return first
	}
	n := p.node(OpList, first)
	for p.accept(",") {
		n.Kids = append(n.Kids, p.assignment())
	}
	return n
}

// assignment reads an expression without commas.
func (p *parser) assignment() *Node {
	if !p.nested() {
		return &Nothing
	}
	defer func() { p.depth-- }()
	if p.is("yield") {
		p.advance()
		p.accept("*")
		if p.tok.newline || p.tok.sort == atEnd || p.is(")") || p.is(";") || p.is("}") || p.is("]") || p.is(",") {
			return &Nothing
		}
		return p.node(OpAwait, p.assignment())
	}
	left := p.binary(0)
	switch {
	case p.is("?"):
		p.advance()
		then := p.inside(p.assignment)
		p.expect(":")
		return p.node(OpCond, left, then, p.assignment())
	case p.is("=>") && !p.tok.newline:
		return p.arrow(p.node(OpList, left))
	case p.tok.sort == sign && strings.HasSuffix(p.tok.text, "=") && strengths[p.tok.text] == 0:
		operator := p.tok.text
		p.advance()
		return p.named(OpAssign, operator, left, p.assignment())
	}
	return left
}

// binds is how strongly an operator binds, 0 if it is none.
func (p *parser) binds() int {
	if p.tok.sort == sign || p.tok.sort == word && !p.tok.escaped && !(p.noIn && p.tok.text == "in") {
		return strengths[p.tok.text]
	}
	return 0
}

// binary reads operators that bind stronger than least. A row of the same
// operator is one node, so that a long sum is not a deep tree.
func (p *parser) binary(least int) *Node {
	left := p.unary()
	for {
		strength := p.binds()
		if strength <= least {
			return left
		}
		operator := p.tok.text
		p.advance()
		next := strength
		if operator == "**" {
			next-- // from right to left
		}
		if !p.nested() {
			return left
		}
		right := p.binary(next)
		p.depth--
		if left.Op == OpBinary && left.Text == operator && operator != "**" {
			left.Kids = append(left.Kids, right)
		} else {
			left = p.named(OpBinary, operator, left, right)
		}
	}
}

func (p *parser) unary() *Node {
	operator := ""
	if p.tok.sort == sign || p.tok.sort == word && !p.tok.escaped {
		switch p.tok.text {
		case "!", "~", "+", "-", "++", "--", "typeof", "void", "delete", "await":
			operator = p.tok.text
		}
	}
	if operator == "" {
		n := p.postfix(p.primary())
		if !p.tok.newline && (p.is("++") || p.is("--")) {
			n = p.named(OpUpdate, p.tok.text, n)
			p.advance()
		}
		return n
	}
	if !p.nested() {
		return &Nothing
	}
	defer func() { p.depth-- }()
	p.advance()
	n := p.named(OpUnary, operator, p.unary())
	switch operator {
	case "await":
		n.Op = OpAwait
	case "++", "--":
		n.Op, n.Optional = OpUpdate, true // it gives the new value
	}
	return n
}

// postfix reads what follows a value: members, calls, templates.
func (p *parser) postfix(n *Node) *Node {
	for p.tok.sort == sign {
		optional := p.accept("?.")
		switch {
		case p.accept("["):
			n = p.index(n)
		case p.is("("):
			async := n.Op == OpName && n.Text == "async" && !p.tok.newline
			args := p.arguments()
			if async && p.is("=>") {
				return p.arrow(p.node(OpList, args...))
			}
			n = p.node(OpCall, append([]*Node{n}, args...)...)
		case optional && p.is("`"):
			return n
		case optional, p.accept("."):
			n = p.named(OpMember, p.tok.text, n)
			p.memberName()
		case p.is("`"):
			n = p.node(OpTagged, n, p.template())
		default:
			return n
		}
		n.Optional = n.Optional || optional
	}
	return n
}

func (p *parser) memberName() {
	if p.tok.sort != word {
		p.doubt(Syntax)
		return
	}
	p.advance()
}

func (p *parser) index(n *Node) *Node {
	n = p.node(OpIndex, n, p.inside(p.expression))
	p.expect("]")
	return n
}

// arguments reads (a, ...b).
func (p *parser) arguments() []*Node {
	p.expect("(")
	return p.list(")")
}

// list reads expressions up to an end. A missing one is nothing.
func (p *parser) list(end string) []*Node {
	noIn := p.noIn
	p.noIn = false
	defer func() { p.noIn = noIn }()
	var list []*Node
	for p.tok.sort != atEnd && !p.is(end) {
		switch {
		case p.is(","):
			list = append(list, &Nothing)
		case p.accept("..."):
			list = append(list, p.node(OpSpread, p.assignment()))
		default:
			n := p.assignment()
			if p.accept(":") { // the type of a parameter
				p.skipType()
				if p.accept("=") {
					n = p.named(OpAssign, "=", n, p.assignment())
				}
			}
			list = append(list, n)
		}
		if !p.is(end) && !p.accept(",") {
			break
		}
	}
	p.expect(end)
	return list
}

// arrow reads a function after its parameters.
func (p *parser) arrow(params *Node) *Node {
	p.expect("=>")
	var body *Node
	if p.is("{") {
		body = p.block()
	} else {
		body = p.node(OpReturn, p.assignment())
	}
	n := p.node(OpFunction, params, body)
	n.Arrow = true
	return n
}

// template reads a template at its backtick.
func (p *parser) template() *Node {
	n := p.node(OpTemplate)
	p.pos = p.tok.start + 1
	for {
		cooked, raw, more := p.chunk()
		n.More = append(n.More, raw)
		n.Kids = append(n.Kids, p.named(OpText, cooked))
		if !more {
			p.advance()
			return n
		}
		p.advance()
		n.Kids = append(n.Kids, p.expression())
		if !p.is("}") {
			p.doubt(Syntax)
			if p.tok.sort == atEnd {
				return n
			}
		}
		p.pos = p.tok.start + len("}")
	}
}

// strengths are how strongly operators bind.
var strengths = map[string]int{
	"??": 1, "||": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7, "===": 7, "!==": 7, "<": 8, ">": 8, "<=": 8, ">=": 8, "in": 8, "instanceof": 8,
	"<<": 9, ">>": 9, ">>>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11, "**": 12,
}

// inside reads something in brackets, where in is an operator.
func (p *parser) inside(read func() *Node) *Node {
	noIn := p.noIn
	p.noIn = false
	n := read()
	p.noIn = noIn
	return n
}
