package llm

import "fmt"

// RequestError is a request body that cannot be read as its dialect.
type RequestError struct {
	// Dialect is the wire format it was read as.
	Dialect string
	// Reason says what is wrong.
	Reason string
	// Offset is the byte where it was noticed, -1 if there is no one place.
	Offset int
	// Err is the cause, nil if there is none beneath.
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
