package policy

import (
	"errors"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// AbortError is an answer that was stopped by a policy or a limit. Its text is
// what the client is told.
type AbortError struct {
	Policy, Reason string
	// Err is the cause beneath, nil if a policy decided so.
	Err error
}

// Error tells who stopped the answer and why.
func (e *AbortError) Error() string {
	return "Sluice stopped this answer" + why(&Verdict{Policy: e.Policy, Reason: e.Reason})
}

// Unwrap returns the cause.
func (e *AbortError) Unwrap() error { return e.Err }

func abortVerdict(err error) Verdict {
	v := Verdict{Action: Abort, Policy: enginePolicy, Cause: CauseError, Err: err, Reason: "the answer cannot be enforced as it is"}
	if limit, ok := errors.AsType[*LimitError](err); ok {
		v.Cause, v.Reason = CauseLimit, limit.reason()
	} else if errors.Is(err, errUnknownCall) {
		v.Cause, v.Reason = CauseUnreadable, "it has a tool call in a form that is not known, so nobody can judge it"
	}
	return v
}

// aborting returns the verdict that ends the answer, nil if none does. It does
// not wait for the blocks before.
func (e *Engine) aborting() *Verdict {
	for _, l := range e.lanes {
		for _, r := range l.rulings[min(l.next, len(l.rulings)):] {
			if r != nil && r.decided && r.verdict.Action == Abort {
				return &r.verdict
			}
		}
	}
	return nil
}

// abort ends the answer with an error of the dialect. What waited never leaves.
func (e *Engine) abort(v Verdict, out *stream.Output) error {
	e.endWith(v)
	cause := &AbortError{Policy: v.Policy, Reason: v.Reason, Err: v.Err}
	if err := out.Fail(cause); err != nil {
		return errors.Join(cause, err)
	}
	return cause
}

// Fail ends the answer because its bytes stopped or cannot be read: what was
// held is not whole and never leaves. The client is told cause in an error of
// the dialect.
func (e *Engine) Fail(cause error, out *stream.Output) error {
	if e.ended {
		return nil
	}
	e.end()
	return out.Fail(cause)
}

// Cancel ends the engine's part because nobody listens any more.
func (e *Engine) Cancel() { e.end() }

func (e *Engine) end() {
	e.endWith(Verdict{Action: Abort, Policy: enginePolicy, Cause: CauseTruncated, Reason: "the answer ended before it was whole"})
}

// endWith ends everything and records what never left.
func (e *Engine) endWith(v Verdict) {
	if e.ended {
		return
	}
	e.ended = true
	e.questions, e.waiting, e.shadowing = nil, 0, 0
	for _, l := range e.lanes {
		for _, r := range l.rulings {
			if r == nil || r.recorded || !r.held {
				continue
			}
			if !r.released {
				if !r.decided || r.verdict.Action.Passes() {
					r.verdict = v
				}
				r.decided = true
			}
			e.record(r)
		}
	}
	e.drop()
}

// Close records what is still open when the exchange is over: verdicts in
// shadow that nobody waited for.
func (e *Engine) Close() {
	for _, l := range e.lanes {
		for _, r := range l.rulings {
			if r != nil && r.held && r.released {
				e.record(r)
			}
		}
	}
}

// denied reports whether every call of a message was denied in a way that the
// model shall be told of. The host then goes on with Resume or Refuse.
func (e *Engine) denied(l *lane) bool {
	if !e.opts.Feedback || len(e.lanes) > 1 || e.refused {
		return false
	}
	var denials []Denial
	for _, r := range l.rulings {
		if r == nil || !r.held || !r.isCall() {
			continue
		}
		if r.verdict.Action != BlockFeedback {
			return false
		}
		denials = append(denials, denialOf(r))
	}
	e.denials = denials
	return len(denials) > 0
}

// Denials returns the calls of a message of which every one was denied, nil if
// there is no such message. The host tells the model and hands its new answer
// on after Resume, or gives up with Refuse.
func (e *Engine) Denials() []Denial { return e.denials }

// Resume says that a new answer of the model follows, which goes on with the
// same client response. The host feeds it through a new Processor.
func (e *Engine) Resume(out *stream.Output) error {
	if err := e.leaveOut(out); err != nil {
		return err
	}
	if err := out.Continue(); err != nil {
		return e.abort(abortVerdict(err), out)
	}
	e.rounds++
	e.denials, e.lanes, e.ambiguous = nil, nil, false
	e.questions, e.waiting, e.shadowing = nil, 0, 0
	e.queue = queue{}
	e.early = e.early && (e.rounds < e.opts.Limits.Rounds || e.opts.Format != "anthropic")
	return nil
}

// leaveOut sends what waits of the first answer, without the denied calls and
// without its end.
func (e *Engine) leaveOut(out *stream.Output) error {
	l := e.lanes[0]
	for _, r := range l.rulings {
		if r == nil || !r.held || r.released {
			continue
		}
		err := e.enact(r, out)
		if err != nil {
			return e.abort(abortVerdict(err), out)
		}
		r.released = true
		e.record(r)
	}
	if e.opts.Whole {
		e.keepTexts(l)
		return nil
	}
	for len(l.line) > 0 {
		it := l.line[0]
		for i := range it.events() {
			switch it.chunk.Events[i].Type {
			case stream.EventFinish, stream.EventUsage, stream.EventDone:
				return nil
			default:
			}
		}
		if !it.free() {
			return nil
		}
		e.remove(it)
		if err := e.send(it, out); err != nil {
			return err
		}
	}
	return nil
}

// keepTexts keeps what the first answer said, where it is a body: the next one
// begins with it.
func (e *Engine) keepTexts(l *lane) {
	for i, b := range l.blocks {
		text := b.Text()
		if r := l.ruling(i); r != nil && r.held {
			if !r.verdict.Action.Passes() {
				continue
			}
			text = r.versions[0].Block.Text
		} else if e.texts != nil {
			text, _ = e.texts.chain.Apply(text)
		}
		if b.Kind() == llm.Content && text != "" {
			e.lead += text + "\n\n"
		}
	}
}

// leads puts the texts of earlier answers before what a body says. It reports
// false if it says nothing.
func (e *Engine) leads(c *stream.Chunk) bool {
	for i := range c.Events {
		ev := &c.Events[i]
		if ev.Block < 0 || ev.Kind != llm.Content || ev.Field != stream.Body || len(ev.Data) == 0 {
			continue
		}
		if r := e.lane(ev.Choice).ruling(ev.Block); r != nil && r.held && (!r.verdict.Action.Passes() || r.changed) {
			return false // another text stands there
		}
		ev.Data = append([]byte(e.lead), ev.Data...)
		ev.Edited, c.Edited = true, true
		return true
	}
	return false
}

// Refuse says that the model cannot be told: the denials end the turn.
func (e *Engine) Refuse(out *stream.Output) error {
	e.denials, e.refused = nil, true
	for _, l := range e.lanes {
		for _, r := range l.rulings {
			if r != nil && r.decided && !r.released && r.verdict.Action == BlockFeedback {
				r.verdict.Action = BlockEndTurn
			}
		}
		if err := e.carryOut(l, len(l.rulings), out); err != nil {
			return err
		}
	}
	return e.release(out)
}
