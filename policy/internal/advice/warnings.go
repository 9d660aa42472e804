package advice

import (
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"github.com/sluice-project/sluice/policy/internal/celtree"
)

// warnAbout warns about conditions that are false where their author certainly wants
// them to be true.
func warnAbout(a *ast.AST, warn func(*Error)) {
	warnNegated(a, a.Expr(), false, warn)
	celtree.Walk(a.Expr(), func(e ast.Expr) {
		if isCommandText(e) {
			warn(ErrorAt(a, e.ID(), "use call.commands.exists(c, ...) or call.effects.exists(e, ...)",
				"call.args.%s is the command as one client's tool has it and as the model wrote it, so other tools and other spellings pass", e.AsSelect().FieldName()))
		}
	})
}

// isCommandText reports whether an expression is the argument of a shell tool.
func isCommandText(e ast.Expr) bool {
	if e.Kind() != ast.SelectKind || e.AsSelect().IsTestOnly() || !slices.Contains([]string{"command", "cmd"}, e.AsSelect().FieldName()) {
		return false
	}
	args := e.AsSelect().Operand()
	return args.Kind() == ast.SelectKind && args.AsSelect().FieldName() == "args" && celtree.IsIdent(args.AsSelect().Operand(), "call")
}

// negations are what the negation of a function lets pass, and what to write instead.
var negations = map[string][2]string{
	"@touches": {"touches is also true for what contains the paths (rm -rf / touches ./**), so its negation lets that pass", "use e.outside(paths) for what is or may be elsewhere"},
	"@around":  {"around is also true for what contains the paths (rm -rf / is around ./**), so its negation lets that pass", "use e.outside(paths) for what is or may be elsewhere"},
	"@carries": {"carries is also true for what contains the paths (a copy of / carries ./**), so its negation lets that pass", `ask about the path itself: !e.from.under("DIRECTORY")`},
}

// warnNegated warns about functions under a negation that are true of more than what
// they name.
func warnNegated(a *ast.AST, e ast.Expr, negated bool, warn func(*Error)) {
	if e.Kind() == ast.CallKind {
		c := e.AsCall()
		switch name := c.FunctionName(); {
		case name == operators.LogicalNot, isComparedWith(c, false):
			negated = !negated
		case name == operators.Conditional: // true and false of the condition both decide
			warnNegated(a, c.Args()[0], !negated, warn)
		case negated && negations[name][0] != "":
			warn(ErrorAt(a, e.ID(), negations[name][1], "%s", negations[name][0]))
		case negated && isHost(c.Target()) && len(c.Args()) == 1:
			warnHost(a, c, warn)
		}
	}
	for _, child := range celtree.Children(e) {
		warnNegated(a, child, negated, warn)
	}
}

// warnHost warns about a part of a host that hosts of others have as well:
// evil-example.com ends with example.com.
func warnHost(a *ast.AST, c ast.CallExpr, warn func(*Error)) {
	text, ok := celtree.StringLiteral(c.Args()[0])
	if !ok {
		return
	}
	name := strings.Trim(text, ".")
	other := ""
	switch c.FunctionName() {
	case "endsWith":
		if !strings.HasPrefix(text, ".") {
			other = "not" + name
		}
	case "startsWith", "contains":
		other = name + ".evil.example"
	case "matches":
		if strings.HasSuffix(text, "$") && (strings.HasPrefix(text, "^") || strings.HasPrefix(text, `(^|\.)`)) {
			return
		}
		warn(ErrorAt(a, c.Args()[0].ID(), `begin it with ^ and end it with $`,
			"the pattern is also true for hosts that only contain what it matches, so its negation lets them pass"))
		return
	}
	if other != "" {
		warn(ErrorAt(a, c.Args()[0].ID(), fmt.Sprintf(`compare the whole name with == %q, and use .endsWith(%q) for names below it`, name, "."+name),
			"%s is also true for %s, so its negation lets that pass", c.FunctionName(), other))
	}
}

// isHost reports whether an expression is the host of an address.
func isHost(e ast.Expr) bool {
	return e != nil && e.Kind() == ast.CallKind && e.AsCall().IsMemberFunction() && e.AsCall().FunctionName() == "host"
}

// isComparedWith reports whether a call is a comparison with a boolean that
// negates: x == false, x != true.
func isComparedWith(c ast.CallExpr, truth types.Bool) bool {
	if c.FunctionName() == operators.NotEquals {
		truth = !truth
	} else if c.FunctionName() != operators.Equals {
		return false
	}
	return slices.ContainsFunc(c.Args(), func(arg ast.Expr) bool { return arg.Kind() == ast.LiteralKind && arg.AsLiteral() == truth })
}

// Compared are the constants that a member of effects equals or is one of, where the
// condition wants it to.
func Compared(a *ast.AST, member string) map[string]ast.Expr {
	found := map[string]ast.Expr{}
	var visit func(e ast.Expr, negated bool)
	visit = func(e ast.Expr, negated bool) {
		if e.Kind() == ast.CallKind {
			c := e.AsCall()
			args := c.Args()
			switch c.FunctionName() {
			case operators.LogicalNot:
				negated = !negated
			case operators.Equals, operators.In:
				for i, arg := range args {
					if !negated && isMember(a, arg, member) {
						for _, k := range constants(args[1-i], nil) {
							if text, ok := celtree.StringLiteral(k); ok {
								found[text] = k
							}
						}
					}
				}
			}
		}
		for _, child := range celtree.Children(e) {
			visit(child, negated)
		}
	}
	visit(a.Expr(), false)
	return found
}

// isMember reports whether an expression is a member of an effect.
func isMember(a *ast.AST, e ast.Expr, name string) bool {
	return isMemberOf(a, e, EffectType.TypeName(), name)
}
