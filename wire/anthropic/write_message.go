package anthropic

import (
	"bytes"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
	"github.com/sluice-project/sluice/wire/sse"
)

// rewriteMessage writes message_start, once.
func (w *Writer) rewriteMessage(dst []byte, c *stream.Chunk) ([]byte, error) {
	w.takeUsage(c)
	if w.started {
		w.swallowed = true
		w.takeWord(c)
		return w.unfold(dst, c)
	}
	if f := w.read(c.Raw); f != nil || w.payload.message.IsZero() {
		return dst, nil // there is nothing to begin with; a beginning is made
	}
	if f := w.reader.message(c.Raw, w.payload.message, &w.message); f != nil {
		return dst, nil
	}
	w.started = true
	w.edits.Reset()
	w.fixType(c.Raw, messageStart)
	if len(w.message.blocks) > 0 {
		w.editContent(c, len(w.message.stop) > 0)
		w.choice.Finished = len(w.message.stop) > 0
	} else if len(w.message.stop) > 0 {
		w.edits.Replace(w.message.stopAt, []byte("null"))
	}
	return w.applied(dst, messageStart, c.Raw), nil
}

// rewriteWhole writes an answer that did not stream: as its body, or as events
// if something was sent before it.
func (w *Writer) rewriteWhole(dst []byte, c *stream.Chunk) ([]byte, error) {
	w.takeUsage(c)
	if w.started {
		c = plan.Flat(c)
		dst, err := w.closeAll(dst)
		if err != nil {
			return dst, err
		}
		w.swallowed = true
		w.takeWord(c)
		if dst, err = w.unfold(dst, c); err != nil {
			return dst, err
		}
		dst = w.finish(w.settle(dst))
		w.over = true
		return sse.AppendEvent(dst, messageStop, []byte(`{"type":"message_stop"}`)), nil
	}
	w.started, w.over = true, true
	w.edits.Reset()
	if f := w.read(c.Raw); f != nil {
		return append(dst, c.Raw...), nil
	}
	if f := w.reader.message(c.Raw, w.payload.object, &w.message); f != nil {
		return append(dst, c.Raw...), nil
	}
	w.editContent(c, true)
	w.choice.Finished = true
	return w.edits.Apply(dst, c.Raw)
}

func (w *Writer) takeUsage(c *stream.Chunk) {
	for i := range c.Events {
		if ev := &c.Events[i]; ev.Type == stream.EventUsage {
			w.usage = append(w.usage[:0], ev.Usage.Raw...)
		}
	}
}

// takeWord remembers the stop reason of a message that came whole.
func (w *Writer) takeWord(c *stream.Chunk) {
	for i := range c.Events {
		if ev := &c.Events[i]; ev.Type == stream.EventFinish {
			w.word = string(ev.Data)
		}
	}
}

// unfold writes blocks that came whole inside a message as events of their own.
func (w *Writer) unfold(dst []byte, c *stream.Chunk) ([]byte, error) {
	var own *llm.Block
	for i := range c.Events {
		ev := &c.Events[i]
		switch ev.Type {
		case stream.EventStart:
			own = nil
			if w.choice.Finished {
				return dst, stream.ErrTooLate
			}
			e, step := w.plan.Track(ev)
			if e.Replaced {
				var err error
				if dst, err = w.replace(dst, e, ev); err != nil {
					return dst, err
				}
				continue
			}
			if step != plan.Pass {
				continue
			}
			r := &run{block: ev.Block, kind: ev.Kind}
			switch {
			case ev.Raw == nil && ev.Kind == llm.ToolCall:
				own = &llm.Block{Kind: ev.Kind, Name: ev.Name, ID: w.assign(ev), Arguments: string(ev.Data)}
				r.own = own
			case ev.Raw == nil && (ev.Kind == llm.Content || ev.Kind == llm.Thinking):
				own = &llm.Block{Kind: ev.Kind}
				r.own = own
			default:
				r.whole = w.identifiedBlock(c.Raw, ev)
			}
			w.queue.stand(r)
		case stream.EventDelta:
			if _, step := w.plan.Track(ev); step != plan.Pass || own == nil {
				continue
			}
			if ev.Field == stream.Signature {
				own.Signature += string(ev.Data)
			} else {
				own.Text += string(ev.Data)
			}
		case stream.EventEnd:
			e, step := w.plan.Track(ev)
			if own != nil && isEmpty(*own) || step == plan.Pass && isCleared(e) {
				w.queue.runs = w.queue.runs[:len(w.queue.runs)-1]
			}
			own = nil
			dst = w.advance(dst)
		default:
		}
	}
	return dst, nil
}

