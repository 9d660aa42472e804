package anthropic

import (
	"bytes"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/alloc"
)

// openBlock is a block that has started and not ended.
type openBlock struct {
	position int
	index    int
	hasIndex bool
	kind     llm.Kind
	// takes are the members that the block's deltas may carry; body is the one that
	// they did carry, because two parsers would read a block with two differently.
	takes, body member
	// offset and signed are the lengths of the body and of the signature.
	offset, signed int
	// prefilled: a call that started with its input.
	prefilled bool
	// form is the encoding of the first piece of a call's input, 0 before it.
	form uint8

	before, after *openBlock
}

// blocks are the blocks of an answer: how many started, and which are open, by index
// and in the order in which they started. Ended blocks are dropped, so an index can be
// reused.
type blocks struct {
	count, calls int
	// lastCall is the position of the client's call that started last.
	lastCall int
	// bare: a client's call ended without a piece of input.
	bare bool
	// highest is the highest index so far, -1 before the first.
	highest int

	byIndex alloc.SmallMap[openBlock]
	// unnumbered is the open block that started without an index.
	unnumbered *openBlock
	newest     *openBlock
	opened     int
	// last is the block that was looked up last: nearly always the next one, too.
	last *openBlock
	// spare is an ended block for reuse; made is the pool of all.
	spare *openBlock
	made  alloc.Pool[openBlock]
}

// fresh returns a block that has not started.
func (b *blocks) fresh(index int, hasIndex bool) *openBlock {
	o := b.spare
	if b.spare = nil; o == nil {
		o = b.made.New()
	}
	*o = openBlock{index: index, hasIndex: hasIndex}
	return o
}

func (b *blocks) open() int { return b.opened }

func (b *blocks) add(o *openBlock) {
	o.position = b.count
	b.count++
	if o.kind == llm.ToolCall {
		b.calls++
		b.lastCall = o.position
	}
	if o.hasIndex {
		b.byIndex.Put(o.index, o)
	} else {
		b.unnumbered = o
	}
	if b.newest != nil {
		b.newest.after, o.before = o, b.newest
	}
	b.newest, b.last = o, o
	b.opened++
}

func (b *blocks) remove(o *openBlock) {
	b.bare = b.bare || o.kind == llm.ToolCall && o.form == 0 && !o.prefilled
	if o.hasIndex {
		b.byIndex.Remove(o.index)
	} else {
		b.unnumbered = nil
	}
	if o.before != nil {
		o.before.after = o.after
	}
	if o.after != nil {
		o.after.before = o.before
	} else {
		b.newest = o.before
	}
	if b.last == o {
		b.last = nil
	}
	b.opened--
}

func (b *blocks) closeAll() {
	b.byIndex.Clear()
	b.unnumbered, b.newest, b.last, b.opened = nil, nil, nil, 0
}

// find returns the open block with an index, nil if there is none.
func (b *blocks) find(index int) *openBlock {
	if o := b.last; o != nil && o.hasIndex && o.index == index {
		return o
	}
	o := b.byIndex.Get(index)
	if o != nil {
		b.last = o
	}
	return o
}

// which returns the open block that an event refers to, or nil. Without an index it is
// the only one, or the one that started last.
func (d *Decoder) which(c *stream.Chunk, p *payload) *openBlock {
	if !p.hasIndex {
		d.note(c, "index-missing", "an event of a block has no index")
		// Without an index some clients use the last block, others the first, and others
		// leave a piece of a call out.
		o := d.blocks.newest
		c.Ambiguous = c.Ambiguous || d.blocks.count > 1 || o != nil && o.kind == llm.ToolCall
		return o
	}
	if o := d.blocks.find(p.index); o != nil {
		return o
	}
	if o := d.blocks.unnumbered; o != nil && d.blocks.opened == 1 && p.index > d.blocks.highest {
		d.note(c, "index-late", "a block began without an index and got one later")
		d.blocks.remove(o)
		o.index, o.hasIndex = p.index, true
		o.before, o.after = nil, nil
		d.blocks.byIndex.Put(p.index, o)
		d.blocks.newest, d.blocks.last = o, o
		d.blocks.opened++
		return o
	}
	return nil
}

