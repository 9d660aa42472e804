package model

import (
	"bytes"
	"context"
	"io"
	"time"

	"github.com/sluice-project/sluice/stream"
)

// watch is the body of an answer with timeouts and a size limit. The clock runs only
// while somebody reads.
type watch struct {
	body   io.Reader
	cancel context.CancelCauseFunc
	timer  *time.Timer
	idle   time.Duration
	read   int
	limit  int
	// begun is set when a byte has arrived, spoken when a byte other than white space
	// has.
	begun, spoken bool
}

// first starts the first-byte timeout, which runs until a byte has arrived.
func (w *watch) first(limit time.Duration) { w.start(PhaseFirstByte, limit) }

// start starts a timeout that ends the exchange, unless there is none.
func (w *watch) start(phase Phase, limit time.Duration) {
	if limit > 0 {
		w.timer = time.AfterFunc(limit, func() { w.cancel(&TimeoutError{Phase: phase, After: limit}) })
	}
}

func (w *watch) stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

// Read reads the body.
func (w *watch) Read(p []byte) (int, error) {
	switch {
	case !w.begun:
	case w.timer == nil:
		w.start(PhaseIdle, w.idle)
	default:
		w.timer.Reset(w.idle)
	}
	n, err := w.body.Read(p)
	if w.begun || n > 0 {
		w.stop()
	}
	if !w.begun && n > 0 {
		w.begun = true
		w.timer = nil // the next one is the idle timeout
	}
	if !w.spoken {
		w.spoken = len(bytes.TrimSpace(p[:n])) > 0
	}
	if w.read += n; w.read > w.limit {
		return 0, &stream.LimitError{What: "bytes in its body", Limit: w.limit}
	}
	return n, err
}

// What is read after the end of an answer, so that its connection can be reused. A peer
// that sends more, or does not close, loses it.
const (
	drainBytes = 64 << 10
	drainTime  = 250 * time.Millisecond
)

func (w *watch) drain() {
	_, _ = io.Copy(io.Discard, w.rest(drainBytes, drainTime))
}

// rest returns the next bytes of the body, limited in size and time so that the caller
// does not wait long. It is read once.
func (w *watch) rest(size int64, limit time.Duration) io.Reader {
	w.stop()
	w.timer = time.AfterFunc(limit, func() { w.cancel(nil) })
	return io.LimitReader(w.body, size)
}
