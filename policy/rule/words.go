package rule

import "strings"

// words is a list of words that a text is searched for at once, in the way of
// Wu and Manber: it is read in steps as long as the shortest word, and two bytes
// tell how far the next word is at least.
type words struct {
	list  []string
	folds bool // case does not matter; the list is in lower case
	least int  // the length of the shortest word
	// first has the bytes with which a word begins.
	first [256]bool
	// skip is, by two bytes, how many bytes further the next word can end, as
	// far as the shortest length of it is concerned; 0 means here.
	skip *[skips]uint8 // nil where each word is searched for by itself
	// ends are, by the two bytes that stand where skip is 0, the words there.
	ends map[uint16][]string
}

// fewWords is up to how many words it is faster to search for each by itself.
const fewWords = 4

// skips is how many pairs of bytes are told apart: all of ASCII, but for the
// case of letters.
const skips = 1 << 12

func pairOf(a, b byte) uint16 {
	return (uint16(a&0x1f|a>>1&0x20)<<6 | uint16(b&0x1f|b>>1&0x20)) % skips
}

// newWords returns nil for a list that tells nothing.
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

// in reports whether one of the words is in a text.
func (w *words) in(text string) bool {
	if w.skip == nil {
		return w.oneByOne(text)
	}
	// Each step waits for what the last one read. Two places of the text are
	// read in turn, so that they wait together.
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

// between looks for words that reach their shortest length from one place of a
// text on, and before another.
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

// at reports whether one of the words that have a pair of bytes at their
// shortest length has it at this place.
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
