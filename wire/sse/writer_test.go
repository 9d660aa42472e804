package sse

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestAppendEvent(t *testing.T) {
	for _, c := range []struct {
		what, name, data, want string
	}{
		{"data only", "", `{"a":1}`, "data: {\"a\":1}\n\n"},
		{"with name", "ping", "{}", "event: ping\ndata: {}\n\n"},
		{"empty data", "", "", "data: \n\n"},
		{"leading space kept", " n", " a", "event:  n\ndata:  a\n\n"},
		{"LF", "", "a\nb", "data: a\ndata: b\n\n"},
		{"CRLF is one break", "", "a\r\nb", "data: a\ndata: b\n\n"},
		{"CR", "", "a\rb", "data: a\ndata: b\n\n"},
		{"LF CR is two breaks", "", "a\n\rb", "data: a\ndata: \ndata: b\n\n"},
		{"CR CR LF is two breaks", "", "a\r\r\nb", "data: a\ndata: \ndata: b\n\n"},
		{"break at both ends", "", "\na\n", "data: \ndata: a\ndata: \n\n"},
		{"no injection by data", "", "a\n\ndata: b\revent: x", "data: a\ndata: \ndata: data: b\ndata: event: x\n\n"},
		{"no injection by name, LF", "n\ndata: evil", "a", "event: n\ndata: a\n\n"},
		{"no injection by name, CR", "n\rdata: evil\n", "a", "event: n\ndata: a\n\n"},
		{"name of a line break", "\nx", "a", "data: a\n\n"},
	} {
		if got := string(AppendEvent([]byte("<"), c.name, []byte(c.data))); got != "<"+c.want {
			t.Errorf("%s: got %q, want %q", c.what, got, "<"+c.want)
		}
	}
}

func TestAppendComment(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"keepalive", ": keepalive\n\n"},
		{"", ": \n\n"},
		{"a\ndata: evil", ": a\n\n"},
		{"a\rdata: evil\n", ": a\n\n"},
		{"\n\ndata: evil", ": \n\n"},
	} {
		if got := string(AppendComment([]byte("<"), c.text)); got != "<"+c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, "<"+c.want)
		}
	}
}

func TestWritingAllocatesNothing(t *testing.T) {
	dst := make([]byte, 0, 1<<10)
	payload := []byte("{\"a\":\r\n1}")
	n := testing.AllocsPerRun(100, func() {
		dst = AppendEvent(dst[:0], "n", payload)
		dst = AppendComment(dst, "c")
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// normalBreaks is what becomes of line breaks on the way through an event.
var normalBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func FuzzRoundTrip(f *testing.F) {
	f.Add("", "{}", "c", uint64(0))
	f.Add("n\rdata: x", "a\r\n\r\rb\n", "x\ndata: y", uint64(1))
	f.Add(" n", " \ufeff", " ", uint64(2))
	f.Fuzz(func(t *testing.T, name, payload, text string, seed uint64) {
		body := AppendComment(nil, text)
		body = AppendEvent(body, name, []byte(payload))
		body = AppendEvent(body, "", []byte(payload))
		var framer Framer
		framed := AppendComment(nil, text)
		framed = framer.Append(framed, name, []byte(payload))
		framed = framer.Append(framed, "", []byte(payload))
		if !bytes.Equal(framed, body) {
			t.Fatalf("a framer writes %q, want %q", framed, body)
		}
		if again := framer.Append(nil, "", []byte(payload)); !bytes.Equal(again, AppendEvent(nil, "", []byte(payload))) {
			t.Fatalf("a framer writes %q the second time", again)
		}
		first := func(s string) string {
			s, _, _ = strings.Cut(normalBreaks.Replace(s), "\n")
			return s
		}
		all := normalBreaks.Replace(payload)
		event := data(all)
		plain := name
		for i, c := range []byte(name) {
			if c < ' ' || c > '~' {
				plain = name[:i]
				break
			}
		}
		if plain != "" {
			event = named(plain, all)
		}
		got, err := readAll(t, NewReader(newSplitReader(string(body), io.EOF, seed), Options{Comments: true}))
		compare(t, "round trip", got, err, []record{comment(first(text)), event, data(all)}, io.EOF)
	})
}
