package anthropic

import (
	"bytes"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/alloc"
	"github.com/sluice-project/sluice/wire/sse"
)

// Decoder reads one answer. See stream.Decoder for the contract.
type Decoder struct {
	notes   stream.Deviations
	reader  reader
	payload payload
	message message
	tally   tally
	blocks  blocks
	seq     int
	// lastDelta is the fast path for deltas that match the one before.
	lastDelta lastDelta

	id      string
	started bool
	// finished: a stop reason arrived, so no block can follow. done: message_stop
	// arrived, or the answer was whole. failed: the provider reported an error. closed:
	// the end was announced without message_stop.
	finished, done, failed, closed bool
	// typed: a beginning or a piece of a call had its type. untyped: one had only the name
	// of its SSE event.
	typed, untyped bool
}

// NewDecoder returns a decoder for one answer.
func NewDecoder() *Decoder {
	d := new(Decoder)
	d.Reset()
	return d
}

// Reset prepares the decoder for another answer. Nothing that was borrowed from it may
// be used afterwards.
func (d *Decoder) Reset() { *d = Decoder{blocks: blocks{highest: -1}} }

// Deviations lists the deviations so far.
func (d *Decoder) Deviations() []stream.Deviation { return d.notes.Deviations() }

func (d *Decoder) note(c *stream.Chunk, code, text string) { d.notes.Note(c.Seq, code, text) }

// Decode reads one payload.
func (d *Decoder) Decode(c *stream.Chunk) error {
	if d.repeat(c) {
		return nil
	}
	wire, noted := c.Name, d.notes.Total()
	err := d.decode(c)
	d.learn(c, wire, err == nil && d.notes.Total() == noted)
	return err
}

// decode reads one payload member by member.
func (d *Decoder) decode(c *stream.Chunk) error {
	c.Seq = d.seq
	d.seq++
	if c.Events = c.Events[:0]; cap(c.Events) == 0 {
		c.Events = make([]stream.Event, 0, 2) // most payloads have one, the others two
	}
	c.Whole, c.Repeats, c.Known, c.Ambiguous, c.Edited = false, false, false, false, false
	c.Citations = c.Citations[:0]
	c.Number = -1
	d.reader.reset()

	if !sse.IsPlainName(c.Name) {
		return stream.NewProtocolError(c, "the name of an event is not plain", nil)
	}
	if string(bytes.TrimSpace(c.Raw)) == "[DONE]" {
		// Not part of this dialect, but gateways that speak several add it.
		d.note(c, "done-marker", "the stream has a [DONE], which this dialect has not")
		d.closed = true
		return nil
	}
	p := &d.payload
	if f := d.reader.payload(c.Raw, p); f != nil {
		return f.in(c)
	}
	if err := d.name(c, p); err != nil {
		return err
	}
	if !sse.IsPlainName(c.Name) {
		return stream.NewProtocolError(c, "the name of an event is not plain", nil)
	}
	if p.isList && c.Name != wholeMessage {
		// A client that did not ask for a stream would read a whole message.
		return stream.NewProtocolError(c, "an event is a whole message at the same time", nil)
	}
	if d.done || d.failed || d.closed {
		return d.late(c)
	}
	var f *fault
	switch c.Name {
	case blockDelta:
		f = d.delta(c, p)
	case blockStart:
		f = d.start(c, p)
	case blockStop:
		d.stop(c, p)
	case messageStart:
		f = d.begin(c, p)
	case messageDelta:
		f = d.change(c, p)
	case messageStop:
		d.end(c)
	case ping:
		c.Events = append(c.Events, d.event(c, stream.EventPing))
	case errorEvent:
		d.fail(c, p)
	case wholeMessage:
		f = d.whole(c, p)
	default:
		ev := d.event(c, stream.EventUnknown)
		ev.Name, ev.Raw = c.Name, c.Raw
		c.Events = append(c.Events, ev)
	}
	if f != nil {
		return f.in(c)
	}
	c.Known = p.isKnown(c.Name) && (!p.blockRead || d.reader.block.isKnown())
	return nil
}

