package jsonscan

import (
	"errors"
	"io"
	"strconv"
)

// ErrDepth is wrapped by the [SyntaxError] reported for a document whose
// containers nest deeper than [MaxDepth].
var ErrDepth = errors.New("jsonscan: nested too deep")

// SyntaxError says where and why a document was refused. The reason is a
// constant text that quotes nothing of the input, so it is safe to log.
//
// errors.Is finds [ErrDepth] in it when the nesting limit was exceeded and
// [io.ErrUnexpectedEOF] when the input ended early, that is when more bytes
// could still have made it valid.
type SyntaxError struct {
	Offset int    // of the byte at fault; len(data) when the input ended early
	Reason string // human readable, without position

	cause error
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return "jsonscan: " + e.Reason + " at offset " + strconv.Itoa(e.Offset)
}

// Unwrap returns ErrDepth, io.ErrUnexpectedEOF or nil.
func (e *SyntaxError) Unwrap() error { return e.cause }

const (
	reasonEnd      = "unexpected end of input"
	reasonDepth    = "nested too deep"
	reasonValue    = "expected a value"
	reasonKey      = "expected a member name"
	reasonColon    = "expected ':' after a member name"
	reasonObject   = "expected ',' or '}' in an object"
	reasonArray    = "expected ',' or ']' in an array"
	reasonNumber   = "malformed number"
	reasonLiteral  = "malformed literal"
	reasonControl  = "control character in a string"
	reasonEscape   = "malformed escape in a string"
	reasonTrailing = "data after the top-level value"

	reasonNoValue     = "no value at the cursor (API misuse)"
	reasonNotInObject = "Key called where no member can follow (API misuse)"
	reasonNotInArray  = "Elem called where no element can follow (API misuse)"
	reasonUnread      = "document not read to its end (API misuse)"
)

// fail records the first error, at offset i. An offset at the end of the data
// means the input ended early whatever was expected there.
//
// It and its kind are kept out of line: inlined, they would bloat the loops
// that call them.
//
//go:noinline
func (s *Scanner) fail(i int, reason string) {
	if i >= len(s.data) {
		s.setErr(&SyntaxError{Offset: len(s.data), Reason: reasonEnd, cause: io.ErrUnexpectedEOF})
		return
	}
	s.setErr(&SyntaxError{Offset: i, Reason: reason})
}

// misuse records a call made in a state that does not allow it. Unlike fail it
// never claims that the input ended early.
//
//go:noinline
func (s *Scanner) misuse(reason string) {
	if s.err == nil {
		s.setErr(&SyntaxError{Offset: s.pos, Reason: reason})
	}
}

//go:noinline
func (s *Scanner) failDepth(i int) {
	s.setErr(&SyntaxError{Offset: i, Reason: reasonDepth, cause: ErrDepth})
}

// failString records the fault that scanString found at offset i.
//
//go:noinline
func (s *Scanner) failString(i int) {
	reason := reasonEscape
	if i < len(s.data) && s.data[i] < ' ' {
		reason = reasonControl
	}
	s.fail(i, reason)
}

func (s *Scanner) setErr(e *SyntaxError) {
	if s.err == nil {
		s.err = e
		s.state = stFailed
	}
}
