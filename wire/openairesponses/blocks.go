package openairesponses

import (
	"hash/maphash"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// delta reads a delta of an item that is one block. An empty one, here and in
// textDelta, makes no event, because nothing was added; it stays in the chunk's Raw.
func (d *Decoder) delta(c *stream.Chunk, p *payload, typ string) string {
	if p.wrong&memberDelta != 0 {
		return "a delta is not a string"
	}
	if len(p.delta) == 0 {
		return ""
	}
	it, reason := d.expect(c, p, typ)
	if reason != "" {
		return reason
	}
	if reason := d.checkName(c, p, it); reason != "" {
		return reason
	}
	if len(p.tool) > 0 && it.name != string(p.tool) {
		return anotherName
	}
	if it.filled && it.kind == llm.ToolCall {
		// Clients append the piece to the initial value of the call, or to nothing.
		return "a call that was added with a body grows"
	}
	if !it.alike(p) {
		return "the pieces of a call are encoded in different ways"
	}
	// Clients that go by the type read the call, but not this piece of it.
	it.unclear = it.unclear || it.kind == llm.ToolCall && p.byName && d.typed
	r := &it.runs[0]
	if typ == itemReasoning {
		part := p.part
		if part >= 0 && p.name == nameThinkDelta {
			part += rawParts
		}
		r.enter(part)
	}
	return d.grow(c, p, it, r)
}

// anotherName is the reason for refusing a payload with another tool name than its
// item: clients use the one or the other.
const anotherName = "the payload names another tool than its item"

// checkName checks the name in an event about the body of a call: where it is there but
// empty, all events of the call get that of the item.
func (d *Decoder) checkName(c *stream.Chunk, p *payload, it *item) string {
	switch {
	case p.wrong&memberName != 0:
		return "the name of a call is not a string"
	case !p.got(memberName) || !it.loses(p.tool):
		return ""
	case it.done:
		return anotherName
	}
	d.notes.Note(c.Seq, "name-empty", "an event of a call has an empty name")
	it.unclear = true
	return ""
}

// rawParts separates the numbers of raw reasoning from those of summaries.
const rawParts = 1 << 40

func (d *Decoder) grow(c *stream.Chunk, p *payload, it *item, r *run) string {
	if it.done {
		return "a delta follows the end of its item"
	}
	ev := it.event(stream.EventDelta, r)
	ev.Offset = r.size
	ev.Data = p.delta
	r.grew(p.delta)
	d.emit(c, ev)
	return ""
}

// textDelta reads a delta of a part of a message.
func (d *Decoder) textDelta(c *stream.Chunk, p *payload, kind llm.Kind) string {
	if p.wrong&memberDelta != 0 {
		return "a delta is not a string"
	}
	if len(p.delta) == 0 {
		return ""
	}
	it, reason := d.expect(c, p, itemMessage)
	if reason != "" {
		return reason
	}
	r, reason := d.run(c, it, kind, p.part)
	if reason != "" {
		return reason
	}
	return d.grow(c, p, it, r)
}

// run returns the block of a message that a part belongs to and opens it if it is new:
// adjacent parts of one kind are one block.
func (d *Decoder) run(c *stream.Chunk, it *item, kind llm.Kind, part int64) (*run, string) {
	if n := len(it.runs); n > 0 {
		r := &it.runs[n-1]
		if part >= 0 && part < r.first {
			d.notes.Note(c.Seq, "parts-interleave", "a part of a message goes on after the next one began")
			if r = it.runAt(part); r.kind != kind {
				r = &it.runs[n-1]
			}
		}
		if r.kind == kind {
			r.enter(part)
			return r, ""
		}
	}
	if it.done {
		return nil, "a part follows the end of its item"
	}
	first := int64(0)
	if n := len(it.runs); n > 0 {
		first = it.runs[n-1].first + 1
	}
	r := d.start(c, it, kind, stream.Event{})
	r.first = max(part, first)
	r.enter(part)
	return r, ""
}

// runAt returns the block that holds the part with a content_index.
func (it *item) runAt(part int64) *run {
	low, high := 0, len(it.runs)-1
	for low < high {
		mid := (low + high + 1) / 2
		if it.runs[mid].first <= part {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return &it.runs[low]
}

// whole reads the whole body of an item that is one block.
func (d *Decoder) whole(c *stream.Chunk, p *payload, typ string, member uint32, text []byte) string {
	if p.wrong&member != 0 {
		return "the whole of a body is not a string"
	}
	if !p.got(member) {
		return d.wholeMissing(c, p)
	}
	it, reason := d.expect(c, p, typ)
	if reason != "" {
		return reason
	}
	if reason := d.checkName(c, p, it); reason != "" {
		return reason
	}
	d.wholeBody(c, it, &it.runs[0], text, llm.Span{})
	if len(p.tool) > 0 && it.name != string(p.tool) {
		if it.done {
			return anotherName // too late to give all its events one name
		}
		d.rename(c, it, p.tool, llm.Span{})
	}
	return ""
}

// wholeMissing reads the end of a body that leaves the body out: to some clients a call
// without arguments ends here.
func (d *Decoder) wholeMissing(c *stream.Chunk, p *payload) string {
	if p.index < 0 && len(p.itemID) == 0 {
		return "the end of a body does not say which"
	}
	it := d.find(c, p)
	if it == nil {
		return "a body that is missing ends before its item began" // its name, if it has one, is not judged
	}
	it.unclear = it.unclear || it.kind == llm.ToolCall
	return ""
}

// wholeBody reports a block's complete body.
func (d *Decoder) wholeBody(c *stream.Chunk, it *item, r *run, text []byte, span llm.Span) {
	if !r.says(text) {
		d.notes.Note(c.Seq, "done-differs-from-deltas", "the final value of a block differs from its deltas")
		c.Ambiguous = c.Ambiguous || it.kind == llm.ToolCall
	}
	if it.kind == llm.ToolCall && it.told && maphash.Bytes(seed, text) != it.final {
		c.Ambiguous = true
	}
	ev := it.event(stream.EventWhole, r)
	ev.Data = text
	ev.Span = span
	d.emit(c, ev)
}

// rename reports another name of a call, which may be its first. An item that was added
// without one must be sent with it then.
func (d *Decoder) rename(c *stream.Chunk, it *item, name []byte, span llm.Span) {
	it.unclear = it.unclear || it.begun != 0 && it.kind == llm.ToolCall
	it.name = string(name)
	ev := it.event(stream.EventWhole, &it.runs[0])
	ev.Field, ev.Data, ev.Span = stream.Name, name, span
	d.emit(c, ev)
}

// textDone reads the complete text of one part of a message. It applies to the block
// only while the block has no other part.
func (d *Decoder) textDone(c *stream.Chunk, p *payload, kind llm.Kind, member uint32, text []byte) string {
	if p.wrong&member != 0 {
		return "the whole of a text is not a string"
	}
	if !p.got(member) {
		return ""
	}
	it, reason := d.expect(c, p, itemMessage)
	if reason != "" {
		return reason
	}
	r, reason := d.run(c, it, kind, p.part)
	if reason != "" {
		return reason
	}
	d.wholePart(c, it, r, text)
	return ""
}

// wholePart reports one part of a block in full.
func (d *Decoder) wholePart(c *stream.Chunk, it *item, r *run, text []byte) {
	if r.parts <= 1 {
		d.wholeBody(c, it, r, text, llm.Span{})
		return
	}
	if grown := r.size - r.start; grown > 0 && grown != len(text) && !r.half {
		d.notes.Note(c.Seq, "done-differs-from-deltas", "the final value of a block differs from its deltas")
	}
}

// contentPart reads the beginning or the whole of a part of a message.
func (d *Decoder) contentPart(c *stream.Chunk, p *payload) string {
	if !p.got(memberPart) {
		return ""
	}
	raw := p.partAt.In(c.Raw)
	d.inner.Reset(raw)
	part, reason := readPart(&d.inner, &d.buf)
	if reason != "" {
		return reason
	}
	if part.kind == llm.Thinking {
		return d.thinkingPart(c, p, part)
	}
	if part.kind == 0 {
		d.unknown(c, string(part.typ), d.blockOf(p), raw)
		return ""
	}
	it, reason := d.expect(c, p, itemMessage)
	if reason != "" {
		return reason
	}
	r, reason := d.run(c, it, part.kind, p.part)
	if reason != "" {
		return reason
	}
	if p.typ == typePartDone || len(part.text) > 0 && r.size == 0 {
		d.wholePart(c, it, r, part.text)
	}
	return ""
}

// thinkingPart reads a reasoning_text part, which comes as a content part.
func (d *Decoder) thinkingPart(c *stream.Chunk, p *payload, part part) string {
	it, reason := d.expect(c, p, itemReasoning)
	if reason != "" {
		return reason
	}
	number := p.part
	if number >= 0 {
		number += rawParts
	}
	it.runs[0].enter(number)
	if p.typ == typePartDone {
		d.wholePart(c, it, &it.runs[0], part.text)
	}
	return ""
}

// thinkingDone reads the whole of one part of reasoning.
func (d *Decoder) thinkingDone(c *stream.Chunk, p *payload, member uint32, text []byte) string {
	if p.wrong&member != 0 {
		return "the whole of a text is not a string"
	}
	if !p.got(member) {
		return ""
	}
	it, reason := d.expect(c, p, itemReasoning)
	if reason != "" {
		return reason
	}
	number := p.part
	if number >= 0 && p.name == nameThinkDone {
		number += rawParts
	}
	it.runs[0].enter(number)
	d.wholePart(c, it, &it.runs[0], text)
	return ""
}

func (d *Decoder) summaryAdded(c *stream.Chunk, p *payload) string {
	it, reason := d.expect(c, p, itemReasoning)
	if reason == "" {
		it.runs[0].enter(p.part)
	}
	return reason
}

func (d *Decoder) summaryDone(c *stream.Chunk, p *payload) string {
	if !p.got(memberPart) {
		return ""
	}
	d.inner.Reset(p.partAt.In(c.Raw))
	part, reason := readPart(&d.inner, &d.buf)
	if reason != "" {
		return reason
	}
	it, reason := d.expect(c, p, itemReasoning)
	if reason != "" {
		return reason
	}
	it.runs[0].enter(p.part)
	d.wholePart(c, it, &it.runs[0], part.text)
	return ""
}
