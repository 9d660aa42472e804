package flow

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// corpus is what others wrote, and what the user said, in the form in which texts
// are compared.
type corpus struct {
	text string
	// ends are where the passages end, and from where they came from.
	ends []int
	from []Source
	user string

	// asked counts what was looked for. A filter is made for the third.
	asked  atomic.Int64
	once   sync.Once
	filter *grams
}

// grams returns the filter of what others wrote, nil as long as it is not worth it.
func (c *corpus) grams() *grams {
	if c.asked.Add(1) < 3 {
		return nil
	}
	c.once.Do(func() { c.filter = newGrams(c.text) })
	return c.filter
}

// What is compared at most: of all passages, of one, of what the user said, and
// of the text that may have been copied.
const (
	MaxForeignBytes = 8 << 20
	maxPassage      = 1 << 20
	maxUser         = 4 << 20
	maxNeedle       = 64 << 10
)

// newCorpus prepares texts for comparison. Where there is too much, what came
// last counts.
func newCorpus(foreign []passage, said []string) *corpus {
	c := &corpus{}
	size, first := 0, len(foreign)
	for first > 0 && size < MaxForeignBytes {
		first--
		size += min(len(foreign[first].text), maxPassage)
	}
	text := make([]byte, 0, min(size, MaxForeignBytes)+len(foreign))
	left := MaxForeignBytes
	for i := len(foreign) - 1; i >= first; i-- {
		p := &foreign[i]
		part := p.text[:min(len(p.text), maxPassage, left)]
		left -= len(part)
		text = append(appendNormal(text, part), 0) // which no text has
		c.ends, c.from = append(c.ends, len(text)), append(c.from, p.from)
	}
	if len(text) == 0 {
		return c
	}
	size = 0
	for i := len(said) - 1; i >= 0 && size < maxUser; i-- {
		size += len(said[i]) + 1
	}
	user := make([]byte, 0, min(size, maxUser))
	left = maxUser
	for i := len(said) - 1; i >= 0 && left > 0; i-- {
		part := said[i][:min(len(said[i]), left)]
		left -= len(part)
		user = append(appendNormal(user, part), 0)
	}
	c.text, c.user = own(text), own(user)
	return c
}

// own is a text that nobody else has, without a copy of it.
func own(text []byte) string {
	return unsafe.String(unsafe.SliceData(text), len(text)) //nolint:gosec // nobody changes it
}

// at is where the passage at a place came from.
func (c *corpus) at(place int) Source {
	i, found := slices.BinarySearch(c.ends, place)
	if found {
		i++
	}
	return c.from[min(i, len(c.from)-1)]
}

// copied reports where a text was copied from.
func (c *corpus) copied(text string) (Source, bool) {
	if c.text == "" {
		return Source{Message: -1}, false
	}
	text = text[:min(len(text), maxNeedle)]
	needle := strings.TrimSpace(string(appendNormal(nil, text)))
	filter := c.grams()
	if len(needle) >= minText && !isAddress(needle) && filter.mayHave(needle) {
		if i := strings.Index(c.text, needle); i >= 0 && !strings.Contains(c.user, needle) {
			return c.at(i), true
		}
	}
	pieces := slices.DeleteFunc(piecesOf(needle), func(piece string) bool { return !filter.mayHave(piece) })
	places := find(c.text, pieces)
	if slices.ContainsFunc(places, func(place int) bool { return place >= 0 }) {
		said := find(c.user, pieces)
		for i := range pieces {
			if places[i] >= 0 && said[i] < 0 {
				return c.at(places[i]), true
			}
		}
	}
	if len(needle) > minRun && !isAddress(needle) && filter.mayHaveWindow(needle) {
		if i := c.run(needle); i >= 0 {
			return c.at(i), true
		}
	}
	return Source{Message: -1}, false
}

const (
	// minText is how long a text must be to be one that is copied, minRun how
	// long a part of it.
	minText = 24
	minRun  = 40
	// window is what a run is found by: each run has one that begins at a
	// multiple of it.
	window = minRun / 2
	// mostRefused is how many runs may turn out to be the user's words.
	mostRefused = 32
	// edge is how much of a run may have been added to the user's words.
	edge = 8
	// varied is how many different bytes a run must have: lines of dashes are
	// everywhere.
	varied = 10
)

// run finds a long part of a text in what others wrote, -1 if there is none that
// the user has not said.
func (c *corpus) run(needle string) int {
	// A small filter keeps most places away from the table.
	var filter [1 << 10]uint64
	table := make(map[uint64]int, len(needle)/window)
	for i := 0; i+window <= len(needle); i += window {
		h := hashOf(needle[i : i+window])
		filter[h>>54] |= 1 << (h >> 48 & 63)
		table[h] = i
	}
	in := c.text
	if len(in) < window {
		return -1
	}
	lead := uint64(1) // of the byte that leaves the window
	for range window - 1 {
		lead *= factor
	}
	refused, steps := 0, 4*len(in)
	h := hashOf(in[:window])
	for j := 0; ; j++ {
		if filter[h>>54]&(1<<(h>>48&63)) != 0 {
			if i, ok := table[h]; ok && in[j:j+window] == needle[i:i+window] {
				start, end := widen(in, j, needle, i)
				steps -= end - start
				switch text := strings.TrimSpace(in[start:end]); {
				case end-start < minRun || !isVaried(text):
				case steps < 0 || refused == mostRefused || !strings.Contains(c.user, text[edge:len(text)-edge]):
					return start
				default:
					refused++
				}
			}
		}
		if j+window >= len(in) {
			return -1
		}
		h = (h-uint64(in[j])*lead)*factor + uint64(in[j+window])
	}
}

// factor is of the rolling hash.
const factor = 0x9E3779B97F4A7C15

func hashOf(s string) uint64 {
	h := uint64(0)
	for i := range len(s) {
		h = h*factor + uint64(s[i])
	}
	return h
}

// widen is the run around a window that two texts share, up to twice what is
// needed.
func widen(in string, j int, needle string, i int) (start, end int) {
	start, end = j, j+window
	for at := i - 1; at >= 0 && start > 0 && in[start-1] == needle[at] && end-start < 2*minRun; at-- {
		start--
	}
	for at := i + window; at < len(needle) && end < len(in) && in[end] == needle[at] && end-start < 2*minRun; at++ {
		end++
	}
	return start, end
}

func isVaried(text string) bool {
	var seen [256]bool
	n := 0
	for i := range len(text) {
		if !seen[text[i]] {
			seen[text[i]] = true
			n++
		}
	}
	return n >= varied
}
