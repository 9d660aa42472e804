package model

import (
	"context"
	"iter"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// Handle returns a model whose answers pass through a handler first: what the handler
// does not send is not yielded, what it inserts or replaces is, and if it terminates
// the answer, m is read no further. newHandler is called for each answer. Callers judge
// the result as if the model itself had sent it.
//
// A chunk is one event of m, without Raw, because there are no wire bytes; the answer
// ends with one without events. A handler that drops a part of a tool call and sends
// another gets stream.ErrGap, and the answer fails. It also fails if the handler
// terminates it inside a call: nobody may act on half of one.
func Handle(m Model, newHandler func() stream.Handler) Model {
	return Func(func(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
		return func(yield func(stream.Event, error) bool) {
			w := &eventWriter{yield: yield}
			d := &eventDecoder{writer: w}
			p := stream.NewProcessor(d, stream.Limits{}, newHandler(), stream.NewOutput(w, nil))
			err := d.read(ctx, p, m.Stream(ctx, req))
			switch {
			case w.left:
				return
			case w.failed != nil:
				err = w.failed
			case w.done:
				return
			case err == nil:
				err = stream.ErrIncomplete // the handler held the end back
			}
			yield(stream.Event{}, err)
		}
	})
}

// eventDecoder turns events into chunks.
type eventDecoder struct {
	writer *eventWriter
	next   stream.Event
	seq    int
	done   bool
}

// read feeds the events of an answer. It returns nil if they were complete.
func (d *eventDecoder) read(ctx context.Context, p *stream.Processor, events iter.Seq2[stream.Event, error]) error {
	for ev, err := range events {
		if err != nil {
			return err
		}
		d.next = ev
		if err := p.Feed(ctx, "", nil); err != nil {
			return err
		}
	}
	return p.End(ctx)
}

// Decode puts the next event into the chunk.
func (d *eventDecoder) Decode(c *stream.Chunk) error {
	ev := d.next
	*c = stream.Chunk{Seq: d.seq, Number: -1, Events: c.Events[:0], Citations: c.Citations[:0]}
	d.seq++
	d.done = d.done || ev.Type == stream.EventDone
	switch ev.Type {
	case stream.EventCitation:
		c.Citations = append(c.Citations, ev)
		return nil
	case stream.EventDelta, stream.EventWhole, stream.EventEnd:
		d.writer.came(&ev)
	default:
	}
	c.Events = append(c.Events, ev)
	return nil
}

// End marks the end of the events.
func (d *eventDecoder) End(c *stream.Chunk) error {
	*c = stream.Chunk{Seq: d.seq, Number: -1, Events: c.Events[:0]}
	if !d.done {
		return stream.ErrIncomplete
	}
	return nil
}

// Deviations is empty: the model has handled them.
func (d *eventDecoder) Deviations() []stream.Deviation { return nil }
