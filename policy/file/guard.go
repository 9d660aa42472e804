package file

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
	"github.com/sluice-project/sluice/policy/secret"
	"github.com/sluice-project/sluice/policy/text"
	"github.com/sluice-project/sluice/policy/tools"
)

// guard is a compiled policy. It is shared by all exchanges and immutable.
type guard struct {
	name    string
	applies policy.Kinds
	reason  string
	said    bool // the reason was written in the policy
	brief   bool // notices say nothing of the call
	action  policy.Action
	// when is nil if the policy always applies to its blocks.
	when    *rule.Program
	excepts []*rule.Program
	// gate is a prefilter that rules out most calls for when, which has a
	// number there; nil if it is not used.
	gate   *policy.Gate
	number int
	// rules and chain find matches, and replace them if the action says so.
	rules []text.Rule
	chain *text.Chain
	// adds finds what a call adds to files.
	adds *additions
	// secrets: the chain looks for secrets.
	secrets bool
	// quick matches the texts in which the chain finds something.
	quick *regexp.Regexp
	// streams: content and refusals are replaced while they stream, so they need
	// not be held.
	streams bool
	set     []setting
	// restores makes the placeholders for which the guard puts secrets back;
	// nil if it puts none back.
	restores *secret.Redactor
	// prompted: secrets in prompts are redacted, so a placeholder can refer to
	// one of them.
	prompted bool
	lists    *tools.Tools
	// ask is a judge or a hook, which takes time.
	ask asker
	// unknown is the action when it is unknown whether the condition holds,
	// unless a judge or a hook is asked then.
	unknown policy.Action
	judges  bool // the unknown goes to ask
	failure policy.Action
}

// asker is a judge or a hook.
type asker interface {
	Judge(ctx context.Context, s *policy.Subject) policy.Verdict
}

// setting is a new value for an argument.
type setting struct {
	argument string
	value    *rule.Program
	adds     bool
}

// changes reports whether the guard changes blocks instead of judging them.
func (g *guard) changes() bool { return g.action == policy.Rewrite || g.action == policy.Redact }

// inFlight are the kinds whose text the engine can replace while it streams.
var inFlight = policy.KindsOf(llm.Content, llm.Refusal)

// held are the kinds that the guard must see whole.
func (g *guard) held() policy.Kinds {
	if g.streams {
		return g.applies &^ inFlight
	}
	return g.applies
}

// asksWhose reports whether it matters to the guard which tool is called, and not only what
// it does: it has lists of tools, or asks for the server.
func (g *guard) asksWhose() bool {
	return g.lists != nil || g.when != nil && g.when.AsksForServer() || slices.ContainsFunc(g.excepts, (*rule.Program).AsksForServer)
}

// gate builds one prefilter for the conditions of guards that are used
// together.
func gate(guards []*guard) {
	var conditions []*rule.Program
	for _, g := range guards {
		if g.when != nil && !g.when.OnlyExchange() {
			g.number = len(conditions)
			conditions = append(conditions, g.when)
		}
	}
	shared := &policy.Gate{Open: rule.NewGates(conditions).Open}
	for _, g := range guards {
		if g.when != nil && !g.when.OnlyExchange() {
			g.gate = shared
		}
	}
}

// part is a guard in one exchange.
type part struct {
	*guard
	// excepts are those that depend on the block.
	excepts []*rule.Program
	// settled: the condition does not depend on the block, and has been evaluated.
	settled bool
	match   match
}

// match is the outcome of a condition.
type match struct {
	outcome rule.Outcome
	what    string // what was unknown
	err     error
}

// same reports whether the guard's instance is the same in every exchange.
func (g *guard) same() bool {
	for _, e := range g.excepts {
		if e.OnlyExchange() {
			return false
		}
	}
	return g.when == nil || !g.when.OnlyExchange()
}

