package openairesponses

import (
	"bytes"
	"slices"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
	"github.com/sluice-project/sluice/wire/sse"
)

// rewrite writes a chunk of an edited stream: unchanged where possible, else with
// minimal edits. late says that its position in the answer has passed.
func (w *Writer) rewrite(dst []byte, c *stream.Chunk, late bool) ([]byte, error) {
	if !w.scan(c.Name, c.Raw) {
		return dst, nil
	}
	p := &w.p
	if p.isDone {
		if late || !w.finished && !w.errored {
			return dst, nil
		}
		return sse.AppendEvent(dst, "", c.Raw), nil
	}
	if w.finished {
		return dst, nil
	}
	if c.Whole {
		return w.whole(dst, c)
	}
	if !w.begun && c.Seq == 0 && p.typ != typeCreated && p.typ != typeError {
		// The upstream itself starts in the middle.
		w.begun, w.resumed = true, true
	}
	w.decide()
	switch p.typ {
	case typeCreated:
		if w.begun {
			return dst, nil
		}
		return w.snapshot(dst, c), nil
	case typeSnapshot:
		if w.swallow || w.errored || late && w.begun {
			return dst, nil
		}
		return w.snapshot(dst, c), nil
	case typeError:
		if w.errored {
			return dst, nil
		}
		dst = w.relay(dst, c.Name, c.Raw, nil, nil)
		w.errored = true
		return dst, nil
	case typeTerminal:
		return w.terminal(dst, c)
	default:
	}
	if w.errored {
		return dst, nil
	}
	dst = w.begin(dst)
	return w.itemEvent(dst, c, late)
}

// snapshot writes a response object that is not the last one. If the caller dropped
// response.created, the first object replaces it.
func (w *Writer) snapshot(dst []byte, c *stream.Chunk) []byte {
	p := &w.p
	if !p.got(memberResponse) {
		dst = w.begin(dst)
		return w.relay(dst, c.Name, c.Raw, nil, nil)
	}
	w.keepResponse(c.Raw)
	if w.id == "" {
		w.id = w.opts.ID("resp_")
	}
	if !w.begun && p.typ != typeCreated {
		created := w.owned(w.response)
		if created == nil {
			created = w.response
		}
		w.compose(nameCreated)
		w.putRaw("response", created)
		dst = w.send(dst, nameCreated)
	}
	w.prepare(c.Raw, nil)
	raw := p.response.In(c.Raw)
	if own := w.owned(raw); own != nil {
		w.edits.Replace(p.response, own)
	}
	return w.apply(dst, c.Name, c.Raw)
}

// isBlock reports whether an event is one of a block.
func isBlock(ev *stream.Event) bool {
	switch ev.Type {
	case stream.EventStart, stream.EventDelta, stream.EventWhole, stream.EventHint, stream.EventEnd:
		return true
	default:
		return false
	}
}

// itemEvent writes a chunk that is about an item, or about nothing that is
// known.
func (w *Writer) itemEvent(dst []byte, c *stream.Chunk, late bool) ([]byte, error) {
	if n := cutBefore(c); n > 0 {
		var err error
		if dst, err = w.cut(dst, c.Events[:n]); err != nil {
			return dst, err
		}
		rest := *c
		rest.Events = c.Events[n:]
		c = &rest
	}
	p := &w.p
	it, first := w.itemOf(c)
	if first != nil && it == nil {
		if w.repeated(c) {
			return dst, nil
		}
		if open := w.items[p.index]; open != nil && p.index >= 0 {
			dst = w.leaveMessage(dst, open) // another item takes its index
		}
		it = w.register(c, first)
		w.name(it)
		if first.Type != stream.EventStart || w.gaps > 0 && p.typ != typeItemAdded && p.typ != typeItemDone {
			it.gap = -1 // its start was dropped, and maybe more
		}
	}
	if p.typ == typeItemAdded && first == nil {
		// A message whose blocks are still to come: it waits for the first.
		if it = w.items[p.index]; it != nil && (late || !it.done) || !w.readView(p.item.In(c.Raw)) || w.view.typ != itemMessage {
			return dst, nil
		}
		it = w.register(c, nil)
		w.name(it)
		it.held = slices.Clone(c.Raw)
		return dst, nil
	}
	switch {
	case it == nil && p.index < 0 && !late:
		return w.relay(dst, c.Name, c.Raw, nil, nil), nil
	case it == nil:
		return dst, nil
	case it.kind == 0:
		return w.messageEvent(dst, c, it, late)
	}
	return w.singleEvent(dst, c, it, late)
}

