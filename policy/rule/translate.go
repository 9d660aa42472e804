package rule

import (
	"slices"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"github.com/sluice-project/sluice/policy/effect"
)

// translator translates a checked condition to nodes.
type translator struct {
	ast      *ast.AST
	locals   []local
	patterns patterns
	written  bool
}

// local is a variable of a comprehension; its slot is its index in the list.
type local struct {
	name   string
	of     *types.Type // nil for a text
	values []string    // all its possible values, if it is one of some constants
}

// unclear is what only CEL can tell.
var unclear = &node{op: opOpen}

// translate returns a condition as a node.
func translate(a *ast.AST, known patterns, written bool) *node {
	t := translator{ast: a, patterns: known, written: written}
	return t.condition(a.Expr())
}

// slotOf returns the slot of a local variable.
func (t *translator) slotOf(e ast.Expr, of *types.Type) (int, bool) {
	if e.Kind() != ast.IdentKind {
		return 0, false
	}
	for i, l := range slices.Backward(t.locals) {
		if l.name == e.AsIdent() {
			return i, l.of == of
		}
	}
	return 0, false
}

func (t *translator) condition(e ast.Expr) *node {
	switch e.Kind() {
	case ast.LiteralKind:
		if b, ok := e.AsLiteral().(types.Bool); ok {
			return &node{op: opConst, answer: answerOf(bool(b))}
		}
	case ast.SelectKind:
		return t.selected(e)
	case ast.ComprehensionKind:
		if list, variable, predicate, ok := exists(e); ok {
			return t.quantified(opSome, list, variable, predicate)
		}
		if list, variable, predicate, ok := forAll(e); ok {
			return t.quantified(opAll, list, variable, predicate)
		}
	case ast.CallKind:
		return t.called(e.AsCall())
	default:
	}
	return unclear
}

// selected is a field that is a condition by itself.
func (t *translator) selected(e ast.Expr) *node {
	s := e.AsSelect()
	if s.IsTestOnly() {
		if get, _, ok := t.session(s.Operand(), s.FieldName()); ok {
			return &node{op: opKnows, get: get}
		}
		return unclear
	}
	if at, ok := t.slotOf(s.Operand(), effectType); ok && effectMarks[s.FieldName()] != nil {
		return &node{op: opEffectIs, slot: at, effectMark: effectMarks[s.FieldName()]}
	}
	at, ok := t.slotOf(s.Operand(), commandType)
	switch {
	case ok && s.FieldName() == "sudo":
		return &node{op: opSudo, slot: at}
	case ok && s.FieldName() == "remote":
		return &node{op: opRemote, slot: at}
	default:
		return unclear
	}
}

func (t *translator) quantified(op op, list ast.Expr, variable string, predicate ast.Expr) *node {
	over := t.list(list)
	var of *types.Type
	switch field, _ := callField(t.ast, list); field {
	case "commands":
		over, of = &node{op: opCommands}, commandType
	case "effects":
		over, of = &node{op: opEffects}, effectType
	}
	if over == unclear || len(t.locals) == mostSlots {
		return unclear
	}
	slot := len(t.locals)
	t.locals = append(t.locals, local{variable, of, over.names})
	kid := t.condition(predicate)
	t.locals = t.locals[:slot]
	n := &node{op: op, slot: slot, kids: []*node{kid, over}}
	switch of {
	case commandType:
		n.byName = sortByName(kid, nameOf(slot))
	case effectType:
		n.byName = sortByName(kid, verbOf(slot))
	}
	return n
}

func (t *translator) called(c ast.CallExpr) *node {
	args := c.Args()
	switch name := c.FunctionName(); name {
	case operators.LogicalAnd, operators.LogicalOr:
		n := &node{op: opAnd}
		if name == operators.LogicalOr {
			n.op = opOr
		}
		for _, arg := range args {
			kid := t.condition(arg)
			if kid.op == n.op {
				n.kids = append(n.kids, kid.kids...)
			} else {
				n.kids = append(n.kids, kid)
			}
		}
		return n
	case operators.LogicalNot:
		return &node{op: opNot, kids: []*node{t.condition(args[0])}}
	case "is", "has":
		return t.command(c)
	case "@touches":
		return t.ofPaths(opTouches, args)
	case "@carries":
		return t.ofPaths(opCarries, args)
	case "@around":
		return t.ofPaths(opAround, args)
	case "@names":
		return t.ofPaths(opTold, args)
	case "@within":
		return t.ofDirs(args)
	case "@outside":
		if n := t.ofDirs(args); n != unclear {
			return &node{op: opNot, kids: []*node{n}}
		}
	case operators.Equals:
		return t.equal(name, args)
	case operators.NotEquals:
		if n := t.equal(operators.Equals, args); n != unclear {
			return &node{op: opNot, kids: []*node{n}}
		}
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		return t.size(name, args)
	case operators.In:
		if text, list := t.text(args[0]), t.list(args[1]); text != unclear && list != unclear {
			return &node{op: opIn, kids: []*node{text, list}}
		}
	case "startsWith", "endsWith", "contains":
		op := map[string]op{"startsWith": opPrefix, "endsWith": opSuffix, "contains": opContains}[name]
		return t.texts(op, c.Target(), args[0])
	case "matches":
		return t.matches(c)
	case "@under":
		return t.texts(opUnder, args[0], args[1])
	case "@glob":
		return t.texts(opGlob, args[0], args[1])
	}
	return unclear
}

