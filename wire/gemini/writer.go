package gemini

import (
	"slices"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
	"github.com/sluice-project/sluice/wire/sse"
)

// Writer writes one answer as server-sent events, or as one body if the chunk
// is whole. Make one with NewWriter.
//
// Chunks are independent here: there are no indices to keep contiguous and a text needs
// no start. What must not happen is that a client sees a piece of a call other than the
// one that was judged, inserted text after a call, or a regular end of something that
// broke.
type Writer struct {
	opts    stream.WriterOptions
	plan    plan.Plan
	choices []*writing
	next    int // the chunk that follows the last one

	id, model string // of the first answer, for all chunks

	framed  bool // something was written as an event
	blocked bool // the blocked prompt was reported
	failed  bool // the provider's error was passed on
	shut    bool // another answer was refused because this one had finished
	done    bool // the upstream's own end was written, or a whole body
	ended   bool // Terminate or Fail was

	// single is the choice of the many answers that have one.
	single struct {
		choice  writing
		choices [1]*writing
	}
}

// writing is what was written of one choice.
type writing struct {
	*plan.Choice

	seen     bool // the client knows of it
	finishAt int  // the payload with which it finished

	// open is the call that has begun and not ended.
	open bool
	call openCall
	// ids are the ids of the calls that were sent.
	ids map[string]bool
	// textChanged is set when a text was removed, replaced or edited: what quotes
	// the text must go with it.
	textChanged bool
}

// openCall is a call that has begun, and how much of it was written.
type openCall struct {
	block int
	parts int // after the first
	// seq and start are where the last part of it stood.
	seq, start int
	// doubtful is set when chunks were left out or reordered since it began.
	doubtful bool
}

// NewWriter returns a writer for one client response.
func NewWriter(opts stream.WriterOptions) *Writer { return &Writer{opts: opts} }

func (w *Writer) choice(number int) *writing {
	for _, ch := range w.choices {
		if ch.Number == number {
			return ch
		}
	}
	ch := &w.single.choice
	if w.choices == nil {
		w.choices = w.single.choices[:0]
	} else {
		ch = new(writing)
	}
	ch.Choice, ch.finishAt = w.plan.Choice(number), -1
	w.choices = append(w.choices, ch)
	return ch
}

// Write writes a chunk of the current upstream answer. A chunk that is whole is
// written as a body, not as an event, if nothing was written before it.
func (w *Writer) Write(dst []byte, c *stream.Chunk) ([]byte, error) {
	c = plan.OneLine(c, w.opts.Whole)
	if w.ended || w.done && c.Raw != nil {
		return dst, stream.ErrTerminated
	}
	if w.done || w.opts.Whole && c.Raw == nil {
		return dst, nil
	}
	if c.Edited {
		var ok bool
		if c, ok = amended(c); !ok {
			return dst, stream.ErrNotWritable
		}
	}
	w.plan.Observe(c)
	w.plan.Edited = w.plan.Edited || c.Ambiguous && w.opts.Settle
	if c.Seq != w.next {
		for _, ch := range w.choices {
			ch.call.doubtful = ch.open
		}
	}
	w.next = c.Seq + 1
	if w.plan.Edited || w.opts.Force {
		return w.rewrite(dst, c)
	}
	for i := range c.Events {
		ev := &c.Events[i]
		if ev.Block >= 0 && ev.Type != stream.EventUnknown {
			_, step := w.plan.Track(ev)
			w.follow(c, ev, step)
			continue
		}
		w.notice(c, ev)
	}
	if c.Raw == nil {
		return dst, nil
	}
	return w.frame(dst, c, c.Raw), nil
}

// frame writes a payload as an event, or as the body that it is.
func (w *Writer) frame(dst []byte, c *stream.Chunk, payload []byte) []byte {
	if (c.Whole || w.opts.Whole) && !w.framed {
		w.done = true
		return append(dst, payload...)
	}
	w.framed = true
	return sse.AppendEvent(dst, c.Name, payload)
}

// notice records what an event outside of blocks says about the answer.
func (w *Writer) notice(c *stream.Chunk, ev *stream.Event) {
	switch ev.Type {
	case stream.EventMeta:
		if w.id == "" {
			w.id = ev.ID
		}
		if w.model == "" {
			w.model = ev.Name
		}
	case stream.EventFinish:
		ch := w.choice(ev.Choice)
		ch.seen, ch.open = true, false
		ch.Finished, ch.finishAt = true, max(ch.finishAt, c.Seq)
	case stream.EventPing:
		w.choice(ev.Choice).seen = true
	case stream.EventError:
		w.failed = true
	case stream.EventUnknown:
		if ev.Name == nameFeedback {
			w.blocked = true
		}
	case stream.EventDone:
		w.done = true
	default:
	}
}

