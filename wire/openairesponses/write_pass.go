package openairesponses

import (
	"slices"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/alloc"
)

// pass passes a chunk on unchanged, and records what a later edit must know.
func (w *Writer) pass(dst []byte, c *stream.Chunk) []byte {
	w.resumed = w.resumed || c.Seq == 0 && c.Name != nameCreated
	for i := range c.Events {
		w.observe(c, &c.Events[i])
	}
	w.bookkeep(c)
	if c.Whole {
		w.finishWhole()
		return append(dst, c.Raw...)
	}
	switch {
	case c.Number >= 0:
		w.counting, w.number = counted, c.Number+1
	case w.counting == undecided && !w.finished:
		w.counting = uncounted
	}
	return w.framer.Append(dst, c.Name, c.Raw)
}

// observe records an event that is sent unchanged.
func (w *Writer) observe(c *stream.Chunk, ev *stream.Event) {
	switch ev.Type {
	case stream.EventStart:
		w.plan.Track(ev)
		it := w.items[int64(ev.Index)]
		if it == nil || !it.holds(ev) {
			// Messages begin with their item; all else with their block.
			it = w.register(c, ev)
			w.claim(it)
			w.passed(it)
			if it.kind == 0 && c.Name == nameItemAdded {
				w.keepInitial(it.added, it)
			}
		}
		w.assign(ev.Block, it)
	case stream.EventDelta:
		w.plan.Track(ev)
		if it := w.blockItem(ev.Block); it != nil {
			w.grown(c, ev, it)
		}
	case stream.EventWhole, stream.EventHint:
		w.plan.Track(ev)
	case stream.EventEnd:
		w.plan.Track(ev)
		if it := w.blockItem(ev.Block); it != nil && it.begun && !it.done {
			if ev.Raw != nil {
				w.ended(it, ev.Raw)
			} else if c.Name != nameItemDone {
				w.open-- // cut by the end of the answer
				it.done = true
			}
		}
	case stream.EventError:
		w.errored = true
	case stream.EventFinish:
		w.finish()
	case stream.EventMeta, stream.EventUsage, stream.EventPing, stream.EventUnknown, stream.EventDone, stream.EventCitation:
	}
}

// finishWhole notes that a whole response leaves.
func (w *Writer) finishWhole() {
	w.finish()
	w.closed, w.wrote = w.opts.Whole, true
}

// finish notes that the terminal event leaves.
func (w *Writer) finish() {
	w.finished = true
	w.plan.Choice(0).Finished = true
}

// bookkeep records what no event of the chunk carries.
func (w *Writer) bookkeep(c *stream.Chunk) {
	switch c.Name {
	case nameTextDelta, nameArgsDelta, nameInputDelta, nameRefusalDelta, nameSummaryDelta, nameThinkDelta:
	case nameCreated, nameInProgress, nameQueued:
		w.keepResponse(c.Raw)
	case nameItemAdded:
		if w.scan(c.Name, c.Raw) && w.items[w.p.index] == nil {
			// A message, whose first block is still to come.
			it := w.register(c, nil)
			w.claim(it)
			w.passed(it)
		}
	case namePartAdded, nameSummaryAdded:
		if it := w.scanned(c); it != nil {
			w.beganPart(c.Raw, it)
		}
	case nameTextDone, nameRefusalDone, nameSummaryText, nameThinkDone:
		if it := w.scanned(c); it != nil && it.current() != nil {
			part := it.current()
			part.stage = max(part.stage, textEnded)
			if len(part.text) == 0 {
				part.text = append(append(part.text, w.p.text...), w.p.refusal...) // it had no deltas
			}
			if part.bare {
				part.stage = partEnded
			}
		}
	case namePartDone, nameSummaryDone:
		if it := w.scanned(c); it != nil && it.current() != nil {
			it.current().keep(w.p.partAt.In(c.Raw))
		}
	case nameArgsDone, nameMCPArgsDone, nameInputDone:
		if it := w.scanned(c); it != nil {
			it.told = true
		}
	}
	w.begun = true
}

// passed notes that an item begins as the upstream has it.
func (w *Writer) passed(it *outItem) {
	if it.begun {
		return
	}
	out := int(it.up)
	if out < 0 {
		out = w.next
	}
	w.started(it, out)
}

// scan reads a payload that the decoder has read before. Its type can be the event's name.
func (w *Writer) scan(name string, raw []byte) bool {
	w.buf = w.buf[:0]
	reason, _ := w.p.scan(&w.scanner, raw, &w.buf)
	if w.p.name == "" {
		w.p.typ, w.p.name = classify([]byte(name))
	}
	return reason == ""
}

