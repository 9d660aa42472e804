package anthropic

import (
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/shape"
)

// lastDelta is the state of the fast path after a payload that did nothing but append to
// the body of an open block. A payload of the same shape does the same: everything else
// in it is a repetition, and nothing happened in between, because every payload that is
// parsed in full is learned or clears this.
type lastDelta struct {
	shape shape.Shape
	// wire is the name of the SSE event, name the one derived from the payload.
	wire, name string
	renamed    bool
	block      *openBlock
	// off makes the decoder read every payload in full, for tests.
	off bool
}

// repeat reads a payload that matches the last one. Otherwise it returns false and
// changes nothing.
func (d *Decoder) repeat(c *stream.Chunk) bool {
	l := &d.lastDelta
	var m shape.Match
	if !l.shape.Match(c.Raw, &m) || c.Name != l.wire {
		return false
	}
	d.reader.reset()
	data := m.Data(c.Raw, &d.reader.buf)
	c.Seq, c.Whole, c.Repeats, c.Known, c.Ambiguous, c.Edited, c.Number = d.seq, false, true, false, d.blocks.interleaves(l.block) || l.block.kind == llm.ServerTool && d.blocks.bare, false, -1
	if d.seq++; l.renamed {
		c.Name = l.name
	}
	o := l.block
	ev := shape.Delta(c, data, llm.Span{End: len(c.Raw)})
	ev.Kind, ev.Block, ev.Index, ev.Offset = o.kind, o.position, o.number(), o.offset
	o.offset += len(data)
	return true
}

// learn records a payload that was parsed in full, if the next one can be matched by
// its shape. usual is false if it had a deviation.
func (d *Decoder) learn(c *stream.Chunk, wire string, usual bool) {
	l := &d.lastDelta
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
