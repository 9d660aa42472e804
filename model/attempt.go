package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/recording"
	"github.com/sluice-project/sluice/wire/sse"
)

// attempt makes the request once and yields what arrives. It returns nil when the
// answer was complete or the consumer left.
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
	// Closing the body of a live request may wait for the peer, so the request is
	// cancelled first.
	defer func() {
		watch.stop()
		cancel(nil)
		_ = res.Body.Close()
	}()
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return c.refused(res, watch)
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

// transport describes a failure below HTTP, without the URL: it may contain a secret.
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
	if encoding := res.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return c.content(res, fmt.Errorf("its Content-Encoding is %q, which was not asked for", encoding))
	}
	source, err := recording.NewSource(watch, c.limits.Payload)
	if err != nil {
		return c.unreadable(ctx, res, watch, err)
	}
	decoder := c.format.NewDecoder()
	var chunk stream.Chunk
	done := false
	for !done {
		payload, err := source.Next()
		if err == io.EOF { //nolint:errorlint // only io.EOF itself is the end; an error that wraps it is an error
			break
		}
		if err != nil {
			return c.unreadable(ctx, res, watch, err)
		}
		chunk.Raw, chunk.Name = payload.Data, wire.EventName(payload.Name)
		if err := decoder.Decode(&chunk); err != nil {
			return err
		}
		if done, err = c.pass(ctx, &chunk); err != nil || c.left {
			return err
		}
	}
	if done {
		watch.drain()
		return nil
	}
	chunk.Raw, chunk.Name = nil, ""
	cut := decoder.End(&chunk)
	if _, err := c.pass(ctx, &chunk); err != nil || c.left {
		return err
	}
	return cut
}

// pass yields the events of a chunk and reports whether the dialect has ended. An error
// that the provider reports ends the answer; if nothing was yielded before, the error
// is not yielded either, so that the request can be retried. For the same reason a ping
// before everything else is not yielded.
func (c *call) pass(ctx context.Context, chunk *stream.Chunk) (done bool, err error) {
	for i := range chunk.Events {
		if ctx.Err() != nil && !done {
			return false, c.transport(ctx, ctx.Err(), true)
		}
		ev := &chunk.Events[i]
		if ev.Type == stream.EventError {
			failed := c.secrets.reported(ev.Err)
			if !c.started && isRetryable(failed) {
				return false, &firstError{failed}
			}
			ev.Err = failed
			c.put(ev)
			return false, failed
		}
		if ev.Type == stream.EventPing && !c.started {
			continue
		}
		if ev.Type == stream.EventDone && !c.cite(chunk) || !c.put(ev) {
			return false, nil
		}
		done = done || ev.Type == stream.EventDone
	}
	if !done && !c.cite(chunk) {
		return false, nil
	}
	return done, nil
}

// cite yields the citations of a chunk; they precede the end of the answer.
func (c *call) cite(chunk *stream.Chunk) bool {
	for i := range chunk.Citations {
		if !c.put(&chunk.Citations[i]) {
			return false
		}
	}
	return true
}

func (c *call) put(ev *stream.Event) bool {
	c.started = true
	if !c.yield(*ev, nil) {
		c.left = true
	}
	return !c.left
}

// unreadable describes why reading an answer failed.
func (c *call) unreadable(ctx context.Context, res *http.Response, watch *watch, err error) error {
	if _, ok := errors.AsType[*stream.LimitError](err); ok {
		return err
	}
	if none, ok := errors.AsType[*recording.UnreadableError](err); ok && ctx.Err() == nil {
		if !watch.spoken {
			return fmt.Errorf("%w: %s sent an empty body", stream.ErrIncomplete, c.base.Host)
		}
		return c.content(res, none)
	}
	switch {
	case errors.Is(err, sse.ErrTruncated):
		return fmt.Errorf("%w: %w", stream.ErrIncomplete, err)
	case errors.Is(err, sse.ErrTooLong):
		return &stream.LimitError{What: "bytes in a payload", Limit: c.limits.Payload}
	}
	return c.transport(ctx, err, true)
}

// content describes a body that is not an answer.
func (c *call) content(res *http.Response, err error) error {
	said := c.secrets.tell(res.Header.Get("Content-Type"), maxName)
	return &ContentError{Host: c.base.Host, ContentType: said, Err: err}
}
