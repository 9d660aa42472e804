package stream

import (
	"slices"

	"github.com/sluice-project/sluice/llm"
)

// Chunk is one wire payload and the events that were decoded from it.
//
// A chunk is owned by whoever holds it: the host makes it, the decoder fills
// Events, the writer reads it. Raw and everything in Events are borrowed and
// stay valid only until the decoder is fed again; Clone keeps them.
type Chunk struct {
	// Raw is the payload as it arrived. It is nil at the end of the bytes and
	// in hosts that have no wire.
	Raw []byte
	// Name is the payload's event name, in dialects that have one. Decoders
	// fill it in from the payload when the wire left it out.
	Name string
	// Seq counts the payloads of one answer from 0. Decoders set it; writers
	// notice by it that a chunk was left out, repeated or reordered.
	Seq int
	// Whole is true when the payload is a whole non-streaming response.
	Whole bool
	// Repeats is true when the payload has the same members as the one before it,
	// and other values in none but a text, a number and what nobody reads.
	Repeats bool
	// Known is true when the decoder has read every member of the payload and each is
	// one that its dialect defines, with a value of the defined kind: nothing was
	// skipped in which another reader could find more. False says nothing.
	Known bool
	// Ambiguous is true when clients read the payload in different ways, so
	// that one may see another tool call than the one that was decoded: calls
	// that share an index, a block whose index is not its place, arguments that
	// were told twice and differ. See WriterOptions.Settle. A host that holds
	// chunks back sets it on all of them when it is set on one.
	Ambiguous bool
	// Edited is true when an event of the chunk is Edited. A host that edits an
	// event sets both: a writer looks at events only if the chunk says so.
	Edited bool
	// Number is the provider's own sequence number, -1 if it has none.
	Number int64
	// Events are in the order in which they happened.
	Events []Event
	// Citations are the sources that the payload names for texts: events of the
	// type EventCitation, which happened after the others. They stand apart
	// because they leave inside the payload they came in: a writer has nothing
	// to write for them, and a policy nothing to hold.
	Citations []Event

	// fed is true for a chunk that a processor decoded, and for clones of it.
	fed bool
}

// Clone returns a chunk that shares no memory with c.
func (c *Chunk) Clone() *Chunk {
	d := *c
	d.Raw = slices.Clone(c.Raw)
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
	// EventMeta tells the answer's ID and model (ID and Name).
	EventMeta EventType = iota + 1
	// EventStart opens a block: Kind, ID, Name, ProviderType, ToolUseID. Data
	// holds the value that the block starts with, used if no delta follows;
	// Raw is the block's JSON where it arrives as one piece.
	EventStart
	// EventDelta appends Data to the Field of a block. A piece without text is no
	// event: it is in Chunk.Raw, and nowhere else.
	EventDelta
	// EventWhole repeats the whole value of the Field of a block in Data, as
	// providers do at the end of an item. It is authoritative.
	EventWhole
	// EventHint says that a block seems to have ended because another one
	// began. It is no proof: a late delta can still arrive.
	EventHint
	// EventEnd proves that a block has ended. Status is Incomplete when the
	// provider itself says that it was cut, else Complete or zero.
	EventEnd
	// EventFinish ends a choice: Data is the provider's word, empty if it was
	// never said, and Reason what it means. All open blocks of the choice end.
	EventFinish
	// EventUsage tells the tokens used so far, in full, in Usage.
	EventUsage
	// EventPing is a sign of life.
	EventPing
	// EventError is the provider's error inside the stream: Err.
	EventError
	// EventUnknown is something without a name in this vocabulary: an event,
	// delta or member in Raw. Name is its type or key, Block the block it
	// belongs to or -1.
	EventUnknown
	// EventDone is the dialect's proof that nothing follows.
	EventDone
	// EventCitation names sources of a text: Data is one JSON object or a list of
	// them. Block is the text, or -1 for the last content of the choice. If
	// Status is Complete, Data has all sources and replaces those told before.
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
	// Signature is the provider's proof.
	Signature
	// Name is the tool's name, in streams that send it late or in pieces.
	Name
	// ID is the call's id, in streams that send it after the start.
	ID
)

// Event is one thing that happened in a stream. Which fields are set depends
// on Type. It is a value; its slices are borrowed like the chunk it came in.
type Event struct {
	Type  EventType
	Field Field
	// Kind is the block's kind on every event of a block.
	Kind   llm.Kind
	Status llm.Status
	Reason llm.FinishReason
	// Inferred is set on a finish that the decoder concluded because the
	// provider ended without saying one.
	Inferred bool
	// Edited is true when Data is no longer what the payload says: a writer
	// writes Data, and every later copy of the text as it was written. Only the
	// body of content and refusals can be edited (deltas, wholes, and what a
	// start has); a writer answers ErrNotWritable to anything else. The offsets
	// of an edited delta, and of the deltas of its block that follow, are those
	// in the text as it is written. A delta without Data is not written.
	Edited bool

	// Choice is the provider's number of the choice. Block is the position of
	// the block among the blocks of its choice, counted by the decoder from 0.
	Choice, Block int
	// Offset is, for a delta, the length its field had before it: a writer
	// notices by it that something is missing.
	Offset int
	// Index is the provider's own number of the block, -1 if it has none.
	Index int

	ID, Name     string
	ProviderType string
	ToolUseID    string

	Data []byte
	Raw  []byte
	// Span is where in Chunk.Raw the JSON value that carries this event
	// stands: the tool_calls entry, the part, the string, the whole payload.
	Span  llm.Span
	Usage *llm.Usage
	Err   *ProviderError
}
