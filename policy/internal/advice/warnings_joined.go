package advice

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/sluice-project/sluice/internal/words"
	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/celtree"
)

// warnJoined warns about conditions that, joined by &&, say nothing together: an option
// that the program does not have, and a mark that effects with the verb never have.
func warnJoined(a *ast.AST, programs *command.Catalogue, warn func(*Error)) {
	if programs == nil {
		programs = command.Builtin()
	}
	warned := map[int64]bool{}
	once := func(e ast.Expr, w *Error) {
		if !warned[e.ID()] {
			warned[e.ID()] = true
			warn(w)
		}
	}
	celtree.Walk(a.Expr(), func(e ast.Expr) {
		if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operators.LogicalAnd {
			return
		}
		parts := conjuncts(e, nil)
		for _, part := range parts {
			of, names := namedPrograms(part)
			verbs := verbsOf(a, part)
			for _, other := range parts {
				celtree.Walk(other, func(e ast.Expr) {
					if len(names) > 0 {
						warnOption(a, e, of, names, programs, once)
					}
					if len(verbs) > 0 && isMember(a, e, "scratch") && !slices.ContainsFunc(verbs, func(v string) bool { return mayBeScratch(v, programs) }) {
						once(e, ErrorAt(a, e.ID(), "leave it out, or ask about the object", "scratch is only known of what is dropped, destroyed or deleted, so this says nothing about the verb %s", words.OneOf(verbs)))
					}
				})
			}
		}
	})
}

// conjuncts are the operands of && in an expression.
func conjuncts(e ast.Expr, list []ast.Expr) []ast.Expr {
	if e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.LogicalAnd {
		for _, arg := range e.AsCall().Args() {
			list = conjuncts(arg, list)
		}
		return list
	}
	return append(list, e)
}

// namedPrograms are those of c.is(...), and the variable that it is about.
func namedPrograms(e ast.Expr) (of string, names []string) {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != "is" || !e.AsCall().IsMemberFunction() || e.AsCall().Target().Kind() != ast.IdentKind {
		return "", nil
	}
	for _, arg := range e.AsCall().Args() {
		list, ok := celtree.StringLiterals(arg)
		if !ok {
			return "", nil
		}
		names = append(names, list...)
	}
	return e.AsCall().Target().AsIdent(), names
}

// verbsOf are the verbs that an effect must have one of for a condition to hold.
func verbsOf(a *ast.AST, e ast.Expr) []string {
	if e.Kind() != ast.CallKind {
		return nil
	}
	switch c := e.AsCall(); c.FunctionName() {
	case operators.Equals, operators.In:
		if args := c.Args(); isMember(a, args[0], "verb") {
			verbs, _ := celtree.StringLiterals(args[1])
			return verbs
		}
	}
	return nil
}

// mayBeScratch reports whether effects with a verb can be marked as being for tests.
func mayBeScratch(verb string, programs *command.Catalogue) bool {
	switch effect.Verb(verb) {
	case effect.Drop, effect.Destroy, effect.Delete:
		return true
	default:
		return programs.MarksScratch(effect.Verb(verb))
	}
}

// warnOption warns about an option of which a program has one with almost that name, and
// none with it.
func warnOption(a *ast.AST, e ast.Expr, of string, programs []string, known *command.Catalogue, warn func(ast.Expr, *Error)) {
	if e.Kind() != ast.CallKind || !slices.Contains([]string{"has", "flag", "flags"}, e.AsCall().FunctionName()) || !e.AsCall().IsMemberFunction() || !celtree.IsIdent(e.AsCall().Target(), of) {
		return
	}
	text, ok := celtree.StringLiteral(e.AsCall().Args()[0])
	name := strings.TrimLeft(text, "-")
	if !ok || len(name) < 4 {
		return
	}
	var all []string
	for _, program := range programs {
		flags := known.Flags(program)
		if len(flags) == 0 || slices.Contains(flags, name) {
			return
		}
		all = append(all, flags...)
	}
	most := 2
	if len(name) > 7 {
		most = 3
	}
	near := words.Nearest(name, slices.Sorted(slices.Values(all)), most)
	if near == "" || strings.HasPrefix(near, name) && len(near) > len(name)+1 {
		return
	}
	dashes := text[:len(text)-len(name)]
	warn(e, ErrorAt(a, e.AsCall().Args()[0].ID(), "did you mean "+dashes+near+"?", "no option of %s that is known has the name %s", words.OneOf(programs), text))
}
