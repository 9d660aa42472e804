package llm

import "fmt"

// RequestError reports a request body that cannot be read in its dialect.
type RequestError struct {
	// Dialect is the wire format that was expected.
	Dialect string
	// Reason says what is wrong.
	Reason string
	// Offset is the byte offset of the problem, -1 if it has no single position.
	Offset int
	// Err is the cause, or nil.
	Err error
}

// Error says what is wrong and where.
func (e *RequestError) Error() string {
	text := fmt.Sprintf("%s request: %s", e.Dialect, e.Reason)
	if e.Offset >= 0 {
		text += fmt.Sprintf(" (at byte %d)", e.Offset)
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *RequestError) Unwrap() error { return e.Err }
