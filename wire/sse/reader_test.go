package sse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

func data(s string) record        { return record{Data: s} }
func named(name, s string) record { return record{Name: name, HasName: true, Data: s} }
func comment(s string) record     { return record{Comment: s, IsComment: true} }

type readerCase struct {
	name string
	body string
	opts Options
	want []record
	err  error // io.EOF if nil
}

var readerCases = []readerCase{
	// Lines
	{name: "LF line ends", body: "data: a\n\ndata: b\n\n", want: []record{data("a"), data("b")}},
	{name: "CRLF line ends", body: "data: a\r\n\r\ndata: b\r\n\r\n", want: []record{data("a"), data("b")}},
	{name: "CR line ends", body: "data: a\r\rdata: b\r\r", want: []record{data("a"), data("b")}},
	{name: "mixed line ends", body: "data: a\r\ndata: b\rdata: c\n\r\ndata: d\r\n\rdata: e\n\r", want: []record{data("a\nb\nc"), data("d"), data("e")}},
	{name: "CRLF is one line end", body: "data: a\r\ndata: b\r\n\r\n", want: []record{data("a\nb")}},
	{name: "LF CR is two line ends", body: "data: a\n\rdata: b\n\r", want: []record{data("a"), data("b")}},
	{name: "CR CR LF is two line ends", body: "data: a\r\r\ndata: b\r\r\n", want: []record{data("a"), data("b")}},
	{name: "extra empty lines dispatch nothing", body: "\n\r\n\r\rdata: a\n\n\n\n\n", want: []record{data("a")}},
	{name: "NUL and other bytes pass", body: "data: \x00\xff\u2028\u0085\v\f\n\n", want: []record{data("\x00\xff\u2028\u0085\v\f")}},
	{name: "empty body"},

	// Byte order mark
	{name: "one BOM dropped", body: "\ufeffdata: a\n\n", want: []record{data("a")}},
	{name: "second BOM is part of the field name", body: "\ufeff\ufeffdata: a\n\ndata: b\n\n", want: []record{data("b")}},
	{name: "BOM only at the very start", body: "data: a\n\n\ufeffdata: b\n\n", want: []record{data("a")}},
	{name: "BOM before comment", body: "\ufeff: c\n", opts: Options{Comments: true}, want: []record{comment("c")}},
	{name: "BOM before empty line", body: "\ufeff\ndata: a\n\n", want: []record{data("a")}},
	{name: "BOM not counted", body: "\ufeffdata:x\n\n", opts: Options{MaxEvent: 6}, want: []record{data("x")}},
	{name: "body is a BOM", body: "\ufeff"},
	{name: "body is half a BOM", body: "\xEF\xBB"},
	{name: "half a BOM over the limit", body: "\xEF\xBB", opts: Options{MaxEvent: 1}, err: ErrTooLong},
	{name: "half a BOM then line", body: "\xEF\xBB\ndata: a\n\n", want: []record{data("a")}},

	// Fields
	{name: "no space after colon", body: "data:a\n\n", want: []record{data("a")}},
	{name: "only one space dropped", body: "data:  a \t\n\n", want: []record{data(" a \t")}},
	{name: "tab not dropped", body: "data:\ta\n\n", want: []record{data("\ta")}},
	{name: "value with colons", body: "data: a: b:c\n\n", want: []record{data("a: b:c")}},
	{name: "data lines joined with LF", body: "data: a\ndata:\ndata: b\n\n", want: []record{data("a\n\nb")}},
	{name: "data without colon is empty", body: "data\n\n", want: []record{data("")}},
	{name: "two data without colon", body: "data\ndata\n\n", want: []record{data("\n")}},
	{name: "empty data dispatches", body: "data:\n\ndata: \n\n", want: []record{data(""), data("")}},
	{name: "field names are exact", body: "Data: a\n data: b\ndata : c\ndatax: d\ndatas\n\n"},
	{name: "unknown fields ignored", body: "foo: 1\nid: 7\nretry: 10\nbar\ndata: a\nbaz:\n\n", want: []record{data("a")}},
	{name: "text between events ignored", body: "data: a\n\nthis is not SSE\n\ndata: b\n\n", want: []record{data("a"), data("b")}},

	// Names
	{name: "name before data", body: "event: n\ndata: a\n\n", want: []record{named("n", "a")}},
	{name: "name after data", body: "data: a\nevent: n\n\n", want: []record{named("n", "a")}},
	{name: "name between data lines", body: "data: a\nevent: n\ndata: b\n\n", want: []record{named("n", "a\nb")}},
	{name: "last name wins", body: "event: long name\ndata: a\nevent: n\n\n", want: []record{named("n", "a")}},
	{name: "empty name is not absent", body: "event: x\nevent:\ndata: a\n\nevent\ndata: b\n\n", want: []record{named("", "a"), named("", "b")}},
	{name: "name keeps inner spaces", body: "event:  n \ndata: a\n\n", want: []record{named(" n ", "a")}},
	{name: "name not carried over", body: "event: n\ndata: a\n\ndata: b\n\n", want: []record{named("n", "a"), data("b")}},
	{name: "event without data dispatches nothing and resets the name", body: "event: n\n\ndata: a\n\n", want: []record{data("a")}},

	// Comments
	{name: "comments skipped", body: ": one\n\n:two\n\ndata: a\n: three\n\n: four\n", want: []record{data("a")}},
	{name: "comments reported", body: ": one\n\n:two\n:\n:  x\n::y\n", opts: Options{Comments: true},
		want: []record{comment("one"), comment("two"), comment(""), comment(" x"), comment(":y")}},
	{name: "comment inside event", body: "event: n\ndata: a\n: c\ndata: b\n: d\n\n", opts: Options{Comments: true},
		want: []record{comment("c"), comment("d"), named("n", "a\nb")}},
	{name: "unfinished comment skipped", body: "data: {}\n: c", opts: Options{Comments: true}, want: []record{data("{}")}},

	// End of body
	{name: "DONE without empty line", body: "data: a\n\ndata: [DONE]\n", want: []record{data("a"), data("[DONE]")}},
	{name: "DONE without line end", body: "data: [DONE]", want: []record{data("[DONE]")}},
	{name: "JSON without empty line", body: "event: n\ndata: {\"a\":1}\n", want: []record{named("n", `{"a":1}`)}},
	{name: "JSON without line end", body: "data: {\"a\":1}", want: []record{data(`{"a":1}`)}},
	{name: "JSON of several lines", body: "data: {\ndata: }", want: []record{data("{\n}")}},
	{name: "JSON with CR end", body: "data: {}\r", want: []record{data("{}")}},
	{name: "JSON then half a field name", body: "data: {}\ndata", want: []record{data("{}")}},
	{name: "JSON then name without line end", body: "data: {}\nevent: n", want: []record{named("n", "{}")}},
	{name: "half JSON", body: "data: {}\n\ndata: {\"a\":", want: []record{data("{}")}, err: ErrTruncated},
	{name: "half JSON line complete", body: "data: {\"a\":\n", err: ErrTruncated},
	{name: "half DONE", body: "data: [DON", err: ErrTruncated},
	{name: "JSON then further data", body: "data: {}\ndata: {", err: ErrTruncated},
	{name: "text payload at the end", body: "data: hello\n", err: ErrTruncated},
	{name: "empty data at the end", body: "data:", err: ErrTruncated},
	{name: "whole text payload", body: "data: hello\n\n", want: []record{data("hello")}},
	{name: "half field name", body: "data: a\n\ndat", want: []record{data("a")}},
	{name: "field name that might go on", body: "data: a\n\ndata", want: []record{data("a")}},
	{name: "name without data at the end", body: "data: a\n\nevent: x", want: []record{data("a")}},
	{name: "trailing text", body: "data: a\n\nnot SSE at all: no", want: []record{data("a")}},

	// Limits. A line counts with its field name and without its line end.
	{name: "event at the limit", body: "data: 3456\n\n", opts: Options{MaxEvent: 10}, want: []record{data("3456")}},
	{name: "event over the limit", body: "data: a\n\ndata: 34567\n\n", opts: Options{MaxEvent: 10}, want: []record{data("a")}, err: ErrTooLong},
	{name: "CRLF not counted", body: "data: 3456\r\n\r\n", opts: Options{MaxEvent: 10}, want: []record{data("3456")}},
	{name: "lines at the limit in total", body: "data:\nevent\n\n", opts: Options{MaxEvent: 10}, want: []record{named("", "")}},
	{name: "lines over the limit in total", body: "data:\nevent:\n\n", opts: Options{MaxEvent: 10}, err: ErrTooLong},
	{name: "each event has its own limit", body: "data:6\n\nevent:\n\ndata:6\n\n", opts: Options{MaxEvent: 6}, want: []record{data("6"), data("6")}},
	{name: "ignored line over the limit", body: "xxxxxxxxxxx\n\n", opts: Options{MaxEvent: 10}, err: ErrTooLong},
	{name: "unfinished line at the limit", body: "data: 3456", opts: Options{MaxEvent: 10}, want: []record{data("3456")}},
	{name: "unfinished line over the limit", body: "data: 34567", opts: Options{MaxEvent: 10}, err: ErrTooLong},
	{name: "many ignored lines over the limit", body: strings.Repeat("x\n", 11), opts: Options{MaxEvent: 10}, err: ErrTooLong},
	{name: "comments not counted", body: "data: 3\n: comment\n: comment\ndat\n\n", opts: Options{MaxEvent: 10}, want: []record{data("3")}},
	{name: "long comment skipped", body: "data:\n" + ":" + strings.Repeat("x", 30) + "\ndata:\n\n", opts: Options{MaxEvent: 10}, want: []record{data("\n")}},
	{name: "comment at the limit reported", body: ":234567890\n:2345678901\n:x\n", opts: Options{MaxEvent: 10, Comments: true}, want: []record{comment("234567890"), comment("x")}},
	{name: "unfinished long comment", body: "data: {}\n\n:2345678901234", opts: Options{MaxEvent: 10, Comments: true}, want: []record{data("{}")}},
}

