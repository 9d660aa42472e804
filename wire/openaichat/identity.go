package openaichat

import (
	"bytes"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/alloc"
)

// toolCall processes one entry of tool_calls.
func (d *Decoder) toolCall(c *stream.Chunk, ch *choice, e *entry, whole bool) {
	call := d.sameCall(c, ch, e, whole)
	if call == nil {
		if e.empty() && len(e.unknown) == 0 && !whole {
			return // it starts nothing
		}
		call = d.beginCall(c, ch, e, whole)
	} else {
		c.Ambiguous = c.Ambiguous || ch.interleaves(call) && len(e.args)+len(e.id)+len(e.name) > 0
		d.continueCall(c, ch, call, e)
	}
	ch.last = call
	d.append(c, ch, call, e)
}

// interleaves reports whether another call began after this one: clients that ignore the
// index add what follows to that one.
func (ch *choice) interleaves(call *callState) bool { return call != ch.newest }

// sameCall returns the call that an entry continues, nil if it starts a new one. The
// letters are the rules in the package documentation.
func (d *Decoder) sameCall(c *stream.Chunk, ch *choice, e *entry, whole bool) *callState {
	if whole {
		return nil // each element of a message is a call of its own
	}
	if len(e.id) == 0 {
		return d.withoutID(c, ch, e)
	}
	bound := ch.byIndex.Get(e.index)
	if known := ch.withID(e.id); known != nil { // A
		if len(e.name) > 0 && e.index >= 0 && bound == nil && known.index >= 0 && known.index != e.index {
			d.notes.Note(c.Seq, "tool-id-duplicate", "two tool calls have the same id")
			c.Ambiguous = true
			return nil
		}
		c.Ambiguous = c.Ambiguous || e.index < 0 || bound != known
		if e.index >= 0 && bound == nil {
			ch.bind(known, e.index)
		}
		d.notes.Note(c.Seq, "tool-id-repeated", "a tool call's id is repeated on its later deltas")
		return known
	}
	if len(e.name) == 0 && e.index >= 0 && bound != nil { // B, exception
		return bound
	}
	if bound != nil { // B
		d.notes.Note(c.Seq, "tool-index-reused", "several tool calls have the same index")
		c.Ambiguous = true
	}
	return nil
}

func (d *Decoder) withoutID(c *stream.Chunk, ch *choice, e *entry) *callState {
	if last := ch.last; last != nil && len(e.name) == 0 && (e.index < 0 || last.bound && last.index == e.index) {
		if e.index < 0 && !e.empty() {
			d.notes.Note(c.Seq, "tool-index-missing", "a tool call's delta has no index")
			c.Ambiguous = true
		}
		return last
	}
	if e.index < 0 { // E
		if ch.last == nil || ch.last.name != "" {
			return nil
		}
		return ch.last
	}
	bound := ch.byIndex.Get(e.index)
	if bound != nil && len(e.name) > 0 && bound.name != "" && bound.scan.complete() { // C, exception
		d.notes.Note(c.Seq, "tool-index-reused", "several tool calls have the same index")
		c.Ambiguous = true
		return nil
	}
	return bound // C, or D if it is nil
}

// bind maps an index to a call.
func (ch *choice) bind(call *callState, index int) {
	if old := ch.byIndex.Get(index); old != nil && old.index == index {
		old.bound = false
	}
	ch.byIndex.Put(index, call)
	if call.bound && call.index != index {
		return // the fast path knows one index only
	}
	call.index, call.bound = index, true
}

func (d *Decoder) beginCall(c *stream.Chunk, ch *choice, e *entry, whole bool) *callState {
	d.endRun(c, ch, e.span)
	d.hint(c, ch, e.span)
	opened := ch.made.New()
	opened.id, opened.name = alloc.StringPair(e.id, e.name)
	opened.providerType = d.callType(c, e)
	opened.form = e.form // which the type may have set
	opened.encoding = d.encodingOf(c)
	opened.shown = !e.behind
	opened.index, opened.position = -1, d.begin(c, ch)
	if e.index >= 0 {
		ch.bind(opened, e.index)
	}
	if !whole {
		d.noteBegin(c, ch, e)
	}
	if len(e.id) > 0 {
		ch.identify(opened)
	}
	ch.calls++
	ch.newest = opened
	ch.live = append(ch.live, opened)
	ch.open = append(ch.open, opened)
	c.Events = append(c.Events, stream.Event{
		Type: stream.EventStart, Kind: llm.ToolCall, Choice: ch.index, Block: opened.position, Index: e.index,
		ID: opened.id, Name: opened.name, ProviderType: opened.providerType, Span: e.span,
	})
	return opened
}