// start reads content_block_start.
func (d *Decoder) start(c *stream.Chunk, p *payload) *fault {
	d.expectStart(c)
	c.Ambiguous = c.Ambiguous || !d.started // clients that begin anew at message_start count other blocks
	if d.finished {
		return &fault{reason: "a block began after the stop reason"}
	}
	switch {
	case p.block.IsZero():
		return &fault{reason: "a block began without content_block"}
	case !p.blockRead:
		return wrongType("content_block")
	}
	if f := d.uniform(p); f != nil {
		return f
	}
	// The index names this block from now on, so an open one with the same index has
	// ended.
	old := d.blocks.unnumbered
	if p.hasIndex {
		old = d.blocks.find(p.index)
	} else {
		d.note(c, "index-missing", "an event of a block has no index")
	}
	if old != nil {
		d.note(c, "block-stop-missing", "a block has no content_block_stop")
		d.close(c, old)
	}
	if d.blocks.opened > 0 {
		d.note(c, "blocks-overlap", "a block began while another was open")
		c.Ambiguous = c.Ambiguous || d.blocks.calls > 0 // some clients end a call where the next block begins
	}
	if p.hasIndex {
		d.checkIndex(c, p.index)
	}
	o := d.blocks.fresh(p.index, p.hasIndex)
	return d.open(c, o, &d.reader.block, p.block, llm.Span{End: len(c.Raw)})
}

// checkIndex notes an index that is not the next number.
func (d *Decoder) checkIndex(c *stream.Chunk, index int) {
	b := &d.blocks
	switch {
	case index == b.highest+1:
	case index <= b.highest:
		d.note(c, "index-reused", "an index is not above those before it")
	default:
		d.note(c, "index-gap", "an index is not the next number")
	}
	b.highest = max(b.highest, index)
}

// open reports the start of a block whose JSON is at where.
func (d *Decoder) open(c *stream.Chunk, o *openBlock, b *content, where, span llm.Span) *fault {
	if len(b.kind) == 0 || b.wrong&seenType != 0 {
		return &fault{reason: "a block has no type"}
	}
	ev := stream.Event{Type: stream.EventStart, Span: span}
	ev.ProviderType, o.kind, o.takes = blockType(b.kind)
	ev.Kind = o.kind
	if f := b.check(o.kind); f != nil {
		return f
	}
	ev.ID, ev.Name = alloc.StringPair(b.id, b.name)
	ev.ToolUseID = string(b.toolUseID)
	switch o.kind {
	case llm.ToolCall, llm.ServerTool:
		ev.Data = b.startInput(c.Raw)
		o.prefilled = len(bytes.Trim(ev.Data, "{} \t\r\n")) > 0
		if ev.ID == "" {
			d.note(c, "tool-id-missing", "a call has no id")
		}
		if ev.Name == "" {
			d.note(c, "tool-name-missing", "a call has no name")
		}
	case llm.ToolResult:
		ev.Data = b.value.In(c.Raw)
	case llm.Opaque:
		ev.Data = b.compaction(o.takes)
	default:
	}
	if o.kind == llm.Opaque || o.kind == llm.ToolResult || o.kind == llm.ServerTool || b.seen&seenOther != 0 {
		ev.Raw = where.In(c.Raw)
	}
	d.blocks.add(o)
	ev.Block, ev.Index = o.position, o.number()
	// Some clients find a block by its index, others by its position.
	c.Ambiguous = c.Ambiguous || c.Name == blockStart && ev.Index != ev.Block
	c.Events = append(c.Events, ev)

	// The text in the start of a block is the beginning of its text.
	switch o.kind {
	case llm.Content:
		d.grow(c, o, memberText, b.text, span)
		o.cite(c, b.citations.In(c.Raw))
	case llm.Thinking:
		d.grow(c, o, memberThinking, b.thinking, span)
		d.grow(c, o, memberSignature, b.signature, span)
	default:
	}
	return nil
}

// check refuses a block whose significant members have invalid values.
func (b *content) check(kind llm.Kind) *fault {
	switch {
	case kind == llm.Content && b.wrong&seenText != 0:
		return wrongType("text")
	case kind == llm.Thinking && b.wrong&seenThinking != 0:
		return wrongType("thinking")
	case kind == llm.Thinking && b.wrong&seenSignature != 0:
		return wrongType("signature")
	case kind == llm.ToolResult && b.wrong&seenToolUseID != 0:
		return wrongType("tool_use_id")
	case kind != llm.ToolCall && kind != llm.ServerTool:
		return nil
	case b.wrong&seenID != 0:
		return wrongType("id")
	case b.wrong&seenName != 0:
		return wrongType("name")
	}
	return nil
}