func (c readerCase) wantErr() error {
	if c.err == nil {
		return io.EOF
	}
	return c.err
}

// Whatever the reads, the events are the same.
var deliveries = []struct {
	name string
	wrap func(io.Reader) io.Reader
}{
	{"whole", func(r io.Reader) io.Reader { return r }},
	{"one byte", iotest.OneByteReader},
	{"half", iotest.HalfReader},
	{"error with data", iotest.DataErrReader},
	{"one byte, error with data", func(r io.Reader) io.Reader { return iotest.DataErrReader(iotest.OneByteReader(r)) }},
}

func TestReader(t *testing.T) {
	for _, c := range readerCases {
		t.Run(c.name, func(t *testing.T) {
			for _, d := range deliveries {
				r := NewReader(d.wrap(strings.NewReader(c.body)), c.opts)
				got, err := readAll(t, r)
				compare(t, d.name, got, err, c.want, c.wantErr())
			}
			for at := range len(c.body) {
				r := NewReader(io.MultiReader(strings.NewReader(c.body[:at]), strings.NewReader(c.body[at:])), c.opts)
				got, err := readAll(t, r)
				compare(t, fmt.Sprintf("cut at %d", at), got, err, c.want, c.wantErr())
			}
		})
	}
}

func TestReferenceAgreesWithTheTable(t *testing.T) {
	for _, c := range readerCases {
		opts := c.opts
		if opts.MaxEvent == 0 {
			opts.MaxEvent = DefaultMaxEvent
		}
		got, err := reference(c.body, opts, io.EOF)
		compare(t, c.name, got, err, c.want, c.wantErr())
	}
}

