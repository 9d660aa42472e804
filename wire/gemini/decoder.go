package gemini

import (
	"bytes"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/alloc"
	"github.com/sluice-project/sluice/wire/sse"
)

// Limits on one payload or answer. Ordinary answers are far below; the bounds prevent a
// few hostile bytes from allocating much memory.
const (
	maxElements = 1 << 16 // parts, candidates, unknown members in one payload
	maxChoices  = stream.DefaultMaxChoices
	// maxKept bounds the buffers that are kept from one payload to the next.
	maxKept = 1 << 20
)

// Decoder reads the payloads of one generateContent answer. Make one with
// NewDecoder; it serves one answer.
type Decoder struct {
	notes

	scan jsonscan.Scanner
	sub  jsonscan.Scanner // for values that are parsed once their candidate is known
	buf  []byte           // unescaped text and built arguments of this payload
	seq  int

	choices []*choice
	last    *choice

	// The parts and unknown members of the current candidate: its index may follow
	// them.
	parts   []part
	extras  []extra
	sources [][]byte // of the candidate's text
	counted int      // things in this payload: parts, candidates, unknown members
	objects int      // response objects read, of which an array has several
	listed  bool     // the payload is an array
	pieced  bool     // this payload has a piece of a call

	usage     llm.Usage
	id, model string
	held      int // bytes stored for open streamed calls

	blocked bool // the prompt was blocked
	failed  bool // the provider reported an error
	done    bool
	broken  bool

	// single is inline storage for the only choice of most answers.
	single struct {
		choice  choice
		choices [1]*choice
	}
}

// NewDecoder returns a decoder for one answer.
func NewDecoder() *Decoder { return &Decoder{} }

// Decode reads one payload: a chunk of a stream, an element of the array that
// the API streams without alt=sse, or an array of such elements.
//
// A non-streaming response has the same form as a chunk, so Decode cannot tell them
// apart and the answer ends with End. A host that knows that the payload is the whole
// response uses DecodeWhole.
func (d *Decoder) Decode(c *stream.Chunk) error { return d.decode(c, false) }

// DecodeWhole reads the body of a non-streaming response. It is Decode, but it
// sets c.Whole, and it emits EventDone if every candidate has finished or the
// prompt was blocked. If not, End reports ErrIncomplete.
func (d *Decoder) DecodeWhole(c *stream.Chunk) error { return d.decode(c, true) }

func (d *Decoder) decode(c *stream.Chunk, whole bool) error {
	d.reset(c, whole)
	if d.done || d.broken {
		d.broken = true
		return stream.NewProtocolError(c, "a payload after the end of the answer", nil)
	}
	if !sse.IsPlainName(c.Name) {
		d.broken = true
		return stream.NewProtocolError(c, "the name of an event is not plain", nil)
	}
	err := d.payload(c)
	if err == nil && whole && d.complete() {
		d.finishUp(c)
	}
	if err != nil {
		d.broken = true
		c.Events = c.Events[:0]
	}
	return err
}

// reset prepares c for the events of the next payload.
func (d *Decoder) reset(c *stream.Chunk, whole bool) {
	c.Events = c.Events[:0]
	c.Seq = d.seq
	c.Whole, c.Repeats, c.Known, c.Ambiguous, c.Edited = whole, false, false, false, false
	c.Citations = c.Citations[:0]
	c.Number = -1
	d.seq++
	d.counted, d.pieced = 0, false
	d.buf = d.buf[:0]
	if cap(d.buf) > maxKept {
		d.buf = nil
	}
	if cap(d.parts) > maxKept/256 {
		d.parts = nil
	}
}

func (d *Decoder) payload(c *stream.Chunk) error {
	s := &d.scan
	s.Reset(c.Raw)
	var err error
	d.listed = s.Kind() == jsonscan.Array
	switch {
	case s.Kind() != jsonscan.Array:
		err = d.response(c)
	case string(bytes.TrimSpace(c.Raw)) == "[DONE]":
		d.Note(c.Seq, "done-marker", "the stream has a [DONE], which is of another dialect")
		return nil
	default:
		s.Array()
		for err == nil && s.Elem() {
			err = d.response(c)
		}
	}
	if syntax := s.Err(); syntax != nil {
		return stream.NewProtocolError(c, "the payload is not JSON", syntax)
	}
	if err != nil {
		return err
	}
	if syntax := s.End(); syntax != nil {
		return stream.NewProtocolError(c, "the payload is not one JSON value", syntax)
	}
	d.tellOdd(c)
	return nil
}

// The members of a response, to detect duplicates.
const (
	seenCandidates = 1 << iota
	seenUsage
	seenModel
	seenID
	seenFeedback
	seenError
)

