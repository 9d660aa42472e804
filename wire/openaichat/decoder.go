package openaichat

import (
	"bytes"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/sse"
)

// Decoder reads one Chat Completions answer, streaming or whole.
type Decoder struct {
	reading

	notes     stream.Deviations
	seq       int
	choices   []*choice
	byNumber  map[int]*choice
	lastUsed  *choice
	blocks    int
	id, model string
	usage     llm.Usage
	words     map[string]string

	failed bool // the provider reported an error
	done   bool // the answer's end was proven

	// deltas: the payload has choices with deltas. pieces: they have pieces of calls.
	deltas, pieces bool
	// padding is the position of a string in the payload that nobody reads.
	padding llm.Span
	// lastDelta is the fast path for deltas that match the one before.
	lastDelta lastDelta

	// single is inline storage for the only choice of most answers.
	single struct {
		choice  choice
		choices [1]*choice
	}
}

// NewDecoder returns a decoder for one answer.
func NewDecoder() *Decoder { return &Decoder{} }

// Reset prepares the decoder for another answer. Nothing that was borrowed from it may
// be used afterwards.
func (d *Decoder) Reset() { *d = Decoder{} }

// doneWord is the payload that ends a stream.
const doneWord = "[DONE]"

// keepBuffer bounds the buffer kept from one payload to the next.
const keepBuffer = 1 << 20

// Decode reads one payload.
func (d *Decoder) Decode(c *stream.Chunk) error {
	if d.repeat(c) {
		return nil
	}
	noted := d.notes.Total()
	err := d.decode(c)
	d.learn(c, err == nil && d.notes.Total() == noted)
	return err
}

// decode reads one payload member by member.
func (d *Decoder) decode(c *stream.Chunk) error {
	d.open(c)
	if !sse.IsPlainName(c.Name) {
		return stream.NewProtocolError(c, "the name of an event is not plain", nil)
	}
	if isDone(c.Raw) {
		c.Known = true
		d.finishAll(c)
		return nil
	}
	d.raw = c.Raw
	err := d.payload(c)
	d.raw = nil
	d.scan.Reset(nil)
	if err != nil {
		c.Events = c.Events[:0]
	}
	return err
}

// End marks the end of the input.
func (d *Decoder) End(c *stream.Chunk) error {
	d.lastDelta.shape.Forget()
	c.Raw, c.Name = nil, ""
	d.open(c)
	if d.done || d.failed {
		return nil
	}
	if len(d.choices) == 0 {
		return stream.ErrIncomplete
	}
	for _, ch := range d.choices {
		if !ch.finished || len(ch.open) > 0 {
			return stream.ErrIncomplete // a call that started after the finish has no end
		}
	}
	d.notes.Note(c.Seq, "done-missing", "the stream ended without [DONE]")
	d.finishAll(c)
	return nil
}

// Deviations lists the deviations so far.
func (d *Decoder) Deviations() []stream.Deviation { return d.notes.Deviations() }

func (d *Decoder) open(c *stream.Chunk) {
	if c.Events = c.Events[:0]; cap(c.Events) == 0 {
		c.Events = make([]stream.Event, 0, 4) // enough for most payloads
	}
	c.Seq, c.Number, c.Whole, c.Repeats, c.Known, c.Ambiguous, c.Joined, c.Edited = d.seq, -1, false, false, false, false, nil, false
	c.Citations = c.Citations[:0]
	d.seq++
	d.buf = d.buf[:0]
	if cap(d.buf) > keepBuffer {
		d.buf = nil
	}
}

func isDone(payload []byte) bool {
	return string(bytes.TrimSpace(payload)) == doneWord
}

// finishAll ends the answer: missing finishes are inferred.
func (d *Decoder) finishAll(c *stream.Chunk) {
	if d.done {
		return
	}
	d.done = true
	if !d.failed {
		for _, ch := range d.choices {
			if ch.finished {
				d.close(c, ch)
				continue
			}
			d.notes.Note(c.Seq, "finish-missing", "a choice ended without a finish reason")
			d.finish(c, ch, text{}, true)
		}
	}
	c.Events = append(c.Events, stream.Event{
		Type: stream.EventDone, Block: -1, Index: -1, Span: llm.Span{End: len(c.Raw)},
	})
}

// members are the payload's own members beside its choices.
type members struct {
	id, model, object text
	usage, groq       []byte
	err               []byte
	errSpan           llm.Span
	choices           bool
}

func (d *Decoder) payload(c *stream.Chunk) error {
	d.scan.Reset(c.Raw)
	d.refused, d.stored, d.padding, d.deltas, d.pieces, d.skipped, d.odd = "", 0, llm.Span{}, false, false, false, false
	if !d.scan.Object() {
		return stream.NewProtocolError(c, "the payload is not a JSON object", d.scan.Err())
	}
	var m members
	if err := d.walk(c, &m); err != nil {
		return err
	}
	switch d.refused {
	case "":
	case tooMany:
		return &stream.LimitError{What: "elements and members in one payload", Limit: maxElements}
	default:
		return stream.NewProtocolError(c, d.refused, nil)
	}
	if err := d.scan.End(); err != nil {
		return stream.NewProtocolError(c, "the payload is not JSON", err)
	}
	if d.done || d.failed && slices.ContainsFunc(c.Events, continuesAnswer) {
		return stream.NewProtocolError(c, "the answer goes on after its end", nil)
	}
	d.meta(c, &m)
	d.tellUsage(c, &m)
	d.tellError(c, &m)
	d.odd = d.odd || d.pieces && m.usage != nil && !isCounts(m.usage, 1)
	d.tellOdd(c)
	if c.Whole {
		d.finishAll(c)
	}
	c.Known = !d.skipped
	return nil
}

