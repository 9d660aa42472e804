package rule

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/sluice-project/sluice/policy"
)

// Part is a part of a condition, with its outcome for a subject.
type Part struct {
	// Text is its source.
	Text string `json:"text"`
	// Of describes the list element that it refers to; empty for others.
	Of      string  `json:"of,omitempty"`
	Outcome Outcome `json:"-"`
	// Result is the outcome in words, or error.
	Result string `json:"result"`
	// Missing is what would have to be known if it is unknown, or why it
	// failed.
	Missing string `json:"missing,omitempty"`
	// Values are what was compared.
	Values []Value `json:"values,omitempty"`
	// Parts are the operands of && and ||, as Joined says, and one for each list
	// element that was evaluated.
	Parts  []*Part `json:"parts,omitempty"`
	Joined string  `json:"joined,omitempty"`
	// More is how many elements were left out.
	More int `json:"more,omitempty"`
}

// Value is what a text, a number or a list was.
type Value struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// mostElements is how many elements of a list an explanation shows.
const mostElements = 8

// explaining is the environment for explanations: it keeps macro calls, so that
// parts can be shown as they were written.
var explaining = sync.OnceValues(func() (*cel.Env, error) {
	env, err := environment()
	if err != nil {
		return nil, err
	}
	return env.Extend(cel.EnableMacroCallTracking())
})

// Explain says which parts of a condition were true, false or unknown for a
// subject, and with which values. It compiles each part by itself and is for
// authors of policies.
func (p *Program) Explain(s *policy.Subject) (*Part, error) {
	env, err := explaining()
	if err != nil {
		return nil, err
	}
	written, issues := env.Parse(p.source)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	parsed, issues := env.Parse(p.source)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	if _, failure := inlineParams(parsed.NativeRep(), parameters(p.given)); failure != nil {
		return nil, failure
	}
	checked, issues := env.Check(parsed)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	x := &explainer{
		env: env, written: written.NativeRep(), checked: checked.NativeRep(),
		variables: locals{Activation: &activation{view: viewOf(s, p.programs), params: p.params, written: p.written}},
	}
	openRanges(x.checked)
	x.sources = sourcesOf(x.checked)
	whole := x.part(x.checked.Expr(), x.variables)
	// More can be known about incomplete lists together than about each part.
	if outcome, _, err := p.Match(s); err == nil && outcome != whole.Outcome {
		whole.Outcome, whole.Result, whole.Missing = outcome, outcome.String(), ""
	}
	return whole, nil
}

// explainer explains one condition for one subject.
type explainer struct {
	env *cel.Env
	// written is the condition as it was written, checked the one that is
	// evaluated, with parameters inlined.
	written, checked *ast.AST
	variables        locals
	sources          sources
}

// locals are the variables of comprehensions on top of others.
type locals struct {
	cel.Activation
	name  string
	value ref.Val
}

// ResolveName implements cel.Activation.
func (l locals) ResolveName(name string) (any, bool) {
	if name == l.name && name != "" {
		return l.value, true
	}
	return l.Activation.ResolveName(name)
}

// Parent implements cel.Activation.
func (l locals) Parent() cel.Activation { return nil }

func (x *explainer) part(e ast.Expr, in locals) *Part {
	p := &Part{Text: x.text(e)}
	x.judge(p, e, in)
	if e.Kind() == ast.CallKind {
		switch c := e.AsCall(); c.FunctionName() {
		case operators.LogicalAnd, operators.LogicalOr:
			p.Joined = strings.Trim(c.FunctionName(), "_")
			for _, kid := range flattened(e, c.FunctionName()) {
				p.Parts = append(p.Parts, x.part(kid, in))
			}
			return p
		case operators.LogicalNot:
			if kid := x.part(c.Args()[0], in); len(kid.Parts) > 0 {
				p.Parts = []*Part{kid}
			} else {
				p.Values = kid.Values
			}
			return p
		}
	}
	if e.Kind() == ast.ComprehensionKind {
		if list, variable, predicate, ok := exists(e); ok {
			x.each(p, "exists", list, variable, predicate, in)
			return p
		}
		if list, variable, predicate, ok := forAll(e); ok {
			x.each(p, "all", list, variable, predicate, in)
			return p
		}
	}
	x.values(p, e, in)
	return p
}

// judge evaluates a condition to an outcome.
func (x *explainer) judge(p *Part, e ast.Expr, in locals) {
	value, err := x.value(e, in)
	p.Outcome, p.Result = Unknown, "unknown"
	switch v := value.(type) {
	case types.Bool:
		if p.Outcome = False; v {
			p.Outcome = True
		}
		p.Result = p.Outcome.String()
	case *types.Unknown:
		p.Missing = whatWasUnknown(v)
	default:
		switch {
		case errors.Is(err, ErrMissingKey):
			p.Outcome, p.Result, p.Missing = False, False.String(), strings.TrimPrefix(err.Error(), "rule: ")
		case err != nil:
			p.Result, p.Missing = "error", strings.TrimPrefix(err.Error(), "rule: ")
		}
	}
}

