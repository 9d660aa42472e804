package openairesponses

import (
	"hash/maphash"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/alloc"
)

// itemAdded reads the start of an item.
func (d *Decoder) itemAdded(c *stream.Chunk, p *payload) string {
	v := &d.view
	if reason := d.readItem(c, p.item, p.got(memberItem), v); reason != "" {
		return reason
	}
	d.place(c, v.kind, p.index)
	if it := d.items[p.index]; p.index >= 0 && it != nil {
		if !it.done && it.typ == v.typ && (len(v.id.str) == 0 || it.id == string(v.id.str)) && it.callID == string(v.callID.str) {
			if it.begun != maphash.Bytes(seed, v.raw) || it.grew() {
				return "an item was added twice with different content" // clients keep one or the other
			}
			d.notes.Note(c.Seq, "item-added-repeated", "an item was added twice")
			return ""
		}
		if !it.done && it.kind == llm.ToolCall && v.kind != llm.ToolCall {
			// It would be unclear whose arguments follow.
			return "an item takes the output_index of a call that has not ended"
		}
		if !it.done && it.kind == 0 && v.kind == 0 {
			// Clients count two messages, or one with the parts of both.
			return "a message takes the output_index of one that has not ended"
		}
		d.notes.Note(c.Seq, "output-index-reused", "two items have the same output_index")
	}
	if p.index < 0 {
		d.notes.Note(c.Seq, "output-index-missing", "an event of an item has no output_index")
	}
	it, reason := d.beginItem(c, p.index, v, true, llm.Span{})
	if reason == "" {
		it.begun = maphash.Bytes(seed, v.raw)
	}
	return reason
}

// place counts an item that was added. Clients append it to their list and assign a
// delta to the item at its output_index there, so an item whose index is not its
// position gets what belongs to another one. A resumed stream continues a list that is
// not known here.
//
// A message that skips a position among texts harms none of them, and is sent
// unchanged. A call that follows it is sent with the index of its position.
func (d *Decoder) place(c *stream.Chunk, kind llm.Kind, index int64) {
	at := d.added
	d.added++
	if !d.begun {
		return
	}
	d.called = d.called || kind == llm.ToolCall
	switch {
	case index == at:
	case kind == 0 && at > 0 && index > at && !d.called && !d.settled:
	default:
		c.Ambiguous, d.settled = true, true
	}
}

// readItem reads the item at a span of the payload.
func (d *Decoder) readItem(c *stream.Chunk, span llm.Span, ok bool, v *itemView) string {
	if !ok {
		return "an item is missing"
	}
	return v.read(&d.inner, span.In(c.Raw), &d.buf)
}

// beginItem starts the block or blocks that the item has at its start, with their
// initial values unless the complete ones follow.
func (d *Decoder) beginItem(c *stream.Chunk, index int64, v *itemView, initial bool, span llm.Span) (*item, string) {
	it, reason := d.add(index, v.typ, v.kind)
	if reason != "" {
		return nil, reason
	}
	d.identify(c, it, v.id.str)
	it.callID, it.name = alloc.StringPair(v.callID.str, v.name.str)
	if v.kind == llm.ToolCall {
		d.claim(c, it.callID)
	}
	if v.kind == 0 {
		if !initial {
			return it, ""
		}
		return it, d.beginMessage(c, it, v, span)
	}
	ev := stream.Event{Name: it.name, Span: span}
	if initial {
		if ev.Data, reason = d.itemBody(c, v); reason != "" {
			return nil, reason
		}
		it.filled = len(ev.Data) > 0
	}
	switch v.kind {
	case llm.Opaque:
		if initial {
			ev.Raw = v.raw
		}
	case llm.ToolResult:
		ev.ToolUseID = it.callID
	default:
	}
	d.start(c, it, v.kind, ev)
	d.sign(c, it, v, span)
	return it, ""
}

// beginMessage starts the blocks of a message that has parts at its start. Most have
// none yet, and then it is not known what will follow.
func (d *Decoder) beginMessage(c *stream.Chunk, it *item, v *itemView, span llm.Span) string {
	if reason := d.readRuns(c, v, nil, span); reason != "" {
		return reason
	}
	for i := range d.runs {
		r := d.start(c, it, d.runs[i].kind, stream.Event{Data: d.runs[i].text, Span: span})
		r.first = d.runs[i].first
		r.part = r.first
		r.parts = d.runs[i].parts
	}
	return ""
}

