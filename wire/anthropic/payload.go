package anthropic

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// payload is one parsed event: the values of its members and their positions. Its
// slices borrow the payload's bytes or the reader's buffer.
type payload struct {
	seen uint32
	// skipped is true when a member was skipped that the event does not define.
	skipped bool
	// object is the span of the event itself: the payload without surrounding white
	// space.
	object   llm.Span
	kind     []byte
	index    int
	hasIndex bool
	// isList reports that the member content is an array, as it is in a whole
	// message.
	isList bool

	// blockRead reports that the reader holds the parsed content_block.
	blockRead bool

	indexAt, block, message, usage, failure llm.Span
	delta                                   delta
}

// delta is the member delta of an event.
type delta struct {
	seen uint32
	span llm.Span
	kind []byte
	// value is the first non-empty member that carries a part of a block, and carries
	// says which one it is; more are other such members, wrong those that are not
	// strings.
	value         []byte
	valueAt       llm.Span
	carries       member
	more          member
	wrong         member
	stop          []byte
	stopAt, seqAt llm.Span
	wrongStop     bool
	skipped       bool
}

// isKnown reports whether every member of the event was read; the members of a content
// block are not checked. See stream.Chunk.Known.
func (p *payload) isKnown(event string) bool {
	has := seenType
	switch event {
	case blockStart:
		has |= seenIndex | seenBlock
	case blockDelta:
		has |= seenIndex | seenDelta
	case blockStop:
		has |= seenIndex
	case messageStop, ping:
	default:
		return false
	}
	return !p.skipped && string(p.kind) == event && p.seen&^has == 0 &&
		(p.block.IsZero() || p.blockRead) && p.delta.isKnown()
}

func (d *delta) isKnown() bool {
	switch string(d.kind) {
	case "", "text_delta", "input_json_delta", "thinking_delta", "signature_delta":
		return !d.skipped && d.wrong == 0 && d.seen&^(seenType|seenText|seenJSON|seenThinking|seenSignature) == 0
	}
	return false
}

// The members that are read, as bits: with a duplicate, two parsers could read two
// answers.
const (
	seenType uint32 = 1 << iota
	seenIndex
	seenDelta
	seenBlock
	seenMessage
	seenUsage
	seenError
	seenContent
	seenText
	seenJSON
	seenThinking
	seenSignature
	seenStop
	seenStopSequence
	seenID
	seenName
	seenModel
	seenInput
	seenToolUseID
	seenIsError
	seenRole
	seenCitations
	seenOther
)

// reader parses the objects of the dialect. Its buffer holds strings that had to be
// unescaped.
type reader struct {
	scan jsonscan.Scanner
	// base is the position in the payload of the value that the scanner reads.
	base int
	buf  []byte
	// block is the content_block of the last payload: results are large, and one pass
	// over them is enough.
	block content
}

// keptBuffer bounds the buffer that is kept from one payload to the next.
const keptBuffer = 1 << 20

func (r *reader) reset() {
	if cap(r.buf) > keptBuffer {
		r.buf = nil
	}
	r.buf = r.buf[:0]
}

const notJSON = "the payload is not JSON"

// fault is why a payload is invalid.
type fault struct {
	reason string
	cause  error
}

// names are the significant members of an answer.
var names = []string{
	"type", "index", "delta", "content_block", "message", "content", "error", "text", "partial_json", "thinking",
	"id", "name", "input", "stop_reason",
}

// disguised is the fault of a member whose name is a known one in different case: a
// client with a case-insensitive JSON parser would read something that was not judged.
var disguised = &fault{reason: "a member's name differs from a known one only in case"}

func twice(name string) *fault {
	return &fault{reason: "the member " + name + " occurs twice in an object"}
}

func wrongType(name string) *fault {
	return &fault{reason: "the member " + name + " has the wrong type"}
}

// add records that a member was seen and reports whether it was the first.
func add(seen *uint32, bit uint32) bool {
	if *seen&bit != 0 {
		return false
	}
	*seen |= bit
	return true
}

// span consumes the value at the cursor and returns its span; zero if it is null.
func (r *reader) span() llm.Span {
	start := r.scan.Pos()
	if r.scan.Null() {
		return llm.Span{}
	}
	r.scan.Skip()
	return r.from(start)
}

// text consumes the value at the cursor. It is nil for null; ok is false if it
// is neither null nor a string.
func (r *reader) text() (value []byte, ok bool) {
	if value, ok = r.scan.Str(&r.buf); ok {
		return value, true
	}
	if r.scan.Null() {
		return nil, true
	}
	r.scan.Skip()
	return nil, false
}

