package openaichat

import (
	"bytes"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/stream"
)

// Some clients check every payload against a schema. One that does not match it is left
// out, and they go on with the next: if it has a piece of a call, they run the call without
// that piece. Members that the schemas do not know are ignored, so only known ones count.

// typed skips a member of the dialect that nobody needs, and notes one of another kind.
func (r *reading) typed(kind jsonscan.Kind) {
	if is := r.scan.Kind(); is != kind && is != jsonscan.Null {
		r.odd = true
	}
	r.skip()
}

// role skips the role of a delta: a piece of a call is the assistant's.
func (r *reading) role() {
	if said, ok := r.scan.Str(&r.buf); ok {
		r.odd = r.odd || string(said) != "assistant"
		return
	}
	r.typed(jsonscan.Null)
}

// cites reports whether a delta has sources.
func (r *reading) cites() bool {
	return slices.ContainsFunc(r.unknown, func(u unknown) bool { return string(u.key) == "annotations" })
}

// tellOdd marks a payload that some clients leave out although it has a piece of a call.
func (d *Decoder) tellOdd(c *stream.Chunk) {
	if d.odd && d.pieces && !c.Whole {
		d.notes.Note(c.Seq, "schema-mismatch", "a payload with a piece of a call does not match the schema that some clients check it against")
		c.Ambiguous = true
	}
}

// isCounts reports whether JSON is an object in which everything that counts tokens is a
// number, and everything that has details of it is again such an object.
func isCounts(raw []byte, depth int) bool {
	var s jsonscan.Scanner
	s.Reset(raw)
	if !s.Object() {
		return false
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		kind := s.Kind()
		tokens, details := bytes.HasSuffix(key, []byte("tokens")), bytes.HasSuffix(key, []byte("_details"))
		value := s.Raw()
		switch {
		case kind == jsonscan.Null:
		case tokens && kind != jsonscan.Number, details && (depth == 0 || !isCounts(value, depth-1)):
			return false
		}
	}
	return true
}

// isLogprobs reports whether JSON has the probabilities of tokens in the form of the dialect.
func isLogprobs(raw []byte) bool {
	var s jsonscan.Scanner
	s.Reset(raw)
	if !s.Object() {
		return s.Kind() == jsonscan.Null
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch string(key) {
		case "content", "refusal":
			if !s.Null() && !areTokens(&s, true) {
				return false
			}
		default:
			s.Skip()
		}
	}
	return true
}

// areTokens reads a list of tokens with their probabilities, and perhaps with others that
// were likely.
func areTokens(s *jsonscan.Scanner, top bool) bool {
	if !s.Array() {
		return false
	}
	for s.Elem() {
		if !s.Object() {
			return false
		}
		token, probable, likely := false, false, !top
		for key, ok := s.Key(); ok; key, ok = s.Key() {
			kind := s.Kind()
			switch {
			case string(key) == "token":
				token = kind == jsonscan.String
			case string(key) == "logprob":
				probable = kind == jsonscan.Number
			case string(key) == "top_logprobs" && top:
				if likely = areTokens(s, false); !likely {
					return false
				}
				continue
			}
			s.Skip()
		}
		if !token || !probable || !likely {
			return false
		}
	}
	return true
}

// isExtra reports whether JSON is what Gemini adds to a call.
func isExtra(raw []byte) bool {
	google, _, ok := jsonscan.Get(raw, "google")
	if !ok {
		return isObjectOrNull(raw)
	}
	signature, _, ok := jsonscan.Get(google, "thought_signature")
	return isObjectOrNull(google) && (!ok || signature[0] == '"' || string(signature) == "null")
}

func isObjectOrNull(raw []byte) bool { return len(raw) > 0 && raw[0] == '{' || string(raw) == "null" }
