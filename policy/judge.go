package policy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// enginePolicy is the name under which the engine itself decides.
const enginePolicy = "sluice"

var errNoDecision = errors.New("the policy gave no decision")

// judge starts judging a held block as it is now: whatever can be decided
// synchronously is, and the rest becomes questions. It does nothing if the
// block has not changed since it was judged last.
func (e *Engine) judge(ctx context.Context, r *ruling) {
	if r.judged == r.block.Len() && r.name == r.block.Name() {
		return
	}
	if r.judged >= 0 {
		r.discarded++
		e.forget(r)
	}
	r.judged, r.name = r.block.Len(), r.block.Name()
	if e.opts.Judging != nil {
		e.opts.Judging(r.judged)
	}
	started := time.Now()
	b := e.shown(r)
	r.versions = append(r.fewVersions[:0], e.subject(r, b))
	if other, two := r.block.Other(); two {
		b := b
		if b.Kind == llm.ToolCall {
			b.Arguments = other
		} else {
			b.Text = other
		}
		r.versions = append(r.versions, e.subject(r, b))
	}
	if r.complete && r.initial != "" && r.initial != b.Arguments {
		b := b
		b.Arguments = r.initial // it leaves with the block's start
		r.versions = append(r.versions, e.subject(r, b))
	}
	if r.asCall {
		r.versions = append(r.versions, e.otherReadings(r, b)...)
		if began := (llm.Block{Kind: b.Kind, ID: b.ID, Type: b.Type, Status: b.Status, Raw: r.begun}); len(r.begun) > 0 && string(r.begun) != string(b.Raw) {
			if call, ok := asCall(&began); ok {
				r.versions = append(append(r.versions, e.subject(r, call)), e.otherReadings(r, call)...)
			}
		}
	}
	e.addToolset(r)
	if e.unreadable(r) {
		r.latency += time.Since(started)
		return
	}
	e.change(ctx, r)
	e.checkToolset(r)
	e.judgeInPlace(ctx, r)
	if r.strictest() < Block {
		e.judgeBeside(r)
	}
	r.latency += time.Since(started)
}

// otherReadings are what else clients may read in a block of an unknown type that is shown
// as a call: by its type, which needs no name, and all of it, because what it acts on may
// stand beside what was found, or around it.
func (e *Engine) otherReadings(r *ruling, b llm.Block) (others []*Subject) {
	if b.Name != b.Type && namesCall(jsonscan.View(b.Type)) {
		b.Name = b.Type
		if !isWithin(&b) {
			others = append(others, e.subject(r, b))
		}
	}
	if b.Arguments != string(b.Raw) {
		b.Arguments = string(b.Raw)
		others = append(others, e.subject(r, b))
	}
	return others
}

// forget discards the verdicts on an earlier form of the block.
func (e *Engine) forget(r *ruling) {
	r.round++
	r.judged = -1
	r.votes, r.versions, r.changed = nil, nil, false
	// Answers that are still to come no longer count.
	e.waiting -= r.waiting
	e.shadowing -= r.shadows
	r.waiting, r.shadows = 0, 0
}

// shown is the block as policies see it: a call in a block of an unknown type
// is shown as a call.
func (e *Engine) shown(r *ruling) llm.Block {
	b := r.block.Value()
	if b.Kind == llm.Opaque {
		if call, ok := asCall(&b); ok {
			r.asCall = true
			return call
		}
		if b.Raw = r.begun; len(b.Raw) > 0 {
			if call, ok := asCall(&b); ok {
				r.asCall = true
				return call
			}
		}
		return r.block.Value()
	}
	return b
}

func (e *Engine) subject(r *ruling, b llm.Block) *Subject {
	s := &Subject{
		Exchange: e.x, Stage: StageAnswer, Block: b, Choice: r.block.Choice(), Position: r.block.Position(),
		opaque: r.asCall,
	}
	s.lane = r.lane
	return s
}

// unreadable decides about calls that cannot be judged, because two readers
// would see two different calls, or none.
func (e *Engine) unreadable(r *ruling) bool {
	if !e.enforced || r.versions[0].Block.Kind != llm.ToolCall {
		return false
	}
	v := Verdict{Action: Block, Policy: enginePolicy}
	switch r.block.Status() {
	case llm.Incomplete:
		v.Cause, v.Reason = CauseTruncated, "the call was cut off before its end"
	case llm.Malformed:
		v.Cause, v.Reason = CauseUnreadable, "the call's arguments are not a JSON object"
		if r.block.Name() == "" {
			v.Reason = "the call has no name"
		}
	case llm.Complete, llm.Open:
		if r.asCall && slices.ContainsFunc(r.versions, func(s *Subject) bool { return ambiguous(&s.Block, r.block.Text()) }) {
			v.Cause, v.Reason = CauseUnreadable, "it carries more than one call, or repeats a key"
		}
		for _, s := range r.versions {
			if s.Block.Freeform() || r.asCall {
				continue
			}
			err := llm.CheckArguments(s.Block.Arguments)
			if s.readable = err == nil; !s.readable {
				v.Cause, v.Err = CauseUnreadable, err
				v.Reason = "the call's arguments cannot be read in one way only: send one JSON object without repeated keys"
			}
		}
	}
	if v.Cause == "" {
		return false
	}
	r.votes = append(r.votes, v)
	return true
}

// applies reports whether a policy applies to a block.
func (p *part) applies(s *Subject) bool {
	return p.def.Applies.Has(s.Block.Kind) || s.opaque && p.def.Applies.Has(llm.Opaque)
}

