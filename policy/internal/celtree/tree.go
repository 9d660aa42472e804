package celtree

import (
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// Children returns the expressions directly inside another.
func Children(e ast.Expr) []ast.Expr {
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

// Walk visits an expression and everything inside it, from the outside in.
func Walk(e ast.Expr, visit func(ast.Expr)) {
	visit(e)
	for _, child := range Children(e) {
		Walk(child, visit)
	}
}

// StringLiteral returns the value of a string constant.
func StringLiteral(e ast.Expr) (string, bool) {
	if e == nil || e.Kind() != ast.LiteralKind {
		return "", false
	}
	s, ok := e.AsLiteral().(types.String)
	return string(s), ok
}

// IntLiteral returns the value of a number that is a small constant.
func IntLiteral(e ast.Expr) (int, bool) {
	if e.Kind() != ast.LiteralKind {
		return 0, false
	}
	n, ok := e.AsLiteral().(types.Int)
	return int(n), ok && n == types.Int(int32(n))
}

// StringLiterals returns the values of a list of string constants, or of one.
func StringLiterals(e ast.Expr) ([]string, bool) {
	if s, ok := StringLiteral(e); ok {
		return []string{s}, true
	}
	if e.Kind() != ast.ListKind {
		return nil, false
	}
	var values []string
	for _, element := range e.AsList().Elements() {
		s, ok := StringLiteral(element)
		if !ok {
			return nil, false
		}
		values = append(values, s)
	}
	return values, true
}

// IsIdent reports whether an expression is a variable with a name.
func IsIdent(e ast.Expr, name string) bool {
	return e.Kind() == ast.IdentKind && e.AsIdent() == name
}

// Exists returns the parts of list.exists(variable, predicate).
func Exists(e ast.Expr) (list ast.Expr, variable string, predicate ast.Expr, ok bool) {
	return quantifier(e, types.False, operators.LogicalOr)
}

// ForAll returns the parts of list.all(variable, predicate).
func ForAll(e ast.Expr) (list ast.Expr, variable string, predicate ast.Expr, ok bool) {
	return quantifier(e, types.True, operators.LogicalAnd)
}

func quantifier(e ast.Expr, begin ref.Val, operator string) (list ast.Expr, variable string, predicate ast.Expr, ok bool) {
	if e.Kind() != ast.ComprehensionKind {
		return nil, "", nil, false
	}
	c := e.AsComprehension()
	args, ok := isCallOf(c.LoopStep(), operator, 2)
	if !ok || c.HasIterVar2() || c.AccuInit().Kind() != ast.LiteralKind || c.AccuInit().AsLiteral() != begin ||
		!IsIdent(c.Result(), c.AccuVar()) || !IsIdent(args[0], c.AccuVar()) {
		return nil, "", nil, false
	}
	return c.IterRange(), c.IterVar(), args[1], true
}

// ExistsOne returns the parts of list.exists_one(variable, predicate).
func ExistsOne(e ast.Expr) (list ast.Expr, variable string, predicate ast.Expr, ok bool) {
	c := e.AsComprehension()
	step, ok := isCallOf(c.LoopStep(), operators.Conditional, 3)
	if !ok || c.HasIterVar2() || c.AccuInit().Kind() != ast.LiteralKind || c.AccuInit().AsLiteral() != types.IntZero || !IsIdent(step[2], c.AccuVar()) {
		return nil, "", nil, false
	}
	return c.IterRange(), c.IterVar(), step[0], true
}

// Mapped returns the parts of list.filter(variable, predicate), of
// list.map(variable, made), in which the predicate is nil, and of
// list.map(variable, predicate, made).
func Mapped(e ast.Expr) (list ast.Expr, variable string, predicate, made ast.Expr, ok bool) {
	c := e.AsComprehension()
	if c.HasIterVar2() || c.AccuInit().Kind() != ast.ListKind || !IsIdent(c.Result(), c.AccuVar()) {
		return nil, "", nil, nil, false
	}
	step := c.LoopStep()
	if args, ok := isCallOf(step, operators.Conditional, 3); ok && IsIdent(args[2], c.AccuVar()) {
		predicate, step = args[0], args[1]
	}
	args, ok := isCallOf(step, operators.Add, 2)
	if !ok || !IsIdent(args[0], c.AccuVar()) || args[1].Kind() != ast.ListKind || len(args[1].AsList().Elements()) != 1 {
		return nil, "", nil, nil, false
	}
	return c.IterRange(), c.IterVar(), predicate, args[1].AsList().Elements()[0], true
}

// isCallOf reports whether an expression is a call of a function, and returns its
// arguments.
func isCallOf(e ast.Expr, function string, arguments int) ([]ast.Expr, bool) {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != function || len(e.AsCall().Args()) != arguments {
		return nil, false
	}
	return e.AsCall().Args(), true
}

// SizeOf returns the list or text whose size an expression is.
func SizeOf(e ast.Expr) (ast.Expr, bool) {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != "size" {
		return nil, false
	}
	if c := e.AsCall(); c.IsMemberFunction() {
		return c.Target(), len(c.Args()) == 0
	}
	return e.AsCall().Args()[0], len(e.AsCall().Args()) == 1
}

// Find returns the part of a syntax tree with an id, nil if there is none.
func Find(a *ast.AST, id int64) (found ast.Expr) {
	if a == nil {
		return nil
	}
	ast.PostOrderVisit(a.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.ID() == id {
			found = e
		}
	}))
	return found
}

// Flattened are the operands of a chain of one operator.
func Flattened(e ast.Expr, operator string) []ast.Expr {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operator {
		return []ast.Expr{e}
	}
	var list []ast.Expr
	for _, arg := range e.AsCall().Args() {
		list = append(list, Flattened(arg, operator)...)
	}
	return list
}