func (d *Decoder) noteBegin(c *stream.Chunk, ch *choice, e *entry) {
	switch {
	case e.index < 0:
		d.notes.Note(c.Seq, "tool-index-missing", "a tool call has no index")
		c.Ambiguous = true
	case e.index > ch.calls:
		d.notes.Note(c.Seq, "tool-index-gap", "a tool call's index is higher than its position among the calls")
		// Clients that keep a list take each piece for a call, and of a free-form call the
		// beginning is one.
		c.Ambiguous = c.Ambiguous || e.form == formCustom
	}
	if e.index >= 0 {
		d.inOrder(c, ch, e.index)
	}
	if len(e.id) == 0 && ch.newest != nil {
		c.Ambiguous = true // for clients that use the id, the previous call continues
	}
	if len(e.name) == 0 {
		d.notes.Note(c.Seq, "tool-name-late", "a tool call began without its name")
	}
}

const misplaced = "the indices of tool calls are not their places"

// inOrder checks the index with which a call starts. Some clients keep a list and use
// the index as a position in it: when indices arrive in another order, they join the
// name of one call and the arguments of another. The writer renumbers such calls. Some
// servers count the text before the calls, so the first index may be higher; it may
// already have been sent, so what follows must be in order.
func (d *Decoder) inOrder(c *stream.Chunk, ch *choice, index int) {
	first := ch.calls == 0 || ch.calls == 1 && ch.legacy != nil
	switch {
	case first:
		ch.shifted = index > 0
	case index == ch.nextIndex:
	case ch.shifted:
		d.refuse(misplaced)
	default:
		c.Ambiguous = true
	}
	ch.nextIndex = index + 1
}

// callType returns the provider's own type of a call.
func (d *Decoder) callType(c *stream.Chunk, e *entry) string {
	switch {
	case e.form == formCustom:
		return "custom"
	case string(e.typ) == "custom" && e.form == formNone:
		e.form = formCustom
		return "custom"
	case string(e.typ) == "custom":
		d.notes.Note(c.Seq, "tool-type-differs", "a call of type custom has a function")
		return "function"
	case len(e.typ) == 0, string(e.typ) == "function":
		return "function"
	}
	return d.word(e.typ)
}

// pieceEncoding is the encoding of a piece of a call. Some clients ignore a choice without an
// index, or an event with a name. Such a client must ignore all pieces of a call or
// none: from only some of them it would join arguments that were not judged.
type pieceEncoding struct {
	wire       string // the name that the SSE event had
	unnumbered bool   // the choice has no index
}

func (d *Decoder) encodingOf(c *stream.Chunk) pieceEncoding {
	return pieceEncoding{wire: c.Name, unnumbered: !d.numbered}
}

// continueCall processes what a later delta says about the call itself.
func (d *Decoder) continueCall(c *stream.Chunk, ch *choice, call *callState, e *entry) {
	again := len(e.name) > 0 && string(e.name) == call.name // recorded providers repeat it, and every official client goes by the index
	if len(e.id)+len(e.name) > 0 && (call.name != "" || call.length > 0) && (e.index < 0 || len(e.name) > 0 && !again) {
		// Without an index, to some clients every id or name begins a call, or its
		// arguments anew; another name is appended. The call must leave with one beginning.
		c.Ambiguous = true
	}
	if len(e.id)+len(e.name) > 0 && call.length > 0 {
		call.repeated = true
	}
	if e.form != formNone && call.form != formNone && e.form != call.form {
		d.refuse("a tool call changed its type")
	}
	if call.form == formNone {
		call.form = e.form
		if (e.form == formCustom) != (call.providerType == "custom") && e.form != formNone {
			d.refuse("a tool call changed its type")
		}
	}
	if again {
		c.Joined = call.join()
	}
	fragment := d.nameFragment(c, call, e)
	late := len(e.id) > 0 && call.id == "" && !call.closed
	if late && call.name != "" || call.length > 0 && (late || fragment && call.name == "") {
		c.Ambiguous = true // some clients drop what came before the id or the name, or take it for another call
	}
	if len(e.args) == 0 && !fragment && !late {
		return
	}
	if call.closed {
		d.refuse("a tool call goes on after its choice has finished")
		return
	}
	if call.encoding != d.encodingOf(c) || len(e.args) > 0 && call.length > 0 && call.asObject != e.asObject {
		d.refuse("the pieces of a call are encoded in different ways")
		return
	}
	c.Ambiguous = c.Ambiguous || e.asObject // some clients add only texts to the empty one that the call began with
	if ch.shifted && call != ch.newest && call != ch.legacy {
		d.refuse(misplaced)
		return
	}
	if ch.run.kind != 0 && (len(e.args) > 0 || fragment) {
		d.endRun(c, ch, e.span)
	}
	if call.hinted {
		d.notes.Note(c.Seq, "tool-calls-interleave", "a tool call went on after another block had begun")
		call.hinted = false
		ch.live = append(ch.live, call)
	}
	if late {
		d.notes.Note(c.Seq, "tool-id-late", "a tool call's id came after its beginning")
		d.field(c, ch, call, stream.ID, e.id, 0, e.span)
		call.id = string(e.id)
		ch.identify(call)
	}
	if fragment {
		d.field(c, ch, call, stream.Name, e.name, len(call.name), e.span)
		call.name += string(e.name)
	}
}

