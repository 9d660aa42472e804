package slab

import "unsafe"

// Slab hands out pieces of larger allocations, which grow with what is asked for:
// a text has many small commands.
type Slab[T any] struct {
	all  []T
	used int
}

// Most is how many bytes are allocated at once, if not more is asked for.
const Most = 128 << 10

// limit is how many values that are.
func (s *Slab[T]) limit() int {
	var one T
	return Most / int(unsafe.Sizeof(one))
}

// Take returns n zero values.
func (s *Slab[T]) Take(n int) []T {
	if n == 0 {
		return []T{}
	}
	if n > len(s.all)-s.used {
		s.all, s.used = make([]T, max(n, min(2*len(s.all)+n, s.limit()))), 0
	}
	taken := s.all[s.used : s.used+n : s.used+n]
	s.used += n
	return taken
}

// Room returns an empty list with room for n.
func (s *Slab[T]) Room(n int) []T { return s.Take(n)[:0] }

// Reset takes back what was handed out. Nobody may have a piece of it.
func (s *Slab[T]) Reset() {
	if s.used > 0 {
		s.empty()
	}
}

func (s *Slab[T]) empty() {
	if len(s.all) > s.limit() { // one that asked for much
		s.all, s.used = nil, 0
	}
	clear(s.all[:s.used])
	s.used = 0
}
