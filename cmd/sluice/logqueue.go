package main

import (
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sluice-project/sluice/gateway/settings"
)

// logQueue is a log that nobody waits for: lines wait in a queue until they are
// written, so that a terminal or a pipe that nobody reads delays no answer. Lines
// that do not fit are dropped and counted, and the count is written.
type logQueue struct {
	to    io.Writer
	own   *slog.Logger // for messages of the queue itself
	lines chan []byte
	lost  atomic.Int64
	done  chan struct{}
	once  sync.Once
}

const (
	// mostLogLines is how many lines wait at most, and lastLogWait how long close
	// waits for them.
	mostLogLines = 1024
	lastLogWait  = 2 * time.Second
)

func newLogQueue(to io.Writer, l settings.Log) *logQueue {
	q := &logQueue{to: to, own: newLog(to, l), lines: make(chan []byte, mostLogLines), done: make(chan struct{})}
	go q.run()
	return q
}

// Write puts a line into the queue.
func (q *logQueue) Write(line []byte) (int, error) {
	select {
	case q.lines <- append([]byte(nil), line...):
	default:
		q.lost.Add(1)
	}
	return len(line), nil
}

func (q *logQueue) run() {
	defer close(q.done)
	for line := range q.lines {
		if line == nil {
			return
		}
		_, _ = q.to.Write(line) // there is nobody to tell
		if lost := q.lost.Swap(0); lost > 0 {
			q.own.Warn("the log was not read, and lines of it were dropped", slog.Int64("lines", lost))
		}
	}
}

// close writes the lines that wait. What is logged afterwards is lost.
func (q *logQueue) close() { q.once.Do(q.finish) }

func (q *logQueue) finish() {
	late := time.After(lastLogWait)
	select {
	case q.lines <- nil:
	case <-late:
		return
	}
	select {
	case <-q.done:
	case <-late:
	}
}

// oneAtATime lets several goroutines share a writer that is not safe for
// concurrent use.
type oneAtATime struct {
	mu sync.Mutex
	to io.Writer
}

// Write writes.
func (o *oneAtATime) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.to.Write(p)
}
