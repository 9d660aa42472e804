package rule

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/asked"
	"github.com/sluice-project/sluice/policy/internal/celtree"
	"github.com/sluice-project/sluice/policy/internal/partial"
	"github.com/sluice-project/sluice/policy/invocation"
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
// subject, and with which values. It is for authors of policies.
func (p *Program) Explain(s *policy.Subject) (*Part, error) {
	env, err := explaining()
	if err != nil {
		return nil, err
	}
	written, issues := env.Parse(p.source)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	x := &explainer{written: written.NativeRep()}
	v, _, _, _ := p.decide(viewOf(s, p.programs)) //nolint:dogsled // explained is what the view that decides says
	p.begin(&x.frame, v)
	whole := x.part(p.node)
	if v.passed != nil {
		whole.Of = "the call of " + cmp.Or(advice.Clipped(v.passed.Name), "a tool whose name is not known")
	}
	return whole, nil
}

// explainer explains one condition for one subject.
type explainer struct {
	frame   frame
	written *ast.AST // the condition as it was written
}

// part explains a condition.
func (x *explainer) part(n *node) *Part {
	p := &Part{Text: x.text(n.expr)}
	x.judge(p, n)
	switch n.op {
	case opAnd, opOr:
		p.Joined = map[op]string{opAnd: "&&", opOr: "||"}[n.op]
		for _, kid := range n.kids {
			part := x.part(kid)
			// What stands before a part that fails is often asked so that it does not.
			if p.Outcome == Unknown || part.Result != "error" {
				p.Parts = append(p.Parts, part)
			}
		}
	case opChoice:
		p.Text = x.text(n.kids[0].expr) + " ? … : …"
		chosen := x.part(n.kids[0])
		p.Parts = []*Part{chosen}
		if chosen.Outcome != Unknown {
			p.Parts = append(p.Parts, x.part(n.kids[2-chosen.Outcome]))
		}
	case opNot:
		if kid := x.part(n.kids[0]); len(kid.Parts) > 0 {
			p.Parts = []*Part{kid}
			if len(p.Text) > mostNegated {
				p.Text = "!(…)" // its parts say it
			}
		} else {
			p.Values = kid.Values
		}
	case opSome, opAll:
		x.each(p, n)
	default:
		x.values(p, n)
	}
	return p
}

// judge evaluates a condition to an outcome.
func (x *explainer) judge(p *Part, n *node) {
	f := &x.frame
	a := n.holds(f)
	if a == no || a == yes {
		p.Outcome, p.Result = Outcome(a), Outcome(a).String()
		for n.op == opNot {
			n = n.kids[0]
		}
		if n.op > opNot { // what is not there can be why it is false or, negated, true
			if a = n.asked(f); !a.isMissing() && !n.op.isCondition() {
				a = n.evaluated(f).is
			}
		}
		if a.isMissing() {
			p.Missing = strings.TrimPrefix(f.failure(a).Error(), "rule: ")
		}
	} else if p.Outcome, p.Result, p.Missing = Unknown, "unknown", f.what(a); a.isFailed() {
		p.Result, p.Missing = "error", strings.TrimPrefix(f.failure(a).Error(), "rule: ")
	}
	f.steps = mostCost
}

