package syntax

import (
	"slices"
	"strings"
)

// parser makes a tree of a program. It never fails: what it does not expect it
// notes and passes over, so that the rest is read nevertheless.
type parser struct {
	lexer

	tok    token
	depth  int
	steps  *int
	doubts []string
	noIn   bool // in ends the expression: for (x in y)
}

// MaxDepth is how deep expressions and statements may be nested.
const MaxDepth = 200

// Reasons why something may be missing.
const (
	Syntax  = "syntax"
	Nesting = "nesting"
	Steps   = "steps"
	Reach   = "reach"
)

// Parse reads a program. Every token is a step; doubts are the reasons why
// something may be missing.
func Parse(src string, steps *int) (program []*Node, doubts []string) {
	p := parser{steps: steps}
	p.src = src
	p.advance()
	for p.tok.sort != atEnd {
		program = append(program, p.statements()...)
		if p.tok.sort != atEnd { // a brace that closes nothing
			p.doubt(Syntax)
			p.advance()
		}
	}
	return program, p.doubts
}

func (p *parser) doubt(reason string) {
	if !slices.Contains(p.doubts, reason) {
		p.doubts = append(p.doubts, reason)
	}
}

// stop gives up the rest of the program.
func (p *parser) stop(doubt string) {
	p.doubt(doubt)
	p.pos = len(p.src)
	p.tok = token{start: p.pos}
}

func (p *parser) advance() {
	if *p.steps--; *p.steps < 0 {
		p.stop(Steps)
		return
	}
	p.tok = p.next()
	if p.broken {
		p.doubt(Syntax)
	}
}

// nested counts a level and reports whether it may be entered.
func (p *parser) nested() bool {
	if p.depth++; p.depth > MaxDepth {
		p.stop(Nesting)
		return false
	}
	return true
}

func (p *parser) node(o op, kids ...*Node) *Node {
	return &Node{Op: o, Kids: kids}
}

func (p *parser) named(o op, text string, kids ...*Node) *Node {
	n := p.node(o, kids...)
	n.Text = text
	return n
}

func (p *parser) is(text string) bool {
	return p.tok.text == text && (p.tok.sort == sign || p.tok.sort == word && !p.tok.escaped)
}

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.advance()
		return true
	}
	return false
}

// expect passes over a sign that must be there.
func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.doubt(Syntax)
	}
}

// statements reads up to a closing brace or the end.
func (p *parser) statements() []*Node {
	var list []*Node
	for p.tok.sort != atEnd && !p.is("}") && !p.is("case") && !p.is("default") {
		at := p.tok.start
		list = append(list, p.statement())
		if p.tok.start == at && p.tok.sort != atEnd { // nothing was read
			p.doubt(Syntax)
			p.advance()
		}
	}
	return list
}

func (p *parser) block() *Node {
	p.expect("{")
	n := p.node(OpBlock)
	n.Kids = p.statements()
	p.expect("}")
	return n
}

func (p *parser) statement() *Node {
	if !p.nested() {
		return &Nothing
	}
	defer func() { p.depth-- }()
	if p.tok.sort == sign {
		switch p.tok.text {
		case "{":
			return p.block()
		case ";":
			p.advance()
			return &Nothing
		}
	}
	if p.tok.sort == word && !p.tok.escaped {
		if n := p.keyword(); n != nil {
			return n
		}
	}
	n := p.expression()
	if n.Op == OpName && p.accept(":") { // a label
		return p.statement()
	}
	return p.ended(n)
}

// simple are the statements that begin with a keyword and go on with an expression.
var simple = map[string]op{"if": OpIf, "while": OpWhile, "do": OpDo, "return": OpReturn, "throw": OpThrow, "break": OpBreak, "continue": OpContinue, "with": OpBlock}

