package stream

import (
	"context"
	"errors"

	"github.com/sluice-project/sluice/llm"
)

// Handler is called for every chunk of an answer, after the state has taken the
// chunk in. What it does not send does not leave.
type Handler interface {
	OnChunk(ctx context.Context, chunk *Chunk, state *State, out *Output) error
}

// HandlerFunc is a function that serves as a Handler.
type HandlerFunc func(ctx context.Context, chunk *Chunk, state *State, out *Output) error

// OnChunk calls f.
func (f HandlerFunc) OnChunk(ctx context.Context, chunk *Chunk, state *State, out *Output) error {
	return f(ctx, chunk, state, out)
}

// PassThrough sends every chunk as it came.
var PassThrough Handler = HandlerFunc(func(_ context.Context, chunk *Chunk, _ *State, out *Output) error {
	return out.Send(chunk)
})

// Processor reads one answer: it decodes payloads, keeps the state and calls
// the handler. It is fed, never blocks by itself and owns no goroutine; the
// host owns the loop. It serves one answer and is not safe for concurrent use.
type Processor struct {
	decoder Decoder
	state   *State
	handler Handler
	out     *Output
	chunk   Chunk
	ended   bool
}

// NewProcessor returns a processor that decodes with d and lets h decide what
// goes to out. A nil h passes everything through; a nil out is for hosts that
// only read.
func NewProcessor(d Decoder, limits Limits, h Handler, out *Output) *Processor {
	if h == nil {
		h = PassThrough
	}
	if out == nil {
		out = NewOutput(nil, nil)
	}
	return &Processor{decoder: d, state: NewState(limits), handler: h, out: out}
}

// State returns what has arrived so far.
func (p *Processor) State() *State { return p.state }

// Feed takes in one payload with its event name, which may be empty. The
// payload must stay unchanged until the next call. After an error the answer
// has failed; ErrTerminated means that the handler ended it.
func (p *Processor) Feed(ctx context.Context, name string, payload []byte) error {
	if p.ended || p.out.terminated {
		return ErrTerminated
	}
	p.chunk.Raw, p.chunk.Name = payload, name
	if err := p.decoder.Decode(&p.chunk); err != nil {
		return p.fail(err)
	}
	return p.step(ctx)
}

// End is told that the bytes have ended. It returns ErrIncomplete if the answer
// was cut, a *ProviderError if the provider reported one, and otherwise nil: the
// answer is complete.
func (p *Processor) End(ctx context.Context) error {
	if p.ended || p.out.terminated {
		return ErrTerminated
	}
	p.chunk.Raw, p.chunk.Name = nil, ""
	cut := p.decoder.End(&p.chunk)
	if err := p.step(ctx); err != nil {
		return err
	}
	p.ended = true
	if cut != nil {
		p.state.Cut()
		return cut
	}
	if err := p.state.Err(); err != nil {
		return err
	}
	return nil
}

func (p *Processor) step(ctx context.Context) error {
	if err := p.state.Apply(&p.chunk); err != nil {
		return p.fail(err)
	}
	if err := p.handler.OnChunk(ctx, &p.chunk, p.state, p.out); err != nil {
		return p.fail(err)
	}
	if p.out.terminated {
		return ErrTerminated
	}
	return nil
}

func (p *Processor) fail(err error) error {
	p.ended = true
	p.state.Cut()
	return err
}

// Output is where a handler sends what the client shall get.
type Output struct {
	writer     Writer
	sink       func([]byte) error
	buf        []byte
	terminated bool
	onEnd      func()
}

// NewOutput returns an output that writes with w and hands the bytes to sink,
// which must not keep them. With a nil writer everything sent is discarded.
func NewOutput(w Writer, sink func([]byte) error) *Output {
	return &Output{writer: w, sink: sink}
}

// OnTerminate sets what is called when the handler ends the answer: the host
// cancels the upstream there.
func (o *Output) OnTerminate(f func()) { o.onEnd = f }

// Send sends a chunk: the current one, or a clone that was kept back.
func (o *Output) Send(c *Chunk) error {
	if o.terminated {
		return ErrTerminated
	}
	if o.writer == nil {
		return nil
	}
	var err error
	o.buf, err = o.writer.Write(o.buf[:0], c)
	return o.flush(err)
}

// SendText inserts text into the first choice as content of its own.
func (o *Output) SendText(text string) error {
	return o.Insert(0, llm.Block{Kind: llm.Content, Text: text})
}

// Insert inserts blocks into a choice.
func (o *Output) Insert(choice int, blocks ...llm.Block) error {
	if o.terminated {
		return ErrTerminated
	}
	if o.writer == nil {
		return nil
	}
	var err error
	o.buf, err = o.writer.Insert(o.buf[:0], choice, blocks...)
	return o.flush(err)
}

// Replace decides what a block is written as; see Writer.
func (o *Output) Replace(b *Block, with ...llm.Block) error {
	if o.terminated {
		return ErrTerminated
	}
	if o.writer == nil {
		return nil
	}
	return o.writer.Replace(b.At(), with...)
}

// Terminate ends the answer as its dialect allows and stops the upstream.
// Nothing can be sent afterwards.
func (o *Output) Terminate() error {
	if o.terminated {
		return ErrTerminated
	}
	o.terminated = true
	var err error
	if o.writer != nil {
		o.buf, err = o.writer.Terminate(o.buf[:0])
		err = o.flush(err)
	}
	if o.onEnd != nil {
		o.onEnd()
	}
	return err
}

func (o *Output) flush(err error) error {
	if len(o.buf) == 0 || o.sink == nil {
		return err
	}
	return errors.Join(err, o.sink(o.buf))
}
