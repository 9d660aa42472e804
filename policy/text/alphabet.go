package text

import (
	"slices"
	"sort"
	"unicode"
	"unicode/utf8"
)

// kind is what an assertion such as ^ or \b wants to know about the character on
// one side of a position.
type kind uint8

const (
	edge    kind = iota // no character: the beginning or the end of the text
	newline             // \n
	word                // an ASCII letter, a digit or an underscore
	other               // anything else
	kinds
)

// kindOf returns the kind of the character that ends with byte b. Bytes of
// longer characters are never words or newlines, so the last byte is enough.
func kindOf(b byte) kind {
	switch {
	case b == '\n':
		return newline
	case b == '_', '0' <= b && b <= '9', 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
		return word
	}
	return other
}

// alphabet maps characters to classes that no pattern of a chain distinguishes.
// It is immutable.
type alphabet struct {
	// bytes is the class of each ASCII character. Other bytes have a class of
	// their own, size, which no character has.
	bytes [256]uint16
	pages [(unicode.MaxRune + 1) / 256]uint16 // index into blocks, by the upper bits of a character
	block [][256]uint16
	kinds []kind // by class
}

// size is the number of classes.
func (a *alphabet) size() int { return len(a.kinds) }

// class sorts one character.
func (a *alphabet) class(r rune) uint16 {
	return a.block[a.pages[r>>8]][r&0xff]
}

// at returns the class of the character at the beginning of text, which must not
// be empty, and its width. Like Go's regexp it reads a byte that is not UTF-8 as
// U+FFFD. The width is 0 if the character is not complete yet; at the end of the
// text none is incomplete.
func (a *alphabet) at(text []byte, atEnd bool) (class uint16, width int) {
	if b := text[0]; b < utf8.RuneSelf {
		return a.bytes[b], 1
	}
	if !atEnd && len(text) < utf8.UTFMax && !utf8.FullRune(text) {
		return 0, 0
	}
	r, n := utf8.DecodeRune(text)
	return a.class(r), n
}

// charset is a set of classes, one bit for each.
type charset []uint64

func (s charset) has(class uint16) bool { return s[class>>6]>>(class&63)&1 != 0 }

// alphabetBuilder collects the sets of characters that patterns use.
type alphabetBuilder struct {
	sets  [][]rune // pairs of first and last
	index map[string]uint32
}

func newAlphabetBuilder() *alphabetBuilder {
	b := &alphabetBuilder{index: map[string]uint32{}}
	// Characters that assertions distinguish need different classes.
	b.add([]rune{'\n', '\n'})
	b.add([]rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'})
	return b
}

// add registers a set of characters, given as pairs of first and last in
// ascending order, and returns its number.
func (b *alphabetBuilder) add(ranges []rune) uint32 {
	bits := make([]uint64, len(ranges))
	for i, r := range ranges {
		bits[i] = uint64(r)
	}
	key := wordsKey(bits)
	if id, ok := b.index[key]; ok {
		return id
	}
	id := uint32(len(b.sets))
	b.sets = append(b.sets, slices.Clone(ranges))
	b.index[key] = id
	return id
}

// build cuts all characters into intervals that no set divides, and joins the
// intervals that lie in the same sets to classes.
func (b *alphabetBuilder) build() (*alphabet, []charset) {
	cuts := []rune{0, unicode.MaxRune + 1}
	for _, set := range b.sets {
		for i := 0; i < len(set); i += 2 {
			cuts = append(cuts, set[i], set[i+1]+1)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)

	// member says for each interval which sets contain it.
	intervals := len(cuts) - 1
	words := (len(b.sets) + 63) / 64
	member := make([]uint64, intervals*words)
	for id, set := range b.sets {
		for i := 0; i < len(set); i += 2 {
			first := sort.Search(intervals, func(n int) bool { return cuts[n] >= set[i] })
			for n := first; n < intervals && cuts[n] <= set[i+1]; n++ {
				member[n*words+id/64] |= 1 << (id % 64)
			}
		}
	}

	a := &alphabet{}
	classOf := make([]uint16, intervals)
	classes := map[string]uint16{}
	sample := []int{} // by class, an interval of it
	for n := range intervals {
		key := wordsKey(member[n*words : (n+1)*words])
		id, ok := classes[key]
		if !ok {
			id = uint16(len(sample))
			classes[key] = id
			sample = append(sample, n)
		}
		classOf[n] = id
	}

	sets := make([]charset, len(b.sets))
	for id := range sets {
		sets[id] = make(charset, (len(sample)+63)/64)
		for class, n := range sample {
			if member[n*words+id/64]>>(id%64)&1 != 0 {
				sets[id][class/64] |= 1 << (class % 64)
			}
		}
	}
	for class := range sample {
		switch {
		case sets[0].has(uint16(class)):
			a.kinds = append(a.kinds, newline)
		case sets[1].has(uint16(class)):
			a.kinds = append(a.kinds, word)
		default:
			a.kinds = append(a.kinds, other)
		}
	}
	a.lay(cuts, classOf)
	return a, sets
}

// lay fills the tables that find the class of a character.
func (a *alphabet) lay(cuts []rune, classOf []uint16) {
	blocks := map[[256]uint16]uint16{}
	uniform := map[uint16]uint16{}
	n := 0
	for page := range a.pages {
		first := rune(page) * 256
		for cuts[n+1] <= first {
			n++
		}
		if cuts[n+1] >= first+256 {
			if at, ok := uniform[classOf[n]]; ok {
				a.pages[page] = at
				continue
			}
		}
		var block [256]uint16
		m := n
		for i := range block {
			for cuts[m+1] <= first+rune(i) {
				m++
			}
			block[i] = classOf[m]
		}
		at, ok := blocks[block]
		if !ok {
			at = uint16(len(a.block))
			a.block = append(a.block, block)
			blocks[block] = at
		}
		a.pages[page] = at
		if cuts[n+1] >= first+256 {
			uniform[classOf[n]] = at
		}
	}
	for i := range a.bytes {
		a.bytes[i] = uint16(a.size())
		if i < utf8.RuneSelf {
			a.bytes[i] = a.class(rune(i))
		}
	}
}

// wordsKey makes a map key of a bit set.
func wordsKey(set []uint64) string {
	key := make([]byte, 0, len(set)*8)
	for _, w := range set {
		for range 8 {
			key = append(key, byte(w))
			w >>= 8
		}
	}
	return string(key)
}
