package stream

import (
	"context"
	"fmt"
	"io"
)

// Source returns the payloads of one answer, one after the other: a sse.Reader over a
// response body, a recording.Source over a file.
type Source interface {
	// NextPayload returns the next payload and its event name, which may be empty.
	// Both are valid until the next call. After the last one it returns io.EOF.
	NextPayload() (name, data []byte, err error)
}

// Process reads one answer to its end: it feeds the payloads of src to a processor made
// of the decoder, the handler and the output, as in NewProcessor. The returned state is
// never nil. The error is nil if the answer is complete, ErrTerminated if the handler
// ended it, an error that wraps ErrIncomplete if the source failed, and otherwise the
// error of the Processor.
//
// If the answer fails after a part of it was sent, the client is told with out.Fail.
//
// ctx is checked between payloads. A source that waits for the network must return by
// itself when ctx is done, as the body of a request made with ctx does.
func Process(ctx context.Context, src Source, d Decoder, h Handler, out *Output) (*State, error) {
	p := NewProcessor(d, Limits{}, h, out)
	err := p.readAll(ctx, src)
	if err != nil && !p.out.terminated {
		// The output may already know about the provider's error, or be what failed.
		_ = p.out.Fail(err)
	}
	return &p.state, err
}

func (p *Processor) readAll(ctx context.Context, src Source) error {
	event := ""
	for {
		if ctx.Err() != nil {
			return p.fail(context.Cause(ctx))
		}
		name, data, err := src.NextPayload()
		if err == io.EOF { //nolint:errorlint // only io.EOF itself is the end; an error that wraps it is an error
			return p.End(ctx)
		}
		if err != nil {
			return p.fail(fmt.Errorf("%w: %w", ErrIncomplete, err))
		}
		if event != string(name) { // most payloads have the same name as the one before
			event = string(name)
		}
		if err := p.Feed(ctx, event, data); err != nil {
			return err
		}
	}
}