// keyword reads a statement that begins with a keyword, nil if none does.
func (p *parser) keyword() *Node {
	said := p.tok.text
	switch said {
	case "var", "let", "const", "using":
		if next := p.peek(); said == "let" && next != '{' && next != '[' && !IsNameByte(next) && next != '\\' && next < 0x80 || said == "using" && !IsNameByte(next) {
			return nil
		}
		return p.ended(p.variables())
	case "for":
		return p.loop()
	case "try":
		return p.try()
	case "switch":
		return p.choose()
	case "function":
		return p.function()
	case "class":
		return p.class()
	case "import":
		return p.use()
	case "export":
		return p.export()
	case "async":
		l := p.lexer
		if l.blanks() || !strings.HasPrefix(l.src[l.pos:], "function") {
			return nil
		}
		p.advance()
		return p.function()
	case "if", "while", "do", "return", "throw", "break", "continue", "with", "debugger":
		p.advance()
	default:
		return nil
	}
	n := p.node(simple[said])
	switch said {
	case "if", "while", "with":
		if n.Kids = []*Node{p.parens(), p.statement()}; said == "with" {
			p.doubt(Reach)
		}
		if said == "if" && p.accept("else") {
			n.Kids = append(n.Kids, p.statement())
		}
		return n
	case "do":
		n.Kids = []*Node{p.statement()}
		p.expect("while")
		n.Kids = append(n.Kids, p.parens())
		p.accept(";")
		return n
	case "return", "throw":
		if !p.tok.newline && !p.is(";") && !p.is("}") && p.tok.sort != atEnd {
			n.Kids = []*Node{p.expression()}
		}
	case "break", "continue":
		if p.tok.sort == word && !p.tok.newline {
			n.Text = p.tok.text
			p.advance()
		}
	}
	return p.ended(n)
}

// peek is the byte after the token and blanks.
func (p *parser) peek() byte {
	l := p.lexer
	l.blanks()
	if l.pos >= len(l.src) {
		return 0
	}
	return l.src[l.pos]
}

func (p *parser) parens() *Node {
	p.expect("(")
	n := p.expression()
	p.expect(")")
	return n
}

// variables reads a declaration without its end.
func (p *parser) variables() *Node {
	n := p.named(OpVar, p.tok.text)
	p.advance()
	for {
		target := p.primary()
		if p.accept(":") { // a type
			p.skipType()
		}
		if p.accept("=") {
			target = p.named(OpAssign, "=", target, p.assignment())
		}
		n.Kids = append(n.Kids, target)
		if !p.accept(",") {
			return n
		}
	}
}

// skipType passes over the type of a variable, as TypeScript has it.
func (p *parser) skipType() {
	for open := 0; p.tok.sort != atEnd; p.advance() {
		if p.tok.sort != sign {
			continue
		}
		switch p.tok.text {
		case "(", "[", "{", "<":
			open++
		case ")", "]", "}", ">":
			open--
		case "=", ",", ";":
			if open <= 0 {
				return
			}
		}
		if open < 0 {
			return
		}
	}
}

func (p *parser) loop() *Node {
	p.advance()
	p.accept("await")
	p.expect("(")
	start := &Nothing
	p.noIn = true
	switch {
	case p.is(";"):
	case p.is("var"), p.is("const"), p.is("let"):
		start = p.variables()
	default:
		start = p.expression()
	}
	p.noIn = false
	n := p.node(OpFor, start)
	if p.is("of") || p.is("in") {
		n.Op, n.Text = OpEach, p.tok.text
		p.advance()
		n.Kids = append(n.Kids, p.expression())
		p.expect(")")
	} else {
		p.expect(";")
		for _, end := range []string{";", ")"} {
			part := &Nothing
			if !p.is(end) {
				part = p.expression()
			}
			n.Kids = append(n.Kids, part)
			p.expect(end)
		}
	}
	n.Kids = append(n.Kids, p.statement())
	return n
}

func (p *parser) try() *Node {
	p.advance()
	n := p.node(OpTry, p.block(), nil, nil, nil)
	if p.accept("catch") {
		if p.accept("(") {
			n.Kids[1] = p.primary()
			p.expect(")")
		}
		n.Kids[2] = p.block()
	}
	if p.accept("finally") {
		n.Kids[3] = p.block()
	}
	return n
}

func (p *parser) choose() *Node {
	p.advance()
	n := p.node(OpSwitch, p.parens())
	p.expect("{")
	for p.is("case") || p.is("default") {
		branch := p.node(OpList, nil)
		if p.accept("case") {
			branch.Kids[0] = p.expression()
		} else {
			p.advance()
		}
		p.expect(":")
		branch.Kids = append(branch.Kids, p.statements()...)
		n.Kids = append(n.Kids, branch)
	}
	p.expect("}")
	return n
}

// ended is a statement, behind its end.
func (p *parser) ended(n *Node) *Node {
	if !p.accept(";") && !p.is("}") && p.tok.sort != atEnd && !p.tok.newline {
		p.doubt(Syntax)
	}
	return n
}
