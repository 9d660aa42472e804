package policy

import (
	"context"
	"encoding/hex"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// record reports the verdict on a held block, once.
func (e *Engine) record(r *ruling) {
	if r.recorded || e.opts.Record == nil {
		return
	}
	r.recorded = true
	b := r.block
	rec := e.about(b)
	for i := range r.votes { // including shadow verdicts: they say what would be stopped
		e.describe(&r.votes[i], r)
	}
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

// recordPassed reports the blocks that passed because no policy applies to them.
func (e *Engine) recordPassed(ctx context.Context, st *stream.State) {
	if e.opts.Record == nil {
		return
	}
	for _, b := range st.Completed() {
		e.recordBlock(b, e.observe(ctx, b), Verdict{Action: Allow}, true)
	}
}

// ended is a block that was not held, with the ruling on its text if there is
// one.
type ended struct {
	block *stream.Block
	r     *ruling
	// votes are the verdicts on a block that could not be held.
	votes []Verdict
}

// recordEnded reports such a block when its end has left, or never will.
func (e *Engine) recordEnded(b ended, left bool) {
	switch {
	case e.opts.Record == nil:
	case b.r != nil && left && (b.r.shadows > 0 || e.together && b.r.isCall() && !b.r.lane.asked):
		b.r.left = true // the shadow policies have not decided yet
	case b.r != nil && b.r.text != nil:
		b.r.recorded = true
		e.recordText(b.r, left)
	case b.r != nil:
		e.record(b.r)
	default:
		e.recordBlock(b.block, b.votes, Verdict{Action: Allow}, left)
	}
}

func (e *Engine) recordBlock(b *stream.Block, votes []Verdict, v Verdict, left bool) {
	if b.Status() == llm.Incomplete {
		if e.cut == nil {
			e.cut = make(map[[2]int]bool)
		}
		e.cut[[2]int{b.Choice(), b.Position()}] = true
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
	rec.Verdicts = votes
	for _, seen := range votes {
		if !seen.Shadow && seen.Action == Annotate {
			v = seen
		}
	}
	if rec.Verdict, rec.Delivered = v, left; left {
		rec.Out = rec.In
	}
	e.opts.Record(rec)
}

// observe asks the policies that apply to a block which could not be held:
// their verdicts are only recorded.
func (e *Engine) observe(ctx context.Context, b *stream.Block) (votes []Verdict) {
	if e.assembly == nil || e.opts.Record == nil || b.Kind() != llm.ServerTool && b.Kind() != llm.ToolResult {
		return nil
	}
	for i := range e.parts {
		p := &e.parts[i]
		if p.Judge == nil || p.def.Waits || !p.def.Applies.Has(b.Kind()) {
			continue
		}
		s := &Subject{Exchange: e.x, Stage: StageAnswer, Block: b.Value(), Choice: b.Choice(), Position: b.Position()}
		if v := p.call(ctx, s); v.Action > Allow {
			v.Shadow = p.def.Mode == Shadow || v.Action > Annotate
			votes = append(votes, v)
		}
	}
	return votes
}

func (e *Engine) about(b *stream.Block) *Record {
	if e.told == nil {
		e.told = new(Record)
	}
	*e.told = Record{
		Stage: StageAnswer, Choice: b.Choice(), Block: b.Position(), Message: -1, Kind: b.Kind(),
		ID: b.ID(), Name: b.Name(), Type: b.Type(), Status: b.Status(), Version: e.set.version, In: b.Text(), Size: b.Len(),
	}
	if !b.Kept() {
		sum := b.Sum()
		e.told.sum = hex.EncodeToString(sum[:])
	}
	return e.told
}

// recordKept records the blocks that began or ended in a payload that ends the answer:
// nothing of those that began in it leaves.
func (e *Engine) recordKept(c *stream.Chunk, v Verdict) {
	if e.opts.Record == nil {
		return
	}
	if e.cut == nil {
		e.cut = make(map[[2]int]bool)
	}
	for i := range c.Events {
		ev := &c.Events[i]
		choice := e.st.Choice(ev.Choice)
		if ev.Type != stream.EventStart || choice == nil || ev.Block >= len(choice.Blocks()) {
			continue
		}
		e.cut[[2]int{ev.Choice, ev.Block}] = true
		rec := e.about(choice.Blocks()[ev.Block])
		rec.Verdict = v
		e.opts.Record(rec)
	}
	for _, b := range e.st.Completed() {
		if r := e.find(b.Choice(), b.Position()); !e.cut[[2]int{b.Choice(), b.Position()}] && (r == nil || !r.held) {
			e.recordBlock(b, nil, cutVerdict, true)
		}
	}
}

// cutVerdict is about a block that nobody held.
var cutVerdict = Verdict{Action: Allow, Cause: CauseTruncated, Reason: "it was cut after a part of it had left"}

// recordCut records the blocks that passed and never ended.
func (e *Engine) recordCut() {
	if e.opts.Record == nil || e.st == nil {
		return
	}
	for _, c := range e.st.Choices() {
		for i, b := range c.Blocks() {
			if b.Status() != llm.Incomplete && b.Status() != llm.Open || e.cut[[2]int{c.Index(), i}] {
				continue
			}
			switch r := e.find(c.Index(), i); {
			case r == nil && e.set.enforces && b.Kind() == llm.ToolCall:
				rec := e.about(b)
				rec.Verdict = Verdict{Action: Abort, Policy: enginePolicy, Cause: CauseTruncated, Reason: "the answer ended before it could be judged"}
				e.opts.Record(rec)
			case r == nil || !r.held:
				e.recordBlock(b, nil, cutVerdict, true)
			}
		}
	}
}

// find returns the ruling on a block, nil if there is none.
func (e *Engine) find(choice, block int) *ruling {
	for _, l := range e.lanes {
		if l.number == choice {
			return l.ruling(block)
		}
	}
	return nil
}