// End marks the end of the input. Only message_stop, a whole message or an error of the
// provider ends an answer.
func (d *Decoder) End(c *stream.Chunk) error {
	d.lastDelta.shape.Forget()
	*c = stream.Chunk{Events: c.Events[:0], Seq: d.seq, Number: -1}
	d.seq++
	if d.done || d.failed {
		return nil
	}
	return stream.ErrIncomplete
}

// name determines the event type: from the payload's type, else from the SSE event
// name, else from the members.
func (d *Decoder) name(c *stream.Chunk, p *payload) error {
	wire := c.Name
	switch {
	case len(p.kind) > 0:
		if wire != "" && wire == string(p.kind) {
			return nil // any string will do
		}
		c.Name = eventName(p.kind)
		if wire != "" {
			d.note(c, "event-name-differs", "the name of the SSE event is not the payload's type")
		}
		return nil
	case wire != "":
	case !p.failure.IsZero():
		c.Name = errorEvent
	case p.isList:
		c.Name = wholeMessage
	default:
		return stream.NewProtocolError(c, "the payload has no type", nil)
	}
	d.note(c, "type-missing", "a payload has no type")
	return nil
}

// event returns an event that spans the whole payload and belongs to no block.
func (d *Decoder) event(c *stream.Chunk, t stream.EventType) stream.Event {
	return stream.Event{Type: t, Block: -1, Index: -1, Span: llm.Span{End: len(c.Raw)}}
}

// late reads what follows the end: nothing there may be part of an answer.
func (d *Decoder) late(c *stream.Chunk) error {
	switch c.Name {
	case ping:
		c.Events = append(c.Events, d.event(c, stream.EventPing))
	case messageStop:
		d.note(c, "message-stop-repeated", "message_stop came after the end")
	case errorEvent:
		d.note(c, "error-after-end", "an error came after the end")
	default:
		return stream.NewProtocolError(c, "something follows the end of the answer", nil)
	}
	return nil
}

// begin reads message_start.
func (d *Decoder) begin(c *stream.Chunk, p *payload) *fault {
	m := &d.message
	*m = message{blocks: m.blocks[:0]}
	if !p.message.IsZero() {
		if f := d.reader.message(c.Raw, p.message, m); f != nil {
			return f
		}
	} else {
		d.note(c, "message-missing", "message_start has no message")
	}
	if d.blocks.calls > 0 {
		return &fault{reason: "the message began after one of its calls"} // clients drop the call, or fail
	}
	if d.started {
		switch {
		case string(m.id) != d.id:
			return &fault{reason: "another message began before the first had ended"}
		case len(m.blocks) > 0:
			return &fault{reason: "the message began again with content"}
		}
		d.note(c, "message-start-repeated", "message_start came twice")
		c.Ambiguous = c.Ambiguous || d.blocks.count > 0 // some clients begin anew
		return nil
	}
	d.started = true
	if d.blocks.count > 0 {
		d.note(c, "message-start-late", "message_start came after the first block")
	}
	if f := d.introduce(c, m); f != nil {
		return f
	}
	if f := d.wholeBlocks(c, m); f != nil {
		return f
	}
	if len(m.stop) > 0 {
		// An empty one is a mistake of a proxy: the content is still to come.
		if len(m.blocks) == 0 {
			d.note(c, "stop-reason-early", "message_start has a stop_reason and no content")
			return nil
		}
		d.finish(c, m.stop)
	}
	return nil
}

// introduce reports the id and model, and the first usage.
func (d *Decoder) introduce(c *stream.Chunk, m *message) *fault {
	id, model := alloc.StringPair(m.id, m.model)
	d.id = id
	if len(m.id) > 0 || len(m.model) > 0 {
		ev := d.event(c, stream.EventMeta)
		ev.ID, ev.Name = id, model
		c.Events = append(c.Events, ev)
	}
	return d.usage(c, m.usage)
}

