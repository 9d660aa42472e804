package policy

import (
	"strings"
	"unsafe"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// item is a chunk that waits for a verdict, or behind one that does.
type item struct {
	// chunk is what waits, or stretch: many chunks that are alike.
	chunk   *stream.Chunk
	stretch *stretch
	// first is the number of its payload.
	first int
	// lanes are the choices it is about. One that is about none, such as the
	// usage at the end, is about all: it waits for what came before it.
	lanes []*lane
	all   bool
	// gates are the held blocks of which it has a part, spans its parts of
	// texts that are replaced in flight.
	gates []*ruling
	spans []span
	size  int
	// ended are the blocks that nobody holds and that end with it.
	ended []ended
	// Most have one of each, which needs no memory of its own.
	oneLane [1]*lane
	oneGate [1]*ruling
}

// queue counts what waits; the order is kept by the lanes.
type queue struct {
	count, bytes int
	// common counts the waiting items that are about all lanes: what comes
	// after one waits for it too.
	common int
	// last is the item that came last.
	last *item
	// slab is where everything that waits is kept, nil while nothing does.
	slab *slab
}

// memory is where something that waits is kept.
func (q *queue) memory() *slab {
	if q.slab == nil {
		q.slab = newSlab()
	}
	return q.slab
}

func (q *queue) empty() bool { return q.count == 0 }

// overhead is counted for each item beside its bytes, so that a million empty
// payloads are not free.
const overhead = 512

// What an item keeps of each of its events, texts and lanes: a payload can have
// thousands that take a few bytes each on the wire.
const (
	eventSize   = int(unsafe.Sizeof(stream.Event{}))
	spanSize    = int(unsafe.Sizeof(delta{})) + 2*pointerSize
	pointerSize = 8
)

// enqueue keeps a copy of a chunk until it may leave.
func (e *Engine) enqueue(c *stream.Chunk, t *touch) *item {
	if alike(c, t) {
		return e.stretchOut(c, t)
	}
	it := e.queue.memory().item()
	it.chunk = e.queue.slab.keep(c)
	it.first = c.Seq
	it.size = len(c.Raw) + overhead + len(c.Events)*eventSize + len(t.spans)*spanSize + len(t.lanes)*2*pointerSize
	e.ambiguous = e.ambiguous || c.Ambiguous
	e.line(it, t)
	return it
}

// line puts an item at the end of its lanes.
func (e *Engine) line(it *item, t *touch) {
	it.gates = append(it.oneGate[:0], t.gates...)
	it.lanes = append(it.oneLane[:0], t.lanes...)
	it.spans = append(it.spans, t.spans...)
	if len(it.lanes) == 0 || e.queue.common > 0 && len(e.lanes) > 1 {
		it.lanes = append(it.lanes[:0], e.lanes...)
		it.all = true
		e.queue.common++
	}
	for _, l := range it.lanes {
		if l.home == nil {
			l.home = e.home()
			l.line = l.home
		}
		l.line = append(l.line, it)
	}
	e.queue.count++
	e.queue.bytes += it.size
	e.queue.last = it
}

// next returns the first item that may leave, nil if none may.
func (e *Engine) next() *item {
	var first *item
	for _, l := range e.lanes {
		if len(l.line) == 0 {
			continue
		}
		it := l.line[0]
		if (first == nil || it.first < first.first) && it.free() {
			first = it
		}
	}
	return first
}

// free reports whether an item may leave: it is the first in all its lanes, and
// the fate of everything in it was carried out.
func (it *item) free() bool {
	for _, l := range it.lanes {
		if len(l.line) == 0 || l.line[0] != it {
			return false
		}
	}
	for _, r := range it.gates {
		if !r.released {
			return false
		}
	}
	for i := range it.spans {
		if !it.spans[i].settled() {
			return false
		}
	}
	return true
}

// release sends what may leave.
func (e *Engine) release(out *stream.Output) error {
	for it := e.next(); it != nil; it = e.next() {
		e.remove(it)
		if err := e.send(it, out); err != nil {
			return err
		}
	}
	if e.queue.empty() {
		e.queue.give()
	}
	return nil
}

// give gives the memory of what waited back. Nobody has kept a part of it:
// writers copy what they need.
func (q *queue) give() {
	if q.slab != nil {
		q.slab.give()
		q.slab = nil
	}
}

func (e *Engine) remove(it *item) {
	for _, l := range it.lanes {
		l.line[0] = nil
		if l.line = l.line[1:]; len(l.line) == 0 {
			l.line = l.home
		}
	}
	e.queue.count--
	e.queue.bytes -= it.size
	if it.all {
		e.queue.common--
	}
	if e.queue.last == it {
		e.queue.last = nil
	}
	// The memory of what waited is given back once the last of it was sent.
}

func (e *Engine) send(it *item, out *stream.Output) error {
	for _, r := range it.gates {
		if r.left = true; r.shadows == 0 {
			e.record(r)
		}
	}
	if it.stretch != nil {
		return it.stretch.send(out, e.ambiguous)
	}
	it.chunk.Ambiguous = it.chunk.Ambiguous || e.ambiguous
	for i := range it.spans {
		it.spans[i].edit(it.chunk)
	}
	err := e.out(it.chunk, out)
	for _, b := range it.ended {
		e.recordEnded(b, err == nil)
	}
	it.ended = nil
	return err
}

// out sends a chunk, and what earlier answers said with a body.
func (e *Engine) out(c *stream.Chunk, out *stream.Output) error {
	if e.lead != "" && c.Raw != nil {
		if !e.leads(c) {
			text := llm.Block{Kind: llm.Content, Text: strings.TrimRight(e.lead, "\n")}
			if err := out.Insert(0, text); err != nil {
				return err
			}
		}
		e.lead = ""
	}
	return out.Send(c)
}

// drop forgets everything that waits.
func (e *Engine) drop() {
	waiting := make(map[[2]int]bool) // the blocks of which nothing has left
	for _, l := range e.lanes {
		for _, it := range l.line {
			for i := range it.events() {
				if ev := &it.chunk.Events[i]; ev.Type == stream.EventStart {
					waiting[[2]int{ev.Choice, ev.Block}] = true
				}
			}
			for _, b := range it.ended {
				e.recordEnded(b, !waiting[[2]int{b.block.Choice(), b.block.Position()}])
			}
			it.ended = nil // it may stand in other lanes too
		}
		clear(l.line)
		l.line = nil
	}
	e.queue = queue{}
}

// events are those of a chunk; a stretch has nothing but deltas.
func (it *item) events() []stream.Event {
	if it.chunk == nil {
		return nil
	}
	return it.chunk.Events
}
