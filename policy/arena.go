package policy

import (
	"sync"

	"github.com/sluice-project/sluice/stream"
)

// arena allocates the memory of the queue in large pieces: a held call can be a
// thousand small chunks. The first pieces are pooled, so that holding a call
// usually allocates nothing.
type arena struct {
	// What is left of the current pieces.
	bytes  []byte
	events []stream.Event
	chunks []stream.Chunk
	items  []item
	marks  []mark
	runs   []deltaRun
	// blocks are the further pieces of bytes, taken from a pool.
	blocks []*block

	firstBytes  [4 << 10]byte
	firstEvents [16]stream.Event
	firstChunks [12]stream.Chunk
	firstItems  [16]item
	firstMarks  [64]mark
	firstRuns   [4]deltaRun
}

// The sizes of further pieces.
const (
	nextBytes  = 8 << 10
	nextChunks = 16
)

// block is a further piece of bytes. It is pooled.
type block [nextBytes]byte

var blocks = sync.Pool{New: func() any { return new(block) }}

var arenas = sync.Pool{New: func() any { return new(arena) }}

func newArena() *arena {
	s, ok := arenas.Get().(*arena)
	if !ok {
		s = new(arena)
	}
	s.bytes, s.events, s.chunks = s.firstBytes[:], s.firstEvents[:], s.firstChunks[:]
	s.items, s.marks, s.runs = s.firstItems[:], s.firstMarks[:], s.firstRuns[:]
	return s
}

// give returns the arena to the pool. Pointers to other memory are cleared.
func (s *arena) give() {
	clear(s.firstEvents[:])
	clear(s.firstChunks[:])
	clear(s.firstItems[:])
	clear(s.firstRuns[:])
	s.bytes, s.events, s.chunks, s.items, s.marks, s.runs = nil, nil, nil, nil, nil, nil
	for i, b := range s.blocks {
		blocks.Put(b)
		s.blocks[i] = nil
	}
	s.blocks = s.blocks[:0]
	arenas.Put(s)
}

func (s *arena) item() *item {
	if len(s.items) == 0 {
		s.items = make([]item, nextChunks)
	}
	it := &s.items[0]
	s.items = s.items[1:]
	return it
}

// keep copies a chunk. It does what Chunk.Clone does, with fewer allocations.
func (s *arena) keep(c *stream.Chunk) *stream.Chunk {
	if len(s.chunks) == 0 {
		s.chunks = make([]stream.Chunk, nextChunks)
	}
	kept := &s.chunks[0]
	s.chunks = s.chunks[1:]
	*kept = *c
	kept.Raw = s.copy(c.Raw)
	n := len(c.Events)
	if len(s.events) < n {
		s.events = make([]stream.Event, max(nextChunks, n))
	}
	kept.Events = s.events[:n:n]
	s.events = s.events[n:]
	copy(kept.Events, c.Events)
	for i := range kept.Events {
		ev := &kept.Events[i]
		ev.Data = s.piece(kept.Raw, c.Raw, ev.Data)
		ev.Raw = s.piece(kept.Raw, c.Raw, ev.Raw)
		if ev.Usage != nil {
			u := *ev.Usage
			u.Raw = s.copy(u.Raw)
			ev.Usage = &u
		}
	}
	return kept
}

// piece returns a copy of part: the corresponding piece of kept if it is a piece of
// raw.
func (s *arena) piece(kept, raw, part []byte) []byte {
	if len(part) == 0 {
		if part == nil {
			return nil
		}
		return []byte{}
	}
	if at, ok := within(raw, part); ok {
		return kept[at : at+len(part) : at+len(part)]
	}
	return s.copy(part)
}

func (s *arena) copy(p []byte) []byte {
	if p == nil {
		return nil
	}
	kept := s.alloc(len(p))[:len(p)]
	copy(kept, p)
	return kept
}

// alloc returns memory for n bytes.
func (s *arena) alloc(n int) []byte {
	if len(s.bytes) < n {
		s.bytes = s.further(n)
	}
	room := s.bytes[:0:n]
	s.bytes = s.bytes[n:]
	return room
}

// further returns a piece for n bytes.
func (s *arena) further(n int) []byte {
	if n > nextBytes {
		return make([]byte, n)
	}
	b, ok := blocks.Get().(*block)
	if !ok {
		b = new(block)
	}
	s.blocks = append(s.blocks, b)
	return b[:]
}

// allocMarks returns memory for n marks.
func (s *arena) allocMarks(n int) []mark {
	if len(s.marks) < n {
		return make([]mark, 0, n)
	}
	room := s.marks[:0:n]
	s.marks = s.marks[n:]
	return room
}

// deltaRun returns an empty run of deltas.
func (s *arena) deltaRun() *deltaRun {
	if len(s.runs) == 0 {
		return &deltaRun{arena: s}
	}
	t := &s.runs[0]
	s.runs = s.runs[1:]
	t.arena = s
	return t
}
