package mcp

import (
	"strings"
	"sync"
)

// The last output of a program.
const (
	lastBytes = 4 << 10
	lastLines = 20
)

// tail keeps the end of what a program writes.
type tail struct {
	mu   sync.Mutex
	data []byte
}

// Write never fails: a program must not exit because nobody reads its output.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	p = p[max(0, len(p)-lastBytes):]
	if excess := len(t.data) + len(p) - lastBytes; excess > 0 {
		t.data = append(t.data[:0], t.data[excess:]...)
	}
	t.data = append(t.data, p...)
	return n, nil
}

// String is the last lines, with an introduction, "" if there are none.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(cleaned(string(t.data))), "\n")
	lines = lines[max(0, len(lines)-lastLines):]
	if text := strings.Join(lines, "\n"); text != "" {
		return "; its last words were:\n" + text
	}
	return ""
}
