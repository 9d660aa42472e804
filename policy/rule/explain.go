package rule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/celtree"
	"github.com/sluice-project/sluice/policy/internal/params"
	"github.com/sluice-project/sluice/policy/internal/pattern"
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

// mostNegated is how long a negation may be that is shown as a whole, above its parts.
const mostNegated = 100

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
	if _, failure := params.Inline(parsed.NativeRep(), params.Nested(p.given)); failure != nil {
		return nil, failure
	}
	checked, issues := env.Check(parsed)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	x := &explainer{
		written: written.NativeRep(), checked: checked.NativeRep(),
		translator: newTranslator(checked.NativeRep(), p.programs, map[string]*pattern.Pattern{}),
	}
	v := p.decisive(viewOf(s, p.programs))
	p.begin(&x.frame, v)
	whole := x.part(x.checked.Expr())
	if v.passed != nil {
		whole.Of = "the call of " + cmp.Or(advice.Clipped(v.passed.Name), "a tool whose name is not known")
	}
	// More can be known about incomplete lists together than about each part.
	if outcome, _, err := p.Match(s); err == nil && outcome != whole.Outcome {
		whole.Outcome, whole.Result, whole.Missing = outcome, outcome.String(), ""
	}
	return whole, nil
}

// explainer explains one condition for one subject.
type explainer struct {
	translator
	frame frame
	// written is the condition as it was written, checked the one that is
	// evaluated, with parameters inlined.
	written, checked *ast.AST
}

func (x *explainer) part(e ast.Expr) *Part {
	p := &Part{Text: x.text(e)}
	x.judge(p, e)
	if e.Kind() == ast.CallKind {
		switch c := e.AsCall(); c.FunctionName() {
		case operators.LogicalAnd, operators.LogicalOr:
			p.Joined = strings.Trim(c.FunctionName(), "_")
			for _, kid := range celtree.Flattened(e, c.FunctionName()) {
				p.Parts = append(p.Parts, x.part(kid))
			}
			p.leaveOutBehind()
			return p
		case operators.Conditional:
			return x.choice(p, c.Args())
		case operators.LogicalNot:
			if kid := x.part(c.Args()[0]); len(kid.Parts) > 0 {
				p.Parts = []*Part{kid}
				if len(p.Text) > mostNegated {
					p.Text = "!(…)" // its parts say it
				}
			} else {
				p.Values = kid.Values
			}
			return p
		}
	}
	if e.Kind() == ast.ComprehensionKind {
		if list, variable, predicate, ok := celtree.Exists(e); ok {
			x.each(p, "exists", list, variable, predicate)
			return p
		}
		if list, variable, predicate, ok := celtree.ForAll(e); ok {
			x.each(p, "all", list, variable, predicate)
			return p
		}
	}
	x.values(p, e)
	return p
}

// leaveOutBehind removes the parts that fail where another one decides: what stands before
// them is often asked so that they are not.
func (p *Part) leaveOutBehind() {
	if p.Outcome != Unknown {
		p.Parts = slices.DeleteFunc(p.Parts, func(kid *Part) bool { return kid.Result == "error" })
	}
}

// choice explains IF ? THEN : ELSE by the condition and what it chose.
func (x *explainer) choice(p *Part, args []ast.Expr) *Part {
	p.Text = x.text(args[0]) + " ? … : …"
	chosen := x.part(args[0])
	p.Parts = []*Part{chosen}
	switch chosen.Outcome {
	case True:
		p.Parts = append(p.Parts, x.part(args[1]))
	case False:
		p.Parts = append(p.Parts, x.part(args[2]))
	default:
	}
	return p
}

