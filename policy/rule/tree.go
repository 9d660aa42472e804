package rule

import (
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
)

// children returns the expressions directly inside another.
func children(e ast.Expr) []ast.Expr {
	switch e.Kind() {
	case ast.SelectKind:
		return []ast.Expr{e.AsSelect().Operand()}
	case ast.CallKind:
		c := e.AsCall()
		if c.IsMemberFunction() {
			return append([]ast.Expr{c.Target()}, c.Args()...)
		}
		return c.Args()
	case ast.ListKind:
		return e.AsList().Elements()
	case ast.MapKind:
		var parts []ast.Expr
		for _, entry := range e.AsMap().Entries() {
			parts = append(parts, entry.AsMapEntry().Key(), entry.AsMapEntry().Value())
		}
		return parts
	case ast.StructKind:
		var parts []ast.Expr
		for _, entry := range e.AsStruct().Fields() {
			parts = append(parts, entry.AsStructField().Value())
		}
		return parts
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		return []ast.Expr{c.IterRange(), c.AccuInit(), c.LoopCondition(), c.LoopStep(), c.Result()}
	default:
		return nil
	}
}

// walk visits an expression and everything inside it, from the outside in.
func walk(e ast.Expr, visit func(ast.Expr)) {
	visit(e)
	for _, child := range children(e) {
		walk(child, visit)
	}
}

// stringLiteral returns the value of a string constant.
func stringLiteral(e ast.Expr) (string, bool) {
	if e == nil || e.Kind() != ast.LiteralKind {
		return "", false
	}
	s, ok := e.AsLiteral().(types.String)
	return string(s), ok
}

// intLiteral returns the value of a number that is a small constant.
func intLiteral(e ast.Expr) (int, bool) {
	if e.Kind() != ast.LiteralKind {
		return 0, false
	}
	n, ok := e.AsLiteral().(types.Int)
	return int(n), ok && n == types.Int(int32(n))
}

// stringLiterals returns the values of a list of string constants, or of one.
func stringLiterals(e ast.Expr) ([]string, bool) {
	if s, ok := stringLiteral(e); ok {
		return []string{s}, true
	}
	if e.Kind() != ast.ListKind {
		return nil, false
	}
	var values []string
	for _, element := range e.AsList().Elements() {
		s, ok := stringLiteral(element)
		if !ok {
			return nil, false
		}
		values = append(values, s)
	}
	return values, true
}

// selectOf reports whether an expression is a field of an object of a type,
// and which.
func selectOf(a *ast.AST, e ast.Expr, typ *types.Type) (field string, ok bool) {
	if e.Kind() != ast.SelectKind || e.AsSelect().IsTestOnly() {
		return "", false
	}
	operand := a.GetType(e.AsSelect().Operand().ID())
	if operand == nil || !operand.IsExactType(typ) {
		return "", false
	}
	return e.AsSelect().FieldName(), true
}

// callField reports whether an expression is a field of the variable call,
// and which, without the mark of its open form.
func callField(a *ast.AST, e ast.Expr) (field string, ok bool) {
	if field, ok = selectOf(a, e, callType); !ok || !isGlobal(e.AsSelect().Operand(), "call") {
		return "", false
	}
	if field[:1] == openPrefix {
		field = field[1:]
	}
	return field, true
}

// isGlobal reports whether an expression is a variable. Local variables cannot
// shadow one: check rejects that.
func isGlobal(e ast.Expr, name string) bool {
	return e.Kind() == ast.IdentKind && e.AsIdent() == name
}

// exists returns the parts of list.exists(variable, predicate).
func exists(e ast.Expr) (list ast.Expr, variable string, predicate ast.Expr, ok bool) {
	if e.Kind() != ast.ComprehensionKind {
		return nil, "", nil, false
	}
	c := e.AsComprehension()
	step := c.LoopStep()
	if c.HasIterVar2() || c.AccuInit().Kind() != ast.LiteralKind || c.AccuInit().AsLiteral() != types.False ||
		!isGlobal(c.Result(), c.AccuVar()) || step.Kind() != ast.CallKind ||
		step.AsCall().FunctionName() != operators.LogicalOr || len(step.AsCall().Args()) != 2 ||
		!isGlobal(step.AsCall().Args()[0], c.AccuVar()) {
		return nil, "", nil, false
	}
	return c.IterRange(), c.IterVar(), step.AsCall().Args()[1], true
}

// forAll returns the parts of list.all(variable, predicate).
func forAll(e ast.Expr) (list ast.Expr, variable string, predicate ast.Expr, ok bool) {
	c := e.AsComprehension()
	step := c.LoopStep()
	if c.HasIterVar2() || c.AccuInit().Kind() != ast.LiteralKind || c.AccuInit().AsLiteral() != types.True ||
		!isGlobal(c.Result(), c.AccuVar()) || step.Kind() != ast.CallKind ||
		step.AsCall().FunctionName() != operators.LogicalAnd || len(step.AsCall().Args()) != 2 ||
		!isGlobal(step.AsCall().Args()[0], c.AccuVar()) {
		return nil, "", nil, false
	}
	return c.IterRange(), c.IterVar(), step.AsCall().Args()[1], true
}

// sizeOf returns the list or text whose size an expression is.
func sizeOf(e ast.Expr) (ast.Expr, bool) {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != "size" {
		return nil, false
	}
	if c := e.AsCall(); c.IsMemberFunction() {
		return c.Target(), len(c.Args()) == 0
	}
	return e.AsCall().Args()[0], len(e.AsCall().Args()) == 1
}

// openRanges replaces the lists that comprehensions range over and that "in"
// searches by their open form, in which the known part of an incomplete list is
// visible.
func openRanges(a *ast.AST) {
	factory := ast.NewExprFactory()
	opened := func(e ast.Expr) {
		if e.Kind() != ast.SelectKind || e.AsSelect().IsTestOnly() {
			return
		}
		s := e.AsSelect()
		typ := a.GetType(s.Operand().ID())
		if typ == nil {
			return
		}
		if _, has := fields[typ.TypeName()][openPrefix+s.FieldName()]; has {
			e.SetKindCase(factory.NewSelect(e.ID(), s.Operand(), openPrefix+s.FieldName()))
		}
	}
	walk(a.Expr(), func(e ast.Expr) {
		switch e.Kind() {
		case ast.ComprehensionKind:
			opened(e.AsComprehension().IterRange())
		case ast.CallKind:
			if c := e.AsCall(); c.FunctionName() == operators.In && len(c.Args()) == 2 {
				opened(c.Args()[1])
			}
		default:
		}
	})
}
