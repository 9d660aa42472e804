package file

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// try runs the examples of a policy on its guard, alone and enforced, reports
// those that fail, and returns how many were run. Nobody is asked: that somebody
// would be asked is the outcome. If it is tolerant, a failure is a warning.
func (u *use) try(g *guard, tolerant bool) (tried int) {
	report := u.fail
	if tolerant {
		report = u.warn
	}
	for i := range u.examples {
		e := &u.examples[i]
		blocks := e.blocks(g)
		passed := true
		for _, b := range blocks {
			tried++
			got := g.on(e.exchange, b, u.judge != nil || u.hook != nil)
			if message := e.compare(got); message != "" {
				because := ""
				if !got.changing {
					because = g.explain(e.exchange, b)
				}
				report(e.where, u.name, fmt.Sprintf("the example %s: %s", shown(&b), message), because)
				if passed = false; !tolerant {
					u.report.failed(u.name)
				}
				break // the other forms of it say the same
			}
		}
		if passed && e.placed != nil && u.preset == "" && len(blocks) > 0 {
			u.tryPlaced(g, e, blocks[0])
		}
	}
	return tried
}

// tryPlaced warns about an example that passes only where the client reports neither its
// working directory nor its home.
func (u *use) tryPlaced(g *guard, e *example, b llm.Block) {
	message := e.compare(g.on(e.placed, b, u.judge != nil || u.hook != nil))
	if message == "" {
		return
	}
	s := e.placed.Session
	u.warn(e.where, u.name, fmt.Sprintf("the example %s: %s where the client reports its directories, as most do (with cwd %s and home %s)", shown(&b), message, s.Cwd, s.Home),
		g.explain(e.placed, b)+"; give the example a session, with a directory that is not to be known as an empty text")
}

// trial is the outcome for a block in an example.
type trial struct {
	action policy.Action
	cause  policy.Cause
	asked  bool
	text   string
	err    error // the condition could not be evaluated
	// changing: what could not be evaluated or done is the change.
	changing bool
}

// somebody stands in for the judge, hook or person in examples.
type somebody struct{ asked bool }

func (s *somebody) Judge(context.Context, *policy.Subject) policy.Verdict {
	s.asked = true
	return policy.Verdict{Action: policy.Allow}
}

// on judges one block.
func (g *guard) on(x *policy.Exchange, b llm.Block, asks bool) trial {
	subject := policy.NewSubject(x, b)
	t := trial{action: policy.Allow, text: subject.Text()}
	if !g.applies.Has(b.Kind) {
		return t
	}
	alone := *g
	who := &somebody{}
	if asks {
		alone.ask = who
	}
	if g.when != nil {
		_, _, t.err = g.when.Match(subject)
	}
	part := alone.begin(subject.Exchange)
	ctx := context.Background()
	switch {
	case part.Off:
	case part.Judge != nil:
		v := part.Judge(ctx, subject)
		t.action, t.cause = v.Action, v.Cause
		if v.Err != nil {
			t.err = v.Err
		}
		if v.Action == 0 {
			t.action = g.failure
		}
	case g.streams && inFlight.Has(b.Kind):
		if text, _ := g.chain.Apply(b.Text); text != b.Text {
			t.action, t.text = g.action, text
		}
	case part.Change != nil:
		if c := part.Change(ctx, subject); c.Action != 0 {
			if text, failed := failure(c); failed {
				t.err, t.changing = errors.New(text), t.err == nil
			}
			if t.action, t.cause = c.Action, c.Cause; c.Action == policy.Rewrite || c.Action == policy.Redact {
				t.text = c.Text
			}
		}
	}
	t.asked = who.asked
	return t
}

// explain says why a block got its verdict.
func (g *guard) explain(x *policy.Exchange, b llm.Block) string {
	switch {
	case !g.applies.Has(b.Kind):
		return "the policy does not apply to " + b.Kind.String()
	case g.adds != nil && g.adds.find(policy.NewSubject(x, b)) == nil:
		return "the call adds nothing that it looks for"
	case g.when == nil:
		return g.explainFound(x, b)
	}
	switch outcome, what, err := g.when.Match(policy.NewSubject(x, b)); {
	case err != nil:
		return "make the condition work for it, or write want: error"
	case outcome == rule.Unknown:
		return "its condition is unknown, because " + what + " is not known"
	case outcome == rule.True:
		if g.chain != nil || g.lists != nil {
			return "its condition is true, and " + g.explainFound(x, b)
		}
		return "its condition is true"
	default:
		return "its condition is false"
	}
}

// explainFound says what the policy found in a block beside its condition.
func (g *guard) explainFound(x *policy.Exchange, b llm.Block) string {
	s := policy.NewSubject(x, b)
	switch {
	case g.restores != nil:
		return "find: {placeholder: true} puts back what is known here alone"
	case g.lists != nil:
		return g.lists.Standing(s)
	case g.chain == nil:
		return "it has no condition, so it always applies"
	}
	what := "find: {pattern: ...}"
	if g.secrets {
		what = "find: {secret: true}"
	}
	switch n, err := g.find(s); {
	case err != nil:
		return what + " cannot search it: " + err.Error()
	case n == 0:
		return what + " found nothing in it"
	default:
		return what + " was " + times(n)
	}
}

// compare says how an outcome differs from what the example wants, empty if it
// does not.
func (e *example) compare(t trial) string {
	got := strings.Fields(t.action.String())[0]
	switch {
	case t.err != nil: // whatever on_error makes of it
		got = wantError
	case t.asked:
		got = "judge"
	case t.action == policy.Annotate && t.cause == policy.CauseUnknown:
		got = "allow" // on_unknown says so
	}
	if got != e.want && t.err != nil {
		failed := "its condition fails"
		if t.changing {
			failed = "the change cannot be made"
		}
		return fmt.Sprintf("wants %s, but %s: %s", e.want, failed, strings.TrimPrefix(t.err.Error(), "rule: "))
	}
	if got != e.want {
		return fmt.Sprintf("wants %s, but gets %s", e.want, got)
	}
	switch {
	case e.gives == nil:
		return ""
	case e.givesJSON:
		if !sameJSON(*e.gives, t.text) {
			return fmt.Sprintf("should give %s, but gives %s", *e.gives, t.text)
		}
	case *e.gives != t.text:
		return fmt.Sprintf("should give %q, but gives %q", *e.gives, t.text)
	}
	return ""
}

func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}
