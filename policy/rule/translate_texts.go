package rule

import (
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/celtree"
	"github.com/sluice-project/sluice/policy/internal/pattern"
)

// equal compares two texts, a size with a number, or other values.
func (t *translator) equal(args []ast.Expr) *node {
	ofTool := t.isTool(args[0]) || t.isTool(args[1])
	if t.isText(args[0]) && t.isText(args[1]) {
		return t.withPath(&node{op: opEqual, ofTool: ofTool, kids: t.nodes(args...)}, args[0], args[1])
	}
	if n := t.size(operators.Equals, args); n != nil {
		return n
	}
	return &node{op: opSame, ofTool: ofTool, kids: t.nodes(args...)}
}

// isTool reports whether an expression is the name of a tool or of its server, which can
// be spelled in several ways.
func (t *translator) isTool(e ast.Expr) bool {
	if e.Kind() != ast.SelectKind {
		return false
	}
	switch s := e.AsSelect(); t.typeOf(s.Operand()).TypeName() {
	case advice.CallType.TypeName():
		return s.FieldName() == "name" || s.FieldName() == "server"
	case advice.ResultType.TypeName():
		return s.FieldName() == "tool"
	default:
		return false
	}
}

// size compares the size of a list or the length of a text with a constant; nil
// if it is something else that is compared.
func (t *translator) size(operator string, args []ast.Expr) *node {
	of, ok := celtree.SizeOf(args[0])
	if !ok {
		return nil
	}
	number, ok := celtree.IntLiteral(args[1])
	if !ok {
		return nil
	}
	n := &node{op: opSize, compare: comparisons[operator], number: number}
	switch {
	case t.isList(of):
		n.kids = t.nodes(of)
		if list := n.kids[0]; list.op == opNames { // a parameter's, mostly
			return &node{op: opConst, answer: answerOf(n.compare(len(list.names), number))}
		}
	case t.isText(of):
		n.op, n.kids = opLength, t.nodes(of)
	default:
		return nil
	}
	return n
}

// comparisons of numbers, by CEL's operators.
var comparisons = map[string]func(a, b int) bool{
	operators.Less:          func(a, b int) bool { return a < b },
	operators.LessEquals:    func(a, b int) bool { return a <= b },
	operators.Greater:       func(a, b int) bool { return a > b },
	operators.GreaterEquals: func(a, b int) bool { return a >= b },
	operators.Equals:        func(a, b int) bool { return a == b },
}

// element is an element of a list, or the value of a key. One that is a text is
// known in part if the list has it so.
func (t *translator) element(from, at ast.Expr) *node {
	if !t.isTexts(from) {
		n := &node{op: opIndex, kids: t.nodes(from, at)}
		if n.kids[0].op == opEnv {
			n.op = opOfEnv
		}
		return n
	}
	list := t.node(from)
	if number, ok := celtree.IntLiteral(at); ok && number >= 0 {
		return &node{op: opElement, number: number, kids: []*node{list}}
	}
	return &node{op: opElement, kids: []*node{list, t.node(at)}}
}

// concatenated is one text after another, a constant if both are.
func (t *translator) concatenated(args []ast.Expr) *node {
	kids := t.nodes(args...)
	if kids[0].op == opText && kids[1].op == opText {
		return &node{op: opText, text: kids[0].text + kids[1].text}
	}
	return &node{op: opJoined, kids: kids}
}

// matches is a search for a pattern. One that is not a constant is the second of
// the kids, and compiled when it is searched for.
func (t *translator) matches(c ast.CallExpr) *node {
	args := c.Args()
	if c.IsMemberFunction() {
		args = append([]ast.Expr{c.Target()}, args...)
	}
	n := &node{op: opMatches, kids: t.nodes(args...)}
	if source := n.kids[1]; source.op == opText {
		if n.pattern = t.pattern(source.text); n.pattern != nil {
			n.kids = n.kids[:1]
		}
		return n
	}
	at, ok := t.pieced(args[1])
	if !ok {
		return n
	}
	known := map[string]*pattern.Pattern{}
	for _, value := range t.locals[at].values {
		if known[value] = t.pattern(t.spelled(args[1], value)); known[value] == nil {
			return n
		}
	}
	n.slot, n.patterns, n.kids = at, known, n.kids[:1]
	return n
}

// pieced returns the slot of the single local variable that a pattern is built from,
// with constants before and after it, and whether it is one of some constants
// itself: then there are as many patterns.
func (t *translator) pieced(e ast.Expr) (slot int, ok bool) {
	switch {
	case e.Kind() == ast.IdentKind:
		at, local := t.slotOf(e)
		return at, local && t.locals[at].values != nil
	case e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.Add:
		for i, part := range e.AsCall().Args() {
			if _, constant := celtree.StringLiteral(e.AsCall().Args()[1-i]); constant {
				return t.pieced(part)
			}
		}
	}
	return 0, false
}

// spelled is a pattern that is pieced together, for a value of its variable.
func (t *translator) spelled(e ast.Expr, value string) string {
	if text, constant := celtree.StringLiteral(e); constant {
		return text
	}
	if e.Kind() == ast.CallKind {
		parts := e.AsCall().Args()
		return t.spelled(parts[0], value) + t.spelled(parts[1], value)
	}
	return value
}

// pattern returns a compiled pattern, nil if it is invalid or too large.
func (t *translator) pattern(source string) *pattern.Pattern {
	if p := t.patterns[source]; p != nil {
		return p
	}
	p, err := compiled(source)
	if err != nil {
		return nil
	}
	t.patterns[source] = p
	return p
}

// compiled compiles a pattern that is not too large.
func compiled(source string) (*pattern.Pattern, error) {
	if size, err := types.RegexProgramSize(source); err != nil || size > mostRegexp {
		return nil, errPattern
	}
	return pattern.New(source)
}