// randomBody is a body of the pieces that matter to the framing, often with
// lines and events larger than the initial buffer.
func randomBody(rng *rand.Rand) string {
	pieces := []string{
		"data: ", "data:", "data", "event: ", "event", "id: 1", ":", ": c", " ", "x", "é", "𝄞", "\ufeff",
		"\n", "\n", "\n\n", "\r\n", "\r\n\r\n", "\r", "\r\r", "{}", `{"a":`, "[DONE]", "data: {}\n\n",
	}
	var b strings.Builder
	for range rng.IntN(60) {
		if rng.IntN(20) == 0 {
			b.WriteString(strings.Repeat("y", rng.IntN(10000)))
			continue
		}
		b.WriteString(pieces[rng.IntN(len(pieces))])
	}
	return b.String()
}

func TestAnySplitGivesTheSameEvents(t *testing.T) {
	broken := errors.New("connection broken")
	for seed := range uint64(4000) {
		rng := rand.New(rand.NewPCG(seed, 0))
		body := randomBody(rng)
		opts := Options{MaxEvent: 1 + rng.IntN(1<<rng.IntN(16)), Comments: rng.IntN(2) == 0}
		end := io.EOF
		if rng.IntN(4) == 0 {
			end = broken
		}
		want, wantErr := reference(body, opts, end)
		got, err := readAll(t, NewReader(newSplitReader(body, end, seed), opts))
		compare(t, fmt.Sprintf("seed %d, body %.300q", seed, body), got, err, want, wantErr)
	}
}

