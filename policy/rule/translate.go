package rule

import (
	"slices"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/celtree"
	"github.com/sluice-project/sluice/policy/internal/vocabulary"
)

// translator translates a checked expression to nodes.
type translator struct {
	ast      *ast.AST
	locals   []local
	programs *command.Catalogue
	failure  *Error // what cannot be translated
}

// local is a variable of a comprehension; its slot is its index in the list.
type local struct {
	name   string
	isPath bool
}

// translate returns an expression as a node.
func translate(a *ast.AST, programs *command.Catalogue) (*node, error) {
	if programs == nil {
		programs = command.Builtin()
	}
	t := translator{ast: a, programs: programs}
	n := t.node(a.Expr())
	if t.failure != nil {
		return nil, t.failure
	}
	return n, nil
}

// affirm marks the options that a condition needs, and of which it negates none: one that may be
// the value of another option counts as given there. An exception takes a call out of a policy,
// so it needs what is surely given.
func (n *node) affirm() {
	switch n.op {
	case opAnd, opOr:
		for _, kid := range n.kids {
			kid.affirm()
		}
	case opSome:
		n.kids[1].affirm()
	case opHas:
		n.affirmed = true
	default:
	}
}

// refuse says that an expression has no node.
func (t *translator) refuse(e ast.Expr, suggestion, format string, args ...any) *node {
	if t.failure == nil {
		t.failure = advice.ErrorAt(t.ast, e.ID(), suggestion, format, args...)
	}
	return &node{op: opConst}
}

// typeOf is the type of an expression, dyn if it is known only when it is
// evaluated.
func (t *translator) typeOf(e ast.Expr) *types.Type {
	if typ := t.ast.GetType(e.ID()); typ != nil {
		return typ
	}
	return types.DynType
}

func (t *translator) nodes(list []ast.Expr) []*node {
	nodes := make([]*node, len(list))
	for i, e := range list {
		nodes[i] = t.node(e)
	}
	return nodes
}

func (t *translator) node(e ast.Expr) *node {
	n := t.untyped(e)
	n.expr, n.typ = e, t.typeOf(e)
	if n.op.isCondition() && n.op != opConst && !slices.ContainsFunc(n.kids, func(kid *node) bool { return !kid.isConstant() }) {
		if a := n.holds(&frame{steps: mostCost}); a == yes || a == no {
			n.op, n.answer = opConst, a
		}
	}
	return n
}