// continuesAnswer reports whether an event must not follow the answer's end: [DONE], a whole
// answer or an error.
func continuesAnswer(ev stream.Event) bool {
	return ev.Type != stream.EventUnknown && ev.Type != stream.EventFinish
}

func (d *Decoder) walk(c *stream.Chunk, m *members) error {
	const (
		id = 1 << iota
		model
		object
		choices
		usage
		fault
		groq
	)
	var seen uint32
	for key, ok := d.scan.Key(); ok; key, ok = d.scan.Key() {
		switch string(key) {
		case "choices":
			d.once(&seen, choices, "choices")
			if err := d.readChoices(c, m); err != nil || d.refused != "" {
				return err
			}
		case "id":
			d.once(&seen, id, "id")
			m.id = d.lenient()
		case "model":
			d.once(&seen, model, "model")
			m.model = d.lenient()
		case "object":
			d.once(&seen, object, "object")
			m.object = d.lenient()
		case "usage":
			d.once(&seen, usage, "usage")
			if d.scan.Kind() == jsonscan.Object {
				m.usage, d.skipped = d.scan.Raw(), true
				break
			}
			d.typed(jsonscan.Null)
		case "x_groq":
			d.once(&seen, groq, "x_groq")
			m.groq, d.skipped = d.scan.Raw(), true
		case "error":
			d.once(&seen, fault, "error")
			d.odd = true // some clients go by the member, whatever is in it
			start := d.scan.Pos()
			if raw := d.scan.Raw(); !isNoError(raw) {
				m.err, m.errSpan, d.skipped = raw, llm.Span{Start: start, End: start + len(raw)}, true
			}
		case "obfuscation":
			start, padding := d.scan.Pos(), d.scan.Kind() == jsonscan.String
			if d.skip(); padding {
				d.padding = llm.Span{Start: start, End: d.scan.Pos()}
			}
		case "created":
			d.typed(jsonscan.Number)
		case "system_fingerprint", "service_tier":
			d.typed(jsonscan.String)
		default:
			d.plain(key)
			d.skipped = true
			named := string(key) == "type"
			if raw := d.scan.Raw(); named {
				kind, _ := jsonscan.Text(raw)
				d.odd = d.odd || kind == "content.delta" // some clients take it for an event of their own
			}
		}
	}
	return nil
}

// lenient reads an informational string; any other value is skipped.
func (d *Decoder) lenient() text {
	start := d.scan.Pos()
	if data, ok := d.scan.Str(&d.buf); ok {
		return text{data, llm.Span{Start: start, End: d.scan.Pos()}}
	}
	d.typed(jsonscan.Null)
	return text{}
}

// isNoError reports whether an error member means that there is no error.
func isNoError(raw []byte) bool {
	switch string(raw) {
	case "", "null", "false", `""`:
		return true
	}
	return false
}

func (d *Decoder) readChoices(c *stream.Chunk, m *members) error {
	if !d.elements("choices") {
		return nil
	}
	for at := 0; d.scan.Elem(); at++ {
		m.choices = true
		if !d.count() {
			break
		}
		if !d.choice() {
			continue
		}
		if d.broken() {
			break // the payload is refused as a whole
		}
		ch, err := d.choiceOf(d.index)
		if err != nil {
			return err
		}
		if d.hasCalls() && ch.payload == c.Seq+1 {
			// Clients that read one of the two do not read the other.
			return stream.NewProtocolError(c, "a choice with calls occurs twice in one payload", nil)
		}
		ch.payload = c.Seq + 1
		d.pieces = d.pieces || d.hasCalls()
		c.Ambiguous = c.Ambiguous || at > 0 && d.hasCalls() // some clients read only the first
		d.take(c, ch)
		if d.blocks > maxBlocks {
			return &stream.LimitError{What: "blocks", Limit: maxBlocks}
		}
	}
	return nil
}

// hasCalls reports whether the choice that was read has pieces of calls.
func (r *reading) hasCalls() bool { return len(r.calls) > 0 || r.hasLegacy }

// broken reports that the payload cannot be trusted.
func (r *reading) broken() bool { return r.refused != "" || r.scan.Err() != nil }

func (d *Decoder) choiceOf(index int) (*choice, error) {
	if d.lastUsed != nil && d.lastUsed.index == index {
		return d.lastUsed, nil
	}
	ch := d.byNumber[index]
	if ch == nil {
		if len(d.choices) >= maxChoices {
			return nil, &stream.LimitError{What: "choices", Limit: maxChoices}
		}
		ch = d.begins(index)
	}
	d.lastUsed = ch
	return ch, nil
}

