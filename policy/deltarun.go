package policy

import (
	"unsafe"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// deltaRun is a run of consecutive deltas of one held block: usually the
// arguments of a call. They are many, small and similar, so what they share is
// kept once, and the rest without pointers.
type deltaRun struct {
	ruling *ruling
	arena  *arena
	// chunk and event are what all have in common.
	chunk stream.Chunk
	event [1]stream.Event
	parts []bundle
	few   [2]bundle // most need no more
}

// bundle is a piece of a run. Pieces get larger, and none is ever moved.
type bundle struct {
	bytes []byte
	marks []mark
}

// mark is the position of one delta in a bundle.
type mark struct {
	seq, offset int
	number      int64
	// raw and data are ranges of bytes, span one of the payload.
	raw, data, span [2]int32
}

const markSize = int(unsafe.Sizeof(mark{}))

// maxDelta is the largest payload that a run keeps.
const maxDelta = 1 << 20

// alike reports whether a chunk is nothing but a delta that a run can keep.
func alike(c *stream.Chunk, t *touch) bool {
	if len(c.Events) != 1 || len(t.gates) != 1 || len(t.spans) > 0 || len(t.lanes) != 1 || c.Whole || c.Ambiguous || c.Edited || len(c.Raw) > maxDelta {
		return false
	}
	ev := &c.Events[0]
	return ev.Type == stream.EventDelta && ev.Field == stream.Body && ev.Raw == nil &&
		len(ev.ID)+len(ev.Name)+len(ev.ProviderType)+len(ev.ToolUseID) == 0
}

// appendDelta keeps a delta in the last run, or in a new one.
func (e *Engine) appendDelta(c *stream.Chunk, t *touch) *item {
	r := t.gates[0]
	// The order among choices must be kept, too.
	if last := e.queue.last; last != nil && last.run != nil && last.run.takes(c, r) {
		last.run.add(c)
		size := len(c.Raw) + markSize
		last.size += size
		e.queue.bytes += size
		return last
	}
	s := e.queue.memory().deltaRun()
	s.ruling, s.chunk, s.parts = r, *c, s.few[:0]
	s.event[0] = c.Events[0]
	s.chunk.Raw, s.chunk.Events = nil, nil
	s.event[0].Data = nil
	s.add(c)
	it := e.queue.arena.item()
	it.run = s
	it.first = c.Seq
	it.size = len(c.Raw) + overhead
	e.line(it, t)
	return it
}

// takes reports whether a delta is like those in the run.
func (s *deltaRun) takes(c *stream.Chunk, r *ruling) bool {
	ev, kept := &c.Events[0], &s.event[0]
	return s.ruling == r && s.chunk.Name == c.Name && kept.Kind == ev.Kind && kept.Index == ev.Index &&
		kept.Status == ev.Status && kept.Reason == ev.Reason
}

func (s *deltaRun) add(c *stream.Chunk) {
	ev := &c.Events[0]
	b := s.bundleFor(len(c.Raw) + len(ev.Data))
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

// bundleFor returns a bundle that has room for one more delta of n bytes.
func (s *deltaRun) bundleFor(bytes int) *bundle {
	n := len(s.parts)
	if n > 0 {
		if b := &s.parts[n-1]; cap(b.bytes)-len(b.bytes) >= bytes && len(b.marks) < cap(b.marks) {
			return b
		}
	}
	deltas := 4 << min(n, 5)
	s.parts = append(s.parts, bundle{
		bytes: s.arena.alloc(max(min(deltas*bytes, nextBytes), bytes)), marks: s.arena.allocMarks(deltas),
	})
	return &s.parts[n]
}

func (b *bundle) put(p []byte) [2]int32 {
	from := len(b.bytes)
	b.bytes = append(b.bytes, p...)
	return [2]int32{int32(from), int32(len(b.bytes))}
}

func (b *bundle) at(r [2]int32) []byte { return b.bytes[r[0]:r[1]:r[1]] }

// send sends the deltas as the chunks they arrived in.
func (s *deltaRun) send(out *stream.Output, ambiguous bool) error {
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

// within returns the offset of part in raw, and false if it is not a part of
// it.
func within(raw, part []byte) (at int, ok bool) {
	// Two slices of one array differ in capacity by their distance.
	at = cap(raw) - cap(part)
	if len(part) == 0 || at < 0 || at+len(part) > len(raw) || &raw[at] != &part[0] {
		return 0, false
	}
	return at, true
}
