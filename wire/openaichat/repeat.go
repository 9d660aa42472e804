package openaichat

import (
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/shape"
)

// likeLast is what the decoder knows of the last payload if that did nothing
// but append to the body of an open block. A payload of the same shape does the
// same: whatever else it says was said before, and nothing has come in between,
// because every payload that is read in full is learned or forgets this.
type likeLast struct {
	shape shape.Shape
	wire  string // the name that the SSE event had
	// choice is the one that grew, call its call, nil if it was a text.
	choice *choice
	call   *callState
	// before and after are how far the event's span reaches beyond the text.
	before, after int
	// off makes the decoder read every payload in full, for tests.
	off bool
}

// repeat reads a payload that is like the last one. It returns false, with
// nothing changed, if it is not.
func (d *Decoder) repeat(c *stream.Chunk) bool {
	l := &d.likeLast
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
		call.length += len(data)
		call.scan.feed(data)
	} else {
		run := &l.choice.run
		ev.Kind, ev.Block, ev.Index, ev.Offset = run.kind, run.position, -1, run.length
		run.length += len(data)
	}
	return true
}

// learn remembers a payload that was read in full, if the next one can be read
// by its shape. usual is false if there was something to note about it.
func (d *Decoder) learn(c *stream.Chunk, usual bool) {
	l := &d.likeLast
	l.shape.Forget()
	if !usual || l.off || c.Whole || len(c.Events) != 1 {
		return
	}
	ev := &c.Events[0]
	if ev.Type != stream.EventDelta || ev.Field != stream.Body {
		return
	}
	// The reading is of the last choice of the payload. What it carries has
	// become an event, so the only event is of it.
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

// only returns the place of the one string that a delta carries, and whether it
// is the arguments of a call. The place is zero if there is anything beside it
// on which its meaning could depend: reasoning can stand there twice, and a
// call that is named again can be another one.
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
