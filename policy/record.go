package policy

import (
	"context"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// record tells of the verdict on a held block, once.
func (e *Engine) record(r *ruling) {
	if r.recorded || e.opts.Record == nil {
		return
	}
	r.recorded = true
	b := r.block
	rec := e.about(b)
	rec.Verdict, rec.Verdicts = r.verdict, r.votes
	rec.Held, rec.Latency, rec.Discarded = time.Since(r.began), r.latency, r.discarded
	rec.Name = r.calledName()
	if b.Kind() == llm.Opaque && rec.In == "" {
		rec.In = b.Raw()
	}
	rec.Delivered = r.verdict.Action.Passes()
	switch {
	case !rec.Delivered:
	case r.changed:
		rec.Out = r.versions[0].Text()
	default:
		rec.Out = rec.In
	}
	e.opts.Record(rec)
}

// recordPassed tells of the blocks that passed because nobody is about them.
func (e *Engine) recordPassed(st *stream.State) {
	if e.opts.Record == nil {
		return
	}
	for _, b := range st.Completed() {
		e.recordBlock(b, Verdict{Action: Allow})
	}
}

func (e *Engine) recordBlock(b *stream.Block, v Verdict) {
	if e.opts.Record == nil {
		return
	}
	rec := e.about(b)
	switch kind := b.Kind(); {
	case kind == llm.ServerTool && e.set.enforces:
		v.Action, v.Cause = Annotate, CauseUnjudgeable
		v.Reason = "the provider runs it itself"
	case kind == llm.Opaque && !isInert(b.Type()):
		v.Action = Annotate
		v.Reason = unknownType
	}
	rec.Verdicts = e.observe(b)
	for _, seen := range rec.Verdicts {
		if !seen.Shadow && seen.Action == Annotate {
			v = seen
		}
	}
	rec.Verdict, rec.Delivered, rec.Out = v, true, rec.In
	e.opts.Record(rec)
}

// observe asks the policies that are about a block which nobody could hold:
// what they say is only recorded.
func (e *Engine) observe(b *stream.Block) (votes []Verdict) {
	if b.Kind() != llm.ServerTool && b.Kind() != llm.ToolResult {
		return nil
	}
	for i := range e.parts {
		p := &e.parts[i]
		if p.Judge == nil || p.def.Waits || !p.def.Applies.Has(b.Kind()) {
			continue
		}
		s := &Subject{Exchange: e.x, Stage: StageAnswer, Block: b.Value(), Choice: b.Choice(), Position: b.Position()}
		if v := p.call(context.Background(), s); v.Action > Allow {
			v.Shadow = p.def.Mode == Shadow || v.Action > Annotate
			votes = append(votes, v)
		}
	}
	return votes
}

func (e *Engine) about(b *stream.Block) *Record {
	e.told = Record{
		Stage: StageAnswer, Choice: b.Choice(), Block: b.Position(), Message: -1, Kind: b.Kind(),
		ID: b.ID(), Name: b.Name(), Type: b.Type(), Status: b.Status(), Version: e.set.version, In: b.Text(),
	}
	return &e.told
}
