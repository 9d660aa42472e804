package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrClosed is work on a database after Close.
var ErrClosed = errors.New("store: the database is closed")

// Error is what a database said, with its name and what to do about it.
type Error struct {
	// Database names it, without a password.
	Database string
	// Advice says what to do. It may be empty.
	Advice string
	// Unsure is true if the connection broke within a commit: what was written
	// may have been kept. Read it before writing it again.
	Unsure bool
	Err    error
}

// Error names the database, the cause and what to do.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "store: %s: %v", e.Database, e.Err)
	if e.Unsure {
		b.WriteString("; it broke within a commit, so what was written may have been kept: read it before writing again")
	}
	if e.Advice != "" {
		b.WriteString(": " + e.Advice)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// NewerError is a database whose tables a newer program has changed. Nothing was
// changed in it.
type NewerError struct {
	Database string
	// Name is that of the migrations, Found the last that the database has had,
	// Known the last that this program has.
	Name         string
	Found, Known int64
}

// Error says what to do.
func (e *NewerError) Error() string {
	return fmt.Sprintf("store: %s: the tables of %q have version %d, and this program knows up to %d: "+
		"use a newer program, or another database", e.Database, e.Name, e.Found, e.Known)
}

// explain gives an error of the database its name and advice. Other errors,
// such as those that a caller's function returned, stay as they are.
func (db *DB) explain(err error) error {
	if err == nil {
		return nil
	}
	if _, done := errors.AsType[*Error](err); done {
		return err
	}
	advice, known := db.driver.Known(err)
	if !known {
		return err
	}
	return &Error{Database: db.driver.Name, Advice: advice, Err: err}
}

// interrupted gives an error that came because ctx ended the reason of that
// end, which drivers do not always name.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() == nil || errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)) {
		return err
	}
	return fmt.Errorf("%w: %w", context.Cause(ctx), err)
}