// begin makes the guard's instance for an exchange.
func (g *guard) begin(x *policy.Exchange) policy.Policy {
	p := &part{guard: g, settled: g.when == nil, match: match{outcome: rule.True}}
	for _, e := range g.excepts {
		if !e.OnlyExchange() {
			p.excepts = append(p.excepts, e)
		} else if outcome, _, err := e.MatchExchange(x); err == nil && outcome == rule.True {
			return policy.Policy{Off: true}
		}
	}
	if g.when != nil && g.when.OnlyExchange() {
		p.settled = true
		p.match.outcome, p.match.what, p.match.err = g.when.MatchExchange(x)
		if p.match.err == nil && p.match.outcome == rule.False || g.streams && !p.replaces(p.match) {
			return policy.Policy{Off: true}
		}
	}
	switch {
	case !g.changes():
		made := policy.Policy{Judge: p.judge, Gate: g.gate, Number: g.number}
		if g.ask != nil {
			made.Asks = p.asks
		}
		return made
	case g.restores != nil:
		return policy.Policy{Change: p.restore, Conceal: p.conceal}
	case g.held() != 0:
		return policy.Policy{Change: p.change}
	default:
		return policy.Policy{}
	}
}

// asks reports whether the judge or the hook has to be asked.
func (p *part) asks(s *policy.Subject) bool {
	m := p.about(s)
	return m.err != nil || m.outcome != rule.False
}

// about says whether the policy applies to a block.
func (p *part) about(s *policy.Subject) match {
	for _, e := range p.excepts {
		if outcome, _, err := e.Match(s); err == nil && outcome == rule.True {
			return match{outcome: rule.False}
		}
	}
	if p.settled {
		return p.match
	}
	var m match
	m.outcome, m.what, m.err = p.when.Match(s)
	return m
}

// judge decides about a block.
func (p *part) judge(ctx context.Context, s *policy.Subject) policy.Verdict {
	allow := policy.Verdict{Action: policy.Allow}
	m := p.about(s)
	if m.err == nil && m.outcome == rule.False {
		return allow
	}
	hit := policy.Verdict{Action: p.action, Reason: p.reason}
	switch {
	case p.chain != nil:
		found, err := p.find(s)
		if err != nil {
			return policy.Verdict{Cause: policy.CauseError, Err: err}
		}
		if found == 0 {
			return allow
		}
		hit.Notes = []string{times(found)}
	case p.adds != nil:
		if hit.Notes = p.adds.find(s); hit.Notes == nil {
			return allow
		}
		if !p.brief { // what was found names files
			hit.Reason = strings.TrimSuffix(p.reason, ".") + ": " + strings.Join(hit.Notes, "; ")
		}
	case p.lists != nil:
		if hit = p.lists.Judge(ctx, s); hit.Action == policy.Allow {
			return allow
		}
		if hit.Cause == policy.CauseUnknown {
			return p.unsureOf(&hit)
		}
	}
	switch {
	case m.err != nil:
		return policy.Verdict{Cause: policy.CauseError, Err: m.err}
	case m.outcome == rule.Unknown && !p.judges:
		return p.unsure(m.what)
	case p.ask != nil:
		return p.asked(ctx, s)
	default:
		return hit
	}
}

// asked returns the opinion of the judge or the hook as the policy's verdict.
func (p *part) asked(ctx context.Context, s *policy.Subject) policy.Verdict {
	v := p.ask.Judge(ctx, s)
	switch {
	case v.Action <= policy.Allow:
	case v.Reason == "":
		v.Reason = p.reason
	case p.said:
		v.Reason = strings.TrimRight(p.reason, ".:; ") + ": " + v.Reason
	}
	return v
}

// unsureOf is the verdict when it is not known whether a tool is on a list.
func (p *part) unsureOf(hit *policy.Verdict) policy.Verdict {
	v := p.unsure("call.server")
	if v.Action != policy.Annotate {
		v.Reason = hit.Reason
	}
	return v
}

// unsure is the verdict when it is unknown whether the condition holds.
func (p *part) unsure(what string) policy.Verdict {
	v := policy.Verdict{Action: p.unknown, Cause: policy.CauseUnknown, Reason: p.reason}
	if what != "" {
		v.Notes = []string{"unknown: " + what}
	}
	switch {
	case v.Action == policy.Annotate:
		v.Reason = "cannot tell whether the policy " + p.name + " applies"
	case what != "":
		v.Reason = fmt.Sprintf("%s (it cannot be ruled out, because %s)", p.reason, rule.Plainly(what))
	}
	return v
}
