package rule

import (
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/sluice-project/sluice/policy/internal/celtree"
)

// grows reports whether an expression is monotonic: if it is true with the
// known part of incomplete lists, it stays true however they continue. "More
// than two commands" grows; "no command is sudo" does not.
func grows(a *ast.AST, e ast.Expr) bool {
	if !isAboutLists(a, e) {
		return true
	}
	if list, _, predicate, ok := celtree.Exists(e); ok {
		return growsList(a, list) && grows(a, predicate)
	}
	if e.Kind() != ast.CallKind {
		return false
	}
	c := e.AsCall()
	switch c.FunctionName() {
	case operators.LogicalAnd, operators.LogicalOr:
		for _, arg := range c.Args() {
			if !grows(a, arg) {
				return false
			}
		}
		return true
	case operators.Greater, operators.GreaterEquals:
		list, ok := celtree.SizeOf(c.Args()[0])
		return ok && growsList(a, list) && !isAboutLists(a, c.Args()[1])
	case operators.In:
		return growsList(a, c.Args()[1]) && !isAboutLists(a, c.Args()[0])
	case "has":
		return true // a command does not lose flags
	default:
		return false
	}
}

// growsList reports whether a list keeps its elements when incomplete lists
// continue: it is one of them, or filtered or mapped from one.
func growsList(a *ast.AST, e ast.Expr) bool {
	if !isAboutLists(a, e) {
		return true
	}
	if e.Kind() == ast.SelectKind {
		return !isAboutLists(a, e.AsSelect().Operand())
	}
	if e.Kind() == ast.CallKind { // nor does a flag lose values
		return e.AsCall().FunctionName() == "flags" && !isAboutLists(a, e.AsCall().Target())
	}
	if e.Kind() != ast.ComprehensionKind {
		return false
	}
	list, _, predicate, made, ok := celtree.Mapped(e)
	return ok && growsList(a, list) && (predicate == nil || grows(a, predicate)) && !isAboutLists(a, made)
}

// isAboutLists reports whether an expression depends on a list that can be
// incomplete, or on the arguments of a command.
func isAboutLists(a *ast.AST, e ast.Expr) bool {
	found := false
	celtree.Walk(e, func(e ast.Expr) {
		switch e.Kind() {
		case ast.SelectKind:
			if typ := a.GetType(e.AsSelect().Operand().ID()); typ != nil {
				f := fields[typ.TypeName()][e.AsSelect().FieldName()]
				found = found || f != nil && f.canGoOn()
			}
		case ast.CallKind:
			name := e.AsCall().FunctionName()
			found = found || e.AsCall().IsMemberFunction() && (name == "has" || name == "flag" || name == "flags")
		default:
		}
	})
	return found
}

// canGoOn reports whether a field is a list that can be incomplete, or depends on
// the arguments of a command.
func (f *field) canGoOn() bool {
	switch f.is {
	case opCommands, opEffects, opBelow, opArgs, opOperands:
		return true
	case opFiles, opOfSlot:
		return f.open
	default:
		return false
	}
}
