package few

// Slab hands out zero values. The first is a part of the slab itself, the others
// are allocated together: what has a second one often has some more. The zero
// value is ready; a slab must not be copied once it was used.
type Slab[V any] struct {
	first V
	spare []V
	made  int
}

// What is allocated at once, at least and at most.
const (
	leastSpare = 3
	mostSpare  = 16
)

// New returns a value that was not handed out before.
func (s *Slab[V]) New() *V {
	s.made++
	if s.made == 1 {
		return &s.first
	}
	if len(s.spare) == 0 {
		s.spare = make([]V, min(max(leastSpare, s.made), mostSpare))
	}
	v := &s.spare[0]
	s.spare = s.spare[1:]
	return v
}
