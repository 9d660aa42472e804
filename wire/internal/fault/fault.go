package fault

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/stream"
)

// Read reads an error object, or a string in its place. Numbers are read as their
// digits; members that are neither string nor number are ignored. Raw is borrowed and
// not copied.
func Read(raw []byte) stream.ProviderError {
	e := stream.ProviderError{Raw: raw}
	var s jsonscan.Scanner
	s.Reset(raw)
	if !s.Object() {
		e.Message = word(&s)
		return e
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch string(key) {
		case "type":
			e.Type = word(&s)
		case "code":
			e.Code = word(&s)
		case "message":
			e.Message = word(&s)
		default:
			s.Skip()
		}
	}
	return e
}

// word consumes a string or a number, and skips anything else.
func word(s *jsonscan.Scanner) string {
	if said, ok := s.Str(nil); ok {
		return string(said)
	}
	if s.Kind() == jsonscan.Number {
		return string(s.Raw())
	}
	s.Skip()
	return ""
}