// startInput returns the initial input of a call, unchanged; nothing if there is none.
func (b *content) startInput(raw []byte) []byte {
	if input := b.input.In(raw); string(input) != `""` {
		return input
	}
	return nil
}

// compaction returns the initial text of a compaction.
func (b *content) compaction(takes member) []byte {
	if takes != memberContent {
		return nil
	}
	return b.valueText
}

// number is the provider's number of the block.
func (o *openBlock) number() int {
	if !o.hasIndex {
		return -1
	}
	return o.index
}

// grow reports that a block grew. An empty delta makes no event: nothing was added, and
// a handler has nothing to decide. It stays in the chunk's Raw and is sent with it.
func (d *Decoder) grow(c *stream.Chunk, o *openBlock, carries member, value []byte, span llm.Span) {
	if len(value) == 0 {
		return
	}
	ev := stream.Event{
		Type: stream.EventDelta, Kind: o.kind, Block: o.position, Index: o.number(),
		Data: value, Span: span,
	}
	if carries == memberSignature {
		ev.Field, ev.Offset = stream.Signature, o.signed
		o.signed += len(value)
	} else {
		ev.Offset = o.offset
		o.offset += len(value)
		o.body = carries
	}
	c.Events = append(c.Events, ev)
}

// formKind is the bit of a delta with its own type. Clients that go by it do not read others.
const formKind = 2 << 2

// form returns the encoding of a delta as bits: clients differ in which encodings they
// read. The index counts as present if the writer will settle it.
func (p *payload) form(settled bool) uint8 {
	form := uint8(1)
	for i, is := range [...]bool{
		len(p.kind) > 0, p.seen&seenType != 0, len(p.delta.kind) > 0, p.delta.seen&seenType != 0,
		p.hasIndex || settled, p.seen&seenIndex != 0 || settled,
	} {
		if is {
			form |= 2 << i
		}
	}
	return form
}

// uniform checks that the beginnings of all blocks and the pieces of all calls have a type,
// or that none has. A client that goes by the type skips those without one: it would count
// other blocks, or execute a call without its input.
func (d *Decoder) uniform(p *payload) *fault {
	if len(p.kind) > 0 {
		d.typed = true
	} else {
		d.untyped = true
	}
	if d.typed && d.untyped {
		return &fault{reason: "the blocks and their pieces are encoded in different ways"}
	}
	return nil
}

// delta reads content_block_delta.
func (d *Decoder) delta(c *stream.Chunk, p *payload) *fault {
	if !d.started {
		d.expectStart(c)
	}
	e := &p.delta
	carries := deltaMember(e.kind)
	if len(e.kind) == 0 && e.seen != 0 {
		// Clients that look at the member read what clients that look at the type do
		// not, so it counts.
		d.note(c, "delta-type-missing", "a delta has no type")
		carries = e.carries
	}
	switch {
	case carries == 0:
		return d.unknownDelta(c, p)
	case e.wrong&carries != 0:
		return &fault{reason: "what a delta carries is not a string"}
	case e.more != 0 || e.carries != 0 && e.carries != carries:
		return &fault{reason: "a delta carries what is not of its type"}
	}
	o := d.which(c, p)
	if len(e.value) == 0 {
		return nil
	}
	switch {
	case o == nil:
		return &fault{reason: "a delta of a block that is not open"}
	case o.takes&carries == 0:
		return &fault{reason: "a delta that is not of its block's type"}
	case o.prefilled && len(bytes.TrimSpace(e.value)) == 0:
		// Clients that continue the initial input would execute it, others would not.
		return &fault{reason: "white space follows the input that a call began with"}
	case o.kind == llm.ServerTool && o.position < d.blocks.lastCall:
		// Clients that add input to the block that started last, some even after its
		// stop, would execute the client's call with it.
		return &fault{reason: "input of a block that the provider runs, after a client's call began"}
	case o.body != 0 && o.body != carries && carries != memberSignature:
		return &fault{reason: "deltas of two types in one block"}
	}
	if carries == memberJSON {
		// A client that does not read one of the encodings would join the other pieces
		// to an input that was not judged.
		if f := d.uniform(p); f != nil {
			return f
		}
		form := p.form(c.Ambiguous && d.blocks.count > 1)
		if o.form != 0 && o.form != form {
			return &fault{reason: "the pieces of a call are encoded in different ways"}
		}
		o.form = form
	}
	c.Ambiguous = c.Ambiguous || d.blocks.interleaves(o) || o.kind == llm.ServerTool && d.blocks.bare
	d.grow(c, o, carries, e.value, llm.Span{End: len(c.Raw)})
	return nil
}

