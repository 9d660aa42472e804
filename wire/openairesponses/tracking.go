package openairesponses

import (
	"hash/maphash"
	"slices"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// item is an output item while it arrives. It is one block, except for
// messages, where each run of parts of one kind is one.
type item struct {
	index  int64 // output_index, -1 if the stream has none
	id     string
	callID string
	name   string
	typ    string
	kind   llm.Kind // 0 for a message
	runs   []run
	done   bool
	paired bool // found in the final output
	told   bool // its complete body was reported
	filled bool // it was added with a body that is not empty
	// unclear: clients put the events of the call together in different ways. It is sent
	// whole.
	unclear bool
	form    form // the encoding of the first piece of a call's body
	// details are separate pieces of a call's arguments, by number.
	details map[int64][]byte
	final   uint64 // hash of that body, for calls
	begun   uint64 // hash of the item as it was added

	before, after *item // in the list of open items
}

// isCall reports whether the item is a call, of the client or of the provider.
func (it *item) isCall() bool { return it.kind == llm.ToolCall || it.kind == llm.ServerTool }

// grew reports whether deltas have come.
func (it *item) grew() bool {
	return slices.ContainsFunc(it.runs, func(r run) bool { return r.size > 0 })
}

// run is a block of an item.
type run struct {
	kind  llm.Kind
	block int
	first int64 // content_index of the first part in it
	part  int64 // content_index or summary_index of the part that grows
	start int   // length before that part
	size  int   // bytes of its deltas so far
	parts int
	half  bool // a delta ended in half a surrogate pair, so sizes mean nothing
	sum   maphash.Hash
}

// grew processes a delta. It stores just enough to detect cheaply that the final value
// differs.
func (r *run) grew(data []byte) {
	r.size += len(data)
	_, _ = r.sum.Write(data)
	if n := len(data); n >= 3 && data[n-3] == 0xED && data[n-2] >= 0xA0 {
		r.half = true
	}
}

// says reports whether the deltas so far equal text, or were all empty.
func (r *run) says(text []byte) bool {
	if r.size == 0 || r.half {
		return true
	}
	return r.size == len(text) && maphash.Bytes(r.sum.Seed(), text) == r.sum.Sum64()
}

// enter moves to the part with this content_index or summary_index.
func (r *run) enter(part int64) {
	if part < 0 {
		part = r.part
	}
	if r.parts == 0 || part != r.part {
		r.parts++
		r.part = part
		r.start = r.size
	}
}

// find returns the item that a payload refers to, nil if it is unknown.
func (d *Decoder) find(c *stream.Chunk, p *payload) *item {
	if p.index < 0 {
		return d.findWithoutIndex(c, p)
	}
	it := d.last
	if it == nil || it.index != p.index {
		if it = d.items[p.index]; it == nil {
			if it = d.ids[string(p.itemID)]; it == nil || it.index >= 0 || it.done {
				return nil
			}
			it.index = p.index // it started without one
			d.items[p.index] = it
		}
		d.last = it
	}
	if len(p.itemID) > 0 && it.id != string(p.itemID) {
		if other := d.ids[string(p.itemID)]; other != nil && other.index == p.index {
			return other // two items share the index
		} else if other == nil || it.id != "" {
			d.identify(c, it, p.itemID)
		}
	}
	return it
}

func (d *Decoder) findWithoutIndex(c *stream.Chunk, p *payload) *item {
	d.notes.Note(c.Seq, "output-index-missing", "an event of an item has no output_index")
	if len(p.itemID) > 0 {
		if it := d.ids[string(p.itemID)]; it != nil {
			return it
		}
	}
	if d.opened == 1 {
		return d.open
	}
	return nil
}

// claim records the call_id of a call. One that another call has is settled: clients that
// go by it would give one the arguments of the other.
func (d *Decoder) claim(c *stream.Chunk, callID string) {
	switch {
	case callID == "":
		return
	case d.callID == "":
		d.callID = callID // most answers have one call
		return
	case d.callIDs == nil:
		d.callIDs = map[string]struct{}{d.callID: {}}
	}
	if _, taken := d.callIDs[callID]; taken {
		d.notes.Note(c.Seq, "call-id-repeated", "two calls have the same call_id")
		c.Ambiguous = true
	}
	d.callIDs[callID] = struct{}{}
}

// identify keeps the first id of an item and notes that others follow. An id of another
// item is settled: clients that go by ids would mix the two.
func (d *Decoder) identify(c *stream.Chunk, it *item, id []byte) {
	if len(id) == 0 || it.id == string(id) {
		return
	}
	if other := d.ids[string(id)]; other != nil && other != it && (it.isCall() || other.isCall()) {
		c.Ambiguous = true
	}
	if it.id != "" {
		d.notes.Note(c.Seq, "item-id-varies", "events of one item name different ids")
		return
	}
	// Clients that go by ids do not find the call that was added without one.
	it.unclear = it.unclear || it.begun != 0 && it.kind == llm.ToolCall
	it.id = string(id)
	d.ids[it.id] = it
}

// blockOf returns the block that a payload without a body belongs to, -1 if there is
// none.
func (d *Decoder) blockOf(p *payload) int {
	var it *item
	switch {
	case p.index >= 0:
		it = d.items[p.index]
	case len(p.itemID) > 0:
		it = d.ids[string(p.itemID)]
	}
	if it == nil || len(it.runs) == 0 {
		return -1
	}
	return it.runs[len(it.runs)-1].block
}

// add starts tracking an item.
func (d *Decoder) add(index int64, typ string, kind llm.Kind) (*item, string) {
	if len(d.ordered) >= maxItems {
		return nil, tooManyItems
	}
	it := d.made.New()
	it.index, it.typ, it.kind = index, typ, kind
	if d.ordered == nil {
		d.ordered = make([]*item, 0, 8)
	}
	if index >= 0 {
		d.items[index] = it
	}
	d.ordered = append(d.ordered, it)
	d.last = it
	it.after = d.open
	if d.open != nil {
		d.open.before = it
	}
	d.open = it
	d.opened++
	return it, ""
}

// close removes an item from the list of open ones.
func (d *Decoder) close(it *item) {
	if it.done {
		return
	}
	it.done = true
	d.dropDetails(it)
	d.opened--
	if it.before != nil {
		it.before.after = it.after
	} else {
		d.open = it.after
	}
	if it.after != nil {
		it.after.before = it.before
	}
	it.before, it.after = nil, nil
}

// event returns an event of a block.
func (it *item) event(t stream.EventType, r *run) stream.Event {
	return stream.Event{Type: t, Kind: r.kind, Block: r.block, Index: int(it.index)}
}

// start opens the next block of an item.
func (d *Decoder) start(c *stream.Chunk, it *item, kind llm.Kind, ev stream.Event) *run {
	it.runs = append(it.runs, run{kind: kind, block: d.blocks, part: -1})
	d.blocks++
	r := &it.runs[len(it.runs)-1]
	ev.Type, ev.Kind, ev.Block, ev.Index = stream.EventStart, kind, r.block, int(it.index)
	ev.ProviderType = it.typ
	if ev.ID == "" {
		ev.ID = it.blockID()
	}
	d.emit(c, ev)
	return r
}

func (it *item) blockID() string {
	if it.callID != "" && it.kind != llm.ToolResult && it.typ != itemApproval {
		return it.callID
	}
	return it.id
}

// twoPlaces is the reason for refusing a payload that clients assign to different
// items.
const twoPlaces = "the payload is about one item by its id and about another by its place"

// expect returns the item that a delta or its whole refers to. If its start was never
// seen, as in a resumed stream, it is inferred from the event.
func (d *Decoder) expect(c *stream.Chunk, p *payload, typ string) (*item, string) {
	it := d.find(c, p)
	if it == nil {
		if p.index < 0 && d.opened > 1 {
			return nil, "it is not clear which item the payload belongs to"
		}
		if other := d.ids[string(p.itemID)]; other != nil && other.isCall() {
			return nil, twoPlaces
		}
		d.notes.Note(c.Seq, "item-added-missing", "an item goes on that was never added")
		kind := llm.ToolCall
		switch typ {
		case itemMessage:
			kind = 0
		case itemReasoning:
			kind = llm.Thinking
		case itemMCPCall:
			kind = llm.ServerTool
		}
		var reason string
		if it, reason = d.add(p.index, typ, kind); reason != "" {
			return nil, reason
		}
		d.identify(c, it, p.itemID)
		if kind != 0 {
			d.start(c, it, kind, stream.Event{})
		}
		return it, ""
	}
	if !it.takes(typ) {
		return nil, "the payload is not of the kind of its item"
	}
	if it.isCall() && len(p.itemID) > 0 && it.id != string(p.itemID) {
		// Some providers give each event of an item another id. Clients that look up
		// the id find nothing then; they must not find something else.
		if other := d.ids[string(p.itemID)]; p.index < 0 || other != nil && other != it {
			return nil, twoPlaces
		}
		it.unclear = it.unclear || it.kind == llm.ToolCall
	}
	if it.done && it.kind == llm.ToolCall && it != d.newest() {
		return nil, "an item goes on after its end and after another item began"
	}
	d.goesOn(it)
	// Clients that look up what is missing here find no item.
	it.unclear = it.unclear || it.kind == llm.ToolCall && (p.index < 0 || len(p.itemID) == 0 && it.id != "")
	return it, ""
}

// goesOn is called when an item goes on, or ends. Clients that take what comes for the
// item that began last would give that one the arguments of a call that began before it:
// such a call is sent whole, so that nothing of it follows another item.
func (d *Decoder) goesOn(it *item) {
	it.unclear = it.unclear || it.kind == llm.ToolCall && it != d.newest()
}

// newest is the item that began last.
func (d *Decoder) newest() *item { return d.ordered[len(d.ordered)-1] }

// takes reports whether events for items of type typ can belong to the item.
func (it *item) takes(typ string) bool {
	switch typ {
	case it.typ:
		return true
	case itemFunctionCall:
		return it.typ == itemApproval
	case itemMCPCall:
		// An approval request has the arguments of what the provider will execute; a
		// function does not, and its clients would not read them.
		return it.typ == itemApproval
	}
	return false
}

// form is the encoding of a piece of a call's body: what in the payload a client may
// use to identify the piece and its item.
type form uint8

const (
	formTold  form = 1 << iota // there was a piece
	formTyped                  // the payload has its type, not only the event its name
	formPlace                  // output_index
	formID                     // item_id
	formEmpty                  // item_id without one: the writer gives it one
	formOther                  // it is not the item's id
	formMCP                    // as the arguments of what the provider runs
)

// formOf is the form of a piece of the item.
func (p *payload) formOf(it *item) form {
	f := formTold
	if !p.byName {
		f |= formTyped
	}
	if p.index >= 0 {
		f |= formPlace
	}
	switch {
	case len(p.itemID) > 0:
		f |= formID
		if it.id != string(p.itemID) {
			f |= formOther
		}
	case p.seen&memberItemID != 0:
		f |= formEmpty
	}
	if p.name == nameMCPArgsDelta {
		f |= formMCP
	}
	return f
}

// alike reports whether a piece of a call has the same encoding as the first one. If
// not, a client may drop some of the pieces and join the others to something that was
// not judged.
func (it *item) alike(p *payload) bool {
	if it.kind != llm.ToolCall {
		return true
	}
	f := p.formOf(it)
	if it.form == 0 {
		it.form = f
	}
	return it.form == f
}
