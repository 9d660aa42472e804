package text

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Chain is rules in order. It is immutable and safe for concurrent use; its
// streams share what they learn about its patterns.
type Chain struct {
	prog *program
	auto *automaton
	tune tuning
}

// Rules is the number of rules.
func (c *Chain) Rules() int { return len(c.prog.rules) }

// Apply gives the text after all rules: the same as regexp.ReplaceAllString with
// one rule after the other. The hits are ordered by rule and then by place; see
// [Hit] for what their offsets refer to.
func (c *Chain) Apply(text string) (string, []Hit) {
	var found []Hit
	out := c.apply(text, func(hits []Hit) { found = append(found, hits...) })
	order(found)
	return out, found
}

// Replace is Apply for callers that need only the number of hits.
func (c *Chain) Replace(text string) (out string, hits int) {
	out = c.apply(text, func(found []Hit) { hits += len(found) })
	return out, hits
}

func (c *Chain) apply(text string, hit func([]Hit)) string {
	s := c.newStream(StreamOptions{Limit: math.MaxInt}, false)
	var out strings.Builder
	written := 0 // how much of the text is in out
	for at := 0; !s.ended; at = s.total {
		if at < len(text) {
			s.WriteString(text[at:min(at+window, len(text))])
		} else {
			s.End()
		}
		hit(s.Hits())
		for _, p := range s.Pieces() {
			if !p.Replaced {
				continue
			}
			if out.Len() == 0 {
				out.Grow(len(text) + len(text)/8)
			}
			out.WriteString(text[written:p.Start])
			out.WriteString(p.Text)
			written = p.End
		}
	}
	if written == 0 {
		return text
	}
	out.WriteString(text[written:])
	return out.String()
}

// window is how much of a text is searched before what was found in it is taken: a text
// that is dense with matches then needs no list of all its pieces.
const window = 64 << 10

// Find lists the matches of each rule in the text itself, as if each rule was
// alone and nothing was replaced, ordered by rule and then by place. Matches of
// different rules may overlap.
func (c *Chain) Find(text string) []Hit {
	s := c.newStream(StreamOptions{Limit: math.MaxInt}, true)
	s.Write([]byte(text))
	s.End()
	found := s.Hits()
	order(found)
	return found
}

func order(found []Hit) {
	slices.SortStableFunc(found, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Start, b.Start))
	})
}
