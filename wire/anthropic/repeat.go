package anthropic

import (
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/shape"
)

// likeLast is what the decoder knows of the last payload if that did nothing
// but append to the body of an open block. A payload of the same shape does the
// same: whatever else it says was said before, and nothing has come in between,
// because every payload that is read in full is learned or forgets this.
type likeLast struct {
	shape shape.Shape
	// wire is the name that the SSE event had, name the one the payload got.
	wire, name string
	renamed    bool
	block      *openBlock
	// off makes the decoder read every payload in full, for tests.
	off bool
}

// repeat reads a payload that is like the last one. It returns false, with
// nothing changed, if it is not.
func (d *Decoder) repeat(c *stream.Chunk) bool {
	l := &d.likeLast
	var m shape.Match
	if !l.shape.Match(c.Raw, &m) || c.Name != l.wire {
		return false
	}
	d.reader.reset()
	data := m.Data(c.Raw, &d.reader.buf)
	c.Seq, c.Whole, c.Repeats, c.Known, c.Ambiguous, c.Edited, c.Number = d.seq, false, true, false, false, false, -1
	if d.seq++; l.renamed {
		c.Name = l.name
	}
	o := l.block
	ev := shape.Delta(c, data, llm.Span{End: len(c.Raw)})
	ev.Kind, ev.Block, ev.Index, ev.Offset = o.kind, o.position, o.number(), o.offset
	o.offset += len(data)
	return true
}

// learn remembers a payload that was read in full, if the next one can be read
// by its shape. usual is false if there was something to note about it.
func (d *Decoder) learn(c *stream.Chunk, wire string, usual bool) {
	l := &d.likeLast
	l.shape.Forget()
	if !usual || l.off || len(c.Events) != 1 {
		return
	}
	ev := &c.Events[0]
	if ev.Type != stream.EventDelta || ev.Field != stream.Body {
		return
	}
	o := d.blocks.last
	if o == nil || o.position != ev.Block {
		return
	}
	l.wire, l.name, l.renamed, l.block = wire, c.Name, wire != c.Name, o
	l.shape.LooseEnd = true // the provider pads its deltas with spaces
	l.shape.Learn(c.Raw, shape.Holes{Text: d.payload.delta.valueAt})
}