// A script is a source whose every Read is spelled out. A Read beyond its end
// fails the test: on a live stream it would block.
type script struct {
	t     *testing.T
	reads []string
	calls int
}

func (s *script) Read(p []byte) (int, error) {
	if s.calls == len(s.reads) {
		s.t.Fatal("Next read on while a whole event was buffered")
	}
	n := copy(p, s.reads[s.calls])
	if n < len(s.reads[s.calls]) {
		s.t.Fatal("script piece larger than the buffer")
	}
	s.calls++
	return n, nil
}

func TestEventIsReturnedWithoutAnotherRead(t *testing.T) {
	for _, c := range []struct {
		name  string
		reads []string
		want  []record
	}{
		{"LF", []string{"data: a\n\n"}, []record{data("a")}},
		{"CRLF", []string{"data: a\r\n\r\n"}, []record{data("a")}},
		{"CR", []string{"data: a\r\r"}, []record{data("a")}},
		{"CRLF cut before the last LF", []string{"data: a\r\n\r"}, []record{data("a")}},
		{"several in one read", []string{"data: a\n\ndata: b\n\ndata: c\n\nda"}, []record{data("a"), data("b"), data("c")}},
		{"late LF is swallowed", []string{"data: a\r\n\r", "\ndata: b\r\n\r", "\n\n", "data: c\r\r"}, []record{data("a"), data("b"), data("c")}},
		{"comment", []string{": a\r"}, []record{comment("a")}},
		{"comment before unfinished event", []string{"data: a\n: b\ndata"}, []record{comment("b")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := NewReader(&script{t: t, reads: c.reads}, Options{Comments: true})
			for _, want := range c.want {
				ev, err := r.Next()
				if err != nil || recordOf(ev) != want {
					t.Fatalf("got %v, %v, want %v", recordOf(ev), err, want)
				}
			}
		})
	}
}

func TestTooLongIsReportedBeforeTheLineEnds(t *testing.T) {
	r := NewReader(&script{t: t, reads: []string{"data: 3456", "7"}}, Options{MaxEvent: 10})
	_, err := r.Next()
	var tooLong *TooLongError
	if !errors.As(err, &tooLong) || tooLong.Limit != 10 || !errors.Is(err, ErrTooLong) {
		t.Fatalf("got %v", err)
	}
}

