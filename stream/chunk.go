package stream

import (
	"slices"

	"github.com/sluice-project/sluice/llm"
)

// Chunk is one wire payload and the events decoded from it.
//
// A chunk is owned by its holder: the host creates it, the decoder fills in Events, the
// writer reads it. Raw and everything in Events are borrowed and valid only until the
// decoder is called again; use Clone to keep them.
type Chunk struct {
	// Raw is the payload as it arrived. It is nil at the end of the bytes and
	// in hosts that have no wire.
	Raw []byte
	// Name is the payload's event name, in dialects that have one. Decoders derive it
	// from the payload if the stream omits it.
	Name string
	// Seq numbers the payloads of one answer from 0. Decoders set it; writers use it to
	// detect chunks that were dropped, repeated or reordered.
	Seq int
	// Whole is true when the payload is a whole non-streaming response.
	Whole bool
	// Repeats is true when the payload has the same members as the one before it, and
	// differs only in one text, one number and values that nobody reads.
	Repeats bool
	// Known is true when the decoder has read every member of the payload and each is
	// one that its dialect defines, with a value of the defined kind: nothing was
	// skipped in which another parser could find more. False says nothing.
	Known bool
	// Ambiguous is true when clients read the payload in different ways, so that one
	// may see another tool call than the one that was decoded: calls that share an
	// index, a block whose index is not its position, arguments that were sent twice
	// and differ. See WriterOptions.Settle. A host that holds chunks back sets it on
	// all of them when it is set on one.
	Ambiguous bool
	// Joined is the name that clients read for a call if they join the names of its
	// pieces, because the payload repeats one. It is empty if it repeats none, or the
	// joined name is longer than names of tools are. It is valid as long as the events.
	Joined []byte
	// Edited is true when an event of the chunk is Edited. A host that edits an event
	// sets both: a writer checks the events only if the chunk is marked.
	Edited bool
	// Number is the provider's own sequence number, -1 if it has none.
	Number int64
	// Events are in the order in which they happened.
	Events []Event
	// Citations are the sources that the payload names for texts: events of type
	// EventCitation, which follow the others. They are kept apart because they are
	// passed on inside their payload: a writer has nothing to write for them, and a
	// policy nothing to hold back.
	Citations []Event

	// fed is true for a chunk that a processor decoded, and for clones of it.
	fed bool
}

// Clone returns a chunk that shares no memory with c.
func (c *Chunk) Clone() *Chunk {
	d := *c
	d.Raw = slices.Clone(c.Raw)
	d.Joined = slices.Clone(c.Joined)
	d.Events = slices.Clone(c.Events)
	d.Citations = slices.Clone(c.Citations)
	for i := range d.Citations {
		d.Citations[i].Data = slices.Clone(d.Citations[i].Data)
	}
	for i := range d.Events {
		ev := &d.Events[i]
		ev.Data = slices.Clone(ev.Data)
		ev.Raw = slices.Clone(ev.Raw)
		if ev.Usage != nil {
			u := *ev.Usage
			u.Raw = slices.Clone(u.Raw)
			ev.Usage = &u
		}
	}
	return &d
}

// EventType says what happened.
type EventType uint8

const (
	// EventMeta carries the answer's id and model (ID and Name).
	EventMeta EventType = iota + 1
	// EventStart opens a block: Kind, ID, Name, ProviderType, ToolUseID. Data holds the
	// initial value of the block, used if no delta follows; Raw is the block's JSON if
	// it arrived in one piece.
	EventStart
	// EventDelta appends Data to the Field of a block. A delta without text makes no
	// event, because providers send empty content beside calls, and a block that begins
	// with nothing would end the one before it. It is only in Chunk.Raw, and leaves with
	// the other bytes of the payload.
	EventDelta
	// EventWhole repeats the complete value of a block's Field in Data, as providers do
	// at the end of an item. It is authoritative.
	EventWhole
	// EventHint says that a block seems to have ended because another one started. It
	// is no proof: a late delta can still arrive.
	EventHint
	// EventEnd proves that a block has ended. Status is Incomplete when the provider
	// itself says that it was truncated, else Complete or zero.
	EventEnd
	// EventFinish ends a choice: Data is the provider's finish reason, empty if it sent
	// none, and Reason its meaning. All open blocks of the choice end.
	EventFinish
	// EventUsage carries the total tokens used so far, in Usage.
	EventUsage
	// EventPing is a keepalive.
	EventPing
	// EventError is the provider's error inside the stream: Err.
	EventError
	// EventUnknown is something that has no name here: an event, delta or member in
	// Raw. Name is its type or key, Block the block it belongs to, or -1.
	EventUnknown
	// EventDone is the dialect's proof that nothing follows.
	EventDone
	// EventCitation names sources of a text: Data is one JSON object or a list of them.
	// Block is the text, or -1 for the last content of the choice. If Status is
	// Complete, Data holds all sources and replaces earlier ones.
	EventCitation
)

var eventNames = [...]string{
	"none", "meta", "start", "delta", "whole", "hint", "end", "finish", "usage",
	"ping", "error", "unknown", "done", "citation",
}

// String returns the event type's name.
func (t EventType) String() string {
	if int(t) < len(eventNames) {
		return eventNames[t]
	}
	return "event"
}

// Field says which part of a block grows.
type Field uint8

const (
	// Body is the text of a text block and the arguments of a call.
	Body Field = iota
	// Signature is the provider's signature.
	Signature
	// Name is the tool's name, in streams that send it late or in pieces.
	Name
	// ID is the call's id, in streams that send it after the start.
	ID
)

// Event is one thing that happened in a stream. Which fields are set depends on Type.
// It is a value; its slices are borrowed like those of the chunk it came in.
type Event struct {
	Type  EventType
	Field Field
	// Kind is the block's kind on every event of a block.
	Kind   llm.Kind
	Status llm.Status
	Reason llm.FinishReason
	// Inferred is set on a finish that the decoder inferred because the provider ended
	// without one.
	Inferred bool
	// Edited is true when Data differs from the payload: a writer writes Data, and
	// every later copy of the text accordingly. Only the body of content and refusals
	// can be edited (deltas, wholes, and initial values); a writer returns
	// ErrNotWritable for anything else. The offsets of an edited delta, and of later
	// deltas of its block, refer to the edited text. A delta without Data is not
	// written.
	Edited bool
	// Unclear is set on the end of a call whose pieces clients put together in different
	// ways. A host that judges it has it written whole, as it was judged.
	Unclear bool

	// Choice is the provider's number of the choice. Block is the position of
	// the block among the blocks of its choice, counted by the decoder from 0.
	Choice, Block int
	// Offset is, for a delta, the length of its field before it: a writer uses it to
	// detect gaps.
	Offset int
	// Index is the provider's own index of the block, -1 if it has none.
	Index int

	ID, Name     string
	ProviderType string
	ToolUseID    string

	Data []byte
	Raw  []byte
	// Span is the position in Chunk.Raw of the JSON value that carries this event: the
	// tool_calls entry, the part, the string, the whole payload.
	Span  llm.Span
	Usage *llm.Usage
	Err   *ProviderError
}
