package advice

import (
	"maps"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/sluice-project/sluice/policy/internal/celtree"
	"github.com/sluice-project/sluice/policy/internal/vocabulary"
)

// What the object of an effect can be depends on its verb: a table for drop, a branch
// for push. A condition usually says the verb beside the object.

// ofEffect is the vocabulary of a member, which for the object of an effect depends on
// the verbs that it has there.
func (c *closedCheck) ofEffect(e ast.Expr, in scope) *vocabulary.Texts {
	switch {
	case isMember(c.ast, e, "object"):
		of := e.AsSelect().Operand()
		if of.Kind() != ast.IdentKind {
			return vocabulary.Object(nil)
		}
		return vocabulary.Object(in[of.AsIdent()].verbs)
	case isMember(c.ast, e, "kind"):
		if of := e.AsSelect().Operand(); of.Kind() == ast.IdentKind {
			return vocabulary.Kind(in[of.AsIdent()].verbs)
		}
		return vocabulary.Kind(nil)
	case isMember(c.ast, e, "from"):
		return vocabulary.From
	default:
		return c.member(e, vocabulary.Members)
	}
}

// limited adds what a conjunction says of the verbs of effects.
func (c *closedCheck) limited(and ast.Expr, in scope) scope {
	limited := in
	for _, part := range celtree.Flattened(and, operators.LogicalAnd) {
		name, verbs := c.verbs(part)
		if name == "" {
			continue
		}
		limited = maps.Clone(limited)
		of := limited[name]
		of.verbs = verbs
		limited[name] = of
	}
	return limited
}

// verbs are the local variable and the verbs of which a condition says that it has one;
// the name is empty if it says something else.
func (c *closedCheck) verbs(e ast.Expr) (name string, verbs []string) {
	if e.Kind() != ast.CallKind {
		return "", nil
	}
	call := e.AsCall()
	args := call.Args()
	switch call.FunctionName() {
	case operators.LogicalOr:
		for _, part := range celtree.Flattened(e, operators.LogicalOr) {
			of, some := c.verbs(part)
			if of == "" || name != "" && of != name {
				return "", nil
			}
			name, verbs = of, append(verbs, some...)
		}
		return name, verbs
	case operators.Equals, operators.In:
		if !isMember(c.ast, args[0], "verb") || args[0].AsSelect().Operand().Kind() != ast.IdentKind {
			return "", nil
		}
		for _, k := range constants(args[1], nil) {
			if text, ok := celtree.StringLiteral(k); ok {
				verbs = append(verbs, text)
			}
		}
		if verbs != nil {
			name = args[0].AsSelect().Operand().AsIdent()
		}
	}
	return name, verbs
}
