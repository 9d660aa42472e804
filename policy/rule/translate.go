package rule

import (
	"slices"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/celtree"
	"github.com/sluice-project/sluice/policy/internal/pattern"
)

// translator translates a checked expression to nodes.
type translator struct {
	ast      *ast.AST
	locals   []local
	patterns map[string]*pattern.Pattern
	programs *command.Catalogue
	failure  *Error // what cannot be translated
}

// local is a variable of a comprehension; its slot is its index in the list.
type local struct {
	name   string
	values []string // all its possible values, if it is one of some constants
	path   bool     // it is a path of the call
}

// translate returns an expression as a node. The patterns that it compiles are
// added to the known ones.
func translate(a *ast.AST, programs *command.Catalogue, known map[string]*pattern.Pattern) (*node, error) {
	t := newTranslator(a, programs, known)
	n := t.node(a.Expr())
	if t.failure != nil {
		return nil, t.failure
	}
	return n, nil
}

func newTranslator(a *ast.AST, programs *command.Catalogue, known map[string]*pattern.Pattern) translator {
	if programs == nil {
		programs = command.Builtin()
	}
	return translator{ast: a, patterns: known, programs: programs}
}

// refuse says that an expression has no node.
func (t *translator) refuse(e ast.Expr, suggestion, format string, args ...any) *node {
	if t.failure == nil {
		t.failure = advice.ErrorAt(t.ast, e.ID(), suggestion, format, args...)
	}
	return &node{op: opConst}
}

// slotOf returns the slot of a local variable.
func (t *translator) slotOf(e ast.Expr) (int, bool) {
	if e.Kind() != ast.IdentKind {
		return 0, false
	}
	for i, l := range slices.Backward(t.locals) {
		if l.name == e.AsIdent() {
			return i, true
		}
	}
	return 0, false
}

// typeOf is the type of an expression, dyn if it is known only when it is
// evaluated.
func (t *translator) typeOf(e ast.Expr) *types.Type {
	if typ := t.ast.GetType(e.ID()); typ != nil {
		return typ
	}
	return types.DynType
}

func (t *translator) isText(e ast.Expr) bool { return t.typeOf(e).Kind() == types.StringKind }
func (t *translator) isList(e ast.Expr) bool { return t.typeOf(e).Kind() == types.ListKind }

// isTexts reports whether an expression is a list of texts.
func (t *translator) isTexts(e ast.Expr) bool {
	typ := t.typeOf(e)
	return typ.Kind() == types.ListKind && typ.Parameters()[0].Kind() == types.StringKind
}

func (t *translator) nodes(list ...ast.Expr) []*node {
	nodes := make([]*node, len(list))
	for i, e := range list {
		nodes[i] = t.node(e)
	}
	return nodes
}

func (t *translator) node(e ast.Expr) *node {
	n := t.untyped(e)
	n.isBool = t.typeOf(e).Kind() == types.BoolKind
	return n
}

func (t *translator) untyped(e ast.Expr) *node {
	if known := t.ast.ReferenceMap()[e.ID()]; known != nil && (e.Kind() == ast.IdentKind || e.Kind() == ast.SelectKind) {
		if value, ok := constantOf(known, t.typeOf(e)); ok {
			return &node{op: opValue, value: value}
		}
	}
	switch e.Kind() {
	case ast.LiteralKind:
		switch v := e.AsLiteral().(type) {
		case types.Bool:
			return &node{op: opConst, answer: answerOf(bool(v))}
		case types.String:
			return &node{op: opText, text: string(v)}
		default:
			return &node{op: opValue, value: v}
		}
	case ast.IdentKind:
		return t.variable(e)
	case ast.SelectKind:
		return t.selected(e)
	case ast.ListKind:
		if names, ok := celtree.StringLiterals(e); ok {
			return &node{op: opNames, names: names}
		}
		return &node{op: opList, kids: t.nodes(e.AsList().Elements()...)}
	case ast.MapKind:
		return &node{op: opMap, kids: t.nodes(celtree.Children(e)...)}
	case ast.ComprehensionKind:
		return t.comprehension(e)
	case ast.CallKind:
		return t.called(e)
	default:
		return t.refuse(e, "", "this has no value")
	}
}

// constantOf is the value of a name that is a constant: that of a type.
func constantOf(known *ast.ReferenceInfo, typ *types.Type) (ref.Val, bool) {
	if known.Value != nil {
		return known.Value, true
	}
	if typ.Kind() != types.TypeKind {
		return nil, false
	}
	env, err := environment()
	if err != nil {
		return nil, false
	}
	return env.CELTypeProvider().FindIdent(known.Name)
}

// variable is a local or a global variable.
func (t *translator) variable(e ast.Expr) *node {
	if at, ok := t.slotOf(e); ok {
		return &node{op: opLocal, slot: at}
	}
	switch name := e.AsIdent(); {
	case name == "text":
		return &node{op: opField, text: name, field: blockText}
	case advice.IsVariable(name):
		return &node{op: opVariable, text: name}
	default:
		return t.refuse(e, "", "%q is not known", name)
	}
}

