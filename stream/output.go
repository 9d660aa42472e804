package stream

import (
	"errors"

	"github.com/sluice-project/sluice/llm"
)

// Output is where a handler sends what the client should get.
type Output struct {
	writer     Writer
	sink       func([]byte) error
	buf        []byte // not yet passed to the sink
	gathers    bool
	terminated bool
	sent       int64
	onEnd      func()
	exit       Exit
	unusual    bool // the answer deviates from its dialect
	fed        bool // the chunks are decoded by a processor
	escapes    bool // characters at which some clients end a line
}

// Exit inspects what is about to be sent. An output calls it once its writer has edited
// something or the decoder has noted a deviation; a valid, unedited answer is not
// inspected again.
type Exit interface {
	// Inspect returns an error if the bytes must not be sent. They are whole events, or
	// a whole body.
	Inspect(p []byte) error
	// Failure appends what the client gets instead: an error in the dialect.
	Failure(dst []byte, cause error) []byte
}

// Guard sets the inspection of what is about to be sent, nil for none.
func (o *Output) Guard(exit Exit) { o.exit = exit }

// NewOutput returns an output that writes with w and passes the bytes to sink, which
// must not retain them. With a nil writer everything is discarded.
func NewOutput(w Writer, sink func([]byte) error) *Output {
	return &Output{writer: w, sink: sink}
}

// Reset prepares the output for another answer. It keeps its buffer unless that is
// large.
func (o *Output) Reset(w Writer, sink func([]byte) error) {
	buf := o.buf[:0]
	if cap(buf) > keptPayload {
		buf = nil
	}
	*o = Output{writer: w, sink: sink, buf: buf}
}

// OnTerminate sets the function that is called when the handler ends the answer, so
// that the host can cancel the upstream request.
func (o *Output) OnTerminate(f func()) { o.onEnd = f }

// Send sends a chunk: the current one, or a clone that was held back. A chunk that was
// not decoded from the answer is refused with ErrNotOfAnswer.
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

// Gather makes the output buffer what is sent until HandOn, or until the buffer is
// full: many small payloads are coalesced into one call of the sink.
func (o *Output) Gather() { o.gathers = true }

// HandOn ends Gather: what was buffered goes to the sink.
func (o *Output) HandOn() error {
	o.gathers = false
	return o.handOn()
}

// firstPayloads is the initial buffer size, enough for any single payload of most
// answers.
const firstPayloads = 512

// gathered is how much is buffered before it is passed on: enough to amortise the call
// of the sink over many payloads, and small for a waiting client.
const gathered = 4 << 10

// keptPayload is the largest buffer that Reset keeps.
const keptPayload = 16 << 10

// SendText inserts text into the first choice as a content block of its own.
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

// Replace sets what is written instead of a block; see Writer.
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

// Fail ends the answer with an error in the dialect that describes cause, and stops the
// upstream. Nothing can be sent afterwards.
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

// Keepalive sends the dialect's keepalive.
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

// Continue declares that what is sent next belongs to another upstream answer, which
// continues the same client response; see Writer.
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

// Sent returns the number of bytes sent, without those that Exit refused.
func (o *Output) Sent() int64 { return o.sent }

// Terminated reports whether the answer was ended with Terminate or Fail.
func (o *Output) Terminated() bool { return o.terminated }

// flush accounts for what the writer appended after from, and handles its error.
func (o *Output) flush(from int, err error) error {
	if o.escapes {
		o.buf = escapeLineEnds(o.buf, from)
	}
	o.sent += int64(len(o.buf) - from)
	if err != nil {
		return errors.Join(err, o.handOn())
	}
	if o.gathers && !o.terminated && len(o.buf) < gathered { // an end is never held back
		return nil
	}
	return o.handOn()
}

// handOn passes the buffer to the sink.
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

// refuse ends the answer with an error instead of the bytes that must not be sent.
func (o *Output) refuse(cause error) error {
	exit := o.exit
	o.exit = nil // the error that it writes itself needs no inspection
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