// itemOf returns the item that a chunk refers to, nil if it is unknown, and the first
// event of a block in the chunk, or nil. An item is looked up by its blocks first: an
// upstream can assign one output_index twice.
func (w *Writer) itemOf(c *stream.Chunk) (*outItem, *stream.Event) {
	var first *stream.Event
	var about *outItem
	for i := range c.Events {
		ev := &c.Events[i]
		if !isBlock(ev) {
			if about == nil && ev.Block >= 0 {
				about = w.blockItem(ev.Block)
			}
			continue
		}
		if it := w.blockItem(ev.Block); it != nil {
			return it, ev
		}
		if first == nil {
			first = ev
		}
	}
	if first == nil && (about != nil || w.p.index < 0 && len(w.p.itemID) == 0) {
		return about, nil
	}
	it := w.items[w.p.index]
	if it == nil || first == nil {
		return it, first
	}
	if !it.holds(first) {
		// Another item took over the index.
		return nil, first
	}
	return it, first
}

// holds reports whether a block that starts at the item's index belongs to it: messages
// have several, each a text, everything else has one.
func (it *outItem) holds(first *stream.Event) bool {
	return it.kind == 0 && !it.done && (first.Kind == llm.Content || first.Kind == llm.Refusal)
}

// cutBefore is the number of events, at the start of a chunk with a complete item, with
// which the upstream abandons what it had started at that index: an item that starts as
// one type and ends as another is two.
func cutBefore(c *stream.Chunk) int {
	n := 0
	for n < len(c.Events) && c.Events[n].Type == stream.EventEnd && c.Events[n].Status == llm.Incomplete && c.Events[n].Raw == nil {
		n++
	}
	if n == len(c.Events) || c.Events[n].Type != stream.EventStart {
		return 0
	}
	return n
}

// cut ends an abandoned item with what was sent of it. A call cannot end that way:
// nobody may act on half of one.
func (w *Writer) cut(dst []byte, events []stream.Event) ([]byte, error) {
	for i := range events {
		ev := &events[i]
		it := w.blockItem(ev.Block)
		w.plan.Track(ev)
		switch {
		case it == nil || it.done || it.gone:
		case !it.begun:
			it.gone, it.done = true, true
		case it.kind == 0:
			dst = w.leaveMessage(dst, it)
		case it.kind == llm.ToolCall:
			return w.fail(dst, stream.ErrGap), stream.ErrGap
		default:
			dst = w.closePart(dst, it)
			dst = w.writeDone(dst, it, w.unfinished(it))
		}
	}
	return dst, nil
}

// leaveMessage ends a message that the upstream leaves open, with what was sent of it.
func (w *Writer) leaveMessage(dst []byte, it *outItem) []byte {
	if it.kind != 0 || !it.begun || it.done {
		return dst
	}
	kept := w.p
	dst = w.closePart(dst, it)
	dst = w.endMessage(dst, it, w.withParts(it.added, it, "incomplete"))
	w.p = kept
	return dst
}

// endMessage writes the end of a message, and what was to come after it.
func (w *Writer) endMessage(dst []byte, it *outItem, item []byte) []byte {
	dst = w.writeDone(dst, it, item)
	for i := range it.after {
		dst = w.writeBlock(dst, &it.after[i], nil)
	}
	it.after = nil
	return dst
}