func (n *node) isConstant() bool {
	return n.op == opConst || n.op == opText || n.op == opValue || n.op == opNames
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
		return &node{op: opList, kids: t.nodes(e.AsList().Elements())}
	case ast.MapKind:
		return &node{op: opMap, kids: t.nodes(celtree.Children(e))}
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
	name := e.AsIdent()
	for i, l := range slices.Backward(t.locals) {
		if l.name == name {
			return &node{op: opLocal, slot: i, text: name, isPath: l.isPath}
		}
	}
	switch {
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
	kids := []*node{t.node(s.Operand()), {op: opText, text: s.FieldName()}}
	n := &node{op: opElement, kids: kids}
	if f := fields[kids[0].typ.TypeName()][s.FieldName()]; f != nil && kids[0].typ.Kind() == types.StructKind {
		if n = f.node(s.FieldName(), kids[0]); s.IsTestOnly() {
			n.op = opKnows
		}
	} else if s.IsTestOnly() {
		n.op = opPresent
	}
	return n
}

// node is a field of an object.
func (f *field) node(name string, of *node) *node {
	n := &node{op: f.op, text: name, field: f, isPath: f.path}
	if of.op != opVariable {
		n.kids = []*node{of}
	}
	return n
}

// comprehension is one of the macros over lists.
func (t *translator) comprehension(e ast.Expr) *node {
	if list, variable, predicate, ok := celtree.Exists(e); ok {
		return t.overList(opSome, list, variable, predicate)
	}
	if list, variable, predicate, ok := celtree.ForAll(e); ok {
		return t.overList(opAll, list, variable, predicate)
	}
	if list, variable, predicate, ok := celtree.ExistsOne(e); ok {
		some := t.overList(opMapped, list, variable, predicate, nil)
		some.expr, some.typ = list, t.typeOf(list)
		return &node{op: opSize, text: operators.Equals, number: 1, kids: []*node{some}}
	}
	if list, variable, predicate, made, ok := celtree.Mapped(e); ok {
		return t.overList(opMapped, list, variable, predicate, made)
	}
	return t.refuse(e, "use exists, all, exists_one, map or filter", "this cannot be asked of a list")
}

// overList is a macro over a list. Predicates that are nil hold.
func (t *translator) overList(op op, list ast.Expr, variable string, predicates ...ast.Expr) *node {
	over := t.node(list)
	slot := len(t.locals)
	if slot == mostSlots {
		return t.refuse(list, "ask in fewer steps", "lists are asked about inside of one another more than %d times", mostSlots)
	}
	t.locals = append(t.locals, local{variable, over.isPath})
	n := &node{op: op, slot: slot, text: variable, kids: []*node{over}}
	for _, e := range predicates {
		if e == nil {
			n.kids = append(n.kids, &node{op: opConst, answer: yes})
		} else {
			n.kids = append(n.kids, t.node(e))
		}
	}
	t.locals = t.locals[:slot]
	switch {
	case op == opMapped:
		n.isPath = n.kids[2].isPath
	case over.op == opCommands:
		n.byName = n.kids[1].sorted(fieldOf{"name", opOfOne, slot})
	case over.op == opEffects || over.op == opBelow:
		n.byName = n.kids[1].sorted(fieldOf{"verb", opOfOne, slot})
	}
	return n
}

// called is a function or an operator.
func (t *translator) called(e ast.Expr) *node {
	c := e.AsCall()
	args := c.Args()
	if c.IsMemberFunction() {
		args = append([]ast.Expr{c.Target()}, args...)
	}
	name := c.FunctionName()
	op, own := nodesOf[name]
	if name[0] == '@' && own && op != opIn {
		args = args[:2] // without the session
	}
	n := &node{op: op, text: name, kids: t.nodes(args)}
	isText := func(n *node) bool { return n.typ.Kind() == types.StringKind }
	n.plain = !slices.ContainsFunc(n.kids, func(kid *node) bool { return kid.isPath || kid.isTool() })
	switch op {
	case opConst: // none of its own
		return t.withoutOwn(e, n, isText)
	case opAnd, opOr:
		n.flatten()
	case opEqual:
		if name == operators.NotEquals {
			n.expr, n.typ = e, types.BoolType
			return &node{op: opNot, kids: []*node{n}}
		}
		if sized := sizeCompared(n); sized != nil {
			return sized
		}
	case opMatches:
		if source := n.kids[1]; source.op == opText {
			n.pattern, _ = compiled(source.text)
		}
	case opElement:
		n.isPath = n.kids[0].isPath
	case opIs:
		t.named(n)
	case opTouches, opAround, opCarries, opTold, opWithin:
		if list := n.kids[1]; list.op == opNames && op == opWithin {
			n.dirs = effect.NewDirs(list.names)
		} else if list.op == opNames {
			n.paths = effect.NewPaths(list.names)
		}
		if name == "@outside" {
			n.expr, n.typ = e, types.BoolType
			return &node{op: opNot, kids: []*node{n}}
		}
	default:
	}
	return n
}

// withoutOwn is a function of CEL's library, or a node for some types only.
func (t *translator) withoutOwn(e ast.Expr, n *node, isText func(*node) bool) *node {
	switch {
	case n.text == operators.Add && isText(n.kids[0]) && isText(n.kids[1]):
		n.op = opJoined
		if n.kids[0].op == opText && n.kids[1].op == opText {
			return &node{op: opText, text: n.kids[0].text + n.kids[1].text}
		}
		return n
	case n.text == operators.Add && n.kids[0].op == opNames && n.kids[1].op == opNames: // of parameters, mostly
		return &node{op: opNames, names: slices.Concat(n.kids[0].names, n.kids[1].names)}
	case n.text == "size" && (isText(n.kids[0]) || n.kids[0].typ.Kind() == types.ListKind):
		n.op = opCount
		return n
	}
	if sized := sizeCompared(n); sized != nil {
		return sized
	}
	known, err := functionsOfCEL()
	if err != nil {
		return t.refuse(e, "", "%v", err)
	}
	n.op = opCall
	if reference := t.ast.ReferenceMap()[e.ID()]; reference != nil && len(reference.OverloadIDs) == 1 {
		n.function = known[reference.OverloadIDs[0]]
	}
	if n.function == nil {
		n.function = known[n.text]
	}
	if n.function == nil {
		return t.refuse(e, "", "there is no function %q", n.text)
	}
	return n
}

// flatten makes the operands of && and || inside of the same operator its own.
func (n *node) flatten() {
	var kids []*node
	for _, kid := range n.kids {
		if kid.op == n.op {
			kids = append(kids, kid.kids...)
		} else {
			kids = append(kids, kid)
		}
	}
	n.kids = kids
	for _, kid := range kids {
		kid.late = kid.isLate()
		n.mixed = n.mixed || kid.late
	}
}

// isLate reports whether a node has a rare value in it, which costs more.
func (n *node) isLate() bool { return n.op.isRare() || slices.ContainsFunc(n.kids, (*node).isLate) }

// comparisons of numbers, by CEL's operators.
var comparisons = map[string]func(a, b int) bool{
	operators.Less:          func(a, b int) bool { return a < b },
	operators.LessEquals:    func(a, b int) bool { return a <= b },
	operators.Greater:       func(a, b int) bool { return a > b },
	operators.GreaterEquals: func(a, b int) bool { return a >= b },
	operators.Equals:        func(a, b int) bool { return a == b },
}

// sizeCompared is the comparison of the size of a list with a constant, nil if a node is something
// else.
func sizeCompared(n *node) *node {
	if comparisons[n.text] == nil || n.kids[0].op != opCount || n.kids[1].op != opValue {
		return nil
	}
	number, ok := n.kids[1].value.(types.Int)
	if !ok || number != types.Int(int32(number)) {
		return nil
	}
	return &node{op: opSize, text: n.text, number: int(number), kids: n.kids[0].kids}
}

// named gives a condition on the name of a command all names of the programs that it names.
func (t *translator) named(n *node) {
	var names []string
	for _, kid := range n.kids[1:] {
		switch kid.op {
		case opText:
			names = append(names, kid.text)
		case opNames:
			names = append(names, kid.names...)
		default:
			return
		}
	}
	for _, name := range slices.Clone(names) {
		names = append(names, vocabulary.Versions(name)...)
	}
	for _, name := range slices.Clone(names) {
		for _, same := range t.programs.SameAs(name) {
			if !slices.Contains(names, same) {
				names = append(names, same)
			}
		}
	}
	n.names = names
}
