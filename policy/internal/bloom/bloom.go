package marks

// Set are the marks of some names.
type Set [size / 64]uint64

// size is how many marks there are.
const size = 512

// Add adds a name.
func (s *Set) Add(name string) {
	m := Of(name)
	s[m/64] |= 1 << (m % 64)
}

// May is false if the name with a mark is none of the set.
func (s *Set) May(m Mark) bool { return s[m/64%(size/64)]>>(m%64)&1 != 0 }

// Mark is a number that few names share.
type Mark uint16

// Of returns the mark of a name. It depends on its length and on its first, middle
// and last letters.
func Of(name string) Mark {
	n := uint(len(name))
	if n == 0 {
		return 0
	}
	return Mark((uint(name[0])*7 + uint(name[n/2])*31 + uint(name[n-1])*131 + n*61) % size)
}