// scanned returns the open item that a payload names by its output_index.
func (w *Writer) scanned(c *stream.Chunk) *outItem {
	if !w.scan(c.Name, c.Raw) {
		return nil
	}
	if it := w.items[w.p.index]; it != nil && !it.done {
		return it
	}
	return nil
}

// grown records a delta that leaves unchanged.
func (w *Writer) grown(c *stream.Chunk, ev *stream.Event, it *outItem) {
	typ, ok := partTypeOfEvent(c.Name)
	if !ok {
		it.streamed = true
		it.body = grow(it.body, ev.Data)
		return
	}
	part := it.current()
	if part == nil || part.typ != typ || part.block >= 0 && part.block != ev.Block && it.kind == 0 {
		number := it.count(typ)
		if w.scan(c.Name, c.Raw) && w.p.part >= 0 {
			number = w.p.part
		}
		part = it.push(typ, number, ev.Block)
		part.bare = typ == reasoningText
	}
	part.block = ev.Block
	part.text = grow(part.text, ev.Data)
}

// firstRoom is the initial capacity of a text.
const firstRoom = 128

// grow appends a piece to a text. Others will follow, and growing from a few
// bytes would cost an allocation for each doubling.
func grow(text, piece []byte) []byte {
	if cap(text) == 0 {
		text = make([]byte, 0, max(firstRoom, len(piece)))
	}
	return append(text, piece...)
}

// register makes the item that a payload begins. ev is its first block's start,
// nil for a message that has none yet.
func (w *Writer) register(c *stream.Chunk, ev *stream.Event) *outItem {
	it := w.made.New()
	it.up, it.gap = -1, w.gaps
	if ev != nil {
		it.up = int64(ev.Index)
		it.typ, it.kind = ev.ProviderType, ev.Kind
		if ev.Kind == llm.Content || ev.Kind == llm.Refusal {
			it.typ = itemMessage // also when the caller left its start out
		}
	}
	typ, _ := classify([]byte(c.Name))
	element := ev != nil && ev.Span.Len() < len(c.Raw) && (c.Whole || typ == typeTerminal) // of the final output
	if element {
		w.p = payload{number: -1, index: -1, part: -1} // not read again for each of many
	} else if w.scan(c.Name, c.Raw) && w.p.index >= 0 {
		it.up = w.p.index
	}
	raw := []byte(nil)
	switch {
	case w.p.got(memberItem):
		raw = w.p.item.In(c.Raw)
	case element:
		raw = ev.Span.In(c.Raw)
	default:
		it.id = string(w.p.itemID)
	}
	if raw != nil && w.readView(raw) {
		it.id, it.callID = alloc.StringPair(w.view.id.str, w.view.callID.str)
		it.typ, it.kind = w.view.typ, w.view.kind
		it.added = slices.Clone(raw)
		body, _ := w.view.body()
		it.initial = len(body) > 0
	}
	if it.typ == "" && it.kind == llm.ToolCall {
		// Its beginning comes late or never; the payload says what it is.
		switch w.p.typ {
		case typeArgsDelta, typeArgsDone:
			it.typ = itemFunctionCall
		case typeInputDelta, typeInputDone:
			it.typ = itemCustomCall
		default:
		}
	}
	if it.typ == itemMessage {
		it.kind = 0
	}
	w.items[it.up] = it // without an index: the last one of those
	return it
}

// readView reads an item into w.view.
func (w *Writer) readView(raw []byte) bool {
	return w.view.read(&w.inner, raw, &w.buf) == ""
}

// keepResponse keeps the response object of a snapshot, for an end of Sluice's
// own.
func (w *Writer) keepResponse(raw []byte) {
	if !w.scan("", raw) || !w.p.got(memberResponse) {
		return
	}
	object := w.p.response.In(raw)
	var v responseView
	if v.read(&w.inner, object, &w.buf) != "" {
		return
	}
	if w.id == "" && w.model == "" {
		w.id, w.model = alloc.StringPair(v.id, v.model)
	}
	if w.id == "" {
		w.id = string(v.id)
	}
	if w.model == "" {
		w.model = string(v.model)
	}
	w.response = append(w.response[:0], object...)
}

// beganPart notes the beginning of a part.
func (w *Writer) beganPart(raw []byte, it *outItem) *outPart {
	typ := outputText
	if w.p.got(memberPart) {
		w.inner.Reset(w.p.partAt.In(raw))
		if part, reason := readPart(&w.inner, &w.buf); reason == "" {
			if known, ok := partTypeOf(string(part.typ)); ok {
				typ = known
			}
		}
	}
	if w.p.typ == typeSummaryAdded {
		typ = summaryText
	}
	number := w.p.part
	if number < 0 {
		number = it.count(typ)
	}
	return it.push(typ, number, -1)
}