func (d *Decoder) usage(c *stream.Chunk, span llm.Span) *fault {
	u, f := d.tally.report(&d.reader, c.Raw, span)
	if u == nil || f != nil {
		return f
	}
	ev := d.event(c, stream.EventUsage)
	ev.Usage, ev.Span = u, span
	c.Events = append(c.Events, ev)
	return nil
}

// change reads message_delta.
func (d *Decoder) change(c *stream.Chunk, p *payload) *fault {
	d.expectStart(c)
	if p.delta.wrongStop {
		return wrongType("stop_reason")
	}
	if len(p.delta.stop) > 0 {
		if d.finished {
			d.note(c, "finish-repeated", "a stop_reason came twice")
		}
		d.finish(c, p.delta.stop)
	}
	return d.usage(c, p.usage)
}

// finish reports the stop reason, which closes open blocks.
func (d *Decoder) finish(c *stream.Chunk, word []byte) {
	d.closeOpen(c)
	ev := d.event(c, stream.EventFinish)
	ev.Data, ev.Reason = word, finishReason(string(word))
	c.Events = append(c.Events, ev)
	d.finished = true
}

// closeOpen drops the open blocks: the finish that follows ends them.
func (d *Decoder) closeOpen(c *stream.Chunk) {
	if d.blocks.open() > 0 {
		d.note(c, "block-stop-missing", "a block has no content_block_stop")
		d.blocks.closeAll()
	}
}

// end reads message_stop.
func (d *Decoder) end(c *stream.Chunk) {
	d.expectStart(c)
	if !d.finished {
		d.infer(c)
	}
	d.done = true
	c.Events = append(c.Events, d.event(c, stream.EventDone))
}

// infer derives the finish that the provider did not send.
func (d *Decoder) infer(c *stream.Chunk) {
	d.note(c, "finish-missing", "the answer ends without a stop_reason")
	d.closeOpen(c)
	ev := d.event(c, stream.EventFinish)
	ev.Inferred, ev.Reason = true, llm.FinishStop
	if d.blocks.calls > 0 {
		ev.Reason = llm.FinishToolCalls
	}
	c.Events = append(c.Events, ev)
	d.finished = true
}

// whole reads an answer that did not stream.
func (d *Decoder) whole(c *stream.Chunk, p *payload) *fault {
	if d.started || d.blocks.count > 0 {
		return &fault{reason: "a whole message came inside a stream"}
	}
	if !p.isList && p.seen&seenContent != 0 {
		return wrongType("content")
	}
	m := &d.message
	if f := d.reader.message(c.Raw, p.object, m); f != nil {
		return f
	}
	c.Whole = true
	d.started = true
	if f := d.introduce(c, m); f != nil {
		return f
	}
	if f := d.wholeBlocks(c, m); f != nil {
		return f
	}
	if len(m.stop) > 0 {
		d.finish(c, m.stop)
	} else {
		d.infer(c)
	}
	d.done = true
	c.Events = append(c.Events, d.event(c, stream.EventDone))
	return nil
}

// fail reports the provider's error.
func (d *Decoder) fail(c *stream.Chunk, p *payload) {
	d.failed = true
	span := p.failure
	if span.IsZero() {
		span = p.object // some servers put the message beside the type
	}
	kind, code, text := d.reader.failure(c.Raw, span)
	if span == p.object {
		kind = ""
	}
	ev := d.event(c, stream.EventError)
	ev.Err = &stream.ProviderError{
		Type: kind, Code: code, Message: text, Raw: append([]byte(nil), span.In(c.Raw)...),
	}
	c.Events = append(c.Events, ev)
}

// expectStart notes an event that arrived before message_start.
func (d *Decoder) expectStart(c *stream.Chunk) {
	if !d.started {
		d.note(c, "message-start-missing", "an event came before message_start")
	}
}

// in adds the chunk to the description of a fault.
func (f *fault) in(c *stream.Chunk) error {
	if f == tooMany {
		return f.cause
	}
	return stream.NewProtocolError(c, f.reason, f.cause)
}

var _ stream.Decoder = (*Decoder)(nil)
