package model

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/sluice-project/sluice/stream"
)

// The three ways in which an answer can time out. Each is matched, with errors.Is, by a
// *TimeoutError of its phase; all of them also match context.DeadlineExceeded.
var (
	// ErrFirstByte: nothing of the answer arrived in time.
	ErrFirstByte = errors.New("model: the first byte of the answer did not arrive in time")
	// ErrIdle: the answer stalled.
	ErrIdle = errors.New("model: the answer stalled")
	// ErrTotal: the answer was not complete at its deadline.
	ErrTotal = errors.New("model: the answer took too long as a whole")
)

// Phase says which timeout of a Config expired.
type Phase uint8

// The phases.
const (
	PhaseFirstByte Phase = iota + 1
	PhaseIdle
	PhaseTotal
)

// String returns the name of the field in Timeouts.
func (p Phase) String() string {
	switch p {
	case PhaseFirstByte:
		return "FirstByte"
	case PhaseIdle:
		return "Idle"
	case PhaseTotal:
		return "Total"
	}
	return "none"
}

// TimeoutError reports an answer that exceeded one of the Timeouts. It is not returned
// when the caller's own context ended.
type TimeoutError struct {
	Phase Phase
	// After is the timeout that expired.
	After time.Duration
}

// Error says which timeout expired and how to raise it.
func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%v (%s): raise Timeouts.%s if the model needs longer", e.sentinel(), e.After, e.Phase)
}

func (e *TimeoutError) sentinel() error {
	switch e.Phase {
	case PhaseFirstByte:
		return ErrFirstByte
	case PhaseIdle:
		return ErrIdle
	case PhaseTotal:
	}
	return ErrTotal
}

// Is reports whether target is the phase's error.
func (e *TimeoutError) Is(target error) bool { return target == e.sentinel() }

// Unwrap makes a TimeoutError match context.DeadlineExceeded.
func (e *TimeoutError) Unwrap() error { return context.DeadlineExceeded }

// Timeout reports true, as errors of package net do.
func (e *TimeoutError) Timeout() bool { return true }

// StatusError is a response with a status other than 2xx.
type StatusError struct {
	// Status is the HTTP status.
	Status int
	// Provider is the error in the body. A Provider always sets it; its Type, Code and
	// Message are empty if the body was not an API error, and truncated if they are
	// long. Raw is at most 8 KiB of the error object, or of the body if there is none.
	// None of them contains control characters.
	Provider *stream.ProviderError
	// RetryAfter is the delay that the provider asked for, 0 if none.
	RetryAfter time.Duration
	// RequestID is the provider's request id, for its support.
	RequestID string
	// Host is the host that answered.
	Host string

	contentType string
	shouldRetry string
}

// Error reports the status, the provider's error and what to do about it.
func (e *StatusError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "model: %s answered %d", e.Host, e.Status)
	if text := http.StatusText(e.Status); text != "" {
		b.WriteString(" " + text)
	}
	if said := e.said(); said != "" {
		b.WriteString(": " + said)
	}
	if e.RequestID != "" {
		b.WriteString(" (request " + e.RequestID + ")")
	}
	if advice := e.advice(); advice != "" {
		b.WriteString("; " + advice)
	}
	return b.String()
}

func (e *StatusError) said() string {
	p := e.Provider
	if p == nil {
		return ""
	}
	what := p.Type
	if what == "" {
		what = p.Code
	}
	switch {
	case what != "" && p.Message != "":
		return what + ": " + p.Message
	case what != "" || p.Message != "":
		return what + p.Message
	case strings.Contains(e.contentType, "html"):
		return "an HTML page, not an error of an API"
	case strings.HasPrefix(e.contentType, "text/plain") && len(p.Raw) > 0:
		return fmt.Sprintf("%.120q", p.Raw)
	}
	return ""
}

func (e *StatusError) advice() string {
	switch {
	case e.Status >= 300 && e.Status < 400:
		return "redirects are not followed to another place: set BaseURL to the final address"
	case e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden:
		return "check the API key"
	case e.Status == http.StatusNotFound || strings.Contains(e.contentType, "html"):
		return "check BaseURL and the name of the model"
	}
	return ""
}

// Unwrap returns what the provider said.
func (e *StatusError) Unwrap() error {
	if e.Provider == nil {
		return nil
	}
	return e.Provider
}

// Retryable reports whether the same request may succeed later.
func (e *StatusError) Retryable() bool {
	switch e.shouldRetry {
	case "true":
		return true
	case "false":
		return false
	}
	return isRetryableStatus(e.Status)
}

func isRetryableStatus(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests:
		return true
	}
	return status >= 500 && status < 600
}

// ConnectionError is a failure below HTTP: no connection, or one that broke before the
// first event. A connection that breaks in the middle of an answer is one too, and also
// matches stream.ErrIncomplete.
type ConnectionError struct {
	// Host is the host that could not be reached.
	Host string
	// Err is the cause. It quotes no URL and no header.
	Err error
	// Cut is true if a part of the answer had arrived.
	Cut bool
}

// Error names the host and the cause.
func (e *ConnectionError) Error() string {
	if e.Cut {
		return fmt.Sprintf("model: the connection to %s broke in the middle of the answer: %v", e.Host, e.Err)
	}
	return fmt.Sprintf("model: no answer from %s: %v; check BaseURL and the network", e.Host, e.Err)
}

// Unwrap returns the cause.
func (e *ConnectionError) Unwrap() error { return e.Err }

// Is reports whether the error means an incomplete answer.
func (e *ConnectionError) Is(target error) bool { return e.Cut && target == stream.ErrIncomplete }

// ContentError is a response with a successful status that is neither an event stream
// nor JSON.
type ContentError struct {
	Host string
	// ContentType is the content type of the response.
	ContentType string
	// Err is the cause; its text may quote the beginning of the answer.
	Err error
}

// Error says what was expected.
func (e *ContentError) Error() string {
	return fmt.Sprintf("model: %s sent %q instead of an event stream; check BaseURL and Format: %v", e.Host, e.ContentType, e.Err)
}

// Unwrap returns the cause.
func (e *ContentError) Unwrap() error { return e.Err }
