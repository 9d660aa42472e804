package policy

import (
	"context"

	"github.com/sluice-project/sluice/stream"
)

// Take accepts the answer to a question and sends whatever may leave now.
func (e *Engine) Take(ctx context.Context, a Answer, out *stream.Output) error {
	q := a.question
	if e.ended || q.answer != e.rounds {
		return nil // the exchange has moved on without it
	}
	switch {
	case q.shadow():
		e.takeShadow(q, a.verdicts)
		return nil
	case q.l != nil:
		q.l.deciding--
		e.waiting--
		e.count(q, a.verdicts)
	case q.round != q.r.round:
		return nil // outdated: more bytes of the block came later
	default:
		e.waiting--
		q.r.waiting--
		if q.part == nil {
			e.approved(q.r, a.verdicts[0])
			break
		}
		e.votes(q.r, a.verdicts, false)
		e.settle(q.r)
	}
	return e.proceed(ctx, out)
}

// takeShadow records what a policy in shadow mode would have decided.
func (e *Engine) takeShadow(q *Question, verdicts []Verdict) {
	of := q.of
	if of == nil {
		if q.round != q.r.round {
			return
		}
		of = []*ruling{q.r}
	}
	e.shadowing--
	for i, r := range of {
		if q.of == nil {
			e.votes(r, verdicts, true)
		} else {
			e.votes(r, verdicts[i:i+1], true)
		}
		if r.shadows--; r.left && r.shadows == 0 && !r.recorded {
			if r.held {
				e.record(r)
			} else {
				e.recordEnded(ended{block: r.block, r: r}, true)
			}
		}
	}
}

func (e *Engine) votes(r *ruling, verdicts []Verdict, shadow bool) {
	for _, v := range verdicts {
		r.latency = max(r.latency, v.Latency)
		if v.Action > Allow || len(v.Notes) > 0 {
			v.Shadow = shadow
			r.votes = append(r.votes, v)
		}
	}
}

// approved applies a person's decision in place of the ask verdict. Verdicts
// that changed the block still count.
func (e *Engine) approved(r *ruling, v Verdict) {
	v.Action = e.resolve(v.Action, r)
	e.describe(&v, r)
	r.votes = append(r.votes, v)
	if v.Action.Passes() && r.changed {
		v.Action = Rewrite
	}
	r.latency = max(r.latency, v.Latency)
	// A policy that judges all calls together may have returned something
	// stricter meanwhile, or have asked too.
	if r.verdict.Action == 0 || r.verdict.Action.Passes() || v.Action > r.verdict.Action {
		r.verdict = v
	}
	r.decided = r.waiting == 0
}
