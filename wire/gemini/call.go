package gemini

import (
	"bytes"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/alloc"
)

// streamedCall is a call whose arguments arrive in pieces (partialArgs).
type streamedCall struct {
	block    int
	id       string
	name     string
	parts    int // parts after the first
	signed   signature
	args     arguments
	encoding encoding
}

// encoding is how a piece of a call is sent: the name of its SSE event, and whether its
// payload is an array. Clients that skip one encoding must skip all pieces of a call or
// none. An index of the candidate may be left out: the provider itself does so in some
// payloads of an answer, so that clients take a missing one for 0.
type encoding struct {
	wire   string
	listed bool
}

func (d *Decoder) encodingOf(c *stream.Chunk) encoding {
	return encoding{wire: c.Name, listed: d.listed}
}

// callPart is a parsed functionCall part.
type callPart struct {
	id, name      []byte
	args, partial []byte // raw JSON, nil if absent
	willContinue  bool
	more          bool // it has unknown members
	nameless      bool // it has a name, which is empty
	spellings     spellings
}

// spellings are the spellings of members that the pieces of a call used, as bits. Few
// clients read both spellings: of a call that mixes them they would join only some
// pieces, to arguments that were not judged.
type spellings struct{ camel, snake uint8 }

const (
	spellingCall uint8 = 1 << iota
	spellingPartial
	spellingContinue
	spellingPath
	spellingValue
	spellingPieceContinue
)

// add records the spelling of a member that has two.
func (w *spellings) add(bit uint8, key []byte) {
	if bytes.IndexByte(key, '_') >= 0 {
		w.snake |= bit
	} else {
		w.camel |= bit
	}
}

// join adds those of another piece and reports whether every member has a single
// spelling.
func (w *spellings) join(other spellings) bool {
	w.camel |= other.camel
	w.snake |= other.snake
	return w.camel&w.snake == 0
}

// empty reports whether the part has no content: it ends a streamed call.
func (f *callPart) empty() bool {
	return len(f.id) == 0 && len(f.name) == 0 && f.args == nil && f.partial == nil && !f.willContinue && !f.more
}

const (
	seenCallID = 1 << iota
	seenName
	seenArgs
	seenPartial
	seenContinue
)

func (d *Decoder) scanCall(c *stream.Chunk, p *part) (callPart, error) {
	var (
		f         callPart
		seen, bit uint
	)
	f.spellings = p.spellings
	s := &d.sub
	s.Reset(p.value)
	if !s.Object() {
		return f, stream.NewProtocolError(c, "functionCall is not an object", nil)
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		bit = 0
		null := s.Null()
		switch string(key) {
		case "id":
			bit = seenCallID
			if !null {
				f.id, ok = s.Str(&d.buf)
			}
		case "name":
			bit = seenName
			if !null {
				f.name, ok = s.Str(&d.buf)
				f.nameless = len(f.name) == 0
			}
		case "args":
			bit = seenArgs
			if !null {
				ok = s.Kind() == jsonscan.Object
				f.args = s.Raw()
			}
		case "partial_args":
			d.snake(c)
			fallthrough
		case "partialArgs":
			bit = seenPartial
			if !null {
				f.spellings.add(spellingPartial, key)
				ok = s.Kind() == jsonscan.Array
				f.partial = s.Raw()
			}
		case "will_continue":
			d.snake(c)
			fallthrough
		case "willContinue":
			bit = seenContinue
			if !null {
				f.spellings.add(spellingContinue, key)
				f.willContinue, ok = s.Bool()
			}
		case "arguments", "parameters", "input":
			// From another dialect: some client may read it, and it was not judged.
			if !null {
				return f, stream.NewProtocolError(c, "a call has its arguments under another name", nil)
			}
		default:
			if disguised(key) {
				return f, disguise(c)
			}
			if !null {
				f.more = true
				s.Skip()
			}
		}
		if !ok {
			return f, stream.NewProtocolError(c, "a member of functionCall has the wrong type", nil)
		}
		if seen&bit != 0 {
			return f, twice(c, "functionCall")
		}
		seen |= bit
	}
	return f, nil
}

// call reads a functionCall part: a whole call, or a piece of a streamed one.
func (d *Decoder) call(c *stream.Chunk, ch *choice, p *part) error {
	f, err := d.scanCall(c, p)
	if err != nil {
		return err
	}
	if open := ch.call; open != nil {
		same := len(f.name) == 0 || len(f.id) > 0 && string(f.id) == open.id
		if same && len(f.name) > 0 {
			// To some clients every name begins a call.
			return stream.NewProtocolError(c, "a call that arrives in pieces begins twice", nil)
		}
		if same {
			return d.continueCall(c, ch, p, &f)
		}
		d.Note(c.Seq, "call-not-closed", "a call began while another one was still being streamed")
		// To some clients a name within a call continues it, and to others the call stays
		// open beneath the new one.
		open.args.unclear = true
		d.closeCall(c, ch, at(p.span.Start), llm.Complete)
	}
	if f.empty() && p.unknown == "" {
		d.Note(c.Seq, "call-end-repeated", "an empty functionCall ends a call that is not open")
		if len(p.signature) > 0 {
			d.loneSignature(c, ch, p)
		}
		return nil
	}
	if len(f.name) == 0 {
		d.Note(c.Seq, "call-name-missing", "a call has no name")
	}
	ev := d.begin(c, ch, p, llm.ToolCall)
	ev.ID, ev.Name = alloc.StringPair(f.id, f.name)
	if p.more || f.more {
		ev.Raw = p.span.In(c.Raw)
	}
	if !f.willContinue && f.partial == nil {
		body(c, ch, llm.ToolCall, p.span, f.args)
		d.sign(c, ch, p, llm.ToolCall)
		end(c, ch, p.span, llm.ToolCall)
		return nil
	}
	ch.call = &streamedCall{block: ch.blocks - 1, id: ev.ID, name: ev.Name, encoding: d.encodingOf(c)}
	if err := d.piece(c, ch, &f); err != nil {
		return err
	}
	if f.more {
		ev.Raw = p.span.In(c.Raw)
	}
	if len(p.signature) > 0 {
		d.signAgain(c, ch, &ch.call.signed, ch.call.block, llm.ToolCall, p)
	}
	if !f.willContinue {
		d.closeCall(c, ch, p.span, llm.Complete)
	}
	return nil
}

