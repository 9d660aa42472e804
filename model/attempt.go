package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/recording"
	"github.com/sluice-project/sluice/wire/sse"
)

// attempt makes the request once and yields what arrives. It returns nil when
// the answer was complete or the consumer left.
func (c *call) attempt(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := &watch{cancel: cancel, idle: c.timeouts.Idle, limit: c.limits.Answer}
	watch.first(c.timeouts.FirstByte)
	defer watch.stop()

	res, err := c.send(ctx)
	if err != nil {
		return c.transport(ctx, err, false)
	}
	watch.body = res.Body
	// A body that is closed while its request lives may wait for the peer, so
	// the request is cancelled first.
	defer func() {
		watch.stop()
		cancel(nil)
		_ = res.Body.Close()
	}()
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return c.refused(ctx, res, watch)
	}
	return c.read(ctx, res, watch)
}

func (c *call) send(ctx context.Context) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(c.body))
	if err != nil {
		return nil, err
	}
	c.setHeaders(req.Header)
	return c.client.Do(req)
}

// transport describes a failure below HTTP, without the URL: it may hold what
// nobody shall see.
func (c *call) transport(ctx context.Context, err error, cut bool) error {
	if cause := context.Cause(ctx); cause != nil {
		if timeout, ok := errors.AsType[*TimeoutError](cause); ok {
			return timeout
		}
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	return &ConnectionError{Host: c.base.Host, Err: err, Cut: cut}
}

// read yields the events of an answer.
func (c *call) read(ctx context.Context, res *http.Response, watch *watch) error {
	source, err := recording.NewSource(watch, c.limits.Payload)
	if err != nil {
		return c.unreadable(ctx, res, watch, err)
	}
	decoder := c.format.NewDecoder()
	var chunk stream.Chunk
	done := false
	for first := true; !done; first = false {
		payload, err := source.Next()
		if err != nil && !isEnd(err) {
			return c.unreadable(ctx, res, watch, err)
		}
		if err != nil {
			break
		}
		chunk.Raw, chunk.Name = payload.Data, wire.EventName(payload.Name)
		if err := decoder.Decode(&chunk); err != nil {
			return err
		}
		if done, err = c.pass(&chunk, first); err != nil || c.left {
			return err
		}
	}
	if done {
		watch.drain()
	}
	chunk.Raw, chunk.Name = nil, ""
	cut := decoder.End(&chunk)
	if _, err := c.pass(&chunk, false); err != nil || c.left {
		return err
	}
	return cut
}

func isEnd(err error) bool {
	return errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF)
}

// pass yields the events of a chunk and reports whether the dialect has ended.
// An error that the provider reports ends the answer; if it is all that the
// provider ever said, it is not yielded, so that the request can be made again.
func (c *call) pass(chunk *stream.Chunk, first bool) (done bool, err error) {
	for i := range chunk.Events {
		ev := &chunk.Events[i]
		if ev.Type == stream.EventError {
			failed := *ev.Err
			failed.Raw = bytes.Clone(failed.Raw)
			if first && !c.started && isRetryable(&failed) {
				return false, &firstError{&failed}
			}
			c.put(ev)
			return false, &failed
		}
		if !c.put(ev) {
			return false, nil
		}
		done = done || ev.Type == stream.EventDone
	}
	return done, nil
}

func (c *call) put(ev *stream.Event) bool {
	c.started = true
	if !c.yield(*ev, nil) {
		c.left = true
	}
	return !c.left
}

// unreadable describes why an answer could not be read on.
func (c *call) unreadable(ctx context.Context, res *http.Response, watch *watch, err error) error {
	if _, ok := errors.AsType[*stream.LimitError](err); ok {
		return err
	}
	if none, ok := errors.AsType[*recording.UnreadableError](err); ok && ctx.Err() == nil {
		if watch.read == 0 {
			return fmt.Errorf("%w: %s sent an empty body", stream.ErrIncomplete, c.base.Host)
		}
		return &ContentError{Host: c.base.Host, ContentType: res.Header.Get("Content-Type"), Err: none}
	}
	switch {
	case errors.Is(err, sse.ErrTruncated):
		return fmt.Errorf("%w: %w", stream.ErrIncomplete, err)
	case errors.Is(err, sse.ErrTooLong):
		return &stream.LimitError{What: "bytes in a payload", Limit: c.limits.Payload}
	}
	return c.transport(ctx, err, true)
}

// watch is the body of an answer with an eye on the clock and on its size. The
// clock runs only while somebody reads.
type watch struct {
	body   io.Reader
	cancel context.CancelCauseFunc
	timer  *time.Timer
	idle   time.Duration
	read   int
	limit  int
	begun  bool
}

// first starts the clock of the first byte, which runs until it has arrived.
func (w *watch) first(limit time.Duration) {
	if limit > 0 {
		w.timer = time.AfterFunc(limit, func() {
			w.cancel(&TimeoutError{Phase: PhaseFirstByte, After: limit})
		})
	}
}

func (w *watch) stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

// Read reads the body.
func (w *watch) Read(p []byte) (int, error) {
	if w.begun && w.timer != nil {
		w.timer.Reset(w.idle)
	}
	n, err := w.body.Read(p)
	if w.begun || n > 0 {
		w.stop()
	}
	if !w.begun && n > 0 {
		w.begun = true
		w.timer = nil
		if w.idle > 0 {
			w.timer = time.AfterFunc(w.idle, func() {
				w.cancel(&TimeoutError{Phase: PhaseIdle, After: w.idle})
			})
			w.timer.Stop()
		}
	}
	if w.read += n; w.read > w.limit {
		return 0, &stream.LimitError{What: "bytes in its body", Limit: w.limit}
	}
	return n, err
}

// What is read after the end of an answer, so that its connection can serve
// again. A peer that sends more, or does not close, loses it.
const (
	drainBytes = 64 << 10
	drainTime  = 250 * time.Millisecond
)

func (w *watch) drain() {
	w.stop()
	timer := time.AfterFunc(drainTime, func() { w.cancel(nil) })
	defer timer.Stop()
	_, _ = io.CopyN(io.Discard, w.body, drainBytes)
}