// repeated reports whether the chunk begins a block that has begun before.
func (w *Writer) repeated(c *stream.Chunk) bool {
	for i := range c.Events {
		ev := &c.Events[i]
		if ev.Type == stream.EventStart && w.plan.Choice(0).Entry(ev.Block).Sent != plan.Nothing {
			return true
		}
	}
	return false
}

// singleEvent writes a chunk of an item that is one block.
func (w *Writer) singleEvent(dst []byte, c *stream.Chunk, it *outItem, late bool) ([]byte, error) {
	known, leave := false, false
	for i := range c.Events {
		ev := &c.Events[i]
		if !isBlock(ev) {
			continue
		}
		known = true
		if ev.Type == stream.EventStart {
			w.assign(ev.Block, it)
		}
		w.assignFirst(ev.Block, it)
		entry, step := w.plan.Track(ev)
		switch {
		case entry.Replaced:
			if ev.Type == stream.EventStart && !it.gone {
				dst = w.replace(dst, it, entry.With)
			}
			it.gone = true
		case step == plan.Gap, w.shortened(ev, it, entry):
			return w.fail(dst, stream.ErrGap), stream.ErrGap
		case step != plan.Skip:
			// A late final value was sent, or will be.
			leave = leave || !late || ev.Type != stream.EventWhole
		}
	}
	if !known && !late && it.begun && !it.done && w.partShortened(it) {
		return w.fail(dst, stream.ErrGap), stream.ErrGap
	}
	switch {
	case it.gone || it.done, known && !leave, !known && (late || !it.begun):
		return dst, nil
	}
	return w.passSingle(dst, c, it), nil
}

// assignFirst records the item of a block whose start the caller dropped.
func (w *Writer) assignFirst(block int, it *outItem) {
	if w.blockItem(block) == nil {
		w.assign(block, it)
	}
}

// shortened reports whether the caller dropped a part of a call or of reasoning, as the
// final value shows. What was sent of it must then not be taken as whole.
func (w *Writer) shortened(ev *stream.Event, it *outItem, entry *plan.Entry) bool {
	if ev.Type != stream.EventWhole || ev.Field != stream.Body || it.gap == w.gaps || it.done {
		return false
	}
	streams := it.kind == llm.Thinking || callEvents(it.typ) != nil
	return streams && entry.Sent == plan.Begun && entry.Offset != len(ev.Data)
}

// partShortened is shortened for one of several parts of reasoning, for which no event
// has the whole.
func (w *Writer) partShortened(it *outItem) bool {
	if it.kind != llm.Thinking || it.gap == w.gaps || w.p.typ != typeThinkingDone {
		return false
	}
	part := it.current()
	return part == nil || !bytes.Equal(part.text, w.p.text)
}

// replace writes the replacement of an item.
func (w *Writer) replace(dst []byte, it *outItem, with []llm.Block) []byte {
	for i := range with {
		if with[i].Kind == llm.ToolCall && it.kind != llm.ToolCall && it.kind != 0 {
			continue // only calls and texts can become calls
		}
		dst = w.writeBlock(dst, &with[i], it)
	}
	return dst
}

// passSingle writes a chunk of an item that is one block and leaves.
func (w *Writer) passSingle(dst []byte, c *stream.Chunk, it *outItem) []byte {
	p := &w.p
	if !it.begun {
		out := w.next
		if w.resumed && it.up >= 0 && p.typ != typeItemAdded && p.typ != typeItemDone {
			w.started(it, max(int(it.up), out))
		} else {
			w.started(it, out)
			if p.typ == typeItemAdded {
				return w.relay(dst, c.Name, c.Raw, it, w.rename(p.item.In(c.Raw), it))
			}
			dst = w.writeAdded(dst, it, w.beginning(it))
		}
	}
	if family := callEvents(it.typ); family != nil {
		return w.passCall(dst, c, it, family)
	}
	if it.kind == llm.Thinking {
		return w.passParts(dst, c, it)
	}
	if p.typ == typeItemDone {
		return w.passDone(dst, c, it)
	}
	return w.relay(dst, c.Name, c.Raw, it, nil)
}