// sign reports the signature of reasoning.
func (d *Decoder) sign(c *stream.Chunk, it *item, v *itemView, span llm.Span) {
	if v.kind != llm.Thinking || len(v.encrypted.str) == 0 {
		return
	}
	ev := it.event(stream.EventWhole, &it.runs[0])
	ev.Field, ev.Data, ev.Span = stream.Signature, v.encrypted.str, span
	d.emit(c, ev)
}

// itemBody returns the content of an item that is one piece.
func (d *Decoder) itemBody(c *stream.Chunk, v *itemView) ([]byte, string) {
	if v.typ == itemReasoning {
		return d.thinking(v)
	}
	if v.typ == itemFunctionCall && v.arguments.kind == jsonscan.Object {
		d.notes.Note(c.Seq, "arguments-as-object", "the arguments of a call are an object, not a string")
	}
	return v.body()
}

// thinking joins the summary and the raw text of reasoning.
func (d *Decoder) thinking(v *itemView) ([]byte, string) {
	var text []byte
	parts := 0
	for _, list := range [...]*value{&v.summary, &v.content} {
		if list.kind == jsonscan.String {
			text, parts = d.join(text, list.str, parts)
			continue
		}
		if list.kind != jsonscan.Array {
			continue
		}
		d.inner.Reset(list.raw)
		d.inner.Array()
		for d.inner.Elem() {
			part, reason := readPart(&d.inner, &d.buf)
			if reason != "" {
				return nil, reason
			}
			if part.kind == llm.Thinking || part.kind == llm.Content {
				text, parts = d.join(text, part.text, parts)
			}
		}
	}
	return text, ""
}

// join appends a part to a text. The first part is not copied; from the second on the
// text is the tail of d.joined, even if that part is empty: the next one is appended to
// it there.
func (d *Decoder) join(text, part []byte, parts int) ([]byte, int) {
	switch parts {
	case 0:
		return part, 1
	case 1:
		d.joined = append(d.joined, text...)
	}
	d.joined = append(d.joined, part...)
	start := len(d.joined) - len(text) - len(part)
	return d.joined[start:len(d.joined):len(d.joined)], parts + 1
}

// readRuns reads the parts of a message into d.runs. Parts of unknown types
// become events of the item it, if that is not nil.
func (d *Decoder) readRuns(c *stream.Chunk, v *itemView, it *item, span llm.Span) string {
	d.runs = d.runs[:0]
	switch v.content.kind {
	case jsonscan.Invalid:
		return ""
	case jsonscan.String:
		d.notes.Note(c.Seq, "content-as-string", "the content of a message is a string, not a list of parts")
		d.runs = append(d.runs, textRun{kind: llm.Content, text: v.content.str, parts: 1})
		return ""
	case jsonscan.Array:
	default:
		return "the content of a message is not a list"
	}
	d.inner.Reset(v.content.raw)
	d.inner.Array()
	for number := int64(0); d.inner.Elem(); number++ {
		if !d.count() {
			return tooManyElements
		}
		start := d.inner.Pos()
		part, reason := readPart(&d.inner, &d.buf)
		if reason != "" {
			return reason
		}
		kind := part.kind
		if kind == llm.Thinking {
			kind = llm.Content // treated as text: it must be judged
		}
		if kind == 0 {
			if it != nil {
				block := -1
				if len(it.runs) > 0 {
					block = it.runs[len(it.runs)-1].block
				}
				d.emit(c, stream.Event{
					Type: stream.EventUnknown, Name: string(part.typ), Block: block, Index: int(it.index),
					Raw: v.content.raw[start:d.inner.Pos()], Span: span,
				})
			}
			continue
		}
		if n := len(d.runs); n > 0 && d.runs[n-1].kind == kind {
			r := &d.runs[n-1]
			r.text, r.parts = d.join(r.text, part.text, r.parts)
			r.cite(part.sources)
			continue
		}
		d.runs = append(d.runs, textRun{kind: kind, text: part.text, first: number, parts: 1})
		d.runs[len(d.runs)-1].cite(part.sources)
	}
	return ""
}

// itemDone reads the final form of an item.
func (d *Decoder) itemDone(c *stream.Chunk, p *payload) string {
	v := &d.view
	if reason := d.readItem(c, p.item, p.got(memberItem), v); reason != "" {
		return reason
	}
	if !p.got(memberItemID) {
		p.itemID = v.id.str
	}
	it := d.find(c, p)
	if other := d.ids[string(v.id.str)]; it == nil && other != nil && !other.done && other.isCall() && v.typ == other.typ {
		return twoPlaces
	}
	if it == nil {
		// Clients do not add it to their list, and count the next ones without it.
		d.place(c, v.kind, -1)
	}
	if it != nil && it.done {
		if it.same(v) && it.sameBody(v) {
			d.notes.Note(c.Seq, "item-done-repeated", "an item was done twice")
			// Clients that ignore what it is about end the call that began last.
			c.Ambiguous = c.Ambiguous || it != d.newest()
			return d.again(c, it, v, llm.Span{})
		}
		d.notes.Note(c.Seq, "output-index-reused", "two items have the same output_index")
		it = nil
	}
	if it != nil && !it.becomes(v) {
		// The client would act on something else than what was started. Both are
		// blocks, so both are judged.
		d.notes.Note(c.Seq, "item-type-changes", "an item ends as another type than it began")
		d.endItem(c, it, nil, llm.Incomplete, llm.Span{})
		it = nil
	}
	return d.completeItem(c, p.index, it, v, llm.Span{})
}

