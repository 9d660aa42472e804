package syntax

import (
	"strings"

	"github.com/tdewolff/parse/v2/js"

	"github.com/sluice-project/sluice/policy/program/decode"
)

// expr converts an expression; nothing if there is none.
func (c *converter) expr(x js.IExpr) *Node {
	if x == nil || !c.enter(1) {
		return &Nothing
	}
	defer func() { c.depth-- }()
	return c.row(x, 0)
}

// mostRow is how many operators, members and calls may follow each other.
const mostRow = 10_000

// row converts an expression without a level of its own: what stands on the left of operators,
// members and calls, of which there may be many.
func (c *converter) row(x js.IExpr, size int) *Node {
	if size > mostRow || !c.enter(0) {
		c.doubt(Nesting)
		return &Nothing
	}
	left := func(x js.IExpr) *Node { return c.row(x, size+1) }
	switch x := x.(type) {
	case *js.Var:
		if name := string(x.Data); name == "undefined" {
			return named(OpConst, name)
		}
		return named(OpName, nameOf(x.Data))
	case *js.LiteralExpr:
		return c.literal(x)
	case *js.GroupExpr:
		return c.expr(x.X)
	case *js.CommaExpr:
		n := node(OpList)
		for _, v := range x.List {
			n.Kids = append(n.Kids, c.expr(v))
		}
		return n
	case *js.DotExpr:
		n := named(OpMember, "", left(x.X))
		n.Optional = x.Optional
		switch name := x.Y.(type) {
		case js.LiteralExpr:
			n.Text = nameOf(name.Data)
		case *js.Var:
			n.Text = nameOf(name.Data)
		}
		return n
	case *js.IndexExpr:
		n := node(OpIndex, left(x.X), c.expr(x.Y))
		n.Optional = x.Optional
		return n
	case *js.CallExpr:
		args := c.arguments(x.Args)
		if callee, is := x.X.(*js.LiteralExpr); is && callee.TokenType == js.ImportToken {
			return node(OpImport, args...)
		}
		n := node(OpCall, append([]*Node{left(x.X)}, args...)...)
		n.Optional = x.Optional
		return n
	case *js.NewExpr:
		n := node(OpNew, left(x.X))
		if x.Args != nil {
			n.Kids = append(n.Kids, c.arguments(*x.Args)...)
		}
		return n
	case *js.TemplateExpr:
		return c.template(x)
	case *js.UnaryExpr:
		return c.unary(x)
	case *js.BinaryExpr:
		return c.binary(x, size)
	case *js.CondExpr:
		return node(OpCond, c.expr(x.Cond), c.expr(x.X), c.expr(x.Y))
	case *js.YieldExpr:
		return node(OpAwait, c.expr(x.X))
	case *js.ArrayExpr:
		n := node(OpArray)
		for _, e := range x.List {
			n.Kids = append(n.Kids, c.spread(e.Value, e.Spread))
		}
		return n
	case *js.ObjectExpr:
		n := node(OpObject)
		for i := range x.List {
			n.Kids = append(n.Kids, c.property(&x.List[i]))
		}
		return n
	case *js.ArrowFunc:
		n := c.function("", &x.Params, &x.Body)
		n.Arrow = true
		return n
	case *js.FuncDecl:
		name := ""
		if x.Name != nil {
			name = nameOf(x.Name.Data)
		}
		return c.function(name, &x.Params, &x.Body)
	case *js.ClassDecl:
		return c.class(x)
	case *js.VarDecl:
		return named(OpVar, x.TokenType.String(), c.bindings(x.List, nil)...)
	}
	return &Nothing // new.target, import.meta
}

// literal converts a value as it is written.
func (c *converter) literal(x *js.LiteralExpr) *Node {
	text := string(x.Data)
	switch x.TokenType {
	case js.StringToken:
		return named(OpText, unquoted(x.Data))
	case js.RegExpToken:
		end := strings.LastIndexByte(text, '/')
		return &Node{Op: OpRegexp, Text: text[1:max(1, end)], More: []string{text[end+1:]}}
	case js.TrueToken, js.FalseToken, js.NullToken:
		return named(OpConst, text)
	case js.ThisToken:
		return node(OpThis)
	case js.SuperToken:
		return named(OpName, text)
	}
	number, ok := ParseNumber(text)
	if !ok || strings.HasSuffix(text, "n") { // of any length, which is not computed
		return &Nothing
	}
	return &Node{Op: OpNumber, Num: number}
}

