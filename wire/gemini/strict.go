package gemini

import (
	"bytes"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// Some clients check every payload against a schema, leave out one that does not match it
// and go on with the next. Of a call that arrives in pieces they would join the others, to
// arguments that were not judged.

// tellOdd marks the calls of which the payload has a piece, if such clients leave it out.
func (d *Decoder) tellOdd(c *stream.Chunk) {
	if !d.pieced || isUsual(c.Raw) {
		return
	}
	d.Note(c.Seq, "schema-mismatch", "a payload with a piece of a call does not match the schema that some clients check it against")
	for _, ch := range d.choices {
		if ch.call != nil {
			ch.call.args.unclear = true
		}
	}
	for i := range c.Events {
		if ev := &c.Events[i]; ev.Type == stream.EventEnd && ev.Kind == llm.ToolCall {
			ev.Unclear, c.Ambiguous = true, true
		}
	}
}

// isUsual reports whether a payload has its members in the types that the dialect gives
// them, as far as schemas know them. In an array no client with a schema expects pieces.
func isUsual(raw []byte) bool {
	var s jsonscan.Scanner
	s.Reset(raw)
	return s.Kind() != jsonscan.Object || is(&s, func(key []byte) bool {
		switch string(key) {
		case "usageMetadata":
			return is(&s, usage(&s))
		case "promptFeedback":
			return is(&s, feedback(&s))
		case "candidates":
			return each(&s, func() bool { return is(&s, candidate(&s)) })
		case "responseId", "modelVersion":
			return one(&s, jsonscan.String)
		}
		s.Skip()
		return true
	})
}

func usage(s *jsonscan.Scanner) func([]byte) bool {
	return func(key []byte) bool {
		switch {
		case bytes.HasSuffix(key, []byte("Count")):
			return one(s, jsonscan.Number)
		case bytes.HasSuffix(key, []byte("Details")):
			return each(s, func() bool {
				return is(s, func(key []byte) bool {
					if string(key) == "tokenCount" {
						return one(s, jsonscan.Number)
					}
					return one(s, jsonscan.String)
				})
			})
		}
		s.Skip()
		return true
	}
}

func feedback(s *jsonscan.Scanner) func([]byte) bool {
	return func(key []byte) bool {
		switch string(key) {
		case "blockReason":
			return one(s, jsonscan.String)
		case "safetyRatings":
			return each(s, func() bool { return is(s, rating(s)) })
		}
		s.Skip()
		return true
	}
}

func candidate(s *jsonscan.Scanner) func([]byte) bool {
	return func(key []byte) bool {
		switch string(key) {
		case "finishReason", "finishMessage", "continuationToken":
			return one(s, jsonscan.String)
		case "safetyRatings":
			return each(s, func() bool { return is(s, rating(s)) })
		case "groundingMetadata", "urlContextMetadata":
			return s.Null() // nothing is grounded by a call
		case "content":
			return is(s, func(key []byte) bool {
				if string(key) == "parts" {
					return each(s, func() bool { return is(s, usualPart(s)) })
				}
				return one(s, jsonscan.String)
			})
		}
		s.Skip()
		return true
	}
}

func rating(s *jsonscan.Scanner) func([]byte) bool {
	return func(key []byte) bool {
		switch string(key) {
		case "category", "probability", "severity":
			return one(s, jsonscan.String)
		case "probabilityScore", "severityScore":
			return one(s, jsonscan.Number)
		case "blocked":
			return s.Null() || one(s, jsonscan.True) || one(s, jsonscan.False)
		}
		s.Skip()
		return true
	}
}

// usualPart accepts a call or a text: beside a piece of a call, anything else is rare.
func usualPart(s *jsonscan.Scanner) func([]byte) bool {
	return func(key []byte) bool {
		switch string(key) {
		case "functionCall", "function_call":
			if s.Kind() != jsonscan.Object {
				return false
			}
			s.Skip() // it was read
			return true
		case "text", "thoughtSignature":
			return one(s, jsonscan.String)
		case "thought":
			return s.Null() || one(s, jsonscan.True) || one(s, jsonscan.False)
		}
		return s.Null()
	}
}

// is reads an object whose members are all accepted, or null.
func is(s *jsonscan.Scanner, member func(key []byte) bool) bool {
	if s.Null() {
		return true
	}
	if !s.Object() {
		return false
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		if !member(key) {
			return false
		}
	}
	return s.Err() == nil
}

// each reads a list whose elements are all accepted, or null.
func each(s *jsonscan.Scanner, elem func() bool) bool {
	if s.Null() {
		return true
	}
	if !s.Array() {
		return false
	}
	for s.Elem() {
		if !elem() {
			return false
		}
	}
	return s.Err() == nil
}

// one reads a value of a kind, or null.
func one(s *jsonscan.Scanner, kind jsonscan.Kind) bool {
	if is := s.Kind(); is != kind && is != jsonscan.Null {
		return false
	}
	s.Skip()
	return true
}
