package sse

import (
	"io"
	"testing"
)

// A host flushes before it waits: Ready says whether Next would.
func TestReadyIsTrueWhileAWholeEventIsThere(t *testing.T) {
	t.Parallel()
	source, feed := io.Pipe()
	go func() {
		_, _ = feed.Write([]byte("data: a\n\ndata: b\n\ndata: c"))
		_, _ = feed.Write([]byte("\n\n"))
		_ = feed.Close()
	}()
	r := NewReader(source, Options{})
	for i, want := range []struct {
		ready bool
		data  string
	}{{false, "a"}, {true, "b"}, {false, "c"}} {
		if got := r.Ready(); got != want.ready {
			t.Errorf("before event %d: ready %v, want %v", i, got, want.ready)
		}
		if ev, err := r.Next(); err != nil || string(ev.Data) != want.data {
			t.Fatalf("event %d: %q, %v", i, ev.Data, err)
		}
	}
	if _, err := r.Next(); err != io.EOF || r.Ready() {
		t.Errorf("at the end: %v, ready %v", err, r.Ready())
	}
}