// continueCall processes a further part of the open call. Every such part makes exactly one
// body delta, empty until the last: it assigns the part to its block, so that it is not
// passed on as belonging to none.
func (d *Decoder) continueCall(c *stream.Chunk, ch *choice, p *part, f *callPart) error {
	open := ch.call
	open.parts++
	if len(f.id) > 0 && string(f.id) != open.id {
		if open.id != "" {
			return stream.NewProtocolError(c, "a streamed call changed its id", nil)
		}
		open.id = string(f.id)
		ev := about(c, ch, stream.EventDelta, llm.ToolCall, p.span)
		ev.Block, ev.Field, ev.Data = open.block, stream.ID, f.id
	}
	if err := d.piece(c, ch, f); err != nil {
		return err
	}
	if f.more || p.more {
		ev := about(c, ch, stream.EventUnknown, llm.ToolCall, p.span)
		ev.Block, ev.Name, ev.Raw = open.block, p.key, p.span.In(c.Raw)
	}
	if len(p.signature) > 0 {
		d.signAgain(c, ch, &open.signed, open.block, llm.ToolCall, p)
	}
	if f.willContinue {
		about(c, ch, stream.EventDelta, llm.ToolCall, p.span).Block = open.block
		return nil
	}
	d.closeCall(c, ch, p.span, llm.Complete)
	return nil
}

// piece applies the arguments of one part to the open call.
func (d *Decoder) piece(c *stream.Chunk, ch *choice, f *callPart) error {
	if f.args != nil && len(bytes.Trim(f.args, "{} \t\r\n")) > 0 {
		return stream.NewProtocolError(c, "a streamed call also has whole arguments", nil)
	}
	d.pieced = true
	args := &ch.call.args
	if !args.spellings.join(f.spellings) || ch.call.encoding != d.encodingOf(c) {
		return stream.NewProtocolError(c, "the pieces of a call are encoded in different ways", nil)
	}
	// To some clients every name begins a call, also an empty one, and clients that know
	// one spelling miss what is written in the other. Many read the first candidate of a
	// payload only, and with several it is not always the same one.
	args.unclear = args.unclear || f.nameless || args.spellings.snake != 0 || len(d.choices) > 1
	if f.partial == nil {
		return nil
	}
	before := args.size
	reopened, err := args.apply(&d.sub, f.partial)
	f.more = f.more || args.more
	d.held += args.size - before
	if err != nil {
		return stream.NewProtocolError(c, "partialArgs cannot be applied", err)
	}
	if reopened {
		d.Note(c.Seq, "partial-args-reopened", "a string of streamed arguments went on after its end")
	}
	if d.held > maxStreamed {
		return &stream.LimitError{What: "bytes of streamed arguments", Limit: maxStreamed}
	}
	return nil
}

// closeCall ends the open call with its arguments, built from the pieces. The offset of
// its end counts the parts after the first: it shows a writer that a piece was dropped
// on the way, which no other event would.
func (d *Decoder) closeCall(c *stream.Chunk, ch *choice, span llm.Span, status llm.Status) {
	open := ch.call
	ch.call = nil
	d.held -= open.args.size
	start := len(d.buf)
	d.buf = open.args.appendJSON(d.buf)
	data := d.buf[start:len(d.buf):len(d.buf)]
	if len(data) > 0 || !span.IsZero() && open.parts > 0 {
		ev := about(c, ch, stream.EventDelta, llm.ToolCall, span)
		ev.Block, ev.Data = open.block, data
	}
	ev := about(c, ch, stream.EventEnd, llm.ToolCall, span)
	ev.Block, ev.Status, ev.Offset, ev.Unclear = open.block, status, open.parts, open.args.unclear
	c.Ambiguous = c.Ambiguous || ev.Unclear
}

// cutCall ends a call whose last piece never arrived.
func (d *Decoder) cutCall(c *stream.Chunk, ch *choice) {
	if ch.call != nil {
		d.closeCall(c, ch, at(len(c.Raw)), llm.Incomplete)
	}
}

// at is the empty span at an offset: the event there is not part of the value at that
// position.
func at(i int) llm.Span { return llm.Span{Start: i, End: i} }
