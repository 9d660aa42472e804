package policy

import (
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/witness"
)

// exit reads what leaves of an answer once more, as a client would, and stops it
// if it contains a call that no verdict allowed. The writer is built so that this
// cannot happen; exit is the second line of defence in case it does.
type exit struct {
	engine  *Engine
	witness *witness.Witness
}

// watchExit makes the output check with the engine what leaves, where calls are
// judged.
func (e *Engine) watchExit(out *stream.Output) {
	if e.exit.engine != nil || e.opts.Format == "" || !e.held.Has(llm.ToolCall) {
		return
	}
	e.exit.engine = e
	out.Guard(&e.exit)
}

// learn tells the witness about the calls that verdicts have let pass since
// last time, in the form in which they leave.
func (x *exit) learn() {
	e := x.engine
	if x.witness == nil {
		x.witness = witness.New(e.opts.Format, e.opts.Whole)
	}
	for _, l := range e.lanes {
		for ; l.shown < l.next; l.shown++ {
			r := l.rulings[l.shown]
			if r == nil || !r.held || !r.verdict.Action.Passes() || !r.isCall() && r.block.Kind() != llm.Opaque {
				continue
			}
			b := r.block.Value()
			x.witness.Allow(&b)
			if r.initial != "" {
				began := b
				began.Arguments, began.Raw = r.initial, nil // judged with it
				x.witness.Allow(&began)
			}
			if len(r.begun) > 0 {
				began := b
				began.Raw = r.begun // likewise
				x.witness.Allow(&began)
			}
			for _, s := range r.versions {
				form := s.Block // as changed by a policy, the call in a block of an unknown type, or what else clients may read
				form.Raw = nil
				x.witness.Allow(&form)
				if r.asCall && form.Name == form.Type {
					form.Name = "" // policies see the type when there is no name
					x.witness.Allow(&form)
				}
			}
		}
	}
}

// Inspect reads what is about to leave.
func (x *exit) Inspect(p []byte) error {
	x.learn()
	err := x.witness.Read(p)
	if err == nil {
		return nil
	}
	v := Verdict{Action: Abort, Policy: enginePolicy, Cause: CauseError, Reason: err.Error(), Err: err}
	x.engine.endWith(v)
	return &AbortError{Policy: v.Policy, Reason: v.Reason, Err: err}
}

// Failure is what the client gets instead.
func (x *exit) Failure(dst []byte, cause error) []byte {
	e := x.engine
	w := e.opts.Format.NewWriter(stream.WriterOptions{Whole: e.opts.Whole})
	dst, _ = w.Fail(dst, cause)
	return dst
}
