package advice

import (
	"fmt"
	"slices"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/sluice-project/sluice/policy/internal/celtree"
)

// CheckException warns about conditions of exceptions that ask about one command or effect
// of several: the exception takes the whole call out of the policy.
func CheckException(a *ast.AST, warn func(*Error)) { warnException(a, a.Expr(), nil, warn) }

// warnException looks at what makes an exception hold. Beside are the lists of which
// something else is asked about all elements.
func warnException(a *ast.AST, e ast.Expr, beside []string, warn func(*Error)) {
	if list, x, _, ok := celtree.Exists(e); ok {
		name := partOf(list)
		if name == "" || slices.Contains(beside, name) {
			return
		}
		warn(ErrorAt(a, e.ID(), fmt.Sprintf("write call.%s.size() > 0 && call.%s.all(%s, ...), which is false if it does anything else", name, name, x),
			"the exception takes the whole call out of the policy if one of its %s is like this, with all that stands beside it", name))
		return
	}
	if e.Kind() != ast.CallKind {
		return
	}
	switch c := e.AsCall(); c.FunctionName() {
	case operators.LogicalAnd:
		parts := celtree.Flattened(e, operators.LogicalAnd)
		for _, part := range parts {
			if list, _, _, ok := celtree.ForAll(part); ok {
				beside = append(slices.Clip(beside), partOf(list))
			}
		}
		for _, part := range parts {
			warnException(a, part, beside, warn)
		}
	case operators.LogicalOr, operators.Conditional:
		for _, part := range c.Args() {
			warnException(a, part, beside, warn)
		}
	}
}

// partOf is the name of a list of what a call consists of, empty for other lists.
func partOf(list ast.Expr) string {
	if list.Kind() != ast.SelectKind || !celtree.IsIdent(list.AsSelect().Operand(), "call") {
		return ""
	}
	switch name := list.AsSelect().FieldName(); name {
	case "commands", "effects", "writes", "urls":
		return name
	default:
		return ""
	}
}