// selected is a field of an object, or the value of a key.
func (t *translator) selected(e ast.Expr) *node {
	s := e.AsSelect()
	of := t.typeOf(s.Operand())
	if f := fields[of.TypeName()][s.FieldName()]; of.Kind() == types.StructKind && f != nil {
		n := t.member(s.Operand(), of, s.FieldName(), f)
		if s.IsTestOnly() {
			n.op = opKnows
		}
		return n
	}
	n := &node{op: opSelect, value: types.String(s.FieldName()), kids: t.nodes(s.Operand())}
	switch {
	case s.IsTestOnly():
		n.op = opPresent
	case n.kids[0].op == opEnv:
		n.op, n.text = opOfEnv, s.FieldName()
	}
	return n
}

// member is a field of an object.
func (t *translator) member(operand ast.Expr, of *types.Type, name string, f *field) *node {
	return t.about(&node{op: f.is, text: name, field: f}, operand, of)
}

// about says which object a node is about.
func (t *translator) about(n *node, operand ast.Expr, of *types.Type) *node {
	if !isElement(of) {
		if operand.Kind() != ast.IdentKind {
			n.of = t.node(operand)
		}
		return n
	}
	at, local := t.slotOf(operand)
	if n.slot = at; !local {
		n.slot, n.of = -1, t.node(operand)
	}
	return n
}

// comprehension is one of the macros over lists.
func (t *translator) comprehension(e ast.Expr) *node {
	if list, variable, predicate, ok := celtree.Exists(e); ok {
		return t.quantified(opSome, list, variable, predicate)
	}
	if list, variable, predicate, ok := celtree.ForAll(e); ok {
		return t.quantified(opAll, list, variable, predicate)
	}
	if list, variable, predicate, ok := celtree.ExistsOne(e); ok {
		return t.quantified(opOne, list, variable, predicate)
	}
	if list, variable, predicate, made, ok := celtree.Mapped(e); ok {
		n := t.quantified(opMapped, list, variable, predicate, made)
		return n
	}
	return t.refuse(e, "use exists, all, exists_one, map or filter", "this cannot be asked of a list")
}

// quantified is a macro over a list. Of its predicates, nil ones hold.
func (t *translator) quantified(op op, list ast.Expr, variable string, predicates ...ast.Expr) *node {
	over := t.node(list)
	slot := len(t.locals)
	if slot == mostSlots {
		return t.refuse(list, "ask in fewer steps", "lists are asked about inside of one another more than %d times", mostSlots)
	}
	t.locals = append(t.locals, local{variable, over.names, t.isPath(list)})
	n := &node{op: op, slot: slot, kids: []*node{{op: opConst, answer: yes}, over}}
	if predicates[0] != nil {
		n.kids[0] = t.node(predicates[0])
	}
	for _, e := range predicates[1:] {
		n.kids = append(n.kids, t.node(e))
	}
	t.locals = t.locals[:slot]
	if op != opSome && op != opAll {
		return n
	}
	switch over.op {
	case opCommands:
		n.byName = sortByName(n.kids[0], nameOf(slot))
	case opEffects, opBelow:
		n.byName = sortByName(n.kids[0], verbOf(slot))
	default:
	}
	return n
}

func (t *translator) called(e ast.Expr) *node {
	c := e.AsCall()
	args := c.Args()
	switch name := c.FunctionName(); name {
	case operators.LogicalAnd, operators.LogicalOr:
		return t.joined(c)
	case operators.LogicalNot:
		return &node{op: opNot, kids: t.nodes(args[0])}
	case operators.Conditional:
		return &node{op: opChoice, kids: t.nodes(args...)}
	case operators.Equals:
		return t.equal(args)
	case operators.NotEquals:
		return &node{op: opNot, kids: []*node{t.equal(args)}}
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		if n := t.size(name, args); n != nil {
			return n
		}
	case operators.In:
		if n := (&node{op: opIn, ofTool: t.isTool(args[0]), kids: t.nodes(args...)}); t.isTexts(args[1]) || n.ofTool || n.kids[1].op == opEnv {
			return t.withPath(n, args[0], args[1])
		}
	case operators.Index:
		return t.element(args[0], args[1])
	case operators.Add:
		if t.isText(e) {
			return t.concatenated(args)
		}
	case "size":
		if of, ok := celtree.SizeOf(e); ok && t.isList(of) {
			return &node{op: opCount, kids: t.nodes(of)}
		}
	case "matches":
		return t.matches(c)
	default:
		if n := t.own(c); n != nil {
			return n
		}
	}
	return t.library(e)
}

// joined is && or ||.
func (t *translator) joined(c ast.CallExpr) *node {
	n := &node{op: opAnd}
	if c.FunctionName() == operators.LogicalOr {
		n.op = opOr
	}
	for _, arg := range c.Args() {
		kid := t.node(arg)
		if kid.op == n.op {
			n.kids = append(n.kids, kid.kids...)
		} else {
			n.kids = append(n.kids, kid)
		}
	}
	for _, kid := range n.kids {
		kid.late = kid.isLate()
		n.mixed = n.mixed || kid.late
	}
	return n
}

// isLate reports whether a node has a general value in it, which costs more.
func (n *node) isLate() bool {
	return n.op >= opValue || n.of != nil && n.of.isLate() || slices.ContainsFunc(n.kids, (*node).isLate)
}
