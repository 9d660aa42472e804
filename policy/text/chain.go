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
	s := c.newStream(StreamOptions{Limit: math.MaxInt}, false)
	s.Write([]byte(text))
	s.End()
	found := s.Hits()
	order(found)
	pieces := s.Pieces()
	if len(pieces) == 0 || len(pieces) == 1 && !pieces[0].Replaced {
		return text, found
	}
	var out strings.Builder
	for _, p := range pieces {
		if p.Replaced {
			out.WriteString(p.Text)
		} else {
			out.WriteString(text[p.Start:p.End])
		}
	}
	return out.String(), found
}

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