// response reads one GenerateContentResponse.
func (d *Decoder) response(c *stream.Chunk) error {
	s := &d.scan
	if !s.Object() {
		return stream.NewProtocolError(c, "the payload is not a JSON object", nil)
	}
	if err := d.count(); err != nil {
		return err
	}
	d.objects++
	var (
		seen      uint
		err       error
		id, model []byte
		failure   llm.Span
		bit       uint
	)
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		bit = 0
		switch string(key) {
		case "candidates":
			bit = seenCandidates
			if seen&bit == 0 {
				err = d.candidates(c)
			}
		case "usage_metadata":
			d.snake(c)
			fallthrough
		case "usageMetadata":
			bit = seenUsage
			if seen&bit == 0 {
				err = d.readUsage(c)
			}
		case "model_version":
			d.snake(c)
			fallthrough
		case "modelVersion":
			bit = seenModel
			if seen&bit == 0 {
				model = d.word()
			}
		case "response_id":
			d.snake(c)
			fallthrough
		case "responseId":
			bit = seenID
			if seen&bit == 0 {
				id = d.word()
			}
		case "prompt_feedback":
			d.snake(c)
			fallthrough
		case "promptFeedback":
			bit = seenFeedback
			if seen&bit == 0 {
				err = d.feedback(c)
			}
		case "error":
			bit = seenError
			if seen&bit == 0 {
				start := s.Pos()
				if !s.Null() {
					s.Skip()
					failure = llm.Span{Start: start, End: s.Pos()}
				}
			}
		case "createTime", "create_time", "modelStatus", "model_status":
			s.Skip()
		default:
			err = d.unknown(c, key)
		}
		if err != nil {
			return err
		}
		if seen&bit != 0 {
			return twice(c, "the response")
		}
		seen |= bit
	}
	if err := s.Err(); err != nil {
		return err
	}
	d.meta(c, id, model)
	if !failure.IsZero() {
		d.failure(c, failure)
	}
	return nil
}

// word reads a string; any other value counts as absent.
func (d *Decoder) word() []byte {
	text, ok := d.scan.Str(&d.buf)
	if !ok {
		d.scan.Skip()
	}
	return text
}

// count counts an element that makes an event.
func (d *Decoder) count() error {
	d.counted++
	if d.counted > maxElements {
		return &stream.LimitError{What: "parts and members in one payload", Limit: maxElements}
	}
	return nil
}

// unknown reports the member of the response at the cursor, whose name is not
// known.
func (d *Decoder) unknown(c *stream.Chunk, key []byte) error {
	if disguised(key) {
		return disguise(c)
	}
	start := d.scan.Pos()
	if d.scan.Null() {
		return nil
	}
	ev := add(c, stream.EventUnknown)
	ev.Name, ev.Raw = string(key), d.scan.Raw()
	ev.Span = llm.Span{Start: start, End: d.scan.Pos()}
	return d.count()
}

// meta reports the answer's id and model, once each.
func (d *Decoder) meta(c *stream.Chunk, id, model []byte) {
	news := false
	switch {
	case len(id) > 0 && len(model) > 0 && d.id == "" && d.model == "":
		d.id, d.model = alloc.StringPair(id, model)
		news = true
	case len(id) == 0 || string(id) == d.id:
	case d.id == "":
		d.id, news = string(id), true
	default:
		d.Note(c.Seq, "response-id-varies", "the chunks of one answer have different response ids")
	}
	if len(model) > 0 && d.model == "" {
		d.model, news = string(model), true
	}
	if !news {
		return
	}
	// First in the chunk, although it is last on the wire: consumers of the blocks need
	// to know the answer they belong to.
	c.Events = slices.Insert(c.Events, 0, stream.Event{
		Type: stream.EventMeta, Block: -1, Index: -1, ID: d.id, Name: d.model,
		Span: llm.Span{End: len(c.Raw)},
	})
}

// End marks the end of the input, which is this dialect's end. It returns ErrIncomplete
// unless every candidate has finished or the prompt was blocked.
func (d *Decoder) End(c *stream.Chunk) error {
	c.Raw, c.Name = nil, ""
	d.reset(c, false)
	if d.done || d.failed {
		return nil
	}
	if !d.complete() {
		for _, ch := range d.choices {
			d.cutCall(c, ch)
			if !ch.finished {
				d.Note(c.Seq, "finish-missing", "a candidate never said why it ended")
			}
		}
		return stream.ErrIncomplete
	}
	d.finishUp(c)
	return nil
}

func (d *Decoder) complete() bool {
	if d.failed {
		return false
	}
	for _, ch := range d.choices {
		if !ch.finished {
			return false
		}
	}
	return len(d.choices) > 0 || d.blocked
}

// finishUp ends what started after a finish, and the answer.
func (d *Decoder) finishUp(c *stream.Chunk) {
	for _, ch := range d.choices {
		d.cutCall(c, ch)
		d.endRun(c, ch, len(c.Raw))
	}
	if len(d.choices) == 0 && d.blocked {
		// There is no answer, for a known reason: that is not an empty answer.
		ev := add(c, stream.EventFinish)
		ev.Reason, ev.Inferred, ev.Span = llm.FinishFiltered, true, llm.Span{End: len(c.Raw)}
	}
	add(c, stream.EventDone).Span = llm.Span{End: len(c.Raw)}
	d.done = true
}

// snake notes a member in the other spelling that the API itself accepts, and some
// clients too: it must mean the same here.
func (d *Decoder) snake(c *stream.Chunk) {
	d.Note(c.Seq, "snake-case-names", "members are spelled in snake case")
}

// add appends an event that belongs to no block.
func add(c *stream.Chunk, t stream.EventType) *stream.Event {
	c.Events = append(c.Events, stream.Event{Type: t, Block: -1, Index: -1})
	return &c.Events[len(c.Events)-1]
}

// twice refuses an object with a duplicate member: two parsers could see two answers.
func twice(c *stream.Chunk, where string) error {
	return stream.NewProtocolError(c, where+" has a duplicate member", nil)
}

var _ stream.Decoder = (*Decoder)(nil)

// notes is embedded under its own name because its method has the type's name.
type notes = stream.Deviations