// judge evaluates a condition to an outcome.
func (x *explainer) judge(p *Part, e ast.Expr) {
	a := x.node(e).holds(&x.frame)
	p.Outcome, p.Result = Unknown, "unknown"
	switch {
	case a == yes || a == no:
		if p.Outcome = False; a == yes {
			p.Outcome = True
		}
		p.Result = p.Outcome.String()
		if missing := x.node(e).missing(&x.frame); missing != yes {
			p.Missing = strings.TrimPrefix(x.frame.failure(missing).Error(), "rule: ")
		}
	case a.isUnknown():
		p.Missing = x.frame.what(a)
	default:
		p.Missing, p.Result = strings.TrimPrefix(x.frame.failure(a).Error(), "rule: "), "error"
	}
	x.frame.steps = mostCost
}

// missing is what is not there, if that is why a condition is false or, negated, true; yes
// if nothing is missing.
func (n *node) missing(f *frame) answer {
	for n.op == opNot {
		n = n.kids[0]
	}
	if n.op != opAnd && n.op != opOr && n.op != opConst {
		var a answer
		if n.op >= opValue {
			_, a = n.other(f)
		} else {
			a = n.asked(f)
		}
		if a.isMissing() {
			return a
		}
	}
	return yes
}

// each explains exists and all: the element that decided, or else those that were
// evaluated.
func (x *explainer) each(p *Part, macro string, list ast.Expr, variable string, predicate ast.Expr) {
	p.Text = fmt.Sprintf("%s.%s(%s, …)", x.text(list), macro, variable)
	var s span
	over := x.node(list)
	if over.span(&x.frame, &s) != yes {
		return
	}
	decides := True
	if macro == "all" {
		decides = False
	}
	slot := len(x.locals)
	x.locals = append(x.locals, local{variable, over.names, x.isPath(list)})
	defer func() { x.locals = x.locals[:slot] }()
	var parts []*Part
	for i := range s.size() {
		s.load(&x.frame, i, &x.frame.slots[slot])
		of := shownElement(&x.frame, &s, i)
		kid := x.part(predicate)
		if kid.Of = of; kid.Outcome == decides {
			p.Parts = []*Part{kid}
			return
		}
		parts = append(parts, kid)
	}
	if s.more != yes {
		parts = append(parts, &Part{Text: x.text(predicate), Result: "unknown", Outcome: Unknown, Of: notKnown})
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
func (x *explainer) values(p *Part, e ast.Expr) {
	note := func(e ast.Expr) {
		if value, ok := shownNode(&x.frame, x.node(e)); ok {
			p.note(Value{x.text(e), value})
		}
	}
	if e.Kind() == ast.CallKind {
		c := e.AsCall()
		for _, hidden := range x.reads(c) {
			p.note(x.shownMember(c, hidden))
		}
	}
	var visit func(e ast.Expr)
	visit = func(e ast.Expr) {
		typ := x.checked.GetType(e.ID())
		isObject := typ != nil && (typ.Kind() == types.StructKind || typ.Kind() == types.TypeKind) // Effect, list
		switch e.Kind() {
		case ast.SelectKind:
			if !e.AsSelect().IsTestOnly() && !isObject {
				note(e)
				return
			}
		case ast.IdentKind:
			if !isObject && !advice.IsVariable(e.AsIdent()) || e.AsIdent() == "text" {
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
		for _, child := range celtree.Children(e) {
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

// shownMember is a member of what a function is about.
func (x *explainer) shownMember(c ast.CallExpr, name string) Value {
	of := c.Target()
	if !c.IsMemberFunction() {
		of = c.Args()[0]
	}
	typ := x.typeOf(of)
	f := fields[typ.TypeName()][name]
	if f == nil {
		return Value{}
	}
	value, ok := shownNode(&x.frame, x.member(of, typ, name, f))
	if !ok {
		return Value{}
	}
	return Value{x.text(of) + "." + name, value}
}

// text is a part as it was written.
func (x *explainer) text(e ast.Expr) string {
	of := celtree.Find(x.written, e.ID())
	if of == nil {
		of = e
	}
	text, err := cel.ExprToString(of, x.written.SourceInfo())
	if err != nil {
		return "…"
	}
	return strings.ReplaceAll(text, "\n", " ")
}
