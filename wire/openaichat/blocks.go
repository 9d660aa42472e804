package openaichat

import (
	"math"
	"slices"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/alloc"
)

// Bounds on what one answer may make a decoder store. The user-visible limits are
// stream.Limits; these only prevent one hostile payload from growing memory before the
// state has seen it.
const (
	maxChoices = 1 << 10
	maxBlocks  = 1 << 17

	// maxPlace is the largest index of a choice or a call: an int holds it on
	// every platform.
	maxPlace = math.MaxInt32
)

// choice is the decoder's state of one choice.
type choice struct {
	index    int
	blocks   int
	run      run
	finished bool
	word     string
	payload  int // the last one that it was in, counted from 1

	// last is the call that was updated last: the fast path, and the one that an entry
	// without id and index continues.
	last    *callState
	byIndex alloc.SmallMap[callState]
	// named are the calls that have an id, in the order in which they got it; byID
	// indexes all of them once there are more than a few.
	named  []*callState
	byID   map[string]*callState
	legacy *callState
	calls  int
	// newest is the tool_calls entry that started last, nextIndex the index after its
	// own. shifted: the first index was not 0.
	newest    *callState
	nextIndex int
	shifted   bool
	// live are open calls without a hint; open are the calls that started since the
	// last finish.
	live, open []*callState

	// made is the pool of the calls, and room is inline storage for short lists.
	made alloc.Pool[callState]
	room struct{ named, live, open [fewCalls]*callState }
}

// fewCalls is the number of calls that most choices do not exceed.
const fewCalls = 4

// begin initialises ch as an empty choice.
func (ch *choice) begin(index int) {
	ch.index = index
	ch.named, ch.live, ch.open = ch.room.named[:0], ch.room.live[:0], ch.room.open[:0]
}

// withID returns the call that got this id last, nil if none has it.
func (ch *choice) withID(id []byte) *callState {
	if ch.byID != nil {
		return ch.byID[string(id)]
	}
	for _, call := range slices.Backward(ch.named) {
		if call.id == string(id) {
			return call
		}
	}
	return nil
}

// identify indexes a call by its id.
func (ch *choice) identify(call *callState) {
	if ch.byID == nil {
		if len(ch.named) < fewCalls {
			ch.named = append(ch.named, call)
			return
		}
		ch.byID = make(map[string]*callState, 2*fewCalls)
		for _, named := range ch.named {
			ch.byID[named.id] = named
		}
		ch.named = nil
	}
	ch.byID[call.id] = call
}

// run is an open text block: it ends when something of another kind arrives.
type run struct {
	kind      llm.Kind // 0: none
	position  int
	length    int
	signature int
	// signed is one more than the index of the reasoning detail that signs this block.
	signed int
}

// callState is a tool call of the answer.
type callState struct {
	position     int
	index        int
	bound        bool // index maps to this call
	id, name     string
	providerType string
	form         form
	encoding     pieceEncoding // the encoding of its first piece
	asObject     bool          // the encoding of its last arguments
	length       int
	signature    int
	hinted       bool
	closed       bool
	joined       []byte     // its name with its repetitions, empty if it is too long
	missed       bool       // a piece was not the first entry of its delta
	seen         objectScan // without such pieces
	shown        bool       // it began with such an entry
	repeated     bool       // its id or name was repeated since its last arguments
	scan         objectScan
}

// textDelta appends to the run of a kind, or starts one.
//
// An empty text makes no event. Some providers send content "" with every piece of a
// tool call: as text it would start an empty block, and end or hint at the call in
// progress. It is still in the chunk's Raw, which is the payload unchanged, and is sent
// with it.
func (d *Decoder) textDelta(c *stream.Chunk, ch *choice, kind llm.Kind, providerType string, t text) {
	if len(t.data) == 0 {
		return
	}
	if ch.run.kind != kind {
		d.beginRun(c, ch, kind, providerType, "", t.span)
	}
	c.Events = append(c.Events, stream.Event{
		Type: stream.EventDelta, Kind: kind, Choice: ch.index, Block: ch.run.position, Index: -1,
		Offset: ch.run.length, Data: t.data, Span: t.span,
	})
	ch.run.length += len(t.data)
}

func (d *Decoder) beginRun(c *stream.Chunk, ch *choice, kind llm.Kind, providerType, id string, at llm.Span) {
	d.endRun(c, ch, at)
	d.hint(c, ch, at)
	ch.run = run{kind: kind, position: d.begin(c, ch)}
	c.Events = append(c.Events, stream.Event{
		Type: stream.EventStart, Kind: kind, Choice: ch.index, Block: ch.run.position, Index: -1,
		ID: id, ProviderType: providerType, Span: at,
	})
}

// begin counts a block and returns its position.
func (d *Decoder) begin(c *stream.Chunk, ch *choice) int {
	if ch.finished {
		d.notes.Note(c.Seq, "content-after-finish", "a block began after its choice had finished")
	}
	d.blocks++
	position := ch.blocks
	ch.blocks++
	return position
}

// endRun proves the end of the open text.
func (d *Decoder) endRun(c *stream.Chunk, ch *choice, at llm.Span) {
	if ch.run.kind == 0 {
		return
	}
	c.Events = append(c.Events, stream.Event{
		Type: stream.EventEnd, Kind: ch.run.kind, Choice: ch.index, Block: ch.run.position, Index: -1, Span: at,
	})
	ch.run = run{}
}

