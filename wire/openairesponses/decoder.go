package openairesponses

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/alloc"
	"github.com/sluice-project/sluice/wire/sse"
)

// maxItems bounds the items that a decoder tracks. A message item without a part makes
// no block, so no limit on blocks applies to it.
const maxItems = 1 << 17

// maxKept bounds the buffers that are kept from one payload to the next.
const maxKept = 1 << 20

// Decoder reads the payloads of one answer. See stream.Decoder; it is not safe
// for concurrent use. All its events are of choice 0.
type Decoder struct {
	notes stream.Deviations

	scanner jsonscan.Scanner // of the payload
	inner   jsonscan.Scanner // of an item, part or response in it
	p       payload
	view    itemView
	runs    []textRun
	buf     []byte // unescaped strings of this payload
	joined  []byte // texts that were joined from parts

	seq      int
	blocks   int // begun so far
	elements int // elements of this payload that must be stored

	items   map[int64]*item  // by output_index
	ids     map[string]*item // by the first id that was seen
	ordered []*item          // as they appeared
	last    *item            // the one that was looked up last
	open    *item            // list of the items that are not done
	opened  int              // its length
	made    alloc.Pool[item]

	callID  string              // of the first call
	callIDs map[string]struct{} // of all calls, if there are several

	detailBytes int // kept of the details of open items
	detailTexts int // how many texts these are

	added   int64 // items that clients have in their list, in the order added
	begun   bool  // response.created was seen
	called  bool  // one of those items is a call
	settled bool  // from here on the indices sent are positions

	named    bool // the answer's id or model was reported
	errored  bool // the provider reported an error
	finished bool // the terminal event was seen
	closed   bool // [DONE] was seen
	typed    bool // a payload with an item had its type
	untyped  bool // one had only the SSE event's name

	usage llm.Usage
	err   stream.ProviderError

	// lastDelta is the fast path for deltas that match the one before.
	lastDelta lastDelta
}

// NewDecoder returns a decoder for one answer.
func NewDecoder() *Decoder {
	return &Decoder{items: make(map[int64]*item), ids: make(map[string]*item)}
}

// Decode reads one payload; see stream.Decoder.
func (d *Decoder) Decode(c *stream.Chunk) error {
	if d.repeat(c) {
		return nil
	}
	wire, noted := c.Name, d.notes.Total()
	err := d.decode(c)
	d.learn(c, wire, err == nil && d.notes.Total() == noted)
	return err
}

// decode reads one payload member by member.
func (d *Decoder) decode(c *stream.Chunk) error {
	d.begin(c)
	p := &d.p
	if reason, cause := p.scan(&d.scanner, c.Raw, &d.buf); reason != "" {
		return stream.NewProtocolError(c, reason, cause)
	}
	if p.isDone {
		return d.done(c)
	}
	if p.name == "" && c.Name != "" {
		p.byName = true
		if p.typ, p.name = classify([]byte(c.Name)); p.name == "" {
			p.name = c.Name
		}
	}
	c.Name = p.name
	c.Number = p.number
	if !sse.IsPlainName(c.Name) {
		return stream.NewProtocolError(c, "the name of an event is not plain", nil)
	}
	if d.finished || d.closed {
		return stream.NewProtocolError(c, "a payload follows the end of the answer", nil)
	}
	significant := memberType
	if p.typ != typeUnknown {
		significant |= memberIndex | memberItem | memberPart | memberResponse
	}
	if p.wrong&significant != 0 {
		return stream.NewProtocolError(c, "a member that tells what the payload is about has the wrong type", nil)
	}
	reason := d.uniform(p)
	if reason == "" {
		reason = d.dispatch(c, p)
	}
	if reason != "" {
		switch reason {
		case tooManyItems:
			return &stream.LimitError{What: "items", Limit: maxItems}
		case tooManyElements:
			return &stream.LimitError{What: "items and parts in one payload", Limit: maxElements}
		}
		return stream.NewProtocolError(c, reason, nil)
	}
	return nil
}

// uniform checks that all payloads with items have a type, or none has. A client that goes
// by the type skips those without one, and would take its items for others.
func (d *Decoder) uniform(p *payload) string {
	if p.typ == typeItemAdded || p.typ == typeItemDone {
		d.typed, d.untyped = d.typed || !p.byName, d.untyped || p.byName
	}
	if d.typed && d.untyped {
		return "some items of the answer have a type and others have not"
	}
	return ""
}

// tooManyItems is the reason that becomes a LimitError.
const tooManyItems = "the answer has too many items"

// maxElements bounds the items and parts of one payload: without it a few hostile bytes
// would allocate much memory before the state could refuse them.
const maxElements = 1 << 15

// tooManyElements is the reason that becomes a LimitError.
const tooManyElements = "the payload has too many items and parts"

// count counts an element and reports whether it is within the limit.
func (d *Decoder) count() bool {
	d.elements++
	return d.elements <= maxElements
}

// begin sets everything in c that does not come from its payload.
func (d *Decoder) begin(c *stream.Chunk) {
	c.Seq = d.seq
	d.seq++
	d.elements = 0
	if c.Events = c.Events[:0]; cap(c.Events) == 0 {
		c.Events = make([]stream.Event, 0, 4) // enough for most payloads
	}
	c.Number = -1
	c.Whole, c.Repeats, c.Known, c.Ambiguous, c.Edited = false, false, false, false, false
	c.Citations = c.Citations[:0]
	if d.buf = d.buf[:0]; cap(d.buf) > maxKept {
		d.buf = nil
	}
	if d.joined = d.joined[:0]; cap(d.joined) > maxKept {
		d.joined = nil
	}
}