// each explains exists and all: the element that decided, or else those that were
// evaluated.
func (x *explainer) each(p *Part, n *node) {
	over, macro, decides := x.text(n.kids[0].expr), "exists", True
	if n.op == opAll {
		macro, decides = "all", False
	}
	p.Text = fmt.Sprintf("%s.%s(%s, …)", over, macro, n.text)
	var s list
	if n.kids[0].elements(&x.frame, &s) != yes {
		return
	}
	var parts []*Part
	for i := range s.size() {
		v := s.at(&x.frame, i)
		x.frame.locals[n.slot], x.frame.readings[n.slot] = v, readings{}
		of := x.shown(v)
		kid := x.part(n.kids[1])
		if kid.Of = of; kid.Outcome == decides {
			p.Parts = []*Part{kid}
			return
		}
		parts = append(parts, kid)
	}
	if s.more != yes {
		parts = append(parts, &Part{Text: x.text(n.kids[1].expr), Result: "unknown", Outcome: Unknown, Of: notKnown})
	}
	if len(parts) == 0 {
		p.Values = append(p.Values, Value{over, "empty"})
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

// values records what a condition without parts compared: the fields, keys and results of
// methods in it, and the member of an effect or a command that a method looks at.
func (x *explainer) values(p *Part, n *node) {
	switch n.op {
	case opTouches, opAround, opWithin:
		x.member(p, n.kids[0], "object")
	case opCarries:
		x.member(p, n.kids[0], "from")
	case opIs:
		x.member(p, n.kids[0], "name")
	case opHas:
		x.member(p, n.kids[0], "args")
	default:
	}
	var visit func(n *node)
	visit = func(n *node) {
		if n.expr == nil {
			return // the name of a key
		}
		isPlain := n.typ.Kind() != types.StructKind && n.typ.Kind() != types.TypeKind // no effect, and no list
		switch n.expr.Kind() {
		case ast.SelectKind, ast.IdentKind:
			if n.op != opKnows && n.op != opPresent && n.op != opVariable && isPlain {
				x.note(p, x.text(n.expr), n)
				return
			}
		case ast.CallKind:
			if n.expr.AsCall().IsMemberFunction() && n.typ.Kind() != types.BoolKind {
				x.note(p, x.text(n.expr), n)
			}
		case ast.ComprehensionKind:
			visit(n.kids[0])
			return
		default:
		}
		for _, kid := range n.kids {
			visit(kid)
		}
	}
	visit(n)
}

// member records a member of what a method is about.
func (x *explainer) member(p *Part, of *node, name string) {
	n := fields[of.typ.TypeName()][name].node(name, of)
	n.typ = n.field.typ
	x.note(p, x.text(of.expr)+"."+name, n)
}

// note records a value, unless it fails.
func (x *explainer) note(p *Part, name string, n *node) {
	var shown string
	var s list
	if n.op.isList() {
		if a := n.elements(&x.frame, &s); a != yes || s.more != yes && s.size() == 0 {
			if shown = notKnown; a.isFailed() {
				return
			}
		} else {
			shown = x.shownList(&s)
		}
	} else {
		v := n.eval(&x.frame)
		if v.is.isFailed() {
			return
		}
		shown = x.shown(v)
	}
	if v := (Value{name, shown}); !slices.Contains(p.Values, v) {
		p.Values = append(p.Values, v)
	}
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

// notKnown is how a value is shown that is not known.
const notKnown = "not known"

// shown formats a value.
func (x *explainer) shown(v value) string {
	switch {
	case v.is == partly:
		return strconv.Quote(advice.Clipped(partial.Plain(v.text))) + ", known in part"
	case v.is != yes:
		return notKnown
	case v.of == nil:
		return strconv.Quote(advice.Clipped(partial.Plain(v.text)))
	}
	switch of := v.of.(type) {
	case *effect.Effect:
		return advice.Clipped(of.String())
	case *invocation.Command:
		return advice.Clipped(of.Text)
	case *asked.Message:
		return advice.Clipped(string(of.Role) + ": " + of.Text())
	case traits.Mapper:
		if of.Size() == types.IntOne {
			return "a map with 1 key"
		}
		return fmt.Sprintf("a map with %v keys", of.Size())
	case traits.Lister:
		s := list{more: yes}
		for it := of.Iterator(); it.HasNext() == types.True && len(s.values) <= mostElements; {
			s.values = append(s.values, x.frame.fromCEL(it.Next()))
		}
		return x.shownList(&s)
	case ref.Val:
		return advice.Clipped(fmt.Sprint(of.Value()))
	default:
		return notKnown
	}
}

func (x *explainer) shownList(s *list) string {
	var parts []string
	for i := range min(s.size(), mostElements) {
		parts = append(parts, x.shown(s.at(&x.frame, i)))
	}
	if s.size() > mostElements {
		parts = append(parts, "…")
	} else if s.more != yes {
		parts = append(parts, notKnown)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