// hint reports that every call without a hint seems to have ended.
func (d *Decoder) hint(c *stream.Chunk, ch *choice, at llm.Span) {
	for i, call := range ch.live {
		call.hinted = true
		c.Events = append(c.Events, stream.Event{
			Type: stream.EventHint, Kind: llm.ToolCall, Choice: ch.index, Block: call.position, Index: call.index, Span: at,
		})
		ch.live[i] = nil
	}
	ch.live = ch.live[:0]
}

// opaqueBlock emits a block that arrives as one piece.
func (d *Decoder) opaqueBlock(c *stream.Chunk, ch *choice, p *part) {
	at := p.text.span
	d.endRun(c, ch, at)
	d.hint(c, ch, at)
	ev := stream.Event{
		Type: stream.EventStart, Kind: llm.Opaque, Choice: ch.index, Block: d.begin(c, ch), Index: -1,
		ProviderType: d.word(p.typ), Raw: p.raw, Span: at,
	}
	c.Events = append(c.Events, ev)
	ev.Type, ev.Raw, ev.ProviderType = stream.EventEnd, nil, ""
	c.Events = append(c.Events, ev)
}

// sign appends to the signature of the open thinking block. It returns false if there
// is none, or another detail has signed it.
func (d *Decoder) sign(c *stream.Chunk, ch *choice, by int, t text) bool {
	if ch.run.kind != llm.Thinking || ch.run.signed != 0 && ch.run.signed != by+1 {
		return false
	}
	ch.run.signed = by + 1
	c.Events = append(c.Events, stream.Event{
		Type: stream.EventDelta, Field: stream.Signature, Kind: llm.Thinking, Choice: ch.index,
		Block: ch.run.position, Index: -1, Offset: ch.run.signature, Data: t.data, Span: t.span,
	})
	ch.run.signature += len(t.data)
	return true
}

func (d *Decoder) unknownMember(c *stream.Chunk, ch *choice, block int, key, raw []byte, at llm.Span) {
	c.Events = append(c.Events, stream.Event{
		Type: stream.EventUnknown, Choice: ch.index, Block: block, Index: -1, Name: d.word(key), Raw: raw, Span: at,
	})
}

// audioDelta continues the audio of a choice: its transcript is the body.
func (d *Decoder) audioDelta(c *stream.Chunk, ch *choice, a *audio) {
	if len(a.id.data) == 0 && len(a.transcript.data) == 0 && !says(a.data) {
		return
	}
	if ch.run.kind != llm.Opaque {
		d.beginRun(c, ch, llm.Opaque, "audio", string(a.id.data), a.span)
	}
	if len(a.transcript.data) > 0 {
		t := a.transcript
		t.span = a.span
		d.textDelta(c, ch, llm.Opaque, "audio", t)
	}
	if says(a.data) {
		d.unknownMember(c, ch, ch.run.position, []byte("data"), a.data, a.span)
	}
}

// finish ends a choice. The state closes open blocks.
func (d *Decoder) finish(c *stream.Chunk, ch *choice, word text, inferred bool) {
	repeated := ch.finished && !inferred
	if repeated {
		d.notes.Note(c.Seq, "finish-repeated", "a choice finished more than once")
		if ch.run.kind == 0 && len(ch.open) == 0 && ch.word == string(word.data) {
			return
		}
	}
	reason := finishReason(word.data)
	switch {
	case inferred && ch.calls > 0:
		reason = llm.FinishToolCalls
	case inferred:
		reason = llm.FinishStop
	case reason == llm.FinishStop && ch.calls > 0:
		d.notes.Note(c.Seq, "finish-stop-with-calls", "an answer with tool calls finished with the reason of an answer without calls")
	}
	for _, call := range ch.open {
		if call.id == "" && call != ch.legacy {
			d.notes.Note(c.Seq, "tool-id-missing", "a tool call has no id")
		}
		if call.name == "" {
			d.notes.Note(c.Seq, "tool-name-missing", "a tool call has no name")
		}
		call.closed = true
	}
	ch.run = run{}
	clear(ch.open)
	clear(ch.live)
	ch.open, ch.live = ch.open[:0], ch.live[:0]
	ch.finished = true
	if ch.word != string(word.data) {
		ch.word = d.word(word.data)
	}
	c.Events = append(c.Events, stream.Event{
		Type: stream.EventFinish, Choice: ch.index, Block: -1, Index: -1, Reason: reason, Inferred: inferred,
		Data: word.data, Span: word.span,
	})
}

// close proves the end of what started after a finish, at the end of the answer.
func (d *Decoder) close(c *stream.Chunk, ch *choice) {
	d.endRun(c, ch, llm.Span{})
	for _, call := range ch.open {
		call.closed = true
		c.Events = append(c.Events, stream.Event{
			Type: stream.EventEnd, Kind: llm.ToolCall, Choice: ch.index, Block: call.position, Index: call.index,
		})
	}
	ch.open, ch.live = nil, nil
}

// finishReason returns the meaning of a provider's finish reason: those of this
// dialect, and those that upstream providers of a server pass through.
func finishReason(word []byte) llm.FinishReason {
	switch string(word) {
	case "":
		return llm.FinishNone
	case "stop", "end_turn", "stop_sequence", "STOP", "completed", "eos":
		return llm.FinishStop
	case "tool_calls", "function_call", "tool_use":
		return llm.FinishToolCalls
	case "length", "max_tokens", "max_output_tokens", "MAX_TOKENS", "model_length", "model_context_window_exceeded":
		return llm.FinishLength
	case "content_filter", "refusal", "sensitive", "SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "RECITATION":
		return llm.FinishFiltered
	case "pause_turn":
		return llm.FinishPaused
	case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL":
		return llm.FinishBadCall
	case "error", "failed", "network_error":
		return llm.FinishFailed
	}
	return llm.FinishOther
}
