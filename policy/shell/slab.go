package shell

// slab hands out pieces of larger allocations, which grow with what is asked for:
// a text has many small commands. What it hands out is never used again.
type slab[T any] struct {
	rest []T
	next int // how much is allocated next
}

const (
	leastSlab = 4
	mostSlab  = 128
)

// take returns n zero values.
func (s *slab[T]) take(n int) []T {
	if n == 0 {
		return []T{}
	}
	if n > len(s.rest) {
		s.next = min(max(s.next*2, leastSlab), mostSlab)
		s.rest = make([]T, max(n, s.next))
	}
	taken := s.rest[:n:n]
	s.rest = s.rest[n:]
	return taken
}
