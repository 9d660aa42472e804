package stream

import (
	"errors"

	"github.com/sluice-project/sluice/llm"
)

// Output is where a handler sends what the client shall get.
type Output struct {
	writer     Writer
	sink       func([]byte) error
	buf        []byte // what was not handed to the sink yet
	gathers    bool
	terminated bool
	sent       int64
	onEnd      func()
	exit       Exit
	unusual    bool // the answer deviates from its dialect
	fed        bool // a processor makes the chunks
}

// Exit looks at what is about to leave. An output asks it from when its writer has
// edited something, or the decoder noted that the answer is not as its dialect has it;
// what is well formed and passes as it came is not looked at again.
type Exit interface {
	// Inspect returns an error if the bytes must not leave. They are whole
	// events, or a whole body.
	Inspect(p []byte) error
	// Failure appends what the client gets instead: an error of the dialect.
	Failure(dst []byte, cause error) []byte
}

// Guard sets who looks at what is about to leave, nil for nobody.
func (o *Output) Guard(exit Exit) { o.exit = exit }

// NewOutput returns an output that writes with w and hands the bytes to sink,
// which must not keep them. With a nil writer everything sent is discarded.
func NewOutput(w Writer, sink func([]byte) error) *Output {
	return &Output{writer: w, sink: sink}
}

// Reset makes the output as new, for another answer. It keeps the memory of one
// payload, unless that was large.
func (o *Output) Reset(w Writer, sink func([]byte) error) {
	buf := o.buf[:0]
	if cap(buf) > keptPayload {
		buf = nil
	}
	*o = Output{writer: w, sink: sink, buf: buf}
}

// OnTerminate sets what is called when the handler ends the answer: the host
// cancels the upstream there.
func (o *Output) OnTerminate(f func()) { o.onEnd = f }

// Send sends a chunk: the current one, or a clone that was kept back. One that was
// made by hand is refused with ErrNotOfAnswer.
func (o *Output) Send(c *Chunk) error {
	if o.terminated {
		return ErrTerminated
	}
	if o.fed && !c.fed {
		return ErrNotOfAnswer
	}
	if o.writer == nil {
		return nil
	}
	if o.buf == nil && len(c.Raw) < firstPayloads {
		o.buf = make([]byte, 0, firstPayloads)
	}
	from := len(o.buf)
	var err error
	o.buf, err = o.writer.Write(o.buf, c)
	return o.flush(from, err)
}

// Gather makes the output keep what is sent until HandOn, or until it is worth
// handing on: many small payloads then reach the sink at once.
func (o *Output) Gather() { o.gathers = true }

// HandOn ends Gather: what was kept goes to the sink.
func (o *Output) HandOn() error {
	o.gathers = false
	return o.handOn()
}

// firstPayloads is room for the payloads of most answers, one at a time.
const firstPayloads = 512

// gathered is how much is kept before it is handed on: enough payloads for one
// call of the sink to cost nothing each, and little for a stream that waits.
const gathered = 4 << 10

// keptPayload is the largest buffer that an output takes along to another answer.
const keptPayload = 16 << 10

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
	from := len(o.buf)
	var err error
	o.buf, err = o.writer.Insert(o.buf, choice, blocks...)
	return o.flush(from, err)
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
		from := len(o.buf)
		o.buf, err = o.writer.Terminate(o.buf)
		err = o.flush(from, err)
	}
	if o.onEnd != nil {
		o.onEnd()
	}
	return err
}

// Fail ends the answer with an error of the dialect that tells cause, and stops
// the upstream. Nothing can be sent afterwards.
func (o *Output) Fail(cause error) error {
	if o.terminated {
		return ErrTerminated
	}
	o.terminated = true
	var err error
	if o.writer != nil {
		from := len(o.buf)
		o.buf, err = o.writer.Fail(o.buf, cause)
		err = o.flush(from, err)
	}
	if o.onEnd != nil {
		o.onEnd()
	}
	return err
}

// Keepalive sends the dialect's sign of life.
func (o *Output) Keepalive() error {
	if o.terminated {
		return ErrTerminated
	}
	if o.writer == nil {
		return nil
	}
	from := len(o.buf)
	o.buf = o.writer.Keepalive(o.buf)
	return o.flush(from, nil)
}

// Continue says that what is sent next is of another upstream answer, which
// goes on with the same client response; see Writer.
func (o *Output) Continue() error {
	if o.terminated {
		return ErrTerminated
	}
	if o.writer == nil {
		return nil
	}
	from := len(o.buf)
	var err error
	o.buf, err = o.writer.Continue(o.buf)
	return o.flush(from, err)
}

// Sent counts the bytes that were sent, without those that the exit refused.
func (o *Output) Sent() int64 { return o.sent }

// Terminated reports whether the answer was ended with Terminate or Fail.
func (o *Output) Terminated() bool { return o.terminated }

// flush takes in what was written behind from, with the writer's error.
func (o *Output) flush(from int, err error) error {
	o.sent += int64(len(o.buf) - from)
	if err != nil {
		return errors.Join(err, o.handOn())
	}
	if o.gathers && !o.terminated && len(o.buf) < gathered { // an end is never kept back
		return nil
	}
	return o.handOn()
}

// handOn hands what is kept to the sink.
func (o *Output) handOn() error {
	if len(o.buf) == 0 {
		return nil
	}
	p := o.buf
	o.buf = p[:0]
	if o.exit != nil && (o.unusual || o.writer.Edited()) {
		if err := o.exit.Inspect(p); err != nil {
			o.sent -= int64(len(p))
			return o.refuse(err)
		}
	}
	if o.sink == nil {
		return nil
	}
	return o.sink(p)
}

// refuse ends the answer with an error in the place of what must not leave.
func (o *Output) refuse(cause error) error {
	exit := o.exit
	o.exit = nil // what it writes itself is its own affair
	o.buf = exit.Failure(o.buf[:0], cause)
	o.sent += int64(len(o.buf))
	ended := o.terminated
	o.terminated = true
	err := errors.Join(cause, o.handOn())
	if !ended && o.onEnd != nil {
		o.onEnd()
	}
	return err
}
