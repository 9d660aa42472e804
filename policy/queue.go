package policy

import (
	"strings"
	"unsafe"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// item is a chunk that waits for a verdict, or behind one that does.
type item struct {
	// chunk is what waits, or run: many similar chunks.
	chunk *stream.Chunk
	run   *deltaRun
	// first is the number of its first payload.
	first int
	// lanes are the choices it belongs to. One that belongs to none, such as
	// the usage at the end, belongs to all: it waits for everything before it.
	lanes []*lane
	all   bool
	// gates are the held blocks that it contains a part of, spans its parts of
	// texts that are replaced as they stream.
	gates []*ruling
	spans []span
	size  int
	// ended are the blocks that are not held and end with it.
	ended []ended
	// Most have one of each, which avoids an allocation.
	oneLane [1]*lane
	oneGate [1]*ruling
}

// queue counts what waits; the order is kept in the lanes.
type queue struct {
	count, bytes int
	// common counts the waiting items that belong to all lanes: what comes
	// after one waits for it too.
	common int
	// last is the item queued last.
	last *item
	// arena holds everything that waits, nil while nothing does.
	arena *arena
}

// memory is the storage of something that waits.
func (q *queue) memory() *arena {
	if q.arena == nil {
		q.arena = newArena()
	}
	return q.arena
}

func (q *queue) empty() bool { return q.count == 0 }

// overhead is charged for each item on top of its bytes, so that a million
// empty payloads are not free.
const overhead = 512

// What an item keeps for each of its events, texts and lanes: a payload can
// have thousands that take a few bytes each on the wire.
const (
	eventSize   = int(unsafe.Sizeof(stream.Event{}))
	spanSize    = int(unsafe.Sizeof(delta{})) + 2*pointerSize
	pointerSize = 8
)

// enqueue keeps a copy of a chunk until it may leave.
func (e *Engine) enqueue(c *stream.Chunk, t *touch) *item {
	if alike(c, t) {
		return e.appendDelta(c, t)
	}
	it := e.queue.memory().item()
	it.chunk = e.queue.arena.keep(c)
	it.first = c.Seq
	it.size = len(c.Raw) + overhead + len(c.Events)*eventSize + len(t.spans)*spanSize + len(t.lanes)*2*pointerSize
	e.ambiguous = e.ambiguous || c.Ambiguous
	e.line(it, t)
	return it
}

// line appends an item to the queues of its lanes.
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
			l.home = e.queueBuffer()
			l.line = l.home
		}
		l.line = append(l.line, it)
	}
	e.queue.count++
	e.queue.bytes += it.size
	e.queue.last = it
}

// next returns the first item that may leave, nil if there is none.
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
// every ruling on its contents was carried out.
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

// give returns the queue's memory to the pool. Nothing refers to it any more:
// writers copy what they need.
func (q *queue) give() {
	if q.arena != nil {
		q.arena.give()
		q.arena = nil
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
	// The queue's memory is returned once the last of it was sent.
}

func (e *Engine) send(it *item, out *stream.Output) error {
	for _, r := range it.gates {
		if r.left = true; r.shadows == 0 {
			e.record(r)
		}
	}
	if it.run != nil {
		return it.run.send(out, e.ambiguous)
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

// out sends a chunk, preceded by the texts of earlier answers if it is a body.
func (e *Engine) out(c *stream.Chunk, out *stream.Output) error {
	if e.lead != "" && c.Raw != nil {
		if !e.prependTexts(c) {
			text := llm.Block{Kind: llm.Content, Text: strings.TrimRight(e.lead, "\n")}
			if err := out.Insert(0, text); err != nil {
				return err
			}
		}
		e.lead = ""
	}
	return out.Send(c)
}

// drop discards everything that waits.
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
			it.ended = nil // it may be in other lanes too
		}
		clear(l.line)
		l.line = nil
	}
	e.queue = queue{}
}

// events are those of a chunk; a run of deltas has nothing but deltas.
func (it *item) events() []stream.Event {
	if it.chunk == nil {
		return nil
	}
	return it.chunk.Events
}
