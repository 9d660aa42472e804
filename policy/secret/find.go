package secret

import (
	"math"

	"github.com/sluice-project/sluice/policy/text"
)

// Finding is a secret in a text.
type Finding struct {
	// Rule is the name of the rule that found it, one of [Names].
	Rule string
	// Start and End are the bytes of the secret itself: not the name that it is
	// assigned to, and not the quotes around it.
	Start, End int
}

// Find lists the secrets in a text, in order. They do not overlap. It takes time
// in proportion to the length of the text, whatever is in it, and is safe for
// concurrent use.
func Find(s string) []Finding {
	if len(s) <= shortText && !Likely(s) {
		return nil
	}
	return search(s)
}

// search is Find for a text in which there may be one.
func search(s string) (found []Finding) {
	each(s, func(f Finding) { found = append(found, f) })
	return found
}

// each is called with each secret in a text.
func each(s string, is func(Finding)) {
	stream := finder().NewStream(text.StreamOptions{Limit: math.MaxInt})
	for more := true; more; {
		if more = s != ""; more {
			n := min(window, len(s))
			stream.WriteString(s[:n])
			s = s[n:]
		} else {
			stream.End()
		}
		stream.Hits() // they say less than the pieces do
		for _, p := range stream.Pieces() {
			if p.Replaced {
				is(Finding{Rule: ruleOf(p.Text), Start: p.Start, End: p.End})
			}
		}
	}
}

// window is how much of a text is searched before what was found in it is taken.
const window = 64 << 10
