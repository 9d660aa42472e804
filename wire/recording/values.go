package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/sluice-project/sluice/wire/sse"
)

// ErrCut means that the input ends in the middle of a payload.
var ErrCut error = cutError{}

// cutError is io.ErrUnexpectedEOF in plain words.
type cutError struct{}

func (cutError) Error() string { return "recording: the input ends inside a payload" }
func (cutError) Unwrap() error { return io.ErrUnexpectedEOF }

// values splits a byte stream into JSON values: one after the other with any white
// space between them, or the elements of one array. It only tracks brackets and
// strings; decoders check whether a value is valid.
type values struct {
	src   io.Reader
	limit int
	// array: the values are the elements of one array, which has begun.
	array bool

	buf        []byte
	start, end int // the unread part of buf
	srcErr     error
	done       bool

	// line is the line number at start, from 1. The last value read started at began,
	// in line beganLine.
	line, began, beganLine int
	// broken records the skipped lines that are not JSON; nil if none may be skipped.
	broken *BrokenLinesError
}

const readSize = 64 << 10

// next returns the next value, valid until the following call. io.EOF marks the end of
// the input.
func (v *values) next() ([]byte, error) {
	if v.broken != nil {
		return v.lenient()
	}
	return v.strict()
}

// strict is next without skipping.
func (v *values) strict() ([]byte, error) {
	if v.done {
		return nil, io.EOF
	}
	first, err := v.skipToValue()
	v.beganLine = v.line
	if err != nil {
		v.done = true
		return nil, err
	}
	if first != '{' && first != '[' {
		v.done = true
		return nil, &UnreadableError{Reason: fmt.Sprintf("expected a JSON object, found %q", v.excerpt())}
	}
	return v.value()
}

// skipToValue moves to the first byte of the next value.
func (v *values) skipToValue() (byte, error) {
	for {
		for v.start < v.end {
			switch c := v.buf[v.start]; c {
			case '\n':
				v.line++
			case ' ', '\t', '\r':
			case ',':
				if !v.array {
					return c, nil
				}
			case ']':
				if v.array {
					return 0, io.EOF
				}
				return c, nil
			default:
				return c, nil
			}
			v.start++
		}
		if err := v.fill(); err != nil {
			if errors.Is(err, io.EOF) && v.array {
				return 0, ErrCut
			}
			return 0, err
		}
	}
}

// value returns the bracketed value at the start of the unread part.
func (v *values) value() ([]byte, error) {
	depth, inString, escaped := 0, false, false
	for i := 0; ; i++ {
		for v.start+i >= v.end {
			if i > v.limit {
				v.done = true
				return nil, fmt.Errorf("recording: %w", &sse.TooLongError{Limit: v.limit})
			}
			if err := v.fill(); err != nil {
				v.done = true
				if errors.Is(err, io.EOF) {
					return nil, fmt.Errorf("line %d: %w", v.line, ErrCut)
				}
				return nil, err
			}
		}
		c := v.buf[v.start+i]
		switch {
		case escaped:
			escaped = false
		case inString:
			switch c {
			case '\\':
				escaped = true
			case '"':
				inString = false
			}
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if depth == 0 {
			if i+1 > v.limit {
				v.done = true
				return nil, fmt.Errorf("recording: %w", &sse.TooLongError{Limit: v.limit})
			}
			value := v.buf[v.start : v.start+i+1]
			v.began = v.start
			v.start += i + 1
			v.line += bytes.Count(value, []byte("\n"))
			return value, nil
		}
	}
}

// fill moves the unread part to the front and reads more after it.
func (v *values) fill() error {
	if v.srcErr != nil {
		return v.srcErr
	}
	if v.start > 0 && (v.start == v.end || len(v.buf)-v.end < readSize) {
		v.end = copy(v.buf, v.buf[v.start:v.end])
		v.start = 0
	}
	return v.more()
}

// more reads more without moving anything.
func (v *values) more() error {
	if v.srcErr != nil {
		return v.srcErr
	}
	if len(v.buf)-v.end < readSize {
		grown := make([]byte, max(2*len(v.buf), v.end+readSize))
		copy(grown, v.buf[:v.end])
		v.buf = grown
	}
	for range 100 {
		n, err := v.src.Read(v.buf[v.end:])
		v.end += n
		v.srcErr = err
		if n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

func (v *values) excerpt() string {
	return string(v.buf[v.start:min(v.end, v.start+40)])
}
