package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// handled is an upstream's answer as changed by the host's handler: a policy.Source.
// What the handler sends is written in the dialect and read again by the engine, which
// cannot distinguish it from what an upstream sent. So everything in it is judged,
// whatever its source.
type handled struct {
	x         *exchange
	src       *answer
	handler   stream.Handler
	processor *stream.Processor
	events    *sse.Reader // nil for a body
	buf, left []byte      // what the handler sent, and what of it was not read
	failed    error       // the handler's own
	end       error       // why there is nothing more, io.EOF at a normal end
	told      bool        // the body was returned
}

// sourceOf returns what the engine reads: the answer, or what a handler makes of it.
func (x *exchange) sourceOf(src *answer) policy.Source {
	if x.g.config.Handler == nil {
		return src
	}
	handler := x.g.config.Handler(x.info)
	if handler == nil {
		return src
	}
	h := &handled{x: x, src: src, handler: handler}
	out := stream.NewOutput(x.format.NewWriter(stream.WriterOptions{Whole: src.events == nil}), func(p []byte) error {
		h.left = append(h.left, p...)
		return nil
	})
	h.processor = stream.NewProcessor(x.format.NewDecoder(), stream.Limits{Bytes: 2 * x.g.config.Limits.Answer}, h, out)
	if src.events != nil {
		h.events = sse.NewReader(h, sse.Options{MaxEvent: x.g.config.Limits.Payload})
	}
	return h
}

// OnChunk calls the handler. One that panics has failed.
func (h *handled) OnChunk(ctx context.Context, c *stream.Chunk, st *stream.State, out *stream.Output) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("it panicked: %v", panicked)
		}
		if err != nil && !errors.Is(err, stream.ErrTerminated) {
			h.failed = err
		}
	}()
	return h.handler.OnChunk(ctx, c, st, out)
}

// Next returns the next payload of what the handler sent.
func (h *handled) Next() (name string, payload []byte, err error) {
	if h.events != nil {
		ev, err := h.events.Next()
		return wire.EventName(ev.Name), ev.Data, err
	}
	if h.told {
		return "", nil, io.EOF
	}
	h.told = true
	payload, err = io.ReadAll(h)
	if err == nil && len(payload) == 0 {
		err = io.EOF
	}
	return "", payload, err
}

// Read reads what the handler sent, and feeds it more of the answer when there is
// nothing left.
func (h *handled) Read(p []byte) (int, error) {
	for len(h.left) == 0 {
		if h.end != nil {
			return 0, h.end
		}
		h.left = h.buf[:0]
		h.end = h.step()
		h.buf = h.left
	}
	n := copy(p, h.left)
	h.left = h.left[n:]
	return n, nil
}

// step feeds the handler one more payload.
func (h *handled) step() error {
	name, payload, err := h.src.Next()
	switch {
	case err == nil:
		err = h.processor.Feed(h.x.ctx, name, payload)
	case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		if err = h.processor.End(h.x.ctx); err == nil {
			return io.EOF
		}
	}
	switch {
	case h.failed != nil:
		h.x.g.log.Error("the handler of the gateway failed", slog.String("exchange", h.x.info.ID), slog.String("error", short(h.failed.Error())))
		return &refusal{http.StatusBadGateway, "a handler of the gateway failed; see its log", Failed}
	case errors.Is(err, stream.ErrTerminated):
		h.src.clock.upstreamEnded() // the upstream is not waited for any more
		return io.EOF
	}
	if _, told := errors.AsType[*stream.ProviderError](err); told {
		return io.EOF // the engine reads the error too, if the handler sent it
	}
	return err
}
