package sse

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// A record is an Event that owns its content and can be compared.
type record struct {
	Name, Data, Comment string
	HasName, IsComment  bool
}

func (r record) String() string {
	if r.IsComment {
		return fmt.Sprintf("comment %.200q", r.Comment)
	}
	if r.HasName {
		return fmt.Sprintf("%.200q named %.200q", r.Data, r.Name)
	}
	return fmt.Sprintf("%.200q", r.Data)
}

func recordOf(ev Event) record {
	return record{
		Name: string(ev.Name), HasName: ev.Name != nil,
		Data:    string(ev.Data),
		Comment: string(ev.Comment), IsComment: ev.Comment != nil,
	}
}

// reference decodes a whole body in the most obvious way. It returns the
// events and the error of the call of Next after the last one, provided that
// the source ends with end.
func reference(body string, opts Options, end error) ([]record, error) {
	body = strings.TrimPrefix(body, "\xEF\xBB\xBF")
	body = strings.ReplaceAll(body, "\r\n", "\n")
	body = strings.ReplaceAll(body, "\r", "\n")
	lines := strings.Split(body, "\n")
	tail := lines[len(lines)-1]
	lines = lines[:len(lines)-1]

	var (
		out     []record
		data    []string
		name    string
		hasName bool
		size    int
	)
	apply := func(line string) {
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "data":
			data = append(data, value)
		case "event":
			name, hasName = value, true
		}
	}
	dispatch := func() {
		if len(data) > 0 {
			out = append(out, record{Name: name, HasName: hasName, Data: strings.Join(data, "\n")})
		}
		data, name, hasName, size = nil, "", false, 0
	}
	for _, line := range lines {
		switch {
		case line == "":
			dispatch()
		case line[0] == ':':
			if opts.Comments && len(line) <= opts.MaxEvent {
				out = append(out, record{Comment: strings.TrimPrefix(line[1:], " "), IsComment: true})
			}
		default:
			if size += len(line); size > opts.MaxEvent {
				return out, ErrTooLong
			}
			apply(line)
		}
	}
	isComment := strings.HasPrefix(tail, ":")
	if !isComment && size+len(tail) > opts.MaxEvent {
		return out, ErrTooLong
	}
	if end != io.EOF {
		return out, end
	}
	if !isComment && strings.Contains(tail, ":") {
		apply(tail)
	}
	if len(data) > 0 {
		if all := strings.Join(data, "\n"); all != "[DONE]" && !json.Valid([]byte(all)) {
			return out, ErrTruncated
		}
		dispatch()
	}
	return out, io.EOF
}

// readAll reads to the first error. It also checks that an event has the shape
// that Event promises, and that errors stay.
func readAll(t testing.TB, r *Reader) ([]record, error) {
	t.Helper()
	var out []record
	for {
		ev, err := r.Next()
		if err != nil {
			if ev.Name != nil || ev.Data != nil || ev.Comment != nil {
				t.Fatalf("event %v together with error %v", recordOf(ev), err)
			}
			if _, again := r.Next(); again != err {
				t.Fatalf("error %v became %v", err, again)
			}
			return out, err
		}
		switch {
		case ev.Comment != nil && (ev.Data != nil || ev.Name != nil):
			t.Fatalf("comment with data or name: %v", recordOf(ev))
		case ev.Comment == nil && ev.Data == nil:
			t.Fatal("event with nil data")
		}
		out = append(out, recordOf(ev))
		// A caller that appends must not reach the bytes behind the slice.
		_ = append(ev.Name, "XXXX"...)
		_ = append(ev.Data, "XXXX"...)
		_ = append(ev.Comment, "XXXX"...)
	}
}

func compare(t testing.TB, what string, got []record, gotErr error, want []record, wantErr error) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Fatalf("%s: event %d: got none, want %v", what, i, want[i])
		case i >= len(want):
			t.Fatalf("%s: event %d: got %v, want none", what, i, got[i])
		case got[i] != want[i]:
			t.Fatalf("%s: event %d: got %v, want %v", what, i, got[i], want[i])
		}
	}
	if !errors.Is(gotErr, wantErr) {
		t.Fatalf("%s: error %v, want %v", what, gotErr, wantErr)
	}
}

// A splitReader gives body in reads of random size, some of them empty, and
// ends with end, sometimes together with the last bytes. It uses all of p as
// scratch space, as io.Reader permits.
type splitReader struct {
	body string
	end  error
	rng  *rand.Rand
	max  int
}

func newSplitReader(body string, end error, seed uint64) *splitReader {
	rng := rand.New(rand.NewPCG(seed, 1))
	return &splitReader{body: body, end: end, rng: rng, max: 1 + rng.IntN(1<<rng.IntN(14))}
}

func (s *splitReader) Read(p []byte) (int, error) {
	for i := range min(len(p), 64) {
		p[i] = "\r\n:x"[i%4]
	}
	if s.body == "" {
		return 0, s.end
	}
	if s.rng.IntN(8) == 0 {
		return 0, nil
	}
	n := copy(p[:min(len(p), 1+s.rng.IntN(s.max))], s.body)
	s.body = s.body[n:]
	if s.body == "" && s.rng.IntN(2) == 0 {
		return n, s.end
	}
	return n, nil
}
