package pattern

import "strings"

// words is a list of words that a text is searched for at once, with the
// algorithm of Wu and Manber: the text is read in steps as long as the shortest
// word, and two bytes determine how far away the next word is at least.
type words struct {
	list  []string
	folds bool // case does not matter; the list is in lower case
	least int  // the length of the shortest word
	// first has the first bytes of the words.
	first [256]bool
	// skip is, by two bytes, how many bytes further the next word can end, as
	// far as the shortest length of it is concerned; 0 means here.
	skip *[skips]uint8 // nil if each word is searched for separately
	// ends are, by the two bytes where skip is 0, the words there.
	ends map[uint16][]string
}

// fewWords is the number of words up to which searching for each separately is
// faster.
const fewWords = 4

// skips is the number of pairs of bytes that are distinguished: all of ASCII,
// ignoring the case of letters.
const skips = 1 << 12

func pairOf(a, b byte) uint16 {
	return (uint16(a&0x1f|a>>1&0x20)<<6 | uint16(b&0x1f|b>>1&0x20)) % skips
}

// newWords returns nil for a list that rules nothing out.
func newWords(list []string, folds bool) *words {
	if !useful(list) {
		return nil
	}
	w := &words{list: list, folds: folds, least: min(shortestWord(list), 255)}
	for _, word := range list {
		w.first[word[0]] = true
		if folds && 'a' <= word[0] && word[0] <= 'z' {
			w.first[word[0]-'a'+'A'] = true
		}
	}
	if w.least < 2 || len(list) <= fewWords && !folds {
		return w
	}
	w.skip, w.ends = new([skips]uint8), map[uint16][]string{}
	for i := range w.skip {
		w.skip[i] = uint8(w.least - 1)
	}
	for _, word := range list {
		for i := 1; i < w.least; i++ {
			pair := pairOf(word[i-1], word[i])
			w.skip[pair] = min(w.skip[pair], uint8(w.least-1-i))
			if i == w.least-1 {
				w.ends[pair] = append(w.ends[pair], word)
			}
		}
	}
	return w
}

// in reports whether a text contains one of the words.
func (w *words) in(text string) bool {
	if w.skip == nil {
		return w.oneByOne(text)
	}
	// Each step depends on what the last one read. Two positions of the text
	// are read alternately, so that they wait in parallel.
	middle := len(text)/2 + w.least - 1
	one, other := w.least-1, middle
	for one < middle && other < len(text) {
		onePair, otherPair := pairOf(text[one-1], text[one]), pairOf(text[other-1], text[other])
		oneSkip, otherSkip := w.skip[onePair], w.skip[otherPair]
		if oneSkip == 0 && w.at(text, one, onePair) || otherSkip == 0 && w.at(text, other, otherPair) {
			return true
		}
		one += int(max(oneSkip, 1))
		other += int(max(otherSkip, 1))
	}
	return w.between(text, one, min(middle, len(text))) || w.between(text, other, len(text))
}

// between looks for words whose shortest length ends between two positions of a
// text.
func (w *words) between(text string, at, end int) bool {
	for at < end {
		pair := pairOf(text[at-1], text[at])
		skip := w.skip[pair]
		if skip == 0 && w.at(text, at, pair) {
			return true
		}
		at += int(max(skip, 1))
	}
	return false
}

// at reports whether one of the words with a pair of bytes at their shortest
// length is at this position.
func (w *words) at(text string, place int, pair uint16) bool {
	rest := text[place-w.least+1:]
	for _, word := range w.ends[pair] {
		if w.starts(rest, word) {
			return true
		}
	}
	return false
}

// oneByOne is for words of one character, and for few words.
func (w *words) oneByOne(text string) bool {
	for _, word := range w.list {
		if strings.Contains(text, word) {
			return true
		}
		if !w.folds {
			continue
		}
		for at := range len(text) - len(word) + 1 {
			if w.starts(text[at:], word) {
				return true
			}
		}
	}
	return false
}

// begin reports whether a text begins with one of the words.
func (w *words) begin(text string) bool {
	if text == "" || !w.first[text[0]] {
		return false
	}
	for _, word := range w.list {
		if w.starts(text, word) {
			return true
		}
	}
	return false
}

func (w *words) starts(text, word string) bool {
	if !w.folds {
		return strings.HasPrefix(text, word)
	}
	if len(text) < len(word) {
		return false
	}
	for i := range len(word) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}