// interleaves reports whether another block began after a call: clients that ignore the
// index add what follows to that one.
func (b *blocks) interleaves(o *openBlock) bool {
	return o.kind == llm.ToolCall && o.position < b.count-1
}

// unknownDelta reports a delta without a name in the vocabulary: citations, and unknown
// ones.
func (d *Decoder) unknownDelta(c *stream.Chunk, p *payload) *fault {
	if p.delta.seen == 0 && p.delta.span.Len() <= len("{}") {
		return nil
	}
	o := d.which(c, p)
	e := &p.delta
	switch {
	case o == nil:
		return &fault{reason: "a delta of a block that is not open"}
	case (o.kind == llm.ToolCall || o.kind == llm.ServerTool) && e.carries|e.wrong != 0, (e.carries|e.wrong|e.more)&memberJSON != 0:
		// Readers that go by the member would take it for input, also of a block that
		// is not known.
		return &fault{reason: "a delta of an unknown type carries a part of a call"}
	}
	if string(e.kind) == "citations_delta" {
		source, _, _ := jsonscan.Get(e.span.In(c.Raw), "citation")
		o.cite(c, source)
	} else if len(e.kind) > 0 {
		d.note(c, "delta-type-unknown", "a delta has a type that is not known")
	}
	c.Events = append(c.Events, stream.Event{
		Type: stream.EventUnknown, Kind: o.kind, Block: o.position, Index: o.number(),
		Name: string(p.delta.kind), Raw: p.delta.span.In(c.Raw), Span: llm.Span{End: len(c.Raw)},
	})
	return nil
}

// cite reports the sources of a text.
func (o *openBlock) cite(c *stream.Chunk, sources []byte) {
	if len(sources) > 0 {
		c.Citations = append(c.Citations, stream.Event{
			Type: stream.EventCitation, Kind: o.kind, Block: o.position, Index: o.number(), Data: sources,
		})
	}
}

// stop reads content_block_stop.
func (d *Decoder) stop(c *stream.Chunk, p *payload) {
	d.expectStart(c)
	o := d.which(c, p)
	// Clients that ignore the index end the block that began last.
	c.Ambiguous = c.Ambiguous || d.blocks.calls > 0 && (o == nil || o.position < d.blocks.lastCall)
	if o == nil {
		d.note(c, "block-stop-unexpected", "content_block_stop of a block that is not open")
		return
	}
	d.close(c, o)
}

// close reports the end of a block. Its offset is the length of the block's body and
// signature, so that a writer can detect gaps.
func (d *Decoder) close(c *stream.Chunk, o *openBlock) {
	d.blocks.remove(o)
	d.blocks.spare = o
	c.Events = append(c.Events, stream.Event{
		Type: stream.EventEnd, Kind: o.kind, Block: o.position, Index: o.number(),
		Offset: o.offset + o.signed, Span: llm.Span{End: len(c.Raw)},
		Unclear: o.kind == llm.ToolCall && o.form != 0 && o.form&formKind == 0,
	})
}

// wholeBlocks reports blocks that arrived whole inside a message: their position in the
// list is their index.
func (d *Decoder) wholeBlocks(c *stream.Chunk, m *message) *fault {
	if len(m.blocks) == 0 {
		return nil
	}
	if d.blocks.opened > 0 {
		return &fault{reason: "the message began with content while a block was open"}
	}
	for i, span := range m.blocks {
		o := d.blocks.fresh(i, true)
		if f := d.reader.content(c.Raw, span, &d.reader.block); f != nil {
			return f
		}
		if f := d.open(c, o, &d.reader.block, span, span); f != nil {
			return f
		}
		d.close(c, o)
		c.Events[len(c.Events)-1].Span = span
	}
	d.blocks.highest = max(d.blocks.highest, len(m.blocks)-1)
	return nil
}
