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
func search(s string) []Finding {
	stream := finder().NewStream(text.StreamOptions{Limit: math.MaxInt})
	stream.Write([]byte(s))
	stream.End()
	var found []Finding
	for _, p := range stream.Pieces() {
		if p.Replaced {
			found = append(found, Finding{Rule: p.Text[len(open) : len(p.Text)-len(noMAC)], Start: p.Start, End: p.End})
		}
	}
	return found
}
