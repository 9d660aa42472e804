package rule

import (
	"slices"
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/celvalue"
	"github.com/sluice-project/sluice/policy/internal/params"
)

// Options describe what an expression is used for.
type Options struct {
	// Applies are the kinds of blocks the policy applies to; none means tool
	// calls. They determine which variables exist.
	Applies policy.Kinds
	// Params are the policy's parameters: strings, booleans, numbers, and
	// lists and maps of them. They must not be changed afterwards.
	Params map[string]any
	// Programs are the programs that the policies describe, the same for all
	// policies of a set; nil if there are none.
	Programs *command.Catalogue
	// Written compares a text of which a part is not known as it is written: a
	// variable is the text $NAME. Otherwise a comparison that depends on that part
	// is unknown.
	Written bool
	// Exception says that the expression takes whole calls out of a policy.
	Exception bool
}

// Program is a compiled expression. It is immutable and safe for concurrent
// use.
type Program struct {
	node                     *node
	params                   ref.Val
	programs                 *command.Catalogue
	exchangeOnly, usesParams bool
	warnings                 []*Error
	// source and given are what it was compiled from, for explanations.
	source  string
	given   map[string]any
	written bool // that of the options
}

// Warnings list what is allowed in the expression but probably not intended.
func (p *Program) Warnings() []*Error { return p.warnings }

// Compile compiles a condition. The error is an *Error: the source is not an
// expression, its types are wrong, it is not a condition, or it could never
// match.
func Compile(source string, o Options) (*Program, error) {
	p, checked, err := compile(source, o)
	if err != nil {
		return nil, err
	}
	if typ := checked.GetType(checked.Expr().ID()); !typ.IsExactType(types.BoolType) {
		suggestion := "compare it with something"
		if typ.Kind() == types.DynKind {
			suggestion = "compare it: x == true"
		}
		return nil, advice.ErrorAt(checked, checked.Expr().ID(), suggestion, "a condition must be true or false, and this is %s", advice.TypeName(typ))
	}
	if err := p.canMatch(source, checked); err != nil {
		return nil, err
	}
	return p, nil
}

// CompileValue compiles an expression for its value: a string, a number, a
// boolean, null, or a list or map of them. The error is an *Error.
func CompileValue(source string, o Options) (*Program, error) {
	p, checked, err := compile(source, o)
	if err != nil {
		return nil, err
	}
	if typ := checked.GetType(checked.Expr().ID()); typ.Kind() == types.StructKind && fields[typ.TypeName()] != nil {
		return nil, advice.ErrorAt(checked, checked.Expr().ID(), "use one of its fields", "%s is not a plain value", advice.TypeName(typ))
	}
	return p, nil
}

// AsksForServer reports whether the expression uses call.server.
func (p *Program) AsksForServer() bool {
	return p.node.asksFor(fields[advice.CallType.TypeName()]["server"])
}

func (n *node) asksFor(f *field) bool {
	return n.field == f || slices.ContainsFunc(n.kids, func(kid *node) bool { return kid.asksFor(f) })
}

// OnlyExchange reports whether the expression uses nothing of the judged block,
// so that MatchExchange can decide it for a whole exchange.
func (p *Program) OnlyExchange() bool { return p.exchangeOnly }

func compile(source string, o Options) (*Program, *ast.AST, error) {
	if o.Applies == 0 {
		o.Applies = policy.KindsOf(llm.ToolCall)
	}
	env, err := environment()
	if err != nil {
		return nil, nil, err
	}
	switch {
	case strings.TrimSpace(source) == "":
		return nil, nil, &Error{Line: 1, Column: 1, Message: "the expression is empty"}
	case !utf8.ValidString(source):
		return nil, nil, &Error{Line: 1, Column: 1, Message: "the expression is not valid UTF-8"}
	}
	parsed, issues := env.Parse(source)
	if issues.Err() != nil {
		return nil, nil, advice.FirstIssue(issues, members(), nil).Advised(source)
	}
	given := params.Nested(o.Params)
	usesParams, failure := params.Inline(parsed.NativeRep(), given)
	if failure != nil {
		return nil, nil, failure
	}
	checked, issues := env.Check(parsed)
	if issues.Err() != nil {
		return nil, nil, advice.FirstIssue(issues, members(), parsed.NativeRep()).Advised(source)
	}
	tree := checked.NativeRep()
	var warnings []*Error
	if o.Exception {
		advice.CheckException(tree, func(w *Error) { warnings = append(warnings, w) })
	}
	exchangeOnly, failure := advice.Check(tree, members(), o.Applies, o.Programs, func(w *Error) { warnings = append(warnings, w) })
	if failure != nil {
		return nil, nil, failure
	}
	n, err := translate(tree, o.Programs)
	if err != nil {
		return nil, nil, err
	}
	if !o.Exception {
		n.affirm()
	}
	nothing := frame{steps: mostCost}
	if n.eval(&nothing); nothing.steps < 0 {
		return nil, nil, advice.ErrorAt(tree, tree.Expr().ID(), "make its lists shorter", "the expression costs more than %d steps, whatever is judged", mostCost)
	}
	warnBranches(tree, n, func(w *Error) { warnings = append(warnings, w) })
	return &Program{
		node: n, params: celvalue.Adapter{}.NativeToValue(given), programs: o.Programs, usesParams: usesParams, exchangeOnly: exchangeOnly,
		warnings: warnings, source: source, given: o.Params, written: o.Written,
	}, tree, nil
}

// canMatch rejects a condition that is false, or fails, whatever the subject
// and its parameters are: evaluated with nothing known, it would be unknown if
// it depended on anything.
func (p *Program) canMatch(source string, checked *ast.AST) error {
	n := p.node
	if p.usesParams {
		// An empty list of exceptions is not a mistake: leave the values out.
		// It compiles with them, so failing to compile without them is fine.
		env, err := environment()
		if err != nil {
			return err
		}
		plain, issues := env.Compile(source)
		if issues.Err() != nil {
			return nil //nolint:nilerr // see above
		}
		if n, err = translate(plain.NativeRep(), p.programs); err != nil {
			return nil //nolint:nilerr // see above
		}
	}
	f := frame{steps: mostCost}
	switch a := n.holds(&f); {
	case a.isFailed():
		return advice.ErrorAt(checked, checked.Expr().ID(), "", "this always fails: %s", strings.TrimPrefix(f.failure(a).Error(), "rule: "))
	case a == no:
		return advice.ErrorAt(checked, checked.Expr().ID(), "remove it, or correct it", "this is always false, so the policy could never match")
	default:
		return nil
	}
}
