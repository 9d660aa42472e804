package openaichat

import (
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/shape"
)

// lastDelta is the state of the fast path after a payload that did nothing but append to
// the body of an open block. A payload of the same shape does the same: everything else
// in it is a repetition, and nothing happened in between, because every payload that is
// parsed in full is learned or clears this.
type lastDelta struct {
	shape shape.Shape
	wire  string // the name that the SSE event had
	// choice is the one that grew, call its call, nil for text.
	choice *choice
	call   *callState
	// before and after are how far the event's span reaches beyond the text.
	before, after int
	// off makes the decoder read every payload in full, for tests.
	off bool
}

// repeat reads a payload that matches the last one. Otherwise it returns false and
// changes nothing.
func (d *Decoder) repeat(c *stream.Chunk) bool {
	l := &d.lastDelta
	var m shape.Match
	if !l.shape.Match(c.Raw, &m) || c.Name != l.wire {
		return false
	}
	d.open(c)
	c.Repeats = true
	data := m.Data(c.Raw, &d.buf)
	ev := shape.Delta(c, data, llm.Span{Start: m.Text.Start - l.before, End: m.Text.End + l.after})
	ev.Choice = l.choice.index
	if call := l.call; call != nil {
		ev.Kind, ev.Block, ev.Index, ev.Offset = llm.ToolCall, call.position, call.index, call.length
		c.Ambiguous = l.choice.interleaves(call)
		call.grow(c, data, false)
	} else {
		run := &l.choice.run
		ev.Kind, ev.Block, ev.Index, ev.Offset = run.kind, run.position, -1, run.length
		run.length += len(data)
	}
	return true
}

// learn records a payload that was parsed in full, if the next one can be matched by
// its shape. usual is false if it had a deviation.
func (d *Decoder) learn(c *stream.Chunk, usual bool) {
	l := &d.lastDelta
	l.shape.Forget()
	if !usual || l.off || c.Whole || len(c.Events) != 1 {
		return
	}
	ev := &c.Events[0]
	if ev.Type != stream.EventDelta || ev.Field != stream.Body {
		return
	}
	// The reading is that of the last choice of the payload. It has become an event, so
	// the only event belongs to it.
	at, ofCall := d.only()
	ch := d.lastUsed
	if at.IsZero() || ch == nil || ch.index != ev.Choice {
		return
	}
	l.call = nil
	switch {
	case ofCall && ch.last != nil && ch.last.position == ev.Block:
		l.call = ch.last
	case !ofCall && ch.run.kind == ev.Kind && ch.run.position == ev.Block:
	default:
		return
	}
	l.wire, l.choice = c.Name, ch
	l.before, l.after = at.Start-ev.Span.Start, ev.Span.End-at.End
	l.shape.Learn(c.Raw, shape.Holes{Text: at, Padding: d.padding})
}

// only returns the position of the only string that a delta carries, and whether it is
// the arguments of a call. The position is zero if there is anything else on which its
// meaning could depend: reasoning can be repeated, and a call that is named again can
// be another one.
func (r *reading) only() (at llm.Span, ofCall bool) {
	if r.asList || r.hasLegacy || r.both || !r.audio.span.IsZero() ||
		len(r.details) > 0 || len(r.unknown) > 0 || len(r.finish.data) > 0 {
		return llm.Span{}, false
	}
	texts := 0
	for _, t := range [...]*text{&r.content, &r.thought, &r.reasoning, &r.refusal} {
		if len(t.data) > 0 {
			at = t.span
			texts++
		}
	}
	switch {
	case texts == 1 && len(r.calls) == 0:
		return at, false
	case texts == 0 && len(r.calls) == 1:
		if e := &r.calls[0]; len(e.id)+len(e.name)+len(e.unknown)+len(e.signature.data) == 0 {
			return e.argsAt, true
		}
	}
	return llm.Span{}, false
}
