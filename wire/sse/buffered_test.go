package sse

import (
	"errors"
	"io"
	"testing"
)

// A host flushes before it waits: Buffered returns what needs no waiting.
func TestBufferedReturnsWhatIsThere(t *testing.T) {
	t.Parallel()
	source, feed := io.Pipe()
	go func() {
		_, _ = feed.Write([]byte("data: a\n\nevent: x\ndata: b\n\ndata: c"))
		_, _ = feed.Write([]byte("\n\n: unusual\ndata: d\ndata: e\n\n"))
		_ = feed.Close()
	}()
	r := NewReader(source, Options{})
	for i, want := range []struct {
		buffered bool
		data     string
	}{{false, "a"}, {true, "b"}, {false, "c"}, {false, "d\ne"}} {
		ev, ok := r.Buffered()
		if ok != want.buffered {
			t.Errorf("event %d: buffered %v, want %v", i, ok, want.buffered)
		}
		if !ok {
			var err error
			if ev, err = r.Next(); err != nil {
				t.Fatal(err)
			}
		}
		if string(ev.Data) != want.data {
			t.Fatalf("event %d: %q, want %q", i, ev.Data, want.data)
		}
	}
	if _, ok := r.Buffered(); ok {
		t.Error("something is there at the end")
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
	if _, ok := r.Buffered(); ok {
		t.Error("something is there after the end")
	}
}