// change applies the policies that change blocks, in order.
func (e *Engine) change(ctx context.Context, r *ruling) {
	for _, p := range e.changing {
		for n, s := range r.versions {
			if !p.applies(s) {
				continue
			}
			changed, v := p.callChange(ctx, s)
			v.Policy, v.Shadow = p.def.Name, p.def.Mode == Shadow
			if v.Action > Allow {
				r.votes = append(r.votes, v)
			}
			if v.Shadow || v.Action != Rewrite && v.Action != Redact {
				continue
			}
			b := s.Block
			if b.Kind == llm.ToolCall {
				b.Arguments = changed
			} else {
				b.Text = changed
			}
			r.versions[n] = e.subject(r, b)
			r.changed = true
		}
	}
	if r.held && isText(r.versions[0].Block.Kind) {
		e.changeText(r)
	}
}

func (p *part) callChange(ctx context.Context, s *Subject) (text string, v Verdict) {
	defer func() {
		if x := recover(); x != nil {
			v = p.failed(CausePanic, fmt.Errorf("policy %s panicked: %v", p.def.Name, x))
		}
	}()
	c := p.Change(ctx, s)
	v = Verdict{Action: c.Action, Cause: c.Cause, Reason: c.Reason, Notes: c.Notes}
	switch c.Action {
	case Rewrite, Redact:
		if c.Text == s.Text() {
			v.Action = Allow
		}
	case 0, Allow:
		v.Action = Allow
	default:
	}
	return c.Text, v
}

// judgeInPlace asks the synchronous policies.
func (e *Engine) judgeInPlace(ctx context.Context, r *ruling) {
	started := time.Now()
	for _, p := range e.atOnce {
		for _, s := range r.versions {
			if !p.applies(s) || !p.asks(s) {
				continue
			}
			if v := p.call(ctx, s); v.Action > Allow {
				v.Shadow, v.Latency = p.def.Mode == Shadow, time.Since(started)
				r.votes = append(r.votes, v)
			}
		}
	}
}

// call asks one policy. It always returns a decision.
func (p *part) call(ctx context.Context, s *Subject) (v Verdict) {
	defer func() {
		if x := recover(); x != nil {
			v = p.failed(CausePanic, fmt.Errorf("policy %s panicked: %v", p.def.Name, x))
		}
	}()
	return p.decided(p.Judge(ctx, s))
}

// decided turns what a policy returned into a decision.
func (p *part) decided(v Verdict) Verdict {
	if v.Action == 0 || v.Action > Abort {
		cause, err := v.Cause, v.Err
		if cause == "" {
			cause = CauseError
		}
		if err == nil {
			err = errNoDecision
		}
		notes := v.Notes
		v = p.failed(cause, err)
		v.Notes = notes
		return v
	}
	if v.Action == Rewrite || v.Action == Redact {
		// Only Change can supply the new form. What a judge wants changed but
		// cannot change must not pass as it is.
		v.Action = Block
	}
	v.Policy = p.def.Name
	return v
}

// failed is the verdict of a policy that could not decide.
func (p *part) failed(cause Cause, err error) Verdict {
	action := p.def.OnError
	if action == Allow || action == Rewrite || action == Redact {
		action = Annotate // it passes, and the records say that it was not judged
	}
	return Verdict{
		Action: action, Policy: p.def.Name, Cause: cause, Err: err,
		Reason: "the policy could not decide",
	}
}

// strictest returns the strictest action of the enforced verdicts.
func (r *ruling) strictest() Action {
	strictest := Allow
	for i := range r.votes {
		if v := &r.votes[i]; !v.Shadow {
			strictest = max(strictest, v.Action)
		}
	}
	return strictest
}

// conclude is called when a held block is known to be complete: verdicts on
// exactly this form count, anything else is judged again.
func (e *Engine) conclude(ctx context.Context, r *ruling) {
	if !r.over {
		if _, two := r.block.Other(); two && len(r.versions) < 2 || r.block.Status() != llm.Complete {
			e.forget(r)
		}
		e.judge(ctx, r)
	}
	e.settle(r)
}

// settle decides about a block once every verdict that counts is in.
func (e *Engine) settle(r *ruling) {
	if r.decided || !r.complete || r.waiting > 0 {
		return
	}
	verdict := Verdict{Action: Allow}
	if r.block.Kind() == llm.Opaque && !r.asCall {
		verdict = Verdict{Action: Annotate, Policy: enginePolicy, Reason: unknownType}
	}
	for _, v := range r.votes {
		v.Action = e.resolve(v.Action, r)
		if !v.Shadow && v.Action > verdict.Action {
			verdict = v
		}
	}
	if verdict.Action == Ask && len(r.versions) > 1 {
		// A person approves one call, and the client may use the other.
		verdict.Action, verdict.Cause = e.resolve(Block, r), CauseUnreadable
		verdict.Reason += " (it was sent in two versions, so nobody can approve it)"
	}
	if verdict.Action == Ask {
		e.ask(r, verdict)
		return
	}
	e.decide(r, verdict)
}

// decide gives a block its verdict.
func (e *Engine) decide(r *ruling, v Verdict) {
	e.describe(&v, r)
	r.verdict, r.decided = v, true
	if v.Action == Abort && e.aborted == nil {
		e.aborted = &r.verdict
	}
}

// resolve turns Block into the host's usual form of it.
func (e *Engine) resolve(a Action, r *ruling) Action {
	if a != Block && a != BlockFeedback {
		return a
	}
	if e.opts.Feedback && e.rounds < e.opts.Limits.Rounds && (r == nil || r.isCall()) {
		return BlockFeedback
	}
	return BlockEndTurn
}

func (r *ruling) isCall() bool { return r.block.Kind() == llm.ToolCall || r.asCall }
