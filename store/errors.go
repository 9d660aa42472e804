package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrClosed is returned after Close.
var ErrClosed = errors.New("store: the database is closed")

// Error is an error of a database, with its name and advice.
type Error struct {
	// Database identifies it, without a password.
	Database string
	// Advice says what to do. It may be empty.
	Advice string
	// Unsure is true if the connection broke during a commit: the changes may have been
	// committed. Read before writing again.
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

// NewerError reports a database that a newer program has migrated. Nothing was changed.
type NewerError struct {
	Database string
	// Name is the name of the migrations, Found the last one that the database has,
	// Known the last one of this program.
	Name         string
	Found, Known int64
}

// Error says what to do.
func (e *NewerError) Error() string {
	return fmt.Sprintf("store: %s: the tables of %q have version %d, and this program knows up to %d: "+
		"use a newer program, or another database", e.Database, e.Name, e.Found, e.Known)
}

// explain adds the database's name and advice to its errors. Other errors, such as
// those returned by a caller's function, stay unchanged.
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

// interrupted adds the cause of ctx to an error caused by its end, since drivers do not
// always include it.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() == nil || errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)) {
		return err
	}
	return fmt.Errorf("%w: %w", context.Cause(ctx), err)
}