// follow keeps how much of a call was written. It reports whether a piece of the
// call is missing, or was written before.
func (w *Writer) follow(c *stream.Chunk, ev *stream.Event, step plan.Step) plan.Step {
	ch := w.choice(ev.Choice)
	if step != plan.Pass && step != plan.Open {
		return step
	}
	ch.seen = true
	if ch.open && ch.call.doubtful && ev.Block != ch.call.block && ev.Type != stream.EventEnd {
		return plan.Gap // another block, although the end of the call has not come
	}
	if ev.Kind != llm.ToolCall {
		return step
	}
	switch {
	case ev.Type == stream.EventStart && ch.open:
		return plan.Gap // the end of the call before was left out
	case ev.Type == stream.EventStart:
		ch.open = true
		ch.call = openCall{block: ev.Block, seq: c.Seq, start: ev.Span.Start}
		ch.use(ev.ID)
	case !ch.open || ch.call.block != ev.Block:
	case ev.Type == stream.EventEnd:
		ch.open = false
		if ev.Status == llm.Incomplete {
			ch.Waiting = nil // nothing can follow half a call
		}
		if ch.call.parts != ev.Offset {
			return plan.Gap
		}
	case ev.Type == stream.EventDelta && ev.Field == stream.Body && !ev.Span.IsZero():
		call := &ch.call
		switch {
		case c.Seq == call.seq && ev.Span.Start == call.start && call.parts == 0:
			return step // the first part itself
		case c.Seq < call.seq || c.Seq == call.seq && ev.Span.Start <= call.start:
			return plan.Skip
		}
		call.parts++
		call.seq, call.start = c.Seq, ev.Span.Start
	}
	return step
}

// Replace decides that a block is written as with instead. Text that replaces a call
// goes before the first call of the same chunk, if none was sent yet; otherwise it
// goes where the call was.
func (w *Writer) Replace(at stream.At, with ...llm.Block) error {
	if w.ended || w.done {
		return stream.ErrTerminated
	}
	if at.Choice < 0 {
		return stream.ErrNotWritable
	}
	if err := writable(with, true); err != nil {
		return err
	}
	ch := w.choice(at.Choice)
	if at.Block >= 0 && at.Block < len(ch.Entries()) {
		e := ch.Entry(at.Block)
		says := slices.ContainsFunc(with, func(b llm.Block) bool { return b.Kind == llm.Content && b.Text != "" })
		if e.Kind == llm.ToolCall && e.Sent == plan.Nothing && ch.Calls > 0 && says {
			return stream.ErrTooLate
		}
	}
	return w.plan.Replace(at, slices.Clone(with))
}

// Continue says that the next chunks are of another upstream answer. They get
// the id and model of the first.
func (w *Writer) Continue(dst []byte) ([]byte, error) {
	if w.ended || w.done {
		return dst, stream.ErrTerminated
	}
	for _, ch := range w.choices {
		if ch.open {
			dst = w.fail(dst, stream.ErrGap)
			return dst, stream.ErrGap
		}
	}
	finished := func(ch *writing) bool { return ch.Finished }
	if w.failed || w.blocked || slices.ContainsFunc(w.choices, finished) {
		// A caller that continues anyway cannot add to this answer.
		w.shut, w.plan.Edited = true, true
		return dst, stream.ErrTooLate
	}
	w.plan.Continue()
	w.next = 0
	return dst, nil
}

// Terminate ends the answer: every candidate that has not finished stops. The
// end of the bytes, which is this dialect's end, is the host's to make.
func (w *Writer) Terminate(dst []byte) ([]byte, error) {
	if w.ended || w.done {
		return dst, stream.ErrTerminated
	}
	if w.opts.Whole {
		w.ended = true
		return append(dst, w.ownBody()...), nil
	}
	dst, _ = w.finishUp(dst)
	w.ended = true
	return dst, nil
}

// finishUp finishes what has not finished, or fails if a call is open.
func (w *Writer) finishUp(dst []byte) ([]byte, bool) {
	if w.failed {
		return dst, true
	}
	for _, ch := range w.choices {
		if ch.open {
			return w.fail(dst, stream.ErrIncomplete), false
		}
	}
	highest := -1
	for _, ch := range w.choices {
		if !ch.Finished {
			dst = w.flush(dst, ch)
		}
		if ch.seen && ch.Number < maxChoices {
			highest = max(highest, ch.Number)
		}
	}
	if highest < 0 && !w.blocked {
		highest = 0 // an empty answer is still an answer
	}
	var stops []byte
	for n := range highest + 1 { // a candidate that was left out whole, too
		if ch := w.choice(n); !ch.Finished {
			if stops != nil {
				stops = append(stops, ',')
			}
			stops = appendStop(stops, n)
			ch.Finished = true
		}
	}
	if stops == nil {
		return dst, true
	}
	return w.appendChunk(dst, stops), true
}

// Fail ends the answer with an error payload.
func (w *Writer) Fail(dst []byte, cause error) ([]byte, error) {
	if w.ended || w.done {
		return dst, stream.ErrTerminated
	}
	return w.fail(dst, cause), nil
}

func (w *Writer) fail(dst []byte, cause error) []byte {
	w.ended = true
	if w.failed {
		return dst // the client knows already
	}
	if w.opts.Whole {
		return appendFailure(dst, cause)
	}
	return sse.AppendEvent(dst, "", appendFailure(nil, cause))
}

// Keepalive writes an empty event, which no client sees. The provider's own
// client for Go fails on a comment.
func (w *Writer) Keepalive(dst []byte) []byte {
	if w.ended || w.done || w.opts.Whole {
		return dst
	}
	w.framed = true
	return append(dst, "\n\n"...)
}

// Edited reports whether something was edited; see stream.Writer.
func (w *Writer) Edited() bool { return w.plan.Edited || w.opts.Force }

var _ stream.Writer = (*Writer)(nil)
