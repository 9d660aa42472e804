package sse

import (
	"errors"
	"fmt"
	"io"
)

// ErrTooLong is matched, with [errors.Is], by every [*TooLongError].
var ErrTooLong = errors.New("sse: event too long")

// ErrTruncated reports a body that ended in the middle of an event: there was
// data without its empty line, and it was neither [DONE] nor whole JSON.
// It wraps [io.ErrUnexpectedEOF].
var ErrTruncated = fmt.Errorf("sse: stream ended inside an event: %w", io.ErrUnexpectedEOF)

// errInvalidRead reports a source that breaks the contract of [io.Reader].
// The source may be third-party code, so this is an error and not a panic.
var errInvalidRead = errors.New("sse: source returned an impossible count from Read")

// TooLongError reports an event whose lines exceed [Options.MaxEvent].
type TooLongError struct {
	Limit int // the limit in force, in bytes
}

func (e *TooLongError) Error() string {
	return fmt.Sprintf("sse: event longer than %d bytes", e.Limit)
}

// Unwrap makes errors.Is(err, ErrTooLong) true.
func (e *TooLongError) Unwrap() error { return ErrTooLong }
