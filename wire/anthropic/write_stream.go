package anthropic

import (
	"bytes"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
)

// rewrite writes a chunk of a stream that is edited.
func (w *Writer) rewrite(dst []byte, c *stream.Chunk) ([]byte, error) {
	if c.Whole {
		return w.rewriteWhole(dst, c)
	}
	switch c.Name {
	case blockStart:
		return w.rewriteStart(dst, c)
	case blockDelta:
		return w.rewriteDelta(dst, c)
	case blockStop:
		return w.rewriteStop(dst, c)
	case messageStart:
		return w.rewriteMessage(dst, c)
	case messageDelta:
		return w.rewriteFinish(dst, c)
	case messageStop:
		return w.rewriteEnd(dst, c)
	case errorEvent:
		w.queue = queue{}
		w.over = true
		return w.emit(dst, c.Name, c.Raw, -1), nil
	case ping:
		return w.emit(dst, c.Name, c.Raw, -1), nil
	}
	if len(c.Events) == 0 {
		return dst, nil // the end of the bytes, or a mark of another dialect
	}
	dst = w.ensureStart(dst)
	return w.emit(dst, c.Name, c.Raw, -1), nil
}

// rewriteStart writes content_block_start.
func (w *Writer) rewriteStart(dst []byte, c *stream.Chunk) ([]byte, error) {
	var err error
	for i := range c.Events {
		ev := &c.Events[i]
		switch ev.Type {
		case stream.EventEnd:
			dst, err = w.end(dst, ev, nil)
		case stream.EventStart:
			dst, err = w.start(dst, c, ev)
		default:
			if _, step := w.plan.Track(ev); step == plan.Pass { // a delta whose bytes are in the start
				w.sign(ev)
			}
		}
		if err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func (w *Writer) start(dst []byte, c *stream.Chunk, ev *stream.Event) ([]byte, error) {
	if w.choice.Finished {
		return dst, stream.ErrTooLate
	}
	e, step := w.plan.Track(ev)
	if e.Replaced {
		return w.replace(dst, e, ev)
	}
	if step != plan.Pass {
		return dst, nil
	}
	raw := w.identified(c.Raw, ev)
	r := &run{block: ev.Block, index: ev.Index, kind: ev.Kind, out: -1}
	r.empty = ev.Kind == llm.Content && !hasBody(c, ev.Block)
	r.bare = ev.Kind == llm.ToolCall && len(bytes.Trim(ev.Data, "{} \t\r\n")) == 0 && !hasBody(c, ev.Block)
	w.queue.add(r)
	dst = w.advance(dst)
	return w.put(dst, r, blockStart, raw), nil
}

// hasBody reports whether a chunk carries a part of a block's body.
func hasBody(c *stream.Chunk, block int) bool {
	for i := range c.Events {
		ev := &c.Events[i]
		if ev.Type == stream.EventDelta && ev.Field == stream.Body && ev.Block == block && len(ev.Data) > 0 {
			return true
		}
	}
	return false
}

// rewriteDelta writes content_block_delta.
func (w *Writer) rewriteDelta(dst []byte, c *stream.Chunk) ([]byte, error) {
	if w.choice.Finished {
		return dst, nil
	}
	if len(c.Events) == 0 {
		return w.emptyDelta(dst, c), nil
	}
	ev := &c.Events[0]
	if ev.Type != stream.EventDelta {
		if r := w.queue.of(ev.Block); r != nil && !w.late {
			dst = w.put(dst, r, blockDelta, c.Raw)
		}
		return dst, nil
	}
	e, step := w.plan.Track(ev)
	if e.Replaced {
		return w.replace(dst, e, ev)
	}
	switch step {
	case plan.Gap:
		return w.gap(dst)
	case plan.Skip:
		return dst, nil
	case plan.Open:
		r := &run{block: ev.Block, index: ev.Index, kind: ev.Kind, out: -1}
		w.queue.add(r)
		dst = w.advance(dst)
		dst = w.put(dst, r, blockStart, []byte(`{"type":"content_block_start","index":0,"content_block":`+emptyText+`}`))
	case plan.Pass:
	}
	r := w.queue.of(ev.Block)
	if r == nil {
		return dst, nil
	}
	if ev.Field == stream.Signature {
		if ev.Offset < r.signed {
			return dst, nil
		}
		if ev.Offset > r.signed {
			return w.gap(dst)
		}
		w.sign(ev)
	}
	if r.empty && ev.Field == stream.Body {
		r.empty = false
		dst = w.advance(dst)
	}
	return w.put(dst, r, blockDelta, c.Raw), nil
}

// emptyDelta writes a delta that carries nothing, if it belongs to the block
// that was written to last: calls without arguments have one.
func (w *Writer) emptyDelta(dst []byte, c *stream.Chunk) []byte {
	r := w.queue.last
	if r == nil || r.ended || w.late || w.read(c.Raw) != nil {
		return dst
	}
	p := &w.payload
	if p.hasIndex && p.index != r.index || !fits(r.kind, deltaMember(p.delta.kind)) {
		return dst
	}
	return w.put(dst, r, blockDelta, c.Raw)
}

// fits reports whether a delta's member is one that blocks of a kind take.
func fits(kind llm.Kind, carries member) bool {
	switch kind {
	case llm.Content:
		return carries == memberText
	case llm.Thinking:
		return carries&(memberThinking|memberSignature) != 0
	case llm.ToolCall, llm.ServerTool:
		return carries == memberJSON
	case llm.Refusal, llm.ToolResult, llm.Opaque:
	}
	return false
}

// rewriteStop writes content_block_stop.
func (w *Writer) rewriteStop(dst []byte, c *stream.Chunk) ([]byte, error) {
	for i := range c.Events {
		if ev := &c.Events[i]; ev.Type == stream.EventEnd {
			return w.end(dst, ev, c.Raw)
		}
	}
	return dst, nil
}

// end ends a block, with the upstream's payload if there is one.
func (w *Writer) end(dst []byte, ev *stream.Event, raw []byte) ([]byte, error) {
	if w.choice.Finished {
		return dst, nil
	}
	e := w.choice.Entry(ev.Block)
	r := w.queue.of(ev.Block)
	if !e.Replaced && e.Sent == plan.Begun && e.Kind != llm.Content && r != nil && e.Offset+r.signed != ev.Offset {
		return w.gap(dst) // its last parts were dropped
	}
	e, step := w.plan.Track(ev)
	if e.Replaced {
		return w.replace(dst, e, ev)
	}
	if step != plan.Pass || r == nil {
		return dst, nil
	}
	if raw == nil {
		raw = stopPayload(max(r.out, 0))
	}
	if ev.Offset > 0 || e.Edited {
		dst = w.fillEmpty(dst, r, e)
	}
	if r.bare && ev.Offset == 0 && w.opts.Settle {
		// Clients that take a call without a piece for one that still waits for its input
		// add the next one's to it.
		dst = w.put(dst, r, blockDelta, []byte(`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{}"}}`))
	}
	dst = w.put(dst, r, blockStop, raw)
	w.queue.end(ev.Block)
	return w.advance(dst), nil
}

// fillEmpty adds a text to a text block that was started and whose text the caller
// dropped or edited to nothing.
func (w *Writer) fillEmpty(dst []byte, r *run, e *plan.Entry) []byte {
	if r.kind != llm.Content || r.out < 0 || e.Offset > 0 {
		return dst
	}
	return appendDelta(dst, r.out, "text_delta", "text", removedText)
}

// placed marks the entry of a replaced block whose replacement was written or
// waits for its turn.
const placed = -2

// replace queues the replacement of a block: texts for a call go before the first call,
// everything else takes its position.
func (w *Writer) replace(dst []byte, e *plan.Entry, ev *stream.Event) ([]byte, error) {
	if e.Out == placed {
		return dst, nil
	}
	e.Out = placed
	delete(w.texts, ev.Block)
	isCall := ev.Kind == llm.ToolCall
	id := ev.ID
	with := e.With
	e.With = nil
	for i := range with {
		if isCall && with[i].Kind != llm.ToolCall && !isEmpty(with[i]) && w.calls > 0 {
			return dst, stream.ErrTooLate
		}
	}
	for _, b := range with {
		switch {
		case isEmpty(b):
		case b.Kind == llm.ToolCall && isCall:
			if b.ID == "" {
				b.ID, id = id, ""
			}
			b.ID = w.uniqueID("toolu_", b.ID)
			w.queue.stand(&run{block: ev.Block, kind: b.Kind, own: &b})
		case b.Kind == llm.ToolCall || isCall:
			w.wait(b)
		default:
			w.queue.stand(&run{block: ev.Block, kind: b.Kind, own: &b})
		}
	}
	return w.advance(dst), nil
}

// rewriteFinish takes in message_delta: what is open has ended, and the finish
// waits for message_stop.
func (w *Writer) rewriteFinish(dst []byte, c *stream.Chunk) ([]byte, error) {
	var finish *stream.Event
	for i := range c.Events {
		ev := &c.Events[i]
		switch ev.Type {
		case stream.EventFinish:
			finish = ev
		case stream.EventUsage:
			w.usage = append(w.usage[:0], ev.Usage.Raw...)
			w.reports++
		default:
		}
	}
	if w.choice.Finished {
		// The finish was sent before the stream was edited. Only usage may follow.
		if finish != nil || w.late {
			return dst, nil
		}
		return w.emit(dst, c.Name, c.Raw, -1), nil
	}
	if finish == nil {
		return dst, nil
	}
	w.final = bytes.Clone(c.Raw)
	w.word = string(finish.Data)
	return w.closeAll(dst)
}

// closeAll ends the blocks whose end is missing.
func (w *Writer) closeAll(dst []byte) ([]byte, error) {
	for _, r := range w.queue.runs {
		if r.ended {
			continue
		}
		if w.skipped && r.kind != llm.Content {
			// Its end, or more of it, may have been dropped.
			return w.gap(dst)
		}
		e := w.choice.Entry(r.block)
		if w.skipped || e.Edited {
			dst = w.fillEmpty(dst, r, e)
		}
		dst = w.put(dst, r, blockStop, stopPayload(max(r.out, 0)))
		w.queue.end(r.block)
		e.Sent = plan.Ended
	}
	w.texts = nil
	return w.advance(dst), nil
}

// rewriteEnd writes message_stop, preceded by what must come before it.
func (w *Writer) rewriteEnd(dst []byte, c *stream.Chunk) ([]byte, error) {
	dst, err := w.closeAll(dst)
	if err != nil {
		return dst, err
	}
	dst = w.ensureStart(dst)
	dst = w.finish(dst)
	w.over = true
	return w.emit(dst, c.Name, c.Raw, -1), nil
}