// begins creates a new choice. While it is the only one, it is found without the map.
func (d *Decoder) begins(index int) *choice {
	ch := &d.single.choice
	if d.choices == nil {
		d.choices = d.single.choices[:0]
	} else {
		if d.byNumber == nil {
			d.byNumber = map[int]*choice{d.choices[0].index: d.choices[0]}
		}
		ch = new(choice)
		d.byNumber[index] = ch
	}
	ch.begin(index)
	d.choices = append(d.choices, ch)
	return ch
}

// take turns one choice of the payload into events, in the fixed order of a delta:
// thinking, content, refusal, audio, calls, finish.
func (d *Decoder) take(c *stream.Chunk, ch *choice) {
	whole := d.whole
	d.deltas = d.deltas || d.hasBody && !whole
	if d.deltas && (whole || c.Whole) {
		d.refuse("a payload has choices with messages and choices with deltas")
		return
	}
	if whole {
		if c.Seq != 0 {
			d.refuse("a whole answer came inside a stream")
			return
		}
		c.Whole = true
	}
	if d.both {
		c.Ambiguous = true // some clients prefer the message
		d.notes.Note(c.Seq, "message-beside-delta", "a choice has a message next to its delta")
	}
	d.think(c, ch)
	d.textDelta(c, ch, llm.Content, "content", d.content)
	if d.asList {
		d.takeList(c, ch)
	}
	d.textDelta(c, ch, llm.Refusal, "refusal", d.refusal)
	d.audioDelta(c, ch, &d.audio)
	for i := range d.calls {
		e := &d.calls[i]
		e.behind = i > 0 && !whole
		d.toolCall(c, ch, e, whole)
	}
	if d.hasLegacy {
		d.functionCall(c, ch, &d.function)
	}
	for i := range d.unknown {
		u := &d.unknown[i]
		d.unknownMember(c, ch, -1, u.key, u.raw, u.span)
		if string(u.key) == "annotations" {
			c.Citations = append(c.Citations, stream.Event{
				Type: stream.EventCitation, Kind: llm.Content, Choice: ch.index, Block: -1, Index: -1, Data: u.raw,
			})
		}
	}
	if len(d.reading.finish.data) > 0 {
		d.finish(c, ch, d.reading.finish, false)
	}
}

// think processes the reasoning of a delta, which can be in three members.
func (d *Decoder) think(c *stream.Chunk, ch *choice) {
	d.textDelta(c, ch, llm.Thinking, "reasoning_content", d.thought)
	if !bytes.Equal(d.thought.data, d.reasoning.data) {
		if len(d.thought.data) > 0 && len(d.reasoning.data) > 0 {
			d.notes.Note(c.Seq, "reasoning-differs", "a delta has two different pieces of reasoning")
		}
		d.textDelta(c, ch, llm.Thinking, "reasoning", d.reasoning)
	}
	once := len(d.thought.data) > 0 || len(d.reasoning.data) > 0
	for i := range d.details {
		t := &d.details[i]
		if !once {
			d.textDelta(c, ch, llm.Thinking, "reasoning_details", t.text)
		}
		known := true
		if len(t.signature.data) > 0 {
			known = d.sign(c, ch, t.index, t.signature)
		}
		if t.opaque || !known {
			block := -1
			if ch.run.kind == llm.Thinking {
				block = ch.run.position
			}
			d.unknownMember(c, ch, block, []byte("reasoning_details"), t.raw, t.span)
		}
	}
}

func (d *Decoder) takeList(c *stream.Chunk, ch *choice) {
	d.notes.Note(c.Seq, "content-as-list", "content came as a list of parts")
	for i := range d.parts {
		p := &d.parts[i]
		switch p.kind {
		case llm.Opaque:
			d.opaqueBlock(c, ch, p)
			continue
		case llm.Thinking:
			d.textDelta(c, ch, p.kind, "thinking", p.text)
		case llm.Refusal:
			d.textDelta(c, ch, p.kind, "refusal", p.text)
		default:
			d.textDelta(c, ch, llm.Content, "content", p.text)
		}
		if len(p.signature.data) > 0 && !d.sign(c, ch, -1, p.signature) {
			d.unknownMember(c, ch, -1, []byte("signature"), p.signature.data, p.signature.span)
		}
	}
}

// word returns a provider's word as a string, without an allocation for one seen
// before.
func (d *Decoder) word(b []byte) string {
	switch string(b) {
	case "":
		return ""
	case "tool_calls":
		return "tool_calls"
	case "stop":
		return "stop"
	case "length":
		return "length"
	case "channel":
		return "channel"
	case "reasoning_details":
		return "reasoning_details"
	case "annotations":
		return "annotations"
	}
	if w, ok := d.words[string(b)]; ok {
		return w
	}
	w := string(b)
	if len(d.words) < 64 && len(w) < 64 {
		if d.words == nil {
			d.words = make(map[string]string)
		}
		d.words[w] = w
	}
	return w
}

var _ stream.Decoder = (*Decoder)(nil)