func TestDefaultLimit(t *testing.T) {
	line := "data:" + strings.Repeat("x", DefaultMaxEvent-5)
	r := NewReader(strings.NewReader(line+"\n\n"), Options{})
	if ev, err := r.Next(); err != nil || len(ev.Data) != DefaultMaxEvent-5 {
		t.Fatalf("at the limit: %d bytes, %v", len(ev.Data), err)
	}
	r.Reset(strings.NewReader(line + "x\n\n"))
	if _, err := r.Next(); !errors.Is(err, ErrTooLong) {
		t.Fatalf("over the limit: %v", err)
	}
}

func TestSourceErrorIsReturnedAsItIs(t *testing.T) {
	broken := fmt.Errorf("broken: %w", io.EOF) // looks like a clean end, is not
	for _, body := range []string{
		"", "data: a\n\n", "data: a\n\nda", "data: a\n\ndata: {}", "data: a\n\ndata: [DONE]\n", "data: a\n\ndata: {\n",
	} {
		for _, d := range deliveries {
			src := io.MultiReader(strings.NewReader(body), iotest.ErrReader(broken))
			got, err := readAll(t, NewReader(d.wrap(src), Options{}))
			var want []record
			if body != "" {
				want = []record{data("a")}
			}
			compare(t, d.name, got, nil, want, nil)
			if err != broken {
				t.Errorf("%q, %s: error %v", body, d.name, err)
			}
		}
	}
}

func TestErrTruncatedIsUnexpectedEOF(t *testing.T) {
	if !errors.Is(ErrTruncated, io.ErrUnexpectedEOF) || errors.Is(ErrTruncated, io.EOF) {
		t.Fatal(ErrTruncated)
	}
}

