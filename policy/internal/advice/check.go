package advice

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/internal/celtree"
	"github.com/sluice-project/sluice/policy/internal/where"
)

// Check rejects what CEL accepts but a policy cannot mean, and warns about what
// it probably does not mean. exchangeOnly is true if the expression uses
// nothing of a block.
func Check(a *ast.AST, members Members, applies policy.Kinds, programs *command.Catalogue, warn func(*Error)) (exchangeOnly bool, failure *Error) {
	exchangeOnly = true
	fail := func(e *Error) {
		if failure == nil {
			failure = e
		}
	}
	celtree.Walk(a.Expr(), func(e ast.Expr) {
		switch e.Kind() {
		case ast.IdentKind:
			i := slices.IndexFunc(Variables, func(v Variable) bool { return v.Name == e.AsIdent() })
			if i < 0 || Variables[i].Kinds == 0 {
				return
			}
			exchangeOnly = false
			if Variables[i].Kinds&applies == 0 {
				fail(notHere(a, e, Variables[i], applies))
			}
		case ast.StructKind:
			fail(ErrorAt(a, e.ID(), "compare fields", "%s cannot be made in an expression", e.AsStruct().TypeName()))
		case ast.SelectKind:
			if s := e.AsSelect(); s.IsTestOnly() {
				fail(checkHas(a, members, e, s))
			}
		case ast.CallKind:
			fail(checkGlob(a, e.AsCall()))
		case ast.ComprehensionKind:
			c := e.AsComprehension()
			for _, name := range []string{c.IterVar(), c.IterVar2()} {
				if IsVariable(name) {
					fail(ErrorAt(a, e.ID(), "call it something else, such as x", "%q is already a variable", name))
				}
			}
		default:
		}
	})
	fail(checkClosed(a, warn))
	fail(checkPatterns(a, a.Expr(), nil))
	warnAbout(a, warn)
	warnEmpty(a, warn)
	warnJoined(a, programs, warn)
	warnPrograms(a, programs, warn)
	return exchangeOnly, failure
}

// notHere explains that a variable does not exist for what a policy applies to.
func notHere(a *ast.AST, e ast.Expr, v Variable, applies policy.Kinds) *Error {
	instead := ""
	switch {
	case applies&CallKinds != 0:
		instead = "use call, or "
	case applies&TextKinds != 0:
		instead = "use text, or "
	}
	return ErrorAt(a, e.ID(), instead+"add "+kindNames(v.Kinds)+" to what the policy applies to",
		"%s is only known for %s, and the policy applies to %s", v.Name, kindNames(v.Kinds), kindNames(applies))
}

func kindNames(kinds policy.Kinds) string {
	var names []string
	for k := llm.Content; k <= policy.Prompt; k++ { // which follows the kinds of blocks
		if kinds.Has(k) {
			names = append(names, k.String())
		}
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
	}
	return strings.Join(names, "")
}

// checkHas rejects has() where it would always be true.
func checkHas(a *ast.AST, members Members, e ast.Expr, s ast.SelectExpr) *Error {
	typ := a.GetType(s.Operand().ID())
	if typ == nil || typ.Kind() != types.StructKind || typ.IsExactType(SessionType) {
		return nil
	}
	suggestion := "compare it with what it should be"
	if of := members[typ.TypeName()][s.FieldName()]; of != nil && of.Kind() == types.ListKind {
		suggestion = "use list.exists(x, ...)"
	}
	return ErrorAt(a, e.ID(), suggestion,
		"has() is for keys of call.args and params and for what may be unknown about a session; %s always exists", s.FieldName())
}

// checkGlob rejects constant patterns that are not globs.
func checkGlob(a *ast.AST, c ast.CallExpr) *Error {
	if c.FunctionName() != "@glob" || len(c.Args()) != 3 {
		return nil
	}
	pattern, ok := celtree.StringLiteral(c.Args()[1])
	if !ok || where.ValidGlob(pattern) {
		return nil
	}
	return ErrorAt(a, c.Args()[1].ID(), "close its brackets", "%q is not a glob", pattern)
}

// checkPatterns rejects patterns that come from what is judged or asked:
// whoever writes them controls how long the search takes. tainted are the local
// variables that hold such values.
func checkPatterns(a *ast.AST, e ast.Expr, tainted []string) *Error {
	if e.Kind() == ast.CallKind {
		c := e.AsCall()
		pattern := -1
		switch c.FunctionName() {
		case "matches", "@glob":
			pattern = len(c.Args()) - 1
			if !c.IsMemberFunction() {
				pattern = 1
			}
		case "indexOf", "lastIndexOf":
			pattern = 0
		}
		if pattern >= 0 && pattern < len(c.Args()) && isTainted(c.Args()[pattern], tainted) {
			return ErrorAt(a, c.Args()[pattern].ID(), "write it in the expression, or take it from params",
				"what %s looks for must not come from what is judged", strings.TrimPrefix(c.FunctionName(), "@"))
		}
	}
	if e.Kind() == ast.ComprehensionKind {
		c := e.AsComprehension()
		if isTainted(c.IterRange(), tainted) {
			tainted = append(slices.Clip(tainted), c.IterVar(), c.IterVar2())
		}
		if isTainted(c.LoopStep(), tainted) {
			tainted = append(slices.Clip(tainted), c.AccuVar())
		}
	}
	for _, child := range celtree.Children(e) {
		if err := checkPatterns(a, child, tainted); err != nil {
			return err
		}
	}
	return nil
}

// isTainted reports whether an expression uses anything but constants,
// parameters, the session and the key.
func isTainted(e ast.Expr, tainted []string) bool {
	found := false
	celtree.Walk(e, func(e ast.Expr) {
		if e.Kind() == ast.IdentKind {
			name := e.AsIdent()
			found = found || slices.Contains(tainted, name) || slices.Contains([]string{"call", "text", "result", "request"}, name)
		}
	})
	return found
}
