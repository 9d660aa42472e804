package anthropic

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// message is a message object: the member of message_start, or a whole non-streaming
// answer. Spans refer to the payload that contains it.
type message struct {
	seen      uint32
	span      llm.Span
	id, model []byte
	stop      []byte
	// content is the array with the blocks, blocks its elements.
	content       llm.Span
	blocks        []llm.Span
	usage         llm.Span
	stopAt, seqAt llm.Span
}

// within resets the scanner to the value at span in raw.
func (r *reader) within(raw []byte, span llm.Span) {
	r.base = span.Start
	r.scan.Reset(raw[span.Start:span.End])
}

// from returns the span from an offset of the scanner to its cursor, in the payload
// that contains the scanned value.
func (r *reader) from(start int) llm.Span {
	return llm.Span{Start: r.base + start, End: r.base + r.scan.Pos()}
}

// maxWhole bounds the blocks of a whole message: without it a few hostile bytes would
// allocate much memory before the state could refuse them.
const maxWhole = 1 << 16

var tooMany = &fault{cause: &stream.LimitError{What: "blocks in one payload", Limit: maxWhole}}

// message reads the message object at span. It reuses m.blocks.
func (r *reader) message(raw []byte, span llm.Span, m *message) *fault {
	*m = message{span: span, blocks: m.blocks[:0]}
	r.within(raw, span)
	s := &r.scan
	if !s.Object() {
		return wrongType("message")
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		var bit uint32
		var name string
		start := s.Pos()
		switch string(key) {
		case "id":
			bit, name = seenID, "id"
			if m.id, ok = r.text(); !ok {
				return r.orFault(wrongType(name))
			}
		case "model":
			bit, name = seenModel, "model"
			m.model, _ = r.text()
		case "stop_reason":
			bit, name = seenStop, "stop_reason"
			if m.stop, ok = r.text(); !ok {
				return r.orFault(wrongType(name))
			}
			m.stopAt = r.from(start)
		case "stop_sequence":
			bit, name = seenStopSequence, "stop_sequence"
			s.Skip()
			m.seqAt = r.from(start)
		case "usage":
			bit, name, m.usage = seenUsage, "usage", r.span()
		case "content":
			bit, name = seenContent, "content"
			if s.Array() {
				for s.Elem() {
					if len(m.blocks) == maxWhole {
						return tooMany
					}
					at := s.Pos()
					s.Skip()
					m.blocks = append(m.blocks, r.from(at))
				}
				m.content = r.from(start)
			} else if !s.Null() {
				return r.orFault(wrongType(name))
			}
		default:
			if jsonscan.Disguised(key, names) {
				return r.orFault(disguised)
			}
			s.Skip()
			continue
		}
		if !add(&m.seen, bit) {
			return r.orFault(twice(name))
		}
	}
	if err := s.End(); err != nil {
		return &fault{reason: notJSON, cause: err}
	}
	return nil
}

// content is one content block at its start. Spans refer to the payload that contains
// it.
type content struct {
	seen           uint32
	kind, id, name []byte
	toolUseID      []byte
	text, thinking []byte
	signature      []byte
	// input are the arguments of a call; value is the member content of results and
	// compactions, valueText its string if it is one.
	input, value llm.Span
	// citations is the list of sources of a text, if it is not empty.
	citations   llm.Span
	valueText   []byte
	idAt, useAt llm.Span
	// textAt and thinkingAt are the strings of these members.
	textAt, thinkingAt llm.Span
	isError            bool
	// wrong are the members that should be strings and are not.
	wrong   uint32
	members int
}

// content reads the content block at span.
func (r *reader) content(raw []byte, span llm.Span, b *content) *fault {
	r.within(raw, span)
	if r.scan.Kind() != jsonscan.Object {
		return wrongType("content_block")
	}
	if f := r.contentMembers(b); f != nil {
		return f
	}
	if err := r.scan.End(); err != nil {
		return &fault{reason: notJSON, cause: err}
	}
	return nil
}

// isKnown reports whether the block is text, thinking or a client's call without
// unknown members.
func (b *content) isKnown() bool {
	if b.wrong != 0 {
		return false
	}
	switch string(b.kind) {
	case "text":
		return b.seen&^(seenType|seenText|seenCitations) == 0
	case "thinking":
		return b.seen&^(seenType|seenThinking|seenSignature) == 0
	case "tool_use":
		return b.seen&^(seenType|seenID|seenName|seenInput) == 0
	}
	return false
}

// contentMembers reads the object at the cursor as a content block.
func (r *reader) contentMembers(b *content) *fault {
	*b = content{}
	s := &r.scan
	s.Object()
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		var bit uint32
		var into *[]byte
		var name string
		start := s.Pos()
		b.members++
		switch string(key) {
		case "type":
			bit, name, into = seenType, "type", &b.kind
		case "id":
			bit, name, into = seenID, "id", &b.id
		case "name":
			bit, name, into = seenName, "name", &b.name
		case "tool_use_id":
			bit, name, into = seenToolUseID, "tool_use_id", &b.toolUseID
		case "text":
			bit, name, into = seenText, "text", &b.text
		case "thinking":
			bit, name, into = seenThinking, "thinking", &b.thinking
		case "signature":
			bit, name, into = seenSignature, "signature", &b.signature
		case "input":
			bit, name, b.input = seenInput, "input", r.span()
		case "content":
			bit, name = seenContent, "content"
			if b.valueText, ok = s.Str(&r.buf); ok {
				b.value = r.from(start)
			} else {
				b.value = r.span()
			}
		case "is_error":
			bit, name = seenIsError, "is_error"
			b.seen |= seenOther
			if b.isError, ok = s.Bool(); !ok {
				s.Skip()
			}
		case "citations":
			// A text usually starts with an empty list of citations.
			bit, name = seenCitations, "citations"
			if !r.emptyList() {
				b.seen |= seenOther
				b.citations = r.from(start)
			}
		default:
			if jsonscan.Disguised(key, names) {
				return r.orFault(disguised)
			}
			b.seen |= seenOther
			s.Skip()
			continue
		}
		if into != nil {
			if *into, ok = r.text(); !ok {
				b.wrong |= bit
			}
		}
		switch bit {
		case seenID:
			b.idAt = r.from(start)
		case seenToolUseID:
			b.useAt = r.from(start)
		case seenText:
			b.textAt = r.from(start)
		case seenThinking:
			b.thinkingAt = r.from(start)
		}
		if !add(&b.seen, bit) {
			return r.orFault(twice(name))
		}
	}
	if err := s.Err(); err != nil {
		return &fault{reason: notJSON, cause: err}
	}
	return nil
}

// emptyList consumes the value at the cursor and reports whether it is null or
// an empty array.
func (r *reader) emptyList() bool {
	if r.scan.Kind() != jsonscan.Array {
		null := r.scan.Null()
		if !null {
			r.scan.Skip()
		}
		return null
	}
	empty := true
	for r.scan.Array(); r.scan.Elem(); empty = false {
		r.scan.Skip()
	}
	return empty
}

// failure reads the provider's error: an object, or a string in its place.
func (r *reader) failure(raw []byte, span llm.Span) (kind, code, text string) {
	r.within(raw, span)
	s := &r.scan
	if value, ok := s.Str(&r.buf); ok {
		return "", "", string(value)
	}
	if !s.Object() {
		return "", "", ""
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch string(key) {
		case "type":
			value, _ := r.text()
			kind = string(value)
		case "code":
			value, _ := r.text()
			code = string(value)
		case "message":
			value, _ := r.text()
			text = string(value)
		default:
			s.Skip()
		}
	}
	return kind, code, text
}