type readFunc func(p []byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

func TestSourceWithoutProgress(t *testing.T) {
	reads := 0
	r := NewReader(readFunc(func(p []byte) (int, error) {
		reads++
		if reads == 100 { // the 99 before it are tolerated
			return copy(p, "data: a\n\ndata: {}"), nil
		}
		return 0, nil
	}), Options{})
	got, err := readAll(t, r)
	compare(t, "no progress", got, err, []record{data("a")}, io.ErrNoProgress)
	if reads != 200 {
		t.Errorf("%d reads, want 200", reads)
	}
}

func TestSourceWithImpossibleCount(t *testing.T) {
	for _, count := range []int{-1, 1 << 30} {
		r := NewReader(readFunc(func([]byte) (int, error) { return count, nil }), Options{})
		if _, err := r.Next(); err != errInvalidRead {
			t.Errorf("count %d: error %v", count, err)
		}
	}
}

func TestResetStartsOver(t *testing.T) {
	for _, before := range []string{
		"", "\xEF", "data: a\n\nevent: n\ndata: b\n", "data: a\r", ": half a comment", "data: {", strings.Repeat("x", 30),
		"data: a\n\ndata: b\n\n",
	} {
		for calls := range 3 {
			r := NewReader(iotest.OneByteReader(strings.NewReader(before)), Options{MaxEvent: 20})
			for range calls {
				r.Next()
			}
			r.Reset(strings.NewReader("\ufeff\ndata: 1\n\nevent: 8901234567890\n\ndata: 34567890123456\n\n"))
			got, err := readAll(t, r)
			compare(t, fmt.Sprintf("after %q", before), got, err, []record{data("1"), data("34567890123456")}, io.EOF)
		}
	}
}

func TestSingleDataLineIsNotCopied(t *testing.T) {
	r := NewReader(strings.NewReader("event: n\ndata: abc\n\n"), Options{})
	ev, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	if at := len("event: n\ndata: "); &ev.Data[0] != &r.buf.b[at] {
		t.Error("Data is not where it was read")
	}
}

// repeat is a source that gives n bytes, in reads of up to step bytes.
type repeat struct {
	unit string
	n    int
	step int
	off  int
}

func (s *repeat) Read(p []byte) (int, error) {
	if s.n == 0 {
		return 0, io.EOF
	}
	p = p[:min(len(p), s.step, s.n)]
	for done := 0; done < len(p); {
		k := copy(p[done:], s.unit[s.off:])
		done += k
		s.off = (s.off + k) % len(s.unit)
	}
	s.n -= len(p)
	return len(p), nil
}

func TestWorkIsLinear(t *testing.T) {
	const size = 1 << 20
	for _, c := range []struct {
		name  string
		first string
		unit  string
	}{
		{"one endless line", "data: ", "x"},
		{"ignored endless line", "foo", "x"},
		{"tiny data lines", "", "data\n"},
		{"tiny data lines CR", "", "data\r"},
		{"tiny data lines CRLF", "", "data:x\r\n"},
		{"data lines of 5000 bytes", "", "data:" + strings.Repeat("x", 5000) + "\n"},
		{"tiny lines after large data", "data:" + strings.Repeat("x", size) + "\n", "x\r"},
		{"tiny comments after large data", "data:" + strings.Repeat("x", size) + "\n", ":\r"},
		{"tiny comments and LF after large data", "data:" + strings.Repeat("x", size) + "\n", ":\r:\n"},
		{"tiny events", "", "data\n\n"},
		{"tiny events CR", "", "data\r\r"},
		{"ordinary events", "", "data: " + strings.Repeat("x", 300) + "\n\n"},
		{"events of 3900 bytes", "", "data: " + strings.Repeat("x", 3900) + "\n\n"},
		{"large events", "", "data: " + strings.Repeat("x", 5<<18) + "\n\n"},
		{"large comments", "data: 1\n", ":" + strings.Repeat("x", 5<<18) + "\n"},
		{"names", "", "event:" + strings.Repeat("x", 5000) + "\n"},
		{"empty lines", "", "\n"},
		{"empty lines CR", "", "\r"},
	} {
		for _, step := range []int{100, 1 << 30} {
			for _, comments := range []bool{false, true} {
				total := len(c.first) + max(size, 3*len(c.unit))
				unit := strings.Repeat(c.unit, 1+4096/len(c.unit)) // for speed
				src := io.MultiReader(strings.NewReader(c.first), &repeat{unit: unit, n: total - len(c.first), step: step})
				r := NewReader(src, Options{MaxEvent: 2 * total, Comments: comments})
				var err error
				for err == nil {
					_, err = r.Next()
				}
				// Two searches; one move each for joining and compacting;
				// and growing by doubling moves up to twice the final size.
				if got := float64(r.buf.work) / float64(total); got > 6 {
					t.Errorf("%s, reads of %d, comments %v: %.1f operations per byte", c.name, step, comments, got)
				}
			}
		}
	}
}

func TestEndlessCommentUsesNoMemory(t *testing.T) {
	for _, comments := range []bool{false, true} {
		src := io.MultiReader(
			strings.NewReader("data: a\n:"),
			&repeat{unit: strings.Repeat("x", 1<<10), n: 4 << 20, step: 1 << 10},
			strings.NewReader("\ndata: b\n\n"))
		r := NewReader(src, Options{MaxEvent: 3000, Comments: comments})
		ev, err := r.Next()
		if err != nil || string(ev.Data) != "a\nb" {
			t.Fatalf("got %v, %v", recordOf(ev), err)
		}
		if len(r.buf.b) != burstBuffer {
			t.Errorf("comments %v: buffer of %d bytes", comments, len(r.buf.b))
		}
	}
}

func TestBufferStaysNearTheLimit(t *testing.T) {
	const limit = 5 << 20
	r := NewReader(&repeat{unit: strings.Repeat("x", 1<<10), n: 2 * limit, step: 1 << 10}, Options{MaxEvent: limit})
	peak := 0
	src := r.buf.src
	r.buf.src = readFunc(func(p []byte) (int, error) {
		peak = max(peak, len(r.buf.b))
		return src.Read(p)
	})
	if _, err := r.Next(); !errors.Is(err, ErrTooLong) {
		t.Fatal(err)
	}
	if peak > limit+initialBuffer {
		t.Errorf("buffer of %d bytes for a limit of %d", peak, limit)
	}
	if len(r.buf.b) > keepBuffer {
		t.Errorf("buffer of %d bytes kept after the failure", len(r.buf.b))
	}
}

func TestBufferShrinksBeforeWaitingAfterALargeEvent(t *testing.T) {
	const big = 3 << 20
	for _, field := range []string{"data: ", "data: x\nevent: "} {
		body := field + strings.Repeat("x", big) + "\n\ndata: sm"
		var r *Reader
		waited := false
		src := io.MultiReader(strings.NewReader(body), readFunc(func(p []byte) (int, error) {
			if waited {
				return 0, io.EOF
			}
			waited = true
			if n := len(r.buf.b) + cap(r.name); n > burstBuffer {
				t.Errorf("%d bytes kept while waiting", n)
			}
			return copy(p, "all\n\n"), nil
		}))
		r = NewReader(src, Options{})
		ev, err := r.Next()
		if err != nil || len(ev.Data)+len(ev.Name) < big {
			t.Fatalf("%d bytes, %v", len(ev.Data), err)
		}
		ev, err = r.Next()
		if err != nil || string(ev.Data) != "small" || ev.Name != nil || !waited {
			t.Fatalf("%v, %v", recordOf(ev), err)
		}
	}
}

func TestResetDropsALargeBuffer(t *testing.T) {
	r := NewReader(strings.NewReader("data: "+strings.Repeat("x", 3<<20)+"\n\n"), Options{})
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	r.Reset(strings.NewReader(""))
	if len(r.buf.b) != initialBuffer {
		t.Errorf("buffer of %d bytes", len(r.buf.b))
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, unit := range []string{
		"data: " + strings.Repeat("x", 300) + "\n\n",
		"event: content_block_delta\r\ndata: {}\r\ndata: {}\r\n\r\n",
		": keep-alive\n\ndata: " + strings.Repeat("x", 9000) + "\n\n",
		": c\r\rdata: a\r\r",
	} {
		r := NewReader(&repeat{unit: unit, n: math.MaxInt, step: 777}, Options{Comments: true})
		next := func() {
			if _, err := r.Next(); err != nil {
				t.Fatal(err)
			}
		}
		for range 100 {
			next()
		}
		if n := testing.AllocsPerRun(1000, next); n != 0 {
			t.Errorf("%.20q: %v allocations per event", unit, n)
		}
	}
}

func TestResetAllocatesNothing(t *testing.T) {
	body := []byte("event: x\ndata: {}\n\ndata: [DONE]")
	src := bytes.NewReader(body)
	r := NewReader(src, Options{})
	n := testing.AllocsPerRun(100, func() {
		src.Reset(body)
		r.Reset(src)
		for {
			if _, err := r.Next(); err != nil {
				break
			}
		}
	})
	if n != 0 {
		t.Errorf("%v allocations per body", n)
	}
}

// Recorded bodies are not part of the repository. Each must decode, whatever
// the split, as the reference does.
func TestCorpus(t *testing.T) {
	dir := os.Getenv("SLUICE_CORPUS")
	if dir == "" {
		t.Skip("SLUICE_CORPUS is not set to the directory of recorded bodies")
	}
	files, err := filepath.Glob(filepath.Join(dir, "sse", "*.sse"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no sse/*.sse in %s (%v)", dir, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			opts := Options{MaxEvent: DefaultMaxEvent, Comments: true}
			want, wantErr := reference(string(body), opts, io.EOF)
			t.Logf("%d events and comments, then %v", len(want), wantErr)
			if len(want) == 0 {
				t.Error("no events")
			}
			for _, d := range deliveries {
				got, err := readAll(t, NewReader(d.wrap(bytes.NewReader(body)), opts))
				compare(t, d.name, got, err, want, wantErr)
			}
			for seed := range uint64(50) {
				got, err := readAll(t, NewReader(newSplitReader(string(body), io.EOF, seed), opts))
				compare(t, fmt.Sprintf("split %d", seed), got, err, want, wantErr)
			}
		})
	}
}
