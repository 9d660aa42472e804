package policy

import (
	"context"

	"github.com/sluice-project/sluice/stream"
)

// Take takes in the answer to a question and sends what may leave now.
func (e *Engine) Take(ctx context.Context, a Answer, out *stream.Output) error {
	if e.ended {
		return nil // the answer went on without it
	}
	q := a.question
	if q.l != nil {
		q.l.deciding--
		e.waiting--
		e.count(q, a.verdicts)
		return e.proceed(ctx, out)
	}
	r := q.r
	if q.part != nil && q.part.def.Mode == Shadow {
		if q.round == r.round {
			r.shadows--
			e.votes(r, a.verdicts, true)
			if r.released && r.shadows == 0 {
				e.record(r)
			}
		}
		return nil
	}
	e.waiting--
	if q.round != r.round {
		return nil // late bytes made it worthless
	}
	r.waiting--
	if q.part == nil {
		e.approved(r, a.verdicts[0])
	} else {
		e.votes(r, a.verdicts, false)
		e.settle(r)
	}
	return e.proceed(ctx, out)
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

// approved takes a person's decision, which stands in the place of the ask.
// What changed the block still counts.
func (e *Engine) approved(r *ruling, v Verdict) {
	v.Action = e.resolve(v.Action, r)
	r.votes = append(r.votes, v)
	if v.Action.Passes() && r.changed {
		v.Action = Rewrite
	}
	r.latency = max(r.latency, v.Latency)
	r.verdict, r.decided = v, true
}