// same reports whether v is the same item.
func (it *item) same(v *itemView) bool {
	return it.typ == v.typ && it.becomes(v) && it.callID == string(v.callID.str) &&
		(it.name == string(v.name.str) || it.kind != llm.ToolCall)
}

// sameBody reports whether v repeats the body of an ended item, as far as that is known:
// texts are compared when they are read once more, and items of other kinds than these are
// not, so each of their ends is a block of its own. So is a call with another body, because
// clients execute each call that is done.
func (it *item) sameBody(v *itemView) bool {
	switch it.kind {
	case 0, llm.Thinking:
		return true
	case llm.ToolCall:
		body, _ := v.body()
		return !it.told || maphash.Bytes(seed, body) == it.final
	default:
		return false
	}
}

// seed is the seed of the hashes that compare bodies.
var seed = maphash.MakeSeed()

// becomes reports whether a started item can end as v without misleading whoever judged
// its start. An item that started as a client's call stays one, whatever its end says.
func (it *item) becomes(v *itemView) bool {
	if it.typ == v.typ {
		return it.kind == v.kind || it.kind == llm.ToolCall
	}
	return false
}

// completeItem reports an item in full and ends it. A nil it is an item that never
// started.
func (d *Decoder) completeItem(c *stream.Chunk, index int64, it *item, v *itemView, span llm.Span) string {
	fresh := it == nil
	if fresh {
		var reason string
		if it, reason = d.beginItem(c, index, v, false, span); reason != "" {
			return reason
		}
	}
	status := llm.Complete
	if string(v.status.str) == "incomplete" {
		status = llm.Incomplete
	}
	if v.kind == 0 {
		if reason := d.completeMessage(c, it, v, span); reason != "" {
			return reason
		}
		d.endItem(c, it, v.raw, status, span)
		return ""
	}
	r := &it.runs[0]
	if !fresh {
		d.goesOn(it)
		d.finalNames(c, it, v, span)
	}
	body, reason := d.itemBody(c, v)
	if reason != "" {
		return reason
	}
	if !it.detailed(body) {
		return "two copies of a call of a built-in tool differ"
	}
	if v.kind != llm.Opaque {
		d.wholeBody(c, it, r, body, span)
	}
	if it.kind == llm.ToolCall {
		it.told, it.final = true, maphash.Bytes(seed, body)
	}
	if !fresh {
		d.sign(c, it, v, span)
	}
	d.endItem(c, it, v.raw, status, span)
	return ""
}

// finalNames reports the ids and the name that change at the end of an item.
func (d *Decoder) finalNames(c *stream.Chunk, it *item, v *itemView, span llm.Span) {
	d.identify(c, it, v.id.str)
	if it.callID != "" && len(v.callID.str) > 0 && it.callID != string(v.callID.str) {
		d.notes.Note(c.Seq, "call-id-varies", "an item ends with another call_id than it began")
	}
	known := it.blockID()
	if len(v.callID.str) > 0 && it.callID != string(v.callID.str) {
		if it.callID = string(v.callID.str); it.kind == llm.ToolCall {
			d.claim(c, it.callID)
		}
	}
	r := &it.runs[0]
	if final := v.blockID(); len(final) > 0 && string(final) != known && (it.callID == "" || len(v.callID.str) > 0) {
		ev := it.event(stream.EventWhole, r)
		ev.Field, ev.Data, ev.Span = stream.ID, final, span
		d.emit(c, ev)
	}
	if it.loses(v.name.str) {
		d.notes.Note(c.Seq, "name-missing", "an item ends without the name that it began with")
		it.unclear = true
	}
	if it.kind == llm.ToolCall && (it.id != "" && len(v.id.str) == 0 || it.callID != "" && len(v.callID.str) == 0) {
		d.notes.Note(c.Seq, "id-missing", "a call ends without an id that it began with")
		it.unclear = true
	}
	if len(v.name.str) > 0 && it.name != string(v.name.str) {
		if it.name != "" {
			d.notes.Note(c.Seq, "name-varies", "an item ends with another name than it began")
		}
		d.rename(c, it, v.name.str, span)
	}
}