// value evaluates a part.
func (x *explainer) value(e ast.Expr, in locals) (ref.Val, error) {
	part := ast.NewCheckedAST(ast.NewAST(e, x.checked.SourceInfo()), x.checked.TypeMap(), x.checked.ReferenceMap())
	program, err := x.env.PlanProgram(part, append(programOptions(patterns{}), cel.CustomDecoratorV2(looksInto(x.sources)))...)
	if err != nil {
		return nil, err
	}
	return run(program, in)
}

// each explains exists and all: the element that decided, or else those that were
// evaluated.
func (x *explainer) each(p *Part, macro string, list ast.Expr, variable string, predicate ast.Expr, in locals) {
	p.Text = fmt.Sprintf("%s.%s(%s, …)", x.text(list), macro, variable)
	value, err := x.value(list, in)
	elements, isList := value.(traits.Lister)
	if err != nil || !isList {
		return
	}
	decides := True
	if macro == "all" {
		decides = False
	}
	var parts []*Part
	for it := elements.Iterator(); it.HasNext() == types.True; {
		element := it.Next()
		kid := &Part{Text: x.text(predicate), Result: "unknown", Outcome: Unknown, Of: shown(element)}
		if _, unknown := element.(*types.Unknown); !unknown {
			kid = x.part(predicate, locals{in, variable, element})
			kid.Of = shown(element)
		}
		if kid.Outcome == decides {
			p.Parts = []*Part{kid}
			return
		}
		parts = append(parts, kid)
	}
	if len(parts) == 0 {
		p.Values = append(p.Values, Value{x.text(list), "empty"})
	}
	// Elements that are unknown, or of which a part is true, are more informative.
	slices.SortStableFunc(parts, func(a, b *Part) int { return b.promise() - a.promise() })
	if len(parts) > mostElements {
		p.More = len(parts) - mostElements
		parts = parts[:mostElements]
	}
	p.Parts = parts
}

// promise is how close a part was to a match.
func (p *Part) promise() int {
	n := 0
	if p.Outcome != False {
		n = 100
	}
	for _, kid := range p.Parts {
		if kid.Outcome == True {
			n++
		}
	}
	return n
}

// values records what a condition without parts compared.
func (x *explainer) values(p *Part, e ast.Expr, in locals) {
	note := func(e ast.Expr) {
		value, err := x.value(e, in)
		if err != nil {
			return
		}
		p.note(Value{x.text(e), shown(value)})
	}
	if e.Kind() == ast.CallKind {
		c := e.AsCall()
		for _, hidden := range x.reads(c) {
			p.note(x.member(c, hidden, in))
		}
	}
	var visit func(e ast.Expr)
	visit = func(e ast.Expr) {
		typ := x.checked.GetType(e.ID())
		isObject := typ != nil && typ.Kind() == types.StructKind
		switch e.Kind() {
		case ast.SelectKind:
			if !e.AsSelect().IsTestOnly() && !isObject {
				note(e)
				return
			}
		case ast.IdentKind:
			if !isObject && !isVariable(e.AsIdent()) || e.AsIdent() == "text" {
				note(e)
			}
			return
		case ast.CallKind:
			if c := e.AsCall(); c.IsMemberFunction() && typ != nil && typ.Kind() != types.BoolKind {
				note(e)
			}
		case ast.ComprehensionKind:
			visit(e.AsComprehension().IterRange())
			return
		default:
		}
		for _, child := range children(e) {
			visit(child)
		}
	}
	visit(e)
}

func (p *Part) note(v Value) {
	if v.Name != "" && !slices.Contains(p.Values, v) {
		p.Values = append(p.Values, v)
	}
}

// reads are the members of an effect or a command that a function looks at.
func (x *explainer) reads(c ast.CallExpr) []string {
	switch c.FunctionName() {
	case "@touches", "@within", "@outside":
		return []string{"object"}
	case "@carries":
		return []string{"from"}
	case "is":
		return []string{"name"}
	case "has":
		return []string{"args"}
	default:
		return nil
	}
}

// member is a member of what a function is about.
func (x *explainer) member(c ast.CallExpr, name string, in locals) Value {
	of := c.Target()
	if !c.IsMemberFunction() {
		of = c.Args()[0]
	}
	value, err := x.value(of, in)
	if err != nil {
		return Value{}
	}
	if object, ok := value.(*object); ok {
		if f := fields[object.typ.TypeName()][name]; f != nil {
			if got, err := f.GetFrom(object.Value()); err == nil {
				return Value{x.text(of) + "." + name, shown(adapter{}.NativeToValue(got))}
			}
		}
	}
	return Value{}
}

// text is a part as it was written.
func (x *explainer) text(e ast.Expr) string {
	of := find(x.written, e.ID())
	if of == nil {
		of = e
	}
	text, err := cel.ExprToString(of, x.written.SourceInfo())
	if err != nil {
		return "…"
	}
	return strings.ReplaceAll(text, "\n", " ")
}

// flattened are the operands of a chain of one operator.
func flattened(e ast.Expr, operator string) []ast.Expr {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operator {
		return []ast.Expr{e}
	}
	var list []ast.Expr
	for _, arg := range e.AsCall().Args() {
		list = append(list, flattened(arg, operator)...)
	}
	return list
}
