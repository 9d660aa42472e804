package advice

import (
	"slices"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/sluice-project/sluice/policy/internal/celtree"
)

// nothingIn says of a call what it is if one of its lists is empty.
var nothingIn = map[string]string{
	"reads": "reads nothing", "writes": "writes nothing", "urls": "names no address", "effects": "does nothing", "commands": "runs no command",
}

// warnEmpty warns about all(...) on a list of a call that may be empty: then it is true,
// and an exception lets calls pass of which it says nothing.
func warnEmpty(a *ast.AST, warn func(*Error)) {
	var visit func(e ast.Expr, negated bool, beside []ast.Expr)
	visit = func(e ast.Expr, negated bool, beside []ast.Expr) {
		if list, _, predicate, ok := celtree.ForAll(e); ok {
			name := listOfCall(a, list)
			// !list.all(x, P) is list.exists(x, !P), and so what it seems to be; behind ! it
			// matters beside another condition.
			if name == "" || negated && len(beside) < 2 || isImplication(predicate) || asksForList(a, beside, e, name) {
				return
			}
			warn(ErrorAt(a, list.ID(), "write call."+name+".size() > 0 && before it if that is not meant", "call.%s.all(...) is also true of a call that %s", name, nothingIn[name]))
			return
		}
		if e.Kind() == ast.CallKind {
			switch c := e.AsCall(); {
			case c.FunctionName() == operators.LogicalNot, isComparedWith(c, false):
				negated, beside = !negated, nil
			case c.FunctionName() == operators.LogicalAnd:
				for _, part := range celtree.Flattened(e, operators.LogicalAnd) {
					visit(part, negated, append(slices.Clip(beside), celtree.Flattened(e, operators.LogicalAnd)...))
				}
				return
			case c.FunctionName() == operators.Conditional: // true and false of it both decide
				return
			}
		}
		for _, child := range celtree.Children(e) {
			visit(child, negated, beside)
		}
	}
	visit(a.Expr(), false, nil)
}

// listOfCall is the name of a list of the call, empty for anything else.
func listOfCall(a *ast.AST, e ast.Expr) string {
	for name := range nothingIn {
		if isMemberOf(a, e, CallType.TypeName(), name) {
			return name
		}
	}
	return ""
}

// isImplication reports whether what is asked of each element says of which it is asked:
// e.verb != "write" || e.within([...]).
func isImplication(e ast.Expr) bool {
	return e.Kind() == ast.CallKind && slices.Contains([]string{operators.LogicalOr, operators.Conditional}, e.AsCall().FunctionName())
}

// asksForList reports whether a condition beside another one asks about the same list, as
// call.reads.size() > 0 does.
func asksForList(a *ast.AST, beside []ast.Expr, except ast.Expr, name string) (found bool) {
	for _, other := range beside {
		if other.ID() == except.ID() {
			continue
		}
		celtree.Walk(other, func(e ast.Expr) {
			if e.ID() != except.ID() && listOfCall(a, e) == name {
				found = true
			}
		})
	}
	return found
}