// command is what a command is or has.
func (t *translator) command(c ast.CallExpr) *node {
	if !c.IsMemberFunction() {
		return unclear
	}
	at, ok := t.slotOf(c.Target(), commandType)
	if !ok {
		return unclear
	}
	if c.FunctionName() == "has" {
		if flag, ok := stringLiteral(c.Args()[0]); ok {
			return &node{op: opHas, slot: at, text: flag, written: t.written}
		}
		return unclear
	}
	var all []string
	for _, arg := range c.Args() {
		names, ok := stringLiterals(arg)
		if !ok {
			return unclear
		}
		all = append(all, names...)
	}
	return &node{op: opIs, slot: at, names: all}
}

// ofPaths is a test of an effect or a command against paths.
func (t *translator) ofPaths(op op, args []ast.Expr) *node {
	of := effectType
	if op == opTold {
		of = commandType
	}
	at, ok := t.slotOf(args[0], of)
	if patterns, isConst := stringLiterals(args[1]); ok && isConst {
		return &node{op: op, slot: at, paths: effect.NewPaths(patterns), written: t.written}
	}
	return unclear
}

// ofDirs is a test of where an effect is.
func (t *translator) ofDirs(args []ast.Expr) *node {
	at, ok := t.slotOf(args[0], effectType)
	if patterns, isConst := stringLiterals(args[1]); ok && isConst {
		return &node{op: opWithin, slot: at, dirs: effect.NewDirs(patterns)}
	}
	return unclear
}

// equal compares two texts, or a size with a number.
func (t *translator) equal(operator string, args []ast.Expr) *node {
	if n := t.texts(opEqual, args[0], args[1]); n != unclear {
		return n
	}
	return t.size(operator, args)
}

func (t *translator) texts(op op, left, right ast.Expr) *node {
	l, r := t.text(left), t.text(right)
	if l == unclear || r == unclear {
		return unclear
	}
	return &node{op: op, kids: []*node{l, r}}
}

// size compares the size of a list or the length of a text with a constant.
func (t *translator) size(operator string, args []ast.Expr) *node {
	of, ok := sizeOf(args[0])
	if !ok {
		return unclear
	}
	number, ok := intLiteral(args[1])
	if !ok {
		return unclear
	}
	n := &node{op: opSize, compare: comparisons[operator], number: number}
	if field, ok := callField(t.ast, of); ok && field == "commands" {
		n.kids = []*node{{op: opCommands}}
		return n
	}
	if list := t.list(of); list != unclear {
		if list.op == opNames { // a parameter's, mostly
			return &node{op: opConst, answer: answerOf(n.compare(len(list.names), number))}
		}
		n.kids = []*node{list}
		return n
	}
	if text := t.text(of); text != unclear {
		n.op, n.kids = opLength, []*node{text}
		return n
	}
	return unclear
}

func (t *translator) matches(c ast.CallExpr) *node {
	subject, args := c.Target(), c.Args()
	if !c.IsMemberFunction() {
		subject, args = args[0], args[1:]
	}
	text := t.text(subject)
	if text == unclear {
		return unclear
	}
	n := &node{op: opMatches, kids: []*node{text}}
	if source, ok := stringLiteral(args[0]); ok {
		if n.pattern = t.pattern(source); n.pattern == nil {
			return unclear
		}
		return n
	}
	at, ok := t.pieced(args[0])
	if !ok {
		return unclear
	}
	n.slot, n.patterns = at, patterns{}
	for _, value := range t.locals[at].values {
		if n.patterns[value] = t.pattern(t.spelled(args[0], value)); n.patterns[value] == nil {
			return unclear
		}
	}
	return n
}

// pieced returns the slot of the single local variable that a pattern is built from,
// with constants before and after it, and whether it is one of some constants
// itself: then there are as many patterns.
func (t *translator) pieced(e ast.Expr) (slot int, ok bool) {
	switch {
	case e.Kind() == ast.IdentKind:
		at, local := t.slotOf(e, nil)
		return at, local && t.locals[at].values != nil
	case e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.Add:
		for i, part := range e.AsCall().Args() {
			if _, constant := stringLiteral(e.AsCall().Args()[1-i]); constant {
				return t.pieced(part)
			}
		}
	}
	return 0, false
}

// spelled is a pattern that is pieced together, for a value of its variable.
func (t *translator) spelled(e ast.Expr, value string) string {
	if text, constant := stringLiteral(e); constant {
		return text
	}
	if e.Kind() == ast.CallKind {
		parts := e.AsCall().Args()
		return t.spelled(parts[0], value) + t.spelled(parts[1], value)
	}
	return value
}

// pattern returns a compiled pattern, nil if it is invalid or too large.
func (t *translator) pattern(source string) *pattern {
	if size, err := types.RegexProgramSize(source); err != nil || size > mostRegexp {
		return nil
	}
	p, err := t.patterns.get(source)
	if err != nil {
		return nil
	}
	return p
}