// Deviations lists the deviations so far.
func (d *Decoder) Deviations() []stream.Deviation { return d.notes.Deviations() }

// End marks the end of the input; see stream.Decoder. Only the terminal event proves a
// regular end in this dialect.
func (d *Decoder) End(c *stream.Chunk) error {
	d.lastDelta.shape.Forget()
	d.begin(c)
	c.Raw, c.Name = nil, ""
	if d.finished || d.errored {
		return nil
	}
	d.notes.Note(c.Seq, "terminal-missing", "the stream ended without response.completed, response.incomplete or response.failed")
	return stream.ErrIncomplete
}

// done reads the [DONE] that some gateways add. It proves nothing.
func (d *Decoder) done(c *stream.Chunk) error {
	c.Name = ""
	if !d.finished && !d.errored {
		d.notes.Note(c.Seq, "done-before-terminal", "[DONE] came before the terminal event")
	}
	d.closed = true
	return nil
}

// dispatch processes a payload whose members are known. It returns the reason why it is
// invalid, empty if it is not.
func (d *Decoder) dispatch(c *stream.Chunk, p *payload) string {
	if d.errored && p.typ != typeTerminal && p.typ != typeError {
		if p.typ == typeProgress || p.typ == typeSnapshot {
			d.emit(c, stream.Event{Type: stream.EventPing, Block: -1, Index: -1})
			return ""
		}
		return "a payload with content follows an error"
	}
	switch p.typ {
	case typeTextDelta:
		return d.textDelta(c, p, llm.Content)
	case typeRefusalDelta:
		return d.textDelta(c, p, llm.Refusal)
	case typeArgsDelta:
		return d.delta(c, p, argumentsType(p))
	case typeInputDelta:
		return d.delta(c, p, itemCustomCall)
	case typeThinkingDelta:
		return d.delta(c, p, itemReasoning)
	case typeTextDone:
		return d.textDone(c, p, llm.Content, memberText, p.text)
	case typeRefusalDone:
		return d.textDone(c, p, llm.Refusal, memberRefusal, p.refusal)
	case typeArgsDone:
		return d.whole(c, p, argumentsType(p), memberArguments, p.args)
	case typeInputDone:
		return d.whole(c, p, itemCustomCall, memberInput, p.input)
	case typeThinkingDone:
		return d.thinkingDone(c, p, memberText, p.text)
	case typePartAdded, typePartDone:
		return d.contentPart(c, p)
	case typeSummaryAdded:
		return d.summaryAdded(c, p)
	case typeSummaryDone:
		return d.summaryDone(c, p)
	case typeItemAdded:
		return d.itemAdded(c, p)
	case typeItemDone:
		return d.itemDone(c, p)
	case typeCreated, typeSnapshot, typeTerminal:
		if p.hasOutput || p.isResponse {
			// A client that did not ask for a stream would read a whole response.
			return "an event is a whole response at the same time"
		}
		d.begun = d.begun || p.typ == typeCreated
		return d.snapshot(c, p)
	case typeError:
		d.reportError(c, p)
		return ""
	case typeProgress:
		d.emit(c, stream.Event{Type: stream.EventPing, Block: d.blockOf(p), Index: int(p.index)})
		return ""
	case typeDetail:
		if typ := detailOf(p.name); typ != "" {
			return d.detail(c, p, typ)
		}
		block := d.blockOf(p)
		d.unknown(c, p.name, block, c.Raw)
		if p.name == nameAnnotation && block >= 0 {
			source, _, _ := jsonscan.Get(c.Raw, "annotation")
			cite(c, block, source, llm.Open)
		}
		return ""
	case typeUnknown:
	}
	switch {
	case p.name == "" && (p.isResponse || p.hasOutput):
		c.Whole = true
		return d.response(c, c.Raw, 0, "")
	case p.name == "" && p.got(memberError):
		c.Whole = true
		d.reportError(c, p)
		return ""
	case p.name == "" && p.seen&(memberDelta|memberArguments|memberInput|memberItem|memberPart) != 0:
		// Of which block it is depends on the client.
		return "a payload without a type has a piece of an item"
	}
	d.unknown(c, p.name, d.blockOf(p), c.Raw)
	return ""
}

// argumentsType is the type of an item whose arguments grow, if nothing else is known
// about it.
func argumentsType(p *payload) string {
	if p.name == nameMCPArgsDelta || p.name == nameMCPArgsDone {
		return itemMCPCall
	}
	return itemFunctionCall
}

// emit appends an event.
func (d *Decoder) emit(c *stream.Chunk, ev stream.Event) {
	if ev.Span.IsZero() {
		ev.Span = llm.Span{Start: 0, End: len(c.Raw)}
	}
	c.Events = append(c.Events, ev)
}

func (d *Decoder) unknown(c *stream.Chunk, name string, block int, raw []byte) {
	d.emit(c, stream.Event{Type: stream.EventUnknown, Name: name, Block: block, Index: int(d.p.index), Raw: raw})
}

var _ stream.Decoder = (*Decoder)(nil)
