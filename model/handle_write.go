package model

import (
	"errors"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// errLeft: the consumer of the events has left.
var errLeft = errors.New("model: the consumer has left")

// errInsideCall: a handler ended an answer in the middle of a call.
var errInsideCall = errors.New("model: the handler ended the answer inside a tool call")

// errNoFinish: a handler sent the end of an answer without its finish, which may have
// said that the answer was truncated.
var errNoFinish = errors.New("model: the handler left out the finish of the answer: send it, or call Terminate")

// eventWriter writes what a handler sends as events, with the blocks renumbered. It
// writes no bytes.
type eventWriter struct {
	yield   func(stream.Event, error) bool
	choices []*writtenChoice
	// left: the consumer has stopped. done: the end was written. failed: why it was
	// not.
	left, done bool
	failed     error
}

type writtenChoice struct {
	number int
	blocks []*writtenBlock // by their number in the model's answer
	count  int             // of blocks that were written
	calls  int             // of these, tool calls
	// changed: a block was added, replaced or dropped. finished: the finish was
	// written.
	changed, finished bool
}

type writtenBlock struct {
	at   int // its number in the output
	kind llm.Kind
	// came and sent are how much of its body has arrived and how much was written.
	came, sent   int
	begun, ended bool
	replaced     bool
	with         []llm.Block
}

func (w *eventWriter) choice(number int) *writtenChoice {
	for _, c := range w.choices {
		if c.number == number {
			return c
		}
	}
	c := &writtenChoice{number: number}
	w.choices = append(w.choices, c)
	return c
}

func (w *eventWriter) block(choice, number int) *writtenBlock {
	c := w.choice(choice)
	for len(c.blocks) <= number {
		c.blocks = append(c.blocks, &writtenBlock{})
	}
	return c.blocks[number]
}

// came records how much of a block has arrived, and passes the event on: so a dropped
// part is noticed.
func (w *eventWriter) came(ev *stream.Event) {
	if ev.Block < 0 || ev.Type != stream.EventEnd && ev.Field != stream.Body {
		return
	}
	b := w.block(ev.Choice, ev.Block)
	ev.Offset = b.came
	switch ev.Type {
	case stream.EventDelta:
		b.came += len(ev.Data)
	case stream.EventWhole:
		b.came = len(ev.Data)
	default:
	}
}

// put yields an event.
func (w *eventWriter) put(ev stream.Event) error {
	if w.left || !w.yield(ev, nil) {
		w.left = true
		return errLeft
	}
	return nil
}

// Write writes the events of a chunk.
func (w *eventWriter) Write(dst []byte, c *stream.Chunk) ([]byte, error) {
	for i := range c.Events {
		if err := w.event(c.Events[i]); err != nil {
			return dst, err
		}
	}
	for _, ev := range c.Citations {
		if ev.Block >= 0 {
			b := w.block(ev.Choice, ev.Block)
			if !b.begun {
				continue
			}
			ev.Block = b.at
		}
		if err := w.put(ev); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func (w *eventWriter) event(ev stream.Event) error {
	switch ev.Type {
	case stream.EventFinish:
		return w.finish(ev)
	case stream.EventDone:
		for _, c := range w.choices {
			if c.count > 0 && !c.finished {
				return errNoFinish
			}
		}
		w.done = true
		return w.put(ev)
	default:
	}
	if ev.Block < 0 {
		return w.put(ev)
	}
	b := w.block(ev.Choice, ev.Block)
	switch {
	case ev.Type == stream.EventStart:
		return w.start(b, ev)
	case b.replaced:
		return nil
	case !b.begun && b.kind != llm.ToolCall && ev.Kind != llm.ToolCall:
		return nil // a text without its start was dropped
	case !b.begun || b.kind == llm.ToolCall && !b.follows(&ev):
		return stream.ErrGap
	}
	switch {
	case ev.Type == stream.EventEnd:
		b.ended = true
	case ev.Type == stream.EventWhole && ev.Field == stream.Body:
		b.sent = len(ev.Data)
	case ev.Type == stream.EventDelta && ev.Field == stream.Body:
		b.sent = ev.Offset + len(ev.Data)
	}
	ev.Block = b.at
	return w.put(ev)
}

// follows reports whether an event of a call continues where the previous one ended.
func (b *writtenBlock) follows(ev *stream.Event) bool {
	switch ev.Type {
	case stream.EventDelta:
		return ev.Field != stream.Body || ev.Offset == b.sent
	case stream.EventEnd:
		return ev.Offset == b.sent
	default:
		return true
	}
}

func (w *eventWriter) start(b *writtenBlock, ev stream.Event) error {
	c := w.choice(ev.Choice)
	if b.begun {
		return stream.ErrAlreadySent
	}
	if b.kind = ev.Kind; b.replaced {
		c.changed, b.begun, b.ended = true, true, true
		return w.insert(c, b.with)
	}
	b.begun, b.at = true, c.count
	c.count++
	if b.kind == llm.ToolCall {
		c.calls++
	}
	ev.Block = b.at
	return w.put(ev)
}

// insert writes whole blocks.
func (w *eventWriter) insert(c *writtenChoice, blocks []llm.Block) error {
	for i := range blocks {
		b := &blocks[i]
		body := b.Text
		if b.Kind == llm.ToolCall {
			body = b.Arguments
			c.calls++
		}
		ev := stream.Event{
			Type: stream.EventStart, Kind: b.Kind, Choice: c.number, Block: c.count, Index: -1,
			ID: b.ID, Name: b.Name, ProviderType: b.Type,
		}
		c.count++
		delta, end := ev, ev
		delta.Type, delta.Data = stream.EventDelta, []byte(body)
		end.Type = stream.EventEnd
		for _, ev := range []stream.Event{ev, delta, end} {
			if err := w.put(ev); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish writes the end of a choice. Its reason fits the blocks that were written.
func (w *eventWriter) finish(ev stream.Event) error {
	c := w.choice(ev.Choice)
	for _, b := range c.blocks {
		if b.begun && !b.ended && b.kind == llm.ToolCall && b.sent != b.came {
			return stream.ErrGap
		}
		c.changed = c.changed || !b.begun
	}
	if c.changed {
		switch {
		case ev.Reason == llm.FinishToolCalls && c.calls == 0:
			ev.Reason, ev.Data = llm.FinishStop, []byte("stop")
		case ev.Reason == llm.FinishStop && c.calls > 0:
			ev.Reason, ev.Data = llm.FinishToolCalls, []byte("tool_calls")
		}
	}
	c.finished = true
	return w.put(ev)
}

// close writes the finish of a choice that a handler ended.
func (w *eventWriter) close(c *writtenChoice) error {
	if c.finished {
		return nil
	}
	c.changed = true
	return w.finish(stream.Event{
		Type: stream.EventFinish, Choice: c.number, Block: -1, Index: -1, Reason: llm.FinishStop, Data: []byte("stop"),
	})
}

// writable reports whether a block can be created by others than the provider.
func writable(blocks []llm.Block) bool {
	for i := range blocks {
		switch blocks[i].Kind {
		case llm.Content, llm.Refusal, llm.ToolCall:
		default:
			return false
		}
	}
	return true
}

// Replace sets what is written instead of a block.
func (w *eventWriter) Replace(at stream.At, with ...llm.Block) error {
	b := w.block(at.Choice, at.Block)
	switch {
	case b.begun:
		return stream.ErrAlreadySent
	case !writable(with):
		return stream.ErrNotWritable
	}
	b.replaced, b.with = true, with
	return nil
}

// Insert writes blocks now.
func (w *eventWriter) Insert(dst []byte, choice int, blocks ...llm.Block) ([]byte, error) {
	c := w.choice(choice)
	switch {
	case c.finished:
		return dst, stream.ErrTooLate
	case !writable(blocks):
		return dst, stream.ErrNotWritable
	}
	c.changed = true
	return dst, w.insert(c, blocks)
}

// Continue is for hosts that make the request again themselves.
func (w *eventWriter) Continue(dst []byte) ([]byte, error) { return dst, stream.ErrNotWritable }

// Terminate ends the answer normally, or with an error if a call is not whole.
func (w *eventWriter) Terminate(dst []byte) ([]byte, error) {
	if w.done {
		return dst, nil
	}
	if len(w.choices) == 0 {
		w.choice(0)
	}
	for _, c := range w.choices {
		for _, b := range c.blocks {
			if b.begun && !b.ended && b.kind == llm.ToolCall {
				w.failed = errInsideCall
				return dst, nil
			}
		}
		if err := w.close(c); err != nil {
			return dst, err
		}
	}
	w.done = true
	return dst, w.put(stream.Event{Type: stream.EventDone, Block: -1, Index: -1})
}

// Fail ends the answer with an error.
func (w *eventWriter) Fail(dst []byte, cause error) ([]byte, error) {
	w.failed = cause
	return dst, nil
}

// Keepalive writes nothing: there is no connection to keep alive.
func (w *eventWriter) Keepalive(dst []byte) []byte { return dst }

// Edited is false: there are no bytes that a client could read differently.
func (w *eventWriter) Edited() bool { return false }

var (
	_ stream.Writer  = (*eventWriter)(nil)
	_ stream.Decoder = (*eventDecoder)(nil)
)
