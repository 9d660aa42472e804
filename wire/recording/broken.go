package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// BrokenLinesError lists the lines that are not JSON in a recording with one payload
// per line. The recording was read without them, so the answer may not be whole.
type BrokenLinesError struct {
	// Lines are their numbers, from 1.
	Lines []int
}

// maxBroken is the maximum number of skipped lines. Input with more is not a recording
// with one payload per line.
const maxBroken = 100

// Error names the lines.
func (e *BrokenLinesError) Error() string {
	what, is := "line ", "is"
	if len(e.Lines) > 1 {
		what, is = "lines ", "are"
	}
	names := make([]string, 0, len(e.Lines))
	for _, line := range e.Lines {
		names = append(names, strconv.Itoa(line))
	}
	return what + strings.Join(names, ", ") + " of the recording " + is + " not valid JSON; everything else was read"
}

// SkipBrokenLines makes the source skip lines that are not JSON, instead of ending
// there, in a recording with one payload per line. [Source.Broken] reports what was
// skipped. It is for recordings, never for an answer that somebody will act on.
func (s *Source) SkipBrokenLines() {
	if s.values != nil && s.container == JSONValues {
		s.values.broken = &BrokenLinesError{}
	}
}

// Broken reports the lines skipped so far, nil if there are none.
func (s *Source) Broken() error {
	if s.values == nil || s.values.broken == nil || len(s.values.broken.Lines) == 0 {
		return nil
	}
	return s.values.broken
}

// valid reports whether a value is JSON or the word that ends a stream.
func valid(value []byte) bool {
	return json.Valid(value) || string(value) == "[DONE]"
}

// resume moves from an unreadable value to the next line that is a payload by itself.
// It reports whether there is one: if not, this is not a recording with one payload per
// line, or its last line was truncated. A value that spans lines has no such line,
// because such JSON is indented.
func (v *values) resume() bool {
	first := v.line
	for at, line := v.start, first; ; {
		end := v.lineEnd(at)
		if end < 0 {
			return false
		}
		at, line = end+1, line+1
		stop := v.lineEnd(at)
		if stop < 0 {
			stop = v.end
		}
		text := bytes.TrimRight(v.buf[at:stop], " \t\r")
		if len(text) == 0 || text[0] != '{' && text[0] != '[' || !valid(text) {
			continue
		}
		for n := first; n < line && len(v.broken.Lines) < maxBroken; n++ {
			v.broken.Lines = append(v.broken.Lines, n)
		}
		v.start, v.line, v.done = at, line, false
		return true
	}
}

// lineEnd returns the end of the line that contains offset at, -1 if the input ends
// first or the line exceeds the payload limit. Unread bytes stay in the buffer.
func (v *values) lineEnd(at int) int {
	for searched := at; ; {
		if n := bytes.IndexByte(v.buf[min(searched, v.end):v.end], '\n'); n >= 0 {
			return searched + n
		}
		searched = v.end
		if v.end-v.start > 2*v.limit {
			return -1
		}
		if v.more() != nil {
			return -1
		}
	}
}

// lenient is next with unreadable lines skipped.
func (v *values) lenient() ([]byte, error) {
	for {
		value, err := v.strict()
		var unreadable *UnreadableError
		switch {
		case err == nil && valid(value):
			return value, nil
		case err != nil && !errors.Is(err, ErrCut) && !errors.As(err, &unreadable):
			return nil, err
		}
		// The part of the value read so far is still in the buffer, and none of it
		// counts as consumed.
		ended, line := v.start, v.line
		if err == nil {
			v.start, v.line = v.began, v.beganLine
		}
		if len(v.broken.Lines) < maxBroken && v.resume() {
			continue
		}
		v.start, v.line = ended, line
		return value, err
	}
}
