package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/sluice-project/sluice/wire/sse"
)

// Container says how the payloads of a recording are separated.
type Container uint8

// The containers.
const (
	// EventStream is raw SSE as received from the network.
	EventStream Container = iota + 1
	// JSONValues is one JSON value after another, usually one per line. A
	// non-streaming response is a recording with one value.
	JSONValues
	// JSONArray is one array whose elements are the payloads.
	JSONArray
)

// String names the container for people.
func (c Container) String() string {
	switch c {
	case EventStream:
		return "SSE"
	case JSONValues:
		return "JSON"
	case JSONArray:
		return "JSON array"
	}
	return "unknown"
}

// UnreadableError reports input that is not a recording of an answer.
type UnreadableError struct {
	// Reason says what was expected and what was found.
	Reason string
	Err    error
}

// Error says what was expected.
func (e *UnreadableError) Error() string {
	if e.Err != nil {
		return e.Reason + ": " + e.Err.Error()
	}
	return e.Reason
}

// Unwrap returns the cause.
func (e *UnreadableError) Unwrap() error { return e.Err }

// Payload is one payload of a recording with its event name, if it has one.
// Both are valid until the next one is read.
type Payload struct {
	Name, Data []byte
}

// Source returns the payloads of a recording, whatever the container.
type Source struct {
	container Container
	events    *sse.Reader
	values    *values
}

// sniffSize is how far to look for the first byte of a recording.
const sniffSize = 64 << 10

// NewSource detects the container of the recording in r. limit is the maximum size of
// one payload in bytes; 0 means the default of package sse.
func NewSource(r io.Reader, limit int) (*Source, error) {
	if limit <= 0 {
		limit = sse.DefaultMaxEvent
	}
	head, rest, err := sniff(r)
	if err != nil {
		return nil, err
	}
	switch {
	case head == nil:
		return nil, &UnreadableError{Reason: "the input is empty: expected an event stream, JSON payloads or a response"}
	case head[0] == '{':
		return &Source{container: JSONValues, values: &values{src: rest, limit: limit, line: 1}}, nil
	case head[0] == '[':
		if after := bytes.TrimLeft(head[1:], " \t\r\n"); len(after) > 0 && after[0] != '{' && after[0] != ']' {
			return &Source{container: JSONValues, values: &values{src: rest, limit: limit, line: 1}}, nil
		}
		v := &values{src: rest, limit: limit, line: 1}
		if _, err := v.skipToValue(); err != nil {
			return nil, err
		}
		v.start++
		v.array = true
		return &Source{container: JSONArray, values: v}, nil
	case looksLikeEvents(head):
		return &Source{container: EventStream, events: sse.NewReader(rest, sse.Options{MaxEvent: limit})}, nil
	}
	return nil, &UnreadableError{Reason: fmt.Sprintf(
		"expected an event stream (lines like \"data: {...}\"), one JSON payload per line, a JSON array of payloads or one JSON response; the input begins with %q",
		head[:min(len(head), 40)])}
}

// sniff reads up to the first byte that is not white space and returns what was read
// from there on, and a reader of all of it. A byte order mark is dropped.
func sniff(r io.Reader) (head []byte, rest io.Reader, err error) {
	buf := make([]byte, 0, 4096)
	for len(buf) < sniffSize {
		n, err := r.Read(buf[len(buf):min(cap(buf), len(buf)+4096)])
		buf = buf[:len(buf)+n]
		seen := bytes.TrimLeft(bytes.TrimPrefix(buf, []byte("\xef\xbb\xbf")), " \t\r\n")
		if conclusive(seen) || err != nil && len(seen) > 0 {
			if err != nil && !errors.Is(err, io.EOF) {
				return nil, nil, err
			}
			return seen, io.MultiReader(bytes.NewReader(seen), r), nil
		}
		if errors.Is(err, io.EOF) {
			return nil, nil, nil
		}
		if err != nil {
			return nil, nil, err
		}
		if len(buf) == cap(buf) {
			buf = append(make([]byte, 0, 2*cap(buf)), buf...)
		}
	}
	return nil, nil, &UnreadableError{Reason: "the input begins with more than 64 KiB of white space"}
}

// conclusive reports whether the input seen so far identifies the container: one byte for
// an object, one more for brackets, a field name for events.
func conclusive(seen []byte) bool {
	if len(seen) == 0 {
		return false
	}
	switch seen[0] {
	case '{', ':':
		return true
	case '[':
		return len(bytes.TrimLeft(seen[1:], " \t\r\n")) > 0
	}
	return len(seen) > len("event:") || bytes.ContainsAny(seen, "\r\n")
}

// looksLikeEvents reports whether the input starts like a line of SSE.
func looksLikeEvents(head []byte) bool {
	for _, field := range []string{"data", "event", "id", "retry"} {
		if rest, ok := bytes.CutPrefix(head, []byte(field)); ok {
			return len(rest) == 0 || rest[0] == ':' || rest[0] == '\n' || rest[0] == '\r'
		}
	}
	return head[0] == ':'
}

// Container returns the container of the recording.
func (s *Source) Container() Container { return s.container }

// Next returns the next payload; io.EOF marks the end of the recording. Input that ends
// inside a payload is an error that wraps io.ErrUnexpectedEOF.
func (s *Source) Next() (Payload, error) {
	if s.events != nil {
		ev, err := s.events.Next()
		return Payload{Name: ev.Name, Data: ev.Data}, err
	}
	data, err := s.values.next()
	return Payload{Data: data}, err
}

// NextPayload is Next in the form that stream.Process needs.
func (s *Source) NextPayload() (name, data []byte, err error) {
	p, err := s.Next()
	return p.Name, p.Data, err
}
