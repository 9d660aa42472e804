package policies

import (
	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/stream"
)

// writer makes the judgedAnswer the engine's writer: what the engine releases
// becomes the events that it came in. It writes no bytes.
type writer judgedAnswer

var _ stream.Writer = (*writer)(nil)

// Write releases the event of a chunk, in its block's final form.
func (w *writer) Write(dst []byte, c *stream.Chunk) ([]byte, error) {
	if c.Seq <= w.left || len(c.Events) == 0 {
		return dst, stream.ErrGap
	}
	w.left = c.Seq
	ev := w.cameIn(c)
	if at := c.Events[0].Block; at >= 0 {
		w.let(w.blocks[at], ev, c)
	} else if ev.Type != 0 {
		w.ready = append(w.ready, ev)
	}
	return dst, nil
}

// cameIn returns the event of a chunk, zero if there is none.
func (w *writer) cameIn(c *stream.Chunk) agent.Event {
	if c.Seq == w.chunk.Seq && w.current.Type != 0 {
		return w.current
	}
	for len(w.kept) > 0 && w.kept[0].number <= c.Seq {
		first := w.kept[0]
		w.kept[0] = numbered{}
		if w.kept = w.kept[1:]; first.number == c.Seq {
			return first.Event
		}
	}
	for i := range c.Events {
		if part := &c.Events[i]; part.Type == stream.EventDelta && part.Field == stream.Body {
			return w.deltaOf(w.blocks[part.Block], c.Seq, string(part.Data))
		}
	}
	return agent.Event{}
}

// deltaOf is the event of a delta.
func (w *writer) deltaOf(b *block, number int, text string) agent.Event {
	ev := agent.Event{Round: w.round, Block: b.number, Text: text}
	switch b.kind {
	case llm.Content:
		ev.Type = agent.EventText
	case llm.Thinking:
		ev.Type = agent.EventThinking
	case llm.Refusal:
		ev.Type = agent.EventRefusal
	default:
		ev.Type = agent.EventToolDelta
		for _, n := range b.names {
			if n.number <= number {
				ev.ID, ev.Name = n.id, n.name
			}
		}
	}
	return ev
}

// let releases a part of a block.
func (w *writer) let(b *block, ev agent.Event, c *stream.Chunk) {
	switch {
	case b.denied:
		// The model wrote it, and its result says so.
		if ev.Type == agent.EventToolStart || ev.Type == agent.EventToolEnd {
			w.ready = append(w.ready, ev)
		}
	case b.with != nil:
		b.left = true
		w.releaseReplacement(b, ev)
	case c.Edited:
		w.edit(b, ev, c)
	case ev.Type != 0:
		b.left = true
		w.ready = append(w.ready, ev)
		if (*judgedAnswer)(w).mayEdit(b) {
			b.text = append(b.text, ev.Text...)
		}
	}
}

// said is the text that was released.
func (b *block) said() string {
	if b.whole != nil {
		return *b.whole
	}
	return string(b.text)
}

// edit releases a text that was changed.
func (w *writer) edit(b *block, ev agent.Event, c *stream.Chunk) {
	b.edited = true
	var text []byte
	for i := range c.Events {
		switch part := &c.Events[i]; {
		case part.Field != stream.Body:
		case part.Type == stream.EventDelta:
			text = append(text, part.Data...)
		case part.Type == stream.EventWhole:
			whole := string(part.Data)
			b.whole = &whole
		}
	}
	if len(text) == 0 {
		return
	}
	b.text = append(b.text, text...)
	if ev.Text = string(text); ev.Type != 0 {
		b.left = true
		w.ready = append(w.ready, ev)
	}
}

// releaseReplacement releases the replacement of a block, once.
func (w *writer) releaseReplacement(b *block, ev agent.Event) {
	as := agent.Event{Round: w.round, Block: b.number, Text: b.with.Text}
	switch b.with.Kind {
	case llm.ToolCall:
		if ev.Type == agent.EventToolStart {
			w.ready = append(w.ready, ev)
		}
		if ev.Type != agent.EventToolEnd || ev.Call == nil {
			return
		}
		call := *ev.Call
		call.Arguments, call.Raw = b.with.Arguments, nil
		as.Type, as.ID, as.Name, as.Text = agent.EventToolDelta, ev.ID, ev.Name, call.Arguments
		ev.Call = &call
		w.ready = append(w.ready, as, ev)
		return
	case llm.Thinking:
		as.Type = agent.EventThinking
	case llm.Refusal:
		as.Type = agent.EventRefusal
	default:
		as.Type = agent.EventText
	}
	if b.stood || b.silent && b.with.Kind == b.kind {
		return
	}
	b.stood = true
	w.ready = append(w.ready, as)
}

// Replace replaces a block. Without a replacement its call is denied: the model is
// told.
func (w *writer) Replace(at stream.At, with ...llm.Block) error {
	b := w.blocks[at.Block]
	if len(with) == 0 {
		b.denied = true
		w.denied = append(w.denied, b)
		(*judgedAnswer)(w).phrase(&w.words)
		return nil
	}
	if with[0].Kind == llm.Thinking && w.state.Blocks()[at.Block].Signature() != "" {
		return stream.ErrNotWritable
	}
	b.with = &with[0]
	b.with.Status = llm.Complete
	if b.with.Kind == llm.Content && b.kind != llm.Content && b.position > 0 {
		b.with.Text = "\n\n" + b.with.Text // texts of an answer are read as one
	}
	return nil
}

// keep receives the denied calls, in the order of their Replace.
func (h *judgedAnswer) keep(denials []policy.Denial) { h.phrase(&denials) }

// phrase assigns texts to denied blocks, as far as there are some.
func (h *judgedAnswer) phrase(words *[]policy.Denial) {
	for len(h.denied) > 0 && len(*words) > 0 {
		b := h.denied[0]
		b.words = (*words)[0].Text
		if b.kind != llm.ToolCall { // it has no result to tell the model
			b.denied, b.with = false, &llm.Block{Kind: llm.Content, Text: b.words, Status: llm.Complete}
		}
		h.denied, *words = h.denied[1:], (*words)[1:]
	}
}

// Insert is for dialects that cannot have a text where a block was.
func (w *writer) Insert(dst []byte, _ int, _ ...llm.Block) ([]byte, error) {
	return dst, stream.ErrNotWritable
}

// Continue does nothing: the model's next answer is another round.
func (w *writer) Continue(dst []byte) ([]byte, error) { return dst, nil }

// Terminate does nothing: the answer ends with its events.
func (w *writer) Terminate(dst []byte) ([]byte, error) { return dst, nil }

// Fail does nothing: the run ends with the error.
func (w *writer) Fail(dst []byte, _ error) ([]byte, error) { return dst, nil }

// Keepalive does nothing: there is no connection to keep alive.
func (w *writer) Keepalive(dst []byte) []byte { return dst }

// Edited is false: there are no bytes that a client could read differently.
func (w *writer) Edited() bool { return false }
