package bloom

// Filter is a Bloom filter of names. The zero value is empty.
type Filter [size / 64]uint64

// size is the number of bits.
const size = 512

// Add adds a name.
func (f *Filter) Add(name string) {
	h := HashOf(name)
	f[h/64] |= 1 << (h % 64)
}

// May reports whether a name with this hash may have been added. False is certain.
func (f *Filter) May(h Hash) bool { return f[h/64%(size/64)]>>(h%64)&1 != 0 }

// Hash is the hash of a name: the number of its bit.
type Hash uint16

// HashOf returns the hash of a name, made from its length and its first, middle and
// last bytes.
func HashOf(name string) Hash {
	n := uint(len(name))
	if n == 0 {
		return 0
	}
	return Hash((uint(name[0])*7 + uint(name[n/2])*31 + uint(name[n-1])*131 + n*61) % size)
}