// slot is the position of one upstream block in the content of a message.
type slot struct {
	span llm.Span
	kept bool
	// with precedes a kept block, or replaces a removed one.
	with [][]byte
}

// editContent lists the edits of the content of a message, w.message, that is
// sent for the first time. If it is the whole of the answer, its stop reason is
// made to fit.
func (w *Writer) editContent(c *stream.Chunk, whole bool) {
	slots, last := w.fill(c)
	left := len(last)
	for i := range slots {
		left += len(slots[i].with)
		if slots[i].kept {
			left++
		}
	}
	if left == 0 && whole && w.isEmptied(string(w.message.stop)) && !w.message.content.IsZero() {
		last = append(last, element(&llm.Block{Kind: llm.Content, Text: removedText}))
		left = 1
	}
	if n := len(slots); n > 0 && !slots[n-1].kept {
		slots[n-1].with = append(slots[n-1].with, last...)
		last = nil
	}
	for i := range slots {
		s := &slots[i]
		with := bytes.Join(s.with, []byte(","))
		switch {
		case s.kept && len(with) > 0:
			w.edits.InsertBefore(s.span, with)
		case s.kept:
		case len(with) > 0:
			w.edits.Replace(s.span, with)
		default:
			w.edits.Remove(s.span)
		}
	}
	if len(last) > 0 {
		w.addContent(c.Raw, bytes.Join(last, []byte(",")))
	}
	w.next += left
	if whole {
		w.fixStop(string(w.message.stop), w.message.stopAt, w.message.seqAt)
	}
}

// fill decides what replaces each block: texts that replace a call go before the first
// call, calls that replace something else go last.
func (w *Writer) fill(c *stream.Chunk) (slots []slot, last [][]byte) {
	firstCall := -1
	var texts [][]byte
	for i := range c.Events {
		ev := &c.Events[i]
		switch ev.Type {
		case stream.EventDelta:
			w.plan.Track(ev)
			continue
		case stream.EventEnd:
			if e, _ := w.plan.Track(ev); isCleared(e) && len(slots) > 0 {
				slots[len(slots)-1].kept = false
			}
			continue
		case stream.EventStart:
		default:
			continue
		}
		e, _ := w.plan.Track(ev)
		s := slot{span: ev.Span, kept: !e.Replaced}
		isCall := ev.Kind == llm.ToolCall
		if isCall && firstCall < 0 {
			firstCall = len(slots)
		}
		if s.kept {
			w.identify(c.Raw, ev.Span, ev)
			if isCall {
				w.calls++
			}
		}
		id := ev.ID
		for _, b := range e.With {
			switch {
			case isEmpty(b):
			case b.Kind == llm.ToolCall:
				w.calls++
				if isCall && b.ID == "" {
					b.ID, id = id, ""
				}
				b.ID = w.uniqueID("toolu_", b.ID)
				if isCall {
					s.with = append(s.with, element(&b))
				} else {
					w.added++
					last = append(last, element(&b))
				}
			case isCall:
				texts = append(texts, element(&b))
			default:
				s.with = append(s.with, element(&b))
			}
		}
		slots = append(slots, s)
	}
	if w.opts.Whole && !plan.Failed(c) {
		own, calls := w.ownElements()
		texts, last = append(own, texts...), append(last, calls...)
	}
	if firstCall < 0 {
		return slots, append(texts, last...)
	}
	slots[firstCall].with = append(texts, slots[firstCall].with...)
	return slots, last
}
