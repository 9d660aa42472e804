package text_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/text"
)

// oracle applies rules to whole texts with Go's regexp: what every other way must
// agree with.
type oracle []oracleRule

type oracleRule struct {
	text.Rule
	any      *regexp.Regexp // (p1)|(p2)|...
	patterns []*regexp.Regexp
}

func newOracle(rules []text.Rule) oracle {
	o := make(oracle, len(rules))
	for i, r := range rules {
		o[i].Rule = r
		for _, p := range r.Patterns {
			o[i].patterns = append(o[i].patterns, regexp.MustCompile(p))
		}
		o[i].any = regexp.MustCompile("(" + strings.Join(r.Patterns, ")|(") + ")")
	}
	return o
}

// matches lists the pattern and the groups of each match.
func (r *oracleRule) matches(input string) (patterns []int, groups [][]int) {
	for _, all := range r.any.FindAllStringSubmatchIndex(input, -1) {
		at := 1
		for i, re := range r.patterns {
			n := re.NumSubexp() + 1
			if all[2*at] >= 0 {
				patterns = append(patterns, i)
				groups = append(groups, all[2*at:2*(at+n)])
				break
			}
			at += n
		}
	}
	return patterns, groups
}

func (o oracle) apply(input string) (string, []text.Hit) {
	var hits []text.Hit
	for i := range o {
		r := &o[i]
		var out strings.Builder
		at := 0
		patterns, groups := r.matches(input)
		for j, g := range groups {
			start, end, with, replaced := r.replaced(input, patterns[j], g)
			if !replaced {
				continue
			}
			hits = append(hits, text.Hit{Rule: i, Pattern: patterns[j], Start: start, End: end})
			out.WriteString(input[at:start])
			out.WriteString(with)
			at = end
		}
		out.WriteString(input[at:])
		input = out.String()
	}
	return input, hits
}

// replaced says which part of a match is replaced by what.
func (r *oracleRule) replaced(input string, pattern int, g []int) (start, end int, with string, replaced bool) {
	start, end = g[0], g[1]
	for _, except := range r.Except {
		if regexp.MustCompile(`\A(?:` + except + `)\z`).MatchString(input[start:end]) {
			return start, end, "", false
		}
	}
	switch {
	case r.Replace != nil:
		for i := 2; i < len(g); i += 2 {
			if g[i] >= 0 {
				start, end = g[i], g[i+1]
				break
			}
		}
		if start == end {
			return 0, 0, "", false
		}
		with, replaced = r.Replace(text.Match{
			Pattern: pattern, Text: []byte(input[g[0]:g[1]]), Start: start - g[0], End: end - g[0],
		})
		return start, end, with, replaced
	case r.Literal:
		return start, end, r.Replacement, true
	default:
		return start, end, string(r.patterns[pattern].ExpandString(nil, r.Replacement, input, g)), true
	}
}

func (o oracle) find(input string) (hits []text.Hit) {
	for i := range o {
		patterns, groups := o[i].matches(input)
		for j, g := range groups {
			if start, end, _, replaced := o[i].replaced(input, patterns[j], g); replaced {
				hits = append(hits, text.Hit{
					Rule: i, Pattern: patterns[j],
					Start: start, End: end, InputStart: start, InputEnd: end,
				})
			}
		}
	}
	return hits
}

// flow feeds the input in the given cuts and checks every promise of a stream on
// the way. It returns the output.
func flow(chain *text.Chain, opts text.StreamOptions, input string, cuts []int) (string, []text.Hit, error) {
	s := chain.NewStream(opts)
	var out strings.Builder
	end, settled := 0, 0
	var hits []text.Hit
	take := func(fed int) error {
		if now := s.Settled(); now < settled || now > fed {
			return fmt.Errorf("settled went from %d to %d with %d fed", settled, now, fed)
		}
		settled = s.Settled()
		for _, p := range s.Pieces() {
			if p.Start != end || p.End <= p.Start {
				return fmt.Errorf("piece [%d,%d) after %d", p.Start, p.End, end)
			}
			end = p.End
			switch {
			case p.Replaced:
				out.WriteString(p.Text)
			case p.Text != "":
				return fmt.Errorf("unchanged piece with text %q", p.Text)
			default:
				out.WriteString(input[p.Start:p.End])
			}
		}
		hits = append(hits, s.Hits()...)
		if end != settled {
			return fmt.Errorf("settled %d, pieces up to %d", settled, end)
		}
		return nil
	}
	at := 0
	scratch := []byte{}
	for i, cut := range append(slices.Clone(cuts), len(input)) {
		before := out.Len()
		scratch = append(scratch[:0], input[at:cut]...)
		var clean bool
		if i%2 == 0 {
			clean = s.Write(scratch)
		} else {
			clean = s.WriteString(input[at:cut])
		}
		for j := range scratch {
			scratch[j] = '!' // the stream must not keep the piece
		}
		from := end
		at = cut
		if err := take(at); err != nil {
			return "", nil, err
		}
		if clean && (end != at || out.String()[before:] != input[from:end]) {
			return "", nil, fmt.Errorf("clean at %d, but settled %d", at, end)
		}
	}
	s.End()
	if err := take(len(input)); err != nil {
		return "", nil, err
	}
	if end != len(input) {
		return "", nil, fmt.Errorf("ended at %d of %d", end, len(input))
	}
	return out.String(), hits, nil
}
