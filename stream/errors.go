package stream

import (
	"errors"
	"fmt"
	"io"
)

// ErrIncomplete means that the input ended before the end of the answer was proven: the
// answer was truncated. It wraps io.ErrUnexpectedEOF.
var ErrIncomplete = fmt.Errorf("stream: the answer was cut before its end: %w", io.ErrUnexpectedEOF)

// ErrTerminated is returned to a caller that continues after the answer was ended.
var ErrTerminated = errors.New("stream: the answer has been ended")

// ErrNotOfAnswer is returned for a chunk that was not decoded from the answer. A writer
// writes the payloads of its answer and their replacements, so the content of such a
// chunk would be lost: use SendText, Insert or Replace for new content, and Terminate
// to end the answer.
var ErrNotOfAnswer = errors.New("stream: the chunk is not one of this answer: use SendText, Insert, Replace or Terminate")

// ProviderError is an error that the provider reported inside an answer with a
// successful HTTP status.
type ProviderError struct {
	// Type, Code and Message are the provider's values, empty if it sent none. Type is
	// the class (overloaded_error, RESOURCE_EXHAUSTED).
	Type, Code, Message string
	// Raw is the provider's error object.
	Raw []byte
}

// Error returns what the provider reported.
func (e *ProviderError) Error() string {
	what := e.Type
	if what == "" {
		what = e.Code
	}
	switch {
	case what == "" && e.Message == "":
		return "stream: the provider reported an error: " + excerpt(e.Raw)
	case what == "":
		return "stream: the provider reported an error: " + e.Message
	case e.Message == "":
		return "stream: the provider reported " + what
	}
	return fmt.Sprintf("stream: the provider reported %s: %s", what, e.Message)
}

// ProtocolError reports a payload that is invalid in its dialect: nothing after it can
// be trusted, so the answer fails.
type ProtocolError struct {
	// Reason says what is wrong, in lower case and without the payload.
	Reason string
	// Seq is the payload's index in the answer.
	Seq int
	// Payload is a copy of its beginning, for error messages.
	Payload string
	// Err is the cause, or nil.
	Err error
}

// NewProtocolError describes an invalid payload. It copies what it needs from the
// chunk.
func NewProtocolError(c *Chunk, reason string, cause error) *ProtocolError {
	return &ProtocolError{Reason: reason, Seq: c.Seq, Payload: excerpt(c.Raw), Err: cause}
}

// Error names the payload and what is wrong with it.
func (e *ProtocolError) Error() string {
	text := fmt.Sprintf("stream: payload %d: %s", e.Seq, e.Reason)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if e.Payload != "" {
		text += fmt.Sprintf(": %q", e.Payload)
	}
	return text
}

// Unwrap returns the cause.
func (e *ProtocolError) Unwrap() error { return e.Err }

// LimitError reports a stream that exceeded one of its configured limits.
type LimitError struct {
	// What is the name of the limit in Limits, in words.
	What  string
	Limit int
}

// Error names the limit.
func (e *LimitError) Error() string {
	return fmt.Sprintf("stream: the answer has more than %d %s", e.Limit, e.What)
}

func excerpt(p []byte) string {
	const most = 120
	if len(p) > most {
		return string(p[:most]) + "..."
	}
	return string(p)
}
