package flow

import "math/bits"

// grams is a filter of what stands in a text: a bit for each of the short and long
// pieces that begin at its bytes. It says no of nearly everything that is not in the
// text, so that the text need not be searched for each call of an answer. It takes as
// many bytes as the text, whatever that says.
type grams struct {
	bits  []uint64
	shift int
}

// The lengths of the pieces. Nothing shorter than shortGram is looked for.
const (
	shortGram = minPiece
	longGram  = 8
)

func newGrams(text string) *grams {
	size := bits.Len(uint(max(len(text), 1<<10))) + 3 // eight bits for each byte
	g := &grams{bits: make([]uint64, 1<<(size-6)), shift: 64 - size}
	for i := 0; i+shortGram <= len(text); i++ {
		g.add(gram(text[i : i+shortGram]))
		if i+longGram <= len(text) {
			g.add(gram(text[i : i+longGram]))
		}
	}
	return g
}

func (g *grams) add(h uint64) {
	h >>= g.shift
	g.bits[h>>6] |= 1 << (h & 63)
}

func (g *grams) has(h uint64) bool {
	h >>= g.shift
	return g.bits[h>>6]&(1<<(h&63)) != 0
}

// mayHave reports whether something can stand in the text. It is false only if it
// does not.
func (g *grams) mayHave(part string) bool {
	if g == nil {
		return true
	}
	length := longGram
	if len(part) < longGram {
		length = shortGram
	}
	for i := 0; i+length <= len(part); i++ {
		if !g.has(gram(part[i : i+length])) {
			return false
		}
	}
	return true
}

// mayHaveWindow is mayHave for any of the windows by which a run is found.
func (g *grams) mayHaveWindow(needle string) bool {
	for i := 0; i+window <= len(needle); i += window {
		if g.mayHave(needle[i : i+window]) {
			return true
		}
	}
	return false
}

// gram is the hash of a piece.
func gram(s string) uint64 {
	h := uint64(len(s))
	for i := range len(s) {
		h = h<<8 ^ h>>56 ^ uint64(s[i])
	}
	h *= factor
	return (h ^ h>>29) * factor
}