// beginning is the JSON with which an item starts if the upstream sent none.
func (w *Writer) beginning(it *outItem) []byte {
	if it.added != nil {
		raw := it.added
		if renamed := w.rename(raw, it); renamed != nil {
			raw = renamed
		}
		return w.emptied(raw, it)
	}
	switch it.kind {
	case 0:
		return messageJSON(it, "in_progress")
	case llm.ToolCall:
		if member, isJSON := bodyMember(it.typ); !isJSON && member != "" {
			return w.callJSON(it, "unknown", nil, "in_progress", member, []byte(`""`))
		}
	default:
	}
	return []byte(`{"id":` + quoted(it.id) + `,"type":` + quoted(it.typ) + `,"summary":[]}`)
}

// emptied removes from an item what its deltas will carry.
func (w *Writer) emptied(raw []byte, it *outItem) []byte {
	if !w.readView(raw) {
		return raw
	}
	v := &w.view
	w.inside.Reset()
	switch it.typ {
	case itemMessage:
		if v.content.present() {
			w.inside.Replace(v.content.at, []byte("[]"))
		}
	case itemReasoning:
		if v.content.present() {
			w.inside.Replace(v.content.at, []byte("[]"))
		}
		if v.summary.present() {
			w.inside.Replace(v.summary.at, []byte("[]"))
		}
	case itemFunctionCall, itemMCPCall:
		if v.arguments.present() {
			w.inside.Replace(v.arguments.at, []byte(`""`))
		}
	case itemCustomCall:
		if v.input.present() {
			w.inside.Replace(v.input.at, []byte(`""`))
		}
	}
	it.initial = false
	if w.inside.Empty() {
		return raw
	}
	out, err := w.inside.Apply(nil, raw)
	if err != nil {
		return raw
	}
	return out
}

// passDone writes the end of an item as the upstream sent it.
func (w *Writer) passDone(dst []byte, c *stream.Chunk, it *outItem) []byte {
	raw := w.p.item.In(c.Raw)
	renamed := w.rename(raw, it)
	dst = w.relay(dst, c.Name, c.Raw, it, renamed)
	if renamed != nil {
		raw = renamed
	}
	w.ended(it, raw)
	return w.flush(dst)
}

// passCall writes a chunk of a call whose body streams. Events for the body that the
// upstream omitted are added, so that no client waits for them.
func (w *Writer) passCall(dst []byte, c *stream.Chunk, it *outItem, family *callFamily) []byte {
	p := &w.p
	switch p.typ {
	case typeArgsDelta, typeInputDelta:
		it.streamed = true
		it.body = append(it.body, p.delta...)
	case typeArgsDone, typeInputDone:
		literal := quotedBytes(p.args)
		if p.typ == typeInputDone {
			literal = quotedBytes(p.input)
		}
		if !it.streamed && !it.initial && len(literal) > 2 {
			dst = w.writeDelta(dst, it, family, literal)
		}
		it.told = true
	case typeItemDone:
		dst = w.completeCall(dst, p.item.In(c.Raw), it, family)
		return w.passDone(dst, c, it)
	default:
	}
	return w.relay(dst, c.Name, c.Raw, it, nil)
}

// completeCall writes what has not been written of a call's body before its end.
func (w *Writer) completeCall(dst, item []byte, it *outItem, family *callFamily) []byte {
	if it.told || !w.readView(item) {
		return dst
	}
	body, _ := w.view.body()
	literal := quotedBytes(body)
	switch {
	case it.streamed:
		return w.writeBodyDone(dst, it, family, literal)
	case !it.initial && len(body) > 0:
		return w.writeBody(dst, it, family, literal)
	}
	return dst
}
