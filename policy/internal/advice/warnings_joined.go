package advice

import (
	"fmt"
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
						warnSubcommand(a, e, of, names, programs, once)
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

// completeEnough is how many options a description has that leaves out no common ones.
const completeEnough = 60

// warnOption warns about an option that a program does not have, as far as is known: if it has
// one with almost that name, or if its description has so many that it should have this one.
func warnOption(a *ast.AST, e ast.Expr, of string, programs []string, known *command.Catalogue, warn func(ast.Expr, *Error)) {
	if e.Kind() != ast.CallKind || !slices.Contains([]string{"has", "flag", "flags"}, e.AsCall().FunctionName()) || !e.AsCall().IsMemberFunction() || !celtree.IsIdent(e.AsCall().Target(), of) {
		return
	}
	text, ok := celtree.StringLiteral(e.AsCall().Args()[0])
	name := strings.TrimLeft(text, "-")
	if !ok || len(name) < 2 || strings.ContainsAny(name, "=+/: ") {
		return
	}
	var all []string
	complete := true
	for _, program := range programs {
		flags := known.Flags(program)
		if len(flags) == 0 || slices.Contains(flags, name) || isCluster(text, flags) {
			return
		}
		complete = complete && len(flags) >= completeEnough
		all = append(all, flags...)
	}
	slices.Sort(all)
	if slices.ContainsFunc(all, func(flag string) bool { return strings.HasPrefix(flag, name) && len(flag) > len(name)+1 }) {
		return // many programs take the beginning of a name
	}
	dashes := text[:len(text)-len(name)]
	suggestion := "sluice policy program " + programs[0] + " lists them; of an option that is not described, neither another name is known nor whether it has a value"
	switch near := nearOption(name, all); {
	case near != "":
		suggestion = "did you mean " + dashes + near + "?"
	case !complete:
		return
	}
	warn(e, ErrorAt(a, e.AsCall().Args()[0].ID(), suggestion, "no option of %s that is known has the name %s", words.OneOf(programs), text))
}

// isCluster reports whether a text is several letters that are options each: -rf.
func isCluster(text string, flags []string) bool {
	letters, one := strings.CutPrefix(text, "-")
	if !one || strings.HasPrefix(letters, "-") {
		return false
	}
	for _, letter := range letters {
		if !slices.Contains(flags, string(letter)) {
			return false
		}
	}
	return true
}

// nearOption is the option that somebody probably means by a name, empty if there is none: one
// with almost that name, or the only one that ends with it, as kube-context with context.
func nearOption(name string, all []string) string {
	if len(name) < 4 {
		return ""
	}
	most := 2
	if len(name) > 7 {
		most = 3
	}
	if near := words.Nearest(name, all, most); near != "" {
		return near
	}
	longer := slices.Compact(slices.DeleteFunc(slices.Clone(all), func(flag string) bool { return !strings.HasSuffix(flag, "-"+name) }))
	if len(longer) == 1 {
		return longer[0]
	}
	return ""
}

// warnSubcommand warns about a subcommand that a program does not have, and has almost.
func warnSubcommand(a *ast.AST, e ast.Expr, of string, programs []string, known *command.Catalogue, warn func(ast.Expr, *Error)) {
	if e.Kind() != ast.CallKind || !slices.Contains([]string{operators.Equals, operators.NotEquals, operators.In}, e.AsCall().FunctionName()) {
		return
	}
	args := e.AsCall().Args()
	for i, arg := range args {
		if !isMemberOf(a, arg, CommandType.TypeName(), "sub") || !celtree.IsIdent(arg.AsSelect().Operand(), of) {
			continue
		}
		var all []string
		for _, program := range programs {
			names := known.SubcommandNames(program)
			if len(names) == 0 {
				return
			}
			all = append(all, names...)
		}
		slices.Sort(all)
		for _, k := range constants(args[1-i], nil) {
			name, ok := celtree.StringLiteral(k)
			if !ok || len(name) < 4 || slices.Contains(all, name) {
				continue
			}
			if near := words.Typo(name, all); near != "" {
				warn(k, ErrorAt(a, k.ID(), fmt.Sprintf("did you mean %q?", near), "no subcommand of %s that is known is %q", words.OneOf(programs), name))
			}
		}
	}
}
