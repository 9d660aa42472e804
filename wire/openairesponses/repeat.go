package openairesponses

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
	item       *item
	run        *run
	// number is the sequence_number if the shape has no hole for it.
	number  int64
	counted bool
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
	d.begin(c)
	c.Repeats = true
	if c.Number = l.number; l.counted {
		c.Number = m.Number
	}
	if l.renamed {
		c.Name = l.name
	}
	data := m.Data(c.Raw, &d.buf)
	r := l.run
	ev := shape.Delta(c, data, llm.Span{End: len(c.Raw)})
	ev.Kind, ev.Block, ev.Index, ev.Offset = r.kind, r.block, int(l.item.index), r.size
	r.grew(data)
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
	if ev.Type != stream.EventDelta || ev.Field != stream.Body || !d.p.typ.isDelta() {
		return
	}
	it := d.last
	if it == nil || int(it.index) != ev.Index || len(it.runs) == 0 {
		return
	}
	r := &it.runs[len(it.runs)-1]
	if r.block != ev.Block {
		return
	}
	l.wire, l.name, l.renamed, l.item, l.run = wire, c.Name, wire != c.Name, it, r
	l.number, l.counted = c.Number, d.p.got(memberNumber)
	holes := shape.Holes{Text: d.p.deltaAt, Padding: d.p.paddingAt}
	if l.counted {
		holes.Number = d.p.numberAt
	}
	l.shape.Learn(c.Raw, holes)
}

// isDelta reports whether a payload of this type carries a piece of a body.
func (t eventType) isDelta() bool {
	switch t {
	case typeTextDelta, typeRefusalDelta, typeArgsDelta, typeInputDelta, typeThinkingDelta:
		return true
	default:
		return false
	}
}
