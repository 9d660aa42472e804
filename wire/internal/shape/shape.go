package shape

import (
	"bytes"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// maxFixed bounds the bytes that a shape stores. Deltas are much smaller; larger
// payloads are parsed in full each time.
const maxFixed = 4 << 10

// shortText is the length that the texts of deltas rarely exceed.
const shortText = 64

// maxDigits is the number of digits that cannot overflow an int64.
const maxDigits = 18

// Shape is a payload with holes. The zero value matches nothing. It keeps its memory
// from one payload to the next, and must not be copied after Learn.
type Shape struct {
	// LooseEnd lets payloads match whose ends differ in white space, if there are only
	// brackets after the last hole. The decoder sets it once.
	LooseEnd bool

	fixed []byte // the bytes around the holes, joined
	holes [3]hole
	count int
	loose bool // the end is compared without white space
	first [firstFixed]byte
}

// firstFixed is the usual number of bytes around the holes of a delta. It is stored
// inline.
const firstFixed = 384

// hole is the position of a value. end is the end, in fixed, of the bytes before it.
type hole struct {
	kind kind
	span llm.Span
	end  int
}

type kind uint8

const (
	textHole kind = iota
	paddingHole
	numberHole
)

// Holes are the positions of a payload whose values may vary. Text, the string of the
// delta with its quotes, is always set. Padding is a string that the decoder does not
// read, Number an integer; both may be zero.
type Holes struct{ Text, Padding, Number llm.Span }

// Match holds the values in the holes of a payload.
type Match struct {
	// Text is the position of the text with its quotes.
	Text llm.Span
	// Number is the number, 0 if the shape has none.
	Number int64

	escaped bool
}

// Data returns the text. It is a slice of raw, unless it has escapes: then it is
// appended to *buf.
func (m *Match) Data(raw []byte, buf *[]byte) []byte {
	text := raw[m.Text.Start+1 : m.Text.End-1 : m.Text.End-1]
	if !m.escaped {
		return text
	}
	if cap(*buf) == 0 {
		*buf = make([]byte, 0, max(len(text), shortText))
	}
	n := len(*buf)
	*buf = jsonscan.AppendUnescaped(*buf, text)
	return (*buf)[n:len(*buf):len(*buf)]
}

// Delta makes c hold one event, the delta of data at span, and returns it so that the
// dialect can fill in the rest.
//
// The event is built in place, because it is large, and pointers are cleared only if
// necessary: during garbage collection the write barrier of each costs more than the
// rest of the event.
func Delta(c *stream.Chunk, data []byte, span llm.Span) *stream.Event {
	if cap(c.Events) == 0 {
		c.Events = make([]stream.Event, 1)
	}
	c.Events, c.Citations = c.Events[:1], c.Citations[:0]
	ev := &c.Events[0]
	if len(ev.ID)|len(ev.Name)|len(ev.ProviderType)|len(ev.ToolUseID) != 0 ||
		ev.Raw != nil || ev.Usage != nil || ev.Err != nil {
		*ev = stream.Event{}
	}
	ev.Type, ev.Field, ev.Kind, ev.Status, ev.Reason, ev.Inferred, ev.Edited, ev.Unclear = stream.EventDelta, 0, 0, 0, 0, false, false, false
	ev.Choice, ev.Block, ev.Offset, ev.Index = 0, 0, 0, 0
	ev.Data, ev.Span = data, span
	return ev
}

// Forget makes the shape match nothing.
func (s *Shape) Forget() { s.count = 0 }

// Learn makes raw the payload that others are compared with. The spans must be those of
// whole values in a payload that was parsed and found valid; see the package comment.
func (s *Shape) Learn(raw []byte, at Holes) {
	s.count = 0
	if at.Text.IsZero() || bytes.IndexByte(raw, '\n') >= 0 || bytes.IndexByte(raw, '\r') >= 0 {
		return // writers rely on matching payloads having no line breaks
	}
	n := s.place(0, textHole, at.Text)
	n = s.place(n, paddingHole, at.Padding)
	n = s.place(n, numberHole, at.Number)
	if s.fixed == nil {
		s.fixed = s.first[:0]
	}
	s.fixed = slices.Grow(s.fixed[:0], min(len(raw), maxFixed))
	from := 0
	for i := range s.holes[:n] {
		h := &s.holes[i]
		if !s.keep(raw[from:h.span.Start]) {
			return
		}
		h.end = len(s.fixed)
		from = h.span.End
	}
	tail := raw[from:]
	if !s.keep(tail) {
		return
	}
	s.loose = s.LooseEnd && onlyBrackets(tail)
	s.count = n
}

// place adds a hole to the first n, which are in ascending order, and returns their new
// number.
func (s *Shape) place(n int, k kind, span llm.Span) int {
	if span.IsZero() {
		return n
	}
	i := n
	for ; i > 0 && s.holes[i-1].span.Start > span.Start; i-- {
		s.holes[i] = s.holes[i-1]
	}
	s.holes[i] = hole{kind: k, span: span}
	return n + 1
}

// keep adds bytes to fixed, unless they are too many.
func (s *Shape) keep(b []byte) bool {
	if len(s.fixed)+len(b) > maxFixed {
		return false
	}
	s.fixed = append(s.fixed, b...)
	return true
}

// Match reports whether raw matches the learned payload and fills in m.
func (s *Shape) Match(raw []byte, m *Match) bool {
	if s.count == 0 {
		return false
	}
	at, from := 0, 0 // in raw and in s.fixed
	for i := range s.holes[:s.count] {
		h := &s.holes[i]
		before := s.fixed[from:h.end]
		from = h.end
		if len(raw)-at <= len(before) || !bytes.Equal(raw[at:at+len(before)], before) {
			return false
		}
		at += len(before)
		if h.kind == numberHole {
			var end int
			if m.Number, end = number(raw, at); end < 0 {
				return false
			}
			at = end
			continue
		}
		if raw[at] != '"' {
			return false
		}
		end, escaped := jsonscan.StringEnd(raw, at)
		if end < 0 {
			return false
		}
		if h.kind == textHole {
			if end-at <= len(`""`) {
				return false
			}
			m.Text, m.escaped = llm.Span{Start: at, End: end}, escaped
		}
		at = end
	}
	rest, tail := raw[at:], s.fixed[from:]
	return bytes.Equal(rest, tail) || s.loose && sameBrackets(rest, tail)
}

// number reads the digits at i. It returns a negative end for anything but a plain
// number that surely fits. What follows the digits is compared with the learned
// payload, so 1.5 and 1e5 do not match.
func number(raw []byte, i int) (v int64, end int) {
	start := i
	for i < len(raw) && raw[i]-'0' <= 9 {
		v = v*10 + int64(raw[i]-'0')
		if i++; i-start > maxDigits {
			return 0, -1
		}
	}
	if i == start || raw[start] == '0' && i-start > 1 {
		return 0, -1
	}
	return v, i
}

func onlyBrackets(b []byte) bool {
	for _, c := range b {
		if c != '}' && c != ']' && !isSpace(c) {
			return false
		}
	}
	return true
}

// sameBrackets compares without white space. The second is only brackets.
func sameBrackets(a, b []byte) bool {
	for {
		a, b = skipSpace(a), skipSpace(b)
		if len(a) == 0 || len(b) == 0 {
			return len(a) == len(b)
		}
		if a[0] != b[0] {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

func skipSpace(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	return b
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
