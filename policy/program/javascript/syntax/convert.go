package syntax

import (
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"

	"github.com/sluice-project/sluice/policy/program/decode"
)

// converter makes a tree of what the parser read.
type converter struct {
	steps  *int
	depth  int
	left   int // how often it may be parsed, and how many bytes
	bytes  int
	doubts []string
}

func (c *converter) doubt(reason string) {
	if !slices.Contains(c.doubts, reason) {
		c.doubts = append(c.doubts, reason)
	}
}

// enter counts a step and a level, and reports whether it may be entered.
func (c *converter) enter(levels int) bool {
	if *c.steps--; *c.steps < 0 {
		c.doubt(Steps)
		return false
	}
	if c.depth += levels; c.depth > MaxDepth {
		c.depth -= levels
		c.doubt(Nesting)
		return false
	}
	return true
}

func node(o op, kids ...*Node) *Node { return &Node{Op: o, Kids: kids} }

func named(o op, text string, kids ...*Node) *Node { return &Node{Op: o, Text: text, Kids: kids} }

func (c *converter) statements(list []js.IStmt) []*Node {
	out := make([]*Node, 0, len(list))
	for _, s := range list {
		if *c.steps < 0 {
			break
		}
		out = append(out, c.statement(s))
	}
	return out
}

func (c *converter) block(b *js.BlockStmt) *Node {
	if b == nil {
		return nil
	}
	return node(OpBlock, c.statements(b.List)...)
}

// statement converts one statement.
func (c *converter) statement(s js.IStmt) *Node {
	if !c.enter(1) {
		return &Nothing
	}
	defer func() { c.depth-- }()
	switch s := s.(type) {
	case *js.BlockStmt:
		return c.block(s)
	case *js.ExprStmt:
		return c.expr(s.Value)
	case *js.DirectivePrologueStmt:
		return named(OpText, unquoted(s.Value))
	case *js.VarDecl, *js.FuncDecl, *js.ClassDecl:
		return c.expr(s.(js.IExpr))
	case *js.IfStmt:
		n := node(OpIf, c.expr(s.Cond), c.statement(s.Body))
		if s.Else != nil {
			n.Kids = append(n.Kids, c.statement(s.Else))
		}
		return n
	case *js.WhileStmt:
		return node(OpWhile, c.expr(s.Cond), c.statement(s.Body))
	case *js.DoWhileStmt:
		return node(OpDo, c.statement(s.Body), c.expr(s.Cond))
	case *js.ForStmt:
		return node(OpFor, c.expr(s.Init), c.expr(s.Cond), c.expr(s.Post), c.block(s.Body))
	case *js.ForInStmt:
		return named(OpEach, "in", c.expr(s.Init), c.expr(s.Value), c.block(s.Body))
	case *js.ForOfStmt:
		return named(OpEach, "of", c.expr(s.Init), c.expr(s.Value), c.block(s.Body))
	case *js.SwitchStmt:
		n := node(OpSwitch, c.expr(s.Init))
		for _, branch := range s.List {
			n.Kids = append(n.Kids, node(OpList, append([]*Node{c.expr(branch.Cond)}, c.statements(branch.List)...)...))
		}
		return n
	case *js.BranchStmt:
		if s.Type == js.BreakToken {
			return named(OpBreak, string(s.Label))
		}
		return named(OpContinue, string(s.Label))
	case *js.ReturnStmt:
		if s.Value == nil {
			return node(OpReturn)
		}
		return node(OpReturn, c.expr(s.Value))
	case *js.ThrowStmt:
		return node(OpThrow, c.expr(s.Value))
	case *js.WithStmt:
		c.doubt(Reach)
		return node(OpBlock, c.expr(s.Cond), c.statement(s.Body))
	case *js.LabelledStmt:
		return c.statement(s.Value)
	case *js.TryStmt:
		return node(OpTry, c.block(s.Body), c.binding(s.Binding), c.block(s.Catch), c.block(s.Finally))
	case *js.ImportStmt:
		return c.use(s)
	case *js.ExportStmt:
		if s.Decl != nil {
			return c.expr(s.Decl)
		} else if s.Module != nil {
			return named(OpUse, unquoted(s.Module))
		}
	}
	return &Nothing
}

// use is an import.
func (c *converter) use(s *js.ImportStmt) *Node {
	n := named(OpUse, unquoted(s.Module))
	entry := func(name string, local []byte) {
		n.Kids = append(n.Kids, named(opEntry, name, named(OpName, nameOf(local))))
	}
	if s.Default != nil {
		entry("default", s.Default)
	}
	for _, a := range s.List {
		name := string(a.Name)
		if a.Name == nil {
			name = nameOf(a.Binding)
		}
		entry(strings.TrimPrefix(name, "*"), a.Binding)
	}
	return n
}

// binding is a target that is declared.
func (c *converter) binding(b js.IBinding) *Node {
	switch b := b.(type) {
	case *js.Var:
		return named(OpName, nameOf(b.Data))
	case *js.BindingArray:
		return node(OpArray, c.bindings(b.List, b.Rest)...)
	case *js.BindingObject:
		n := node(OpObject)
		for i := range b.List {
			item := &b.List[i]
			k := named(opEntry, "", c.element(&item.Value))
			if v, is := item.Value.Binding.(*js.Var); is && item.Key == nil {
				k.Text = nameOf(v.Data)
			}
			n.Kids = append(n.Kids, c.keyed(k, item.Key))
		}
		if b.Rest != nil {
			n.Kids = append(n.Kids, node(OpSpread, c.binding(b.Rest)))
		}
		return n
	}
	return nil
}

// element is a target with what it is if nothing is given.
func (c *converter) element(e *js.BindingElement) *Node {
	target := c.binding(e.Binding)
	if target == nil {
		return &Nothing
	}
	if e.Default != nil {
		return named(OpAssign, "=", target, c.expr(e.Default))
	}
	return target
}

func (c *converter) bindings(list []js.BindingElement, rest js.IBinding) []*Node {
	kids := make([]*Node, 0, len(list))
	for i := range list {
		if !c.enter(0) {
			break
		}
		kids = append(kids, c.element(&list[i]))
	}
	if rest != nil {
		kids = append(kids, node(OpSpread, c.binding(rest)))
	}
	return kids
}

// keyed is an entry with its key.
func (c *converter) keyed(entry *Node, key *js.PropertyName) *Node {
	switch {
	case key == nil:
	case key.Computed != nil:
		entry.Kids = append(entry.Kids, c.expr(key.Computed))
	case key.Literal.TokenType == js.StringToken:
		entry.Text = unquoted(key.Literal.Data)
	default:
		entry.Text = nameOf(key.Literal.Data)
		if v, ok := ParseNumber(entry.Text); ok && IsDigit(entry.Text[0]) {
			entry.Text = NumberText(v)
		}
	}
	return entry
}

// nameOf is a name, perhaps with letters by their numbers.
func nameOf(data []byte) string { return decode.Escapes(string(data), decode.JavaScript) }

// unquoted is what stands between quotes.
func unquoted(data []byte) string {
	if len(data) < 2 {
		return ""
	}
	return nameOf(data[1 : len(data)-1])
}