// nameFragment reports whether an entry adds to the call's name. Equal repetitions do
// not. With a name that changes after the first arguments, two parsers could see two
// calls.
func (d *Decoder) nameFragment(c *stream.Chunk, call *callState, e *entry) bool {
	if len(e.id) > 0 && call.id != "" && call.id != string(e.id) {
		d.notes.Note(c.Seq, "tool-id-rotates", "a tool call's id changes from delta to delta")
		c.Ambiguous = true // some clients add a piece to the call with its id, or ignore it
	}
	switch {
	case len(e.name) == 0 || call.name == string(e.name):
		return false
	case call.name == "":
		return true
	case call.length > 0:
		d.refuse("a tool call changed its name after arguments had arrived")
		return false
	}
	if len(call.name) > maxName {
		d.refuse("a tool call's name is too long")
		return false
	}
	d.notes.Note(c.Seq, "tool-name-split", "a tool call's name came in pieces")
	c.Ambiguous = true
	return true
}

// join adds a repetition to the joined name, and returns it, nil if it is too long.
func (call *callState) join() []byte {
	if call.joined == nil && 2*len(call.name) <= maxJoined {
		call.joined = append(make([]byte, 0, maxJoined), call.name...)
	}
	if len(call.joined) == 0 || len(call.joined)+len(call.name) > maxJoined {
		call.joined = call.joined[:0] // it only grows
		return nil
	}
	call.joined = append(call.joined, call.name...)
	return call.joined
}

// maxJoined bounds the joined name that is reported: no provider accepts longer names.
const maxJoined = 256

// maxName bounds names that come in pieces: each piece copies the name.
const maxName = 1 << 12

// append processes the arguments and the signature of an entry.
func (d *Decoder) append(c *stream.Chunk, ch *choice, call *callState, e *entry) {
	if len(e.args) > 0 && !call.closed {
		if e.asObject {
			d.notes.Note(c.Seq, "arguments-as-object", "a call's arguments came as an object instead of a string")
		}
		call.asObject = e.asObject
		d.anew(c, call, e.args)
		d.field(c, ch, call, stream.Body, e.args, call.length, e.span)
		call.grow(c, e.args, e.behind)
	}
	if len(e.signature.data) > 0 && !call.closed {
		d.field(c, ch, call, stream.Signature, e.signature.data, call.signature, e.span)
		call.signature += len(e.signature.data)
	}
	if len(e.unknown) > 0 {
		d.unknownMember(c, ch, call.position, []byte("tool_calls"), e.unknown, e.span)
	}
}

// grow processes a piece of the arguments. Some clients read only the first entry of a
// delta, or of the first choice: if what they see of a call is its name alone, an object,
// or a part of a free-form text, they would run it without the pieces that they miss.
func (call *callState) grow(c *stream.Chunk, args []byte, behind bool) {
	if behind && !call.missed {
		call.missed, call.seen = true, call.scan
	}
	call.scan.feed(args)
	if call.missed {
		if !behind {
			call.seen.feed(args)
		}
		c.Ambiguous = c.Ambiguous || call.seen.complete() || call.shown && call.seen == objectScan{} ||
			call.form == formCustom && call.length > 0
	}
	call.length += len(args)
}

// anew decides about the first arguments after a call was named again. A client that
// begins a call at every id or name would run what follows, if it is an object, or any
// text of a free-form call.
func (d *Decoder) anew(c *stream.Chunk, call *callState, args []byte) {
	if !call.repeated {
		return
	}
	args = bytes.TrimLeft(args, " \t\r\n")
	if len(args) == 0 {
		return
	}
	call.repeated = false
	c.Ambiguous = c.Ambiguous || args[0] == '{' || call.form == formCustom
}

func (d *Decoder) field(c *stream.Chunk, ch *choice, call *callState, f stream.Field, data []byte, offset int, at llm.Span) {
	c.Events = append(c.Events, stream.Event{
		Type: stream.EventDelta, Field: f, Kind: llm.ToolCall, Choice: ch.index, Block: call.position,
		Index: call.index, Offset: offset, Data: data, Span: at,
	})
}

// legacyType is the provider type of the deprecated function_call.
const legacyType = "function_call"

// functionCall processes the deprecated function_call: one call per choice, without id
// and index.
func (d *Decoder) functionCall(c *stream.Chunk, ch *choice, e *entry) {
	if e.empty() {
		return
	}
	if ch.legacy != nil {
		d.continueCall(c, ch, ch.legacy, e)
		d.append(c, ch, ch.legacy, e)
		return
	}
	d.endRun(c, ch, e.span)
	d.hint(c, ch, e.span)
	opened := ch.made.New()
	opened.index, opened.position = -1, d.begin(c, ch)
	opened.name, opened.providerType, opened.form = string(e.name), legacyType, formFunction
	opened.encoding = d.encodingOf(c)
	ch.legacy = opened
	ch.calls++
	ch.live = append(ch.live, opened)
	ch.open = append(ch.open, opened)
	c.Events = append(c.Events, stream.Event{
		Type: stream.EventStart, Kind: llm.ToolCall, Choice: ch.index, Block: opened.position, Index: -1,
		Name: opened.name, ProviderType: opened.providerType, Span: e.span,
	})
	d.append(c, ch, opened, e)
}
