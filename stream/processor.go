package stream

import "context"

// Handler is called for every chunk of an answer, after the state was updated. A chunk
// that it does not send does not reach the client.
type Handler interface {
	OnChunk(ctx context.Context, chunk *Chunk, state *State, out *Output) error
}

// HandlerFunc is a function that implements Handler.
type HandlerFunc func(ctx context.Context, chunk *Chunk, state *State, out *Output) error

// OnChunk calls f.
func (f HandlerFunc) OnChunk(ctx context.Context, chunk *Chunk, state *State, out *Output) error {
	return f(ctx, chunk, state, out)
}

// PassThrough sends every chunk unchanged.
var PassThrough Handler = HandlerFunc(func(_ context.Context, chunk *Chunk, _ *State, out *Output) error {
	return out.Send(chunk)
})

// Processor reads one answer: it decodes payloads, updates the state and calls the
// handler. The host drives it with Feed, or leaves the loop to Process; it never waits
// for input and starts no goroutine. It serves one answer and is not safe for
// concurrent use.
type Processor struct {
	decoder Decoder
	state   State
	handler Handler
	out     *Output
	chunk   Chunk
	ended   bool
	events  [4]Event // enough for nearly every chunk
}

// NewProcessor returns a processor that decodes with d and lets h decide what goes to
// out. A nil h passes everything through; a nil out is for hosts that only read.
func NewProcessor(d Decoder, limits Limits, h Handler, out *Output) *Processor {
	p := new(Processor)
	p.Reset(d, limits, h, out)
	return p
}

// Reset prepares the processor for another answer. The state, choices, blocks and
// chunks of the earlier answer must not be used any more; strings obtained from them
// stay valid.
func (p *Processor) Reset(d Decoder, limits Limits, h Handler, out *Output) {
	if h == nil {
		h = PassThrough
	}
	if out == nil {
		out = NewOutput(nil, nil)
	}
	p.Clear()
	p.decoder, p.handler, p.out = d, h, out
	out.fed = true
	p.state.init(limits)
	p.chunk.Events = p.events[:0]
}

// Clear releases everything that the processor references, so that it keeps nothing
// alive while it sits in a pool. Reset must be called before its next use. What Reset
// says about the earlier answer holds here too.
func (p *Processor) Clear() {
	group := p.state.group
	if group != nil {
		*group = [few - 1]Block{}
	}
	*p = Processor{}
	p.state.group = group
}

// State returns the state of the answer so far.
func (p *Processor) State() *State { return &p.state }

// Feed processes one payload with its event name, which may be empty. The payload must
// not change until the next call. After an error the answer has failed; ErrTerminated
// means that the handler ended it.
func (p *Processor) Feed(ctx context.Context, name string, payload []byte) error {
	if p.ended || p.out.terminated {
		return ErrTerminated
	}
	p.chunk.Raw, p.chunk.Name = payload, name
	if err := p.decoder.Decode(&p.chunk); err != nil {
		return p.fail(err)
	}
	if !p.out.unusual && len(p.decoder.Deviations()) > 0 {
		p.out.unusual = true
	}
	return p.step(ctx)
}

// End marks the end of the input. It returns ErrIncomplete if the answer was truncated,
// a *ProviderError if the provider reported one, and nil if the answer is complete.
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
	p.chunk.fed = true
	if err := p.state.Apply(&p.chunk); err != nil {
		return p.fail(err)
	}
	if err := p.handler.OnChunk(ctx, &p.chunk, &p.state, p.out); err != nil {
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
