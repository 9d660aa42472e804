package policy

import (
	"unsafe"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// stretch keeps the deltas of one held block that came one after the other: the
// arguments of a call, mostly. They are many, small and alike, so what they
// share is kept once, and the rest without a pointer in it.
type stretch struct {
	ruling *ruling
	slab   *slab
	// chunk and event are what all have in common.
	chunk stream.Chunk
	event [1]stream.Event
	parts []bundle
	few   [2]bundle // most need no more
}

// bundle is a piece of a stretch. Pieces get larger, and none is ever moved.
type bundle struct {
	bytes []byte
	marks []mark
}

// mark is where one delta stands in a bundle.
type mark struct {
	seq, offset int
	number      int64
	// raw and data are ranges of bytes, span one of the payload.
	raw, data, span [2]int32
}

const markSize = int(unsafe.Sizeof(mark{}))

// maxStretched is the largest payload that a stretch keeps.
const maxStretched = 1 << 20

// alike reports whether a chunk is nothing but a delta that a stretch can keep.
func alike(c *stream.Chunk, t *touch) bool {
	if len(c.Events) != 1 || len(t.gates) != 1 || len(t.spans) > 0 || len(t.lanes) != 1 || c.Whole || c.Ambiguous || c.Edited || len(c.Raw) > maxStretched {
		return false
	}
	ev := &c.Events[0]
	return ev.Type == stream.EventDelta && ev.Field == stream.Body && ev.Raw == nil &&
		len(ev.ID)+len(ev.Name)+len(ev.ProviderType)+len(ev.ToolUseID) == 0
}

// stretchOut keeps a delta in the stretch that came last, or in a new one.
func (e *Engine) stretchOut(c *stream.Chunk, t *touch) *item {
	r := t.gates[0]
	// Choices keep their order among each other, too.
	if last := e.queue.last; last != nil && last.stretch != nil && last.stretch.takes(c, r) {
		last.stretch.add(c)
		size := len(c.Raw) + markSize
		last.size += size
		e.queue.bytes += size
		return last
	}
	s := e.queue.memory().stretch()
	s.ruling, s.chunk, s.parts = r, *c, s.few[:0]
	s.event[0] = c.Events[0]
	s.chunk.Raw, s.chunk.Events = nil, nil
	s.event[0].Data = nil
	s.add(c)
	it := e.queue.slab.item()
	it.stretch = s
	it.first = c.Seq
	it.size = len(c.Raw) + overhead
	e.line(it, t)
	return it
}

// takes reports whether a delta is like those that are kept.
func (s *stretch) takes(c *stream.Chunk, r *ruling) bool {
	ev, kept := &c.Events[0], &s.event[0]
	return s.ruling == r && s.chunk.Name == c.Name && kept.Kind == ev.Kind && kept.Index == ev.Index &&
		kept.Status == ev.Status && kept.Reason == ev.Reason
}

func (s *stretch) add(c *stream.Chunk) {
	ev := &c.Events[0]
	b := s.room(len(c.Raw) + len(ev.Data))
	m := mark{seq: c.Seq, number: c.Number, offset: ev.Offset, span: [2]int32{int32(ev.Span.Start), int32(ev.Span.End)}}
	at, ok := within(c.Raw, ev.Data)
	m.raw = b.put(c.Raw)
	if ok {
		from := m.raw[0] + int32(at)
		m.data = [2]int32{from, from + int32(len(ev.Data))}
	} else {
		m.data = b.put(ev.Data)
	}
	b.marks = append(b.marks, m)
}

// room returns a bundle that has room for one more delta of so many bytes.
func (s *stretch) room(bytes int) *bundle {
	n := len(s.parts)
	if n > 0 {
		if b := &s.parts[n-1]; cap(b.bytes)-len(b.bytes) >= bytes && len(b.marks) < cap(b.marks) {
			return b
		}
	}
	deltas := 4 << min(n, 5)
	s.parts = append(s.parts, bundle{
		bytes: s.slab.room(max(min(deltas*bytes, nextBytes), bytes)), marks: s.slab.markRoom(deltas),
	})
	return &s.parts[n]
}

func (b *bundle) put(p []byte) [2]int32 {
	from := len(b.bytes)
	b.bytes = append(b.bytes, p...)
	return [2]int32{int32(from), int32(len(b.bytes))}
}

func (b *bundle) at(r [2]int32) []byte { return b.bytes[r[0]:r[1]:r[1]] }

// send sends the deltas as the chunks that they came in.
func (s *stretch) send(out *stream.Output, ambiguous bool) error {
	c := &s.chunk
	c.Events, c.Ambiguous = s.event[:], ambiguous
	ev := &s.event[0]
	for i := range s.parts {
		b := &s.parts[i]
		for j := range b.marks {
			m := &b.marks[j]
			c.Raw, c.Seq, c.Number = b.at(m.raw), m.seq, m.number
			ev.Data, ev.Offset, ev.Span = b.at(m.data), m.offset, llm.Span{Start: int(m.span[0]), End: int(m.span[1])}
			if err := out.Send(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// within returns where in raw a part of it stands, and false if it is no part
// of it.
func within(raw, part []byte) (at int, ok bool) {
	// Two slices of one array differ in their capacity by their distance.
	at = cap(raw) - cap(part)
	if len(part) == 0 || at < 0 || at+len(part) > len(raw) || &raw[at] != &part[0] {
		return 0, false
	}
	return at, true
}
