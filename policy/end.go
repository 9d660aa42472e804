package policy

import (
	"errors"

	"github.com/sluice-project/sluice/stream"
)

// AbortError is an answer that was stopped by a policy or a limit. Its text is
// what the client is told.
type AbortError struct {
	Policy, Reason string
	// Attempt is what the call would have done for which it was stopped; see
	// Verdict.Attempt.
	Attempt string
	// Err is the cause beneath, nil if a policy decided so.
	Err error
}

// Error says what stopped the answer and why.
func (e *AbortError) Error() string {
	v := &Verdict{Policy: e.Policy, Reason: e.Reason, Attempt: e.Attempt}
	return "Sluice stopped this answer" + attempted(v) + why(v)
}

// Unwrap returns the cause.
func (e *AbortError) Unwrap() error { return e.Err }

func abortVerdict(err error) Verdict {
	v := Verdict{Action: Abort, Policy: enginePolicy, Cause: CauseError, Err: err, Reason: "the answer cannot be enforced as it is"}
	limit, isLimit := errors.AsType[*LimitError](err)
	switch {
	case isLimit:
		v.Cause, v.Reason = CauseLimit, limit.reason()
	case errors.Is(err, errStrayCall):
		v.Cause, v.Reason = CauseUnreadable, "it has a tool call in an unknown form, which cannot be judged"
	case errors.Is(err, errUnaskedChoice):
		v.Cause, v.Reason = CauseUnreadable, "it has tool calls in several choices, but one choice was asked for"
	case errors.Is(err, errBorrowedName):
		v.Cause, v.Reason = CauseUnreadable, "it has a call that the provider runs itself under the name of one of the client's tools, which some clients would run"
	case errors.Is(err, errNotUTF8):
		v.Cause, v.Reason = CauseUnreadable, "it has a tool call that is not valid UTF-8, so clients read different ones"
	}
	return v
}

// aborting returns the verdict that ends the answer, nil if none does. It does
// not wait for the blocks before.
func (e *Engine) aborting() *Verdict {
	return e.aborted
}

// abort ends the answer with an error of the dialect. What waited never leaves.
func (e *Engine) abort(v Verdict, out *stream.Output) error {
	e.endWith(v)
	cause := &AbortError{Policy: v.Policy, Reason: v.Reason, Attempt: v.Attempt, Err: v.Err}
	if err := out.Fail(cause); err != nil {
		return errors.Join(cause, err)
	}
	return cause
}

// Fail ends the answer because it broke off or cannot be read: what was held
// is incomplete and never leaves. The client gets cause in an error of the
// dialect.
func (e *Engine) Fail(cause error, out *stream.Output) error {
	if e.ended {
		return nil
	}
	e.end()
	return out.Fail(cause)
}

// Cancel ends the engine's part because the reader is gone.
func (e *Engine) Cancel() { e.end() }

func (e *Engine) end() {
	e.endWith(Verdict{Action: Abort, Policy: enginePolicy, Cause: CauseTruncated, Reason: "the answer ended before it was complete"})
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
			if !r.left {
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
	e.recordCut()
	for _, l := range e.lanes {
		for _, r := range l.rulings {
			if r == nil || !r.left || r.recorded {
				continue
			}
			if r.shadows = 0; r.held {
				e.record(r)
				continue
			}
			l.asked = true
			e.recordEnded(ended{block: r.block, r: r}, true)
		}
	}
}