// payload reads one event.
func (r *reader) payload(raw []byte, p *payload) *fault {
	*p = payload{}
	s := &r.scan
	r.base = 0
	s.Reset(raw)
	p.object.Start = s.Pos()
	if !s.Object() {
		if s.Kind() == jsonscan.Invalid {
			return &fault{reason: notJSON}
		}
		return &fault{reason: "the payload is not a JSON object"}
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		var bit uint32
		var name string
		switch string(key) {
		case "type":
			bit, name = seenType, "type"
			if p.kind, ok = r.text(); !ok {
				return r.orFault(wrongType(name))
			}
		case "index":
			bit, name = seenIndex, "index"
			start := s.Pos()
			n, ok := s.Index()
			if !ok && !s.Null() || int64(int(n)) != n { // an int has 32 bits on some platforms
				return r.orFault(wrongType(name))
			}
			p.index, p.hasIndex = int(n), ok
			p.indexAt = r.from(start)
		case "delta":
			bit, name = seenDelta, "delta"
			if f := r.delta(&p.delta); f != nil {
				return f
			}
		case "content_block":
			bit, name = seenBlock, "content_block"
			start := s.Pos()
			if s.Kind() != jsonscan.Object {
				p.block = r.span()
				break
			}
			if f := r.contentMembers(&r.block); f != nil {
				return f
			}
			p.block, p.blockRead = r.from(start), true
		case "message":
			bit, name, p.message = seenMessage, "message", r.span()
		case "usage":
			bit, name, p.usage = seenUsage, "usage", r.span()
		case "error":
			bit, name, p.failure = seenError, "error", r.span()
		case "content":
			bit, name, p.isList = seenContent, "content", s.Kind() == jsonscan.Array
			s.Skip()
		default:
			if jsonscan.Disguised(key, names) {
				return r.orFault(disguised)
			}
			p.skipped = true
			s.Skip()
			continue
		}
		if !add(&p.seen, bit) {
			return r.orFault(twice(name))
		}
	}
	p.object.End = s.Pos()
	if err := s.End(); err != nil {
		return &fault{reason: notJSON, cause: err}
	}
	return nil
}

// orFault returns f, unless the payload was not even JSON.
func (r *reader) orFault(f *fault) *fault {
	if err := r.scan.Err(); err != nil {
		return &fault{reason: notJSON, cause: err}
	}
	return f
}

// delta reads the member delta.
func (r *reader) delta(d *delta) *fault {
	s := &r.scan
	start := s.Pos()
	if !s.Object() {
		if s.Null() {
			return nil
		}
		return r.orFault(wrongType("delta"))
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		var bit uint32
		var carries member
		var name string
		switch string(key) {
		case "type":
			bit, name = seenType, "type"
			if d.kind, ok = r.text(); !ok {
				return r.orFault(wrongType(name))
			}
		case "text":
			bit, name, carries = seenText, "text", memberText
		case "partial_json":
			bit, name, carries = seenJSON, "partial_json", memberJSON
		case "thinking":
			bit, name, carries = seenThinking, "thinking", memberThinking
		case "signature":
			bit, name, carries = seenSignature, "signature", memberSignature
		case "content":
			bit, name, carries = seenContent, "content", memberContent
		case "stop_reason":
			bit, name = seenStop, "stop_reason"
			at := s.Pos()
			d.stop, ok = r.text()
			d.wrongStop = !ok
			d.stopAt = r.from(at)
		case "stop_sequence":
			bit, name = seenStopSequence, "stop_sequence"
			at := s.Pos()
			d.skipped = d.skipped || s.Kind() != jsonscan.Null
			s.Skip()
			d.seqAt = r.from(at)
		default:
			if jsonscan.Disguised(key, names) {
				return r.orFault(disguised)
			}
			d.skipped = true
			s.Skip()
			continue
		}
		if !add(&d.seen, bit) {
			return r.orFault(twice(name))
		}
		if carries == 0 {
			continue
		}
		at := s.Pos()
		value, ok := r.text()
		switch {
		case !ok:
			d.wrong |= carries
		case len(value) == 0:
		case d.carries == 0:
			d.value, d.carries = value, carries
			d.valueAt = r.from(at)
		default:
			d.more |= carries
		}
	}
	d.span = r.from(start)
	return nil
}