func (c *converter) spread(x js.IExpr, spread bool) *Node {
	n := c.expr(x)
	if spread {
		n = node(OpSpread, n)
	}
	return n
}

func (c *converter) arguments(args js.Args) []*Node {
	list := make([]*Node, 0, len(args.List))
	for _, a := range args.List {
		list = append(list, c.spread(a.Value, a.Rest))
	}
	return list
}

// template converts a template, perhaps with what stands before it.
func (c *converter) template(x *js.TemplateExpr) *Node {
	n := node(OpTemplate)
	text := func(raw string) {
		n.More = append(n.More, raw)
		raw = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(raw) // every end of a line is one sign
		n.Kids = append(n.Kids, named(OpText, decode.Escapes(raw, decode.JavaScript)))
	}
	for _, part := range x.List {
		text(strings.TrimSuffix(string(part.Value[1:]), "${"))
		n.Kids = append(n.Kids, c.expr(part.Expr))
	}
	text(strings.TrimSuffix(string(x.Tail[min(1, len(x.Tail)):]), "`"))
	if x.Tag != nil {
		n = node(OpTagged, c.expr(x.Tag), n)
		n.Optional = x.Optional
	}
	return n
}

func (c *converter) unary(x *js.UnaryExpr) *Node {
	n := named(OpUnary, x.Op.String(), c.expr(x.X))
	switch x.Op {
	case js.AwaitToken:
		n.Op = OpAwait
	case js.PreIncrToken, js.PreDecrToken: // it gives the new value
		n.Op, n.Optional = OpUpdate, true
	case js.PostIncrToken, js.PostDecrToken:
		n.Op = OpUpdate
	}
	return n
}

// binary converts an operator. A row of the same operator is one node, so that a long sum is
// not a deep tree.
func (c *converter) binary(x *js.BinaryExpr, size int) *Node {
	operator := x.Op.String()
	if strings.HasSuffix(operator, "=") && (js.EqToken == x.Op || !strings.Contains("== != === !== <= >=", operator)) {
		return named(OpAssign, operator, c.row(x.X, size+1), c.expr(x.Y))
	}
	var right []js.IExpr
	var first js.IExpr = x
	for b, is := x, true; is && b.Op == x.Op && (operator != "**" || len(right) == 0); b, is = first.(*js.BinaryExpr) {
		right, first = append(right, b.Y), b.X
	}
	n := named(OpBinary, operator, c.row(first, size+1))
	for i := len(right) - 1; i >= 0; i-- {
		n.Kids = append(n.Kids, c.expr(right[i]))
	}
	return n
}

// property converts a member of an object, or of a target that looks like one.
func (c *converter) property(p *js.Property) *Node {
	if p.Spread {
		return node(OpSpread, c.expr(p.Value))
	}
	if m, is := p.Value.(*js.MethodDecl); is {
		return c.method(m)
	}
	v := c.expr(p.Value)
	if p.Init != nil {
		v = named(OpAssign, "=", v, c.expr(p.Init))
	}
	return c.keyed(named(opEntry, "", v), p.Name)
}

// method converts one; reading a member that computes its value runs it.
func (c *converter) method(m *js.MethodDecl) *Node {
	f := c.function("", &m.Params, &m.Body)
	if m.Get || m.Set {
		f = node(OpCall, node(OpNone), f)
	}
	return c.member(f, &m.Name)
}

// member is an entry of a class or an object.
func (c *converter) member(v *Node, name *js.ClassElementName) *Node {
	n := named(opEntry, "", v)
	if name.Private != nil {
		n.Text = nameOf(name.Private.Data)
		return n
	}
	return c.keyed(n, &name.PropertyName)
}

func (c *converter) function(name string, params *js.Params, body *js.BlockStmt) *Node {
	if !c.enter(1) {
		return &Nothing
	}
	defer func() { c.depth-- }()
	return named(OpFunction, name, node(OpList, c.bindings(params.List, params.Rest)...), c.block(body))
}

func (c *converter) class(x *js.ClassDecl) *Node {
	n := node(OpClass, c.expr(x.Extends))
	if x.Name != nil {
		n.Text = nameOf(x.Name.Data)
	}
	for i := range x.List {
		switch e := &x.List[i]; {
		case e.StaticBlock != nil:
			n.Kids = append(n.Kids, named(opEntry, "", c.block(e.StaticBlock)))
		case e.Method != nil:
			n.Kids = append(n.Kids, c.method(e.Method))
		default:
			n.Kids = append(n.Kids, c.member(c.expr(e.Init), &e.Name))
		}
	}
	return n
}
