package openairesponses

import (
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
)

// messageEvent writes a chunk of a message. An unedited message is passed on; from the
// first replaced block, or the first chunk that the caller dropped, the writer builds
// the rest itself, from the events.
func (w *Writer) messageEvent(dst []byte, c *stream.Chunk, it *outItem, late bool) ([]byte, error) {
	if it.done {
		return dst, nil
	}
	it.own = it.own || it.gap != w.gaps || w.replaces(c)
	known, leave := false, false
	for i := range c.Events {
		ev := &c.Events[i]
		if !isBlock(ev) {
			continue
		}
		known = true
		w.assign(ev.Block, it)
		entry, step := w.plan.Track(ev)
		leave = leave || !entry.Replaced && step != plan.Skip
		it.edited = it.edited || entry.Edited
		if it.own {
			dst = w.ownEvent(dst, ev, it, entry, step)
		}
	}
	if it.own {
		if w.p.typ == typeItemDone {
			return w.ownDone(dst, w.p.item.In(c.Raw), it, leave), nil
		}
		return dst, nil
	}
	if known && !leave || !known && late {
		return dst, nil
	}
	if it.edited {
		if c = w.amended(c, it); c == nil {
			return dst, nil
		}
	}
	return w.passParts(w.release(dst, it), c, it), nil
}

// replaces reports whether the chunk has a block that is replaced.
func (w *Writer) replaces(c *stream.Chunk) bool {
	for i := range c.Events {
		if ev := &c.Events[i]; isBlock(ev) && w.plan.Choice(0).Entry(ev.Block).Replaced {
			return true
		}
	}
	return false
}

// release writes the beginning of a message that waited for its first block.
func (w *Writer) release(dst []byte, it *outItem) []byte {
	if it.begun {
		return dst
	}
	if w.resumed && it.held == nil && it.added == nil && it.up >= 0 {
		w.started(it, max(int(it.up), w.next))
		return dst
	}
	w.started(it, w.next)
	if it.held == nil || it.own {
		if it.own || w.p.typ != typeItemAdded {
			return w.writeAdded(dst, it, w.beginning(it))
		}
		return dst // the chunk itself is the beginning
	}
	kept := w.p
	held := it.held
	it.held = nil
	if reason, _ := w.p.scan(&w.scanner, held, new([]byte)); reason == "" && w.p.got(memberItem) {
		dst = w.relay(dst, nameItemAdded, held, it, w.rename(w.p.item.In(held), it))
	}
	w.p = kept
	return dst
}

// ownEvent takes in an event of a message that the writer words itself.
func (w *Writer) ownEvent(dst []byte, ev *stream.Event, it *outItem, entry *plan.Entry, step plan.Step) []byte {
	if entry.Replaced {
		if entry.Out < 0 && ev.Type == stream.EventStart {
			entry.Out = it.out
			dst = w.replaceText(dst, it, entry.With)
		}
		entry.Out = 0
		return dst
	}
	if ev.Field != stream.Body || step == plan.Skip {
		return dst
	}
	switch ev.Type {
	case stream.EventDelta:
	case stream.EventWhole:
		// The text of a block without deltas. After a gap it is not known
		// whether there were none, and what did not leave stays unsaid.
		if it.gap != w.gaps || entry.Offset > 0 || len(ev.Data) == 0 || entry.Edited && !ev.Edited {
			return dst
		}
		entry.Offset = len(ev.Data)
	default:
		return dst
	}
	dst = w.release(dst, it)
	typ := outputText
	if ev.Kind == llm.Refusal {
		typ = refusalText
	}
	part := it.current()
	if part == nil || part.typ != typ || part.stage != partBegun || part.block >= 0 && part.block != ev.Block {
		dst = w.closePart(dst, it)
		dst = w.openPart(dst, it, typ, ev.Block)
	}
	it.current().block = ev.Block
	return w.growPart(dst, it, ev.Data)
}

// replaceText writes the replacement of a block of a message: texts into the message
// itself, calls after it.
func (w *Writer) replaceText(dst []byte, it *outItem, with []llm.Block) []byte {
	for i := range with {
		b := &with[i]
		switch {
		case b.Kind == llm.ToolCall && it.begun:
			it.after = append(it.after, *b)
		case b.Kind == llm.ToolCall:
			dst = w.writeBlock(dst, b, nil)
		default:
			dst = w.release(dst, it)
			typ := outputText
			if b.Kind == llm.Refusal {
				typ = refusalText
			}
			if it.current() != nil {
				dst = w.closePart(dst, it)
			}
			dst = w.wholePart(dst, it, typ, []byte(b.Text))
		}
	}
	return dst
}

// ownDone ends a message that the writer words itself. item is its JSON as the
// upstream has it. leave says that a block of it leaves: then it is written
// even if it is empty.
func (w *Writer) ownDone(dst, item []byte, it *outItem, leave bool) []byte {
	if !it.begun {
		if !leave || it.gap != w.gaps {
			it.gone, it.done = true, true
			return dst
		}
		dst = w.release(dst, it)
	}
	dst = w.closePart(dst, it)
	return w.flush(w.endMessage(dst, it, w.withParts(item, it, "")))
}

// withParts is the JSON of a message with the parts that have left. An empty
// status is left as it is. JSON that is not a message is not used.
func (w *Writer) withParts(item []byte, it *outItem, status string) []byte {
	if item == nil || !w.readView(item) || w.view.typ != itemMessage {
		if status == "" {
			status = "completed"
		}
		return messageJSON(it, status)
	}
	v := &w.view
	w.inside.Reset()
	w.set(item, &v.id, "id", []byte(quoted(it.id)))
	w.set(item, &v.content, "content", it.content(false))
	if status != "" && !v.status.at.IsZero() {
		w.inside.ReplaceString(v.status.at, status)
	}
	out, err := w.inside.Apply(nil, item)
	if err != nil {
		return messageJSON(it, "completed")
	}
	return out
}