// loses reports whether the name of a call is missing where it is repeated: clients that
// read only that copy would have a call without a name, or reject it.
func (it *item) loses(name []byte) bool {
	return it.kind == llm.ToolCall && it.name != "" && len(name) == 0
}

// completeMessage reports the texts of a message in full. The final runs are paired in
// order with the blocks of the deltas.
func (d *Decoder) completeMessage(c *stream.Chunk, it *item, v *itemView, span llm.Span) string {
	d.identify(c, it, v.id.str)
	if reason := d.readRuns(c, v, it, span); reason != "" {
		return reason
	}
	known, at := len(it.runs), 0
	if known == 0 && len(d.runs) == 0 {
		d.start(c, it, llm.Content, stream.Event{Span: span})
		return ""
	}
	for i := range d.runs {
		final := &d.runs[i]
		switch {
		case at < known && it.runs[at].kind == final.kind:
		case at+1 < known && it.runs[at+1].kind == final.kind:
			d.notes.Note(c.Seq, "done-differs-from-deltas", "the final value of a block differs from its deltas")
			at++
		default:
			if known > 0 {
				d.notes.Note(c.Seq, "done-differs-from-deltas", "the final value of a block differs from its deltas")
			}
			r := d.start(c, it, final.kind, stream.Event{Span: span})
			d.wholeBody(c, it, r, final.text, span)
			final.tellSources(c, r.block)
			continue
		}
		d.wholeBody(c, it, &it.runs[at], final.text, span)
		final.tellSources(c, it.runs[at].block)
		at++
	}
	return ""
}

// cite adds the annotations of a part.
func (r *textRun) cite(sources []byte) {
	if len(sources) > 0 {
		r.sources = append(r.sources, sources)
	}
}

// tellSources reports all sources of a text, replacing those reported one by one.
func (r *textRun) tellSources(c *stream.Chunk, block int) {
	status := llm.Complete
	for _, sources := range r.sources {
		cite(c, block, sources, status)
		status = llm.Open
	}
}

// cite reports sources of a block's text.
func cite(c *stream.Chunk, block int, sources []byte, status llm.Status) {
	if len(sources) > 0 {
		c.Citations = append(c.Citations, stream.Event{
			Type: stream.EventCitation, Kind: llm.Content, Block: block, Index: -1, Data: sources, Status: status,
		})
	}
}

// endItem ends the blocks of an item. Only the first of them gets the item's JSON, so
// that it is stored once.
func (d *Decoder) endItem(c *stream.Chunk, it *item, raw []byte, status llm.Status, span llm.Span) {
	if it.done {
		return
	}
	for i := range it.runs {
		ev := it.event(stream.EventEnd, &it.runs[i])
		ev.Status, ev.Span, ev.Unclear = status, span, it.unclear
		if i == 0 {
			ev.Raw = raw
		}
		d.emit(c, ev)
	}
	d.close(it)
}

// again reports the body of an ended item once more, because a client may read this
// copy: the state detects a difference.
func (d *Decoder) again(c *stream.Chunk, it *item, v *itemView, span llm.Span) string {
	if v.kind == 0 {
		if reason := d.readRuns(c, v, nil, span); reason != "" {
			return reason
		}
		at := 0
		for i := range d.runs {
			final := &d.runs[i]
			if at < len(it.runs) && it.runs[at].kind != final.kind && at+1 < len(it.runs) {
				at++
			}
			if at < len(it.runs) && it.runs[at].kind == final.kind {
				if len(final.text) > 0 {
					d.wholeBody(c, it, &it.runs[at], final.text, span)
				}
				at++
				continue
			}
			// A text that was not in the item before.
			r := d.start(c, it, final.kind, stream.Event{Span: span})
			at = len(it.runs)
			d.wholeBody(c, it, r, final.text, span)
			d.emit(c, it.endOf(r, span))
		}
		return ""
	}
	if it.kind != llm.ToolCall && it.kind != llm.Thinking {
		return ""
	}
	body, reason := d.itemBody(c, v)
	if reason != "" {
		return reason
	}
	if it.kind == llm.ToolCall || len(body) > 0 {
		d.wholeBody(c, it, &it.runs[0], body, span)
	}
	return ""
}

func (it *item) endOf(r *run, span llm.Span) stream.Event {
	ev := it.event(stream.EventEnd, r)
	ev.Status, ev.Span = llm.Complete, span
	return ev
}
