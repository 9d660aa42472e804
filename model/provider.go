package model

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// Provider is a model behind an HTTP API. Create one with New. It is safe for
// concurrent use and needs no Close.
type Provider struct {
	format   wire.Format
	dialect  dialect
	base     *url.URL
	secrets  *secrets
	model    string
	timeouts Timeouts
	retry    Retry
	limits   Limits
	client   *http.Client
}

// String identifies the model without its key.
func (p *Provider) String() string {
	return fmt.Sprintf("%s (%s) at %s", p.model, p.format, p.base.Host)
}

// GoString is String: a dump must not show the key.
func (p *Provider) GoString() string { return p.String() }

// Format is the dialect that the model speaks.
func (p *Provider) Format() wire.Format { return p.format }

// Stream calls the model; see Model. The request is always made as a stream, whatever
// its Stream says; a server that answers with one JSON body is supported too. Besides
// what Model promises, the error can be
//
//   - an *llm.RequestError: the dialect cannot express the request,
//   - a *StatusError: the API refused it,
//   - a *TimeoutError: one of the Timeouts passed,
//   - a *ConnectionError: there was no connection, or it broke,
//   - a *ContentError, *stream.ProtocolError or *stream.LimitError: the answer
//     is not one, cannot be read, or is too large.
//
// If ctx ends, the error wraps its cause and is none of these.
func (p *Provider) Stream(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
	return func(yield func(stream.Event, error) bool) {
		body, err := p.body(req)
		if err != nil {
			yield(stream.Event{}, err)
			return
		}
		model := req.Model
		if model == "" {
			model = p.model
		}
		gaveUp := func() error { return context.Cause(ctx) }
		call := call{Provider: p, gaveUp: gaveUp, url: p.endpoint(model), body: body, yield: yield}
		bounded, cancel := p.bounded(ctx)
		defer cancel()
		call.run(bounded)
	}
}

// bounded returns a context with the total timeout.
func (p *Provider) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.timeouts.Total <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, p.timeouts.Total, &TimeoutError{Phase: PhaseTotal, After: p.timeouts.Total})
}

// call is one answer, with all attempts to get it.
type call struct {
	*Provider

	// gaveUp returns the cause if the caller's own context ended, else nil.
	gaveUp func() error
	url    string
	body   []byte
	yield  func(stream.Event, error) bool
	// started is set when an event was yielded: then nothing is retried.
	started bool
	// left is set when the consumer has left the loop: then nothing is yielded.
	left bool
}

func (c *call) run(ctx context.Context) {
	for attempt := 0; ; attempt++ {
		err := c.attempt(ctx)
		if err == nil || c.left {
			return
		}
		err = c.cause(ctx, err)
		if !c.started && attempt < c.retry.Max && ctx.Err() == nil {
			if pause, again := c.retry.pause(attempt, err); again && inTime(ctx, pause) {
				if sleep(ctx, pause) {
					continue
				}
				err = c.cause(ctx, context.Cause(ctx))
			}
		}
		c.fail(err)
		return
	}
}

// fail ends the sequence. An error event that was held back is yielded first.
func (c *call) fail(err error) {
	if first, ok := errors.AsType[*firstError](err); ok {
		err = first.err
		if !c.put(&stream.Event{Type: stream.EventError, Block: -1, Index: -1, Err: first.err}) {
			return
		}
	}
	c.yield(stream.Event{}, c.secrets.redact(err))
}

// cause says why an exchange failed when its context ended: the caller's, or the total
// timeout.
func (c *call) cause(ctx context.Context, err error) error {
	if why := c.gaveUp(); why != nil {
		return fmt.Errorf("model: the caller gave up: %w", why)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// inTime reports whether a pause leaves time for another attempt.
func inTime(ctx context.Context, pause time.Duration) bool {
	deadline, limited := ctx.Deadline()
	return !limited || time.Until(deadline) > pause
}

// sleep waits and reports whether the context is still live.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

var _ Model = (*Provider)(nil)
