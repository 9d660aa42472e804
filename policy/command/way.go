package command

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/internal/describe"
)

// way is one of the sequences of words by which a command is called. An element
// lists alternatives; each may have the wildcards of wild. The element "**"
// stands for any number of words.
type way []element

type element struct {
	words []string
	any   bool // "**"
}

// parseWays reads "uninstall|delete, history delete".
func parseWays(s string) []way {
	var ways []way
	for part := range strings.SplitSeq(s, ",") {
		var w way
		for word := range strings.FieldsSeq(part) {
			if word == "**" {
				w = append(w, element{any: true})
			} else {
				w = append(w, element{words: strings.Split(word, "|")})
			}
		}
		ways = append(ways, w)
	}
	return ways
}

func (e *element) matches(word string) bool {
	return slices.ContainsFunc(e.words, func(want string) bool {
		if want == word {
			return true
		}
		return describe.Wild(want, word)
	})
}

// weight says how specific the alternative is that a word matches: its name or a
// pattern.
func (e *element) weight(word string) int {
	if slices.Contains(e.words, word) {
		return 2
	}
	return 1
}

// covers reports whether all words that another way has are among those of this one.
func (w way) covers(other way) bool {
	if len(w) != len(other) || len(w) == 0 {
		return false
	}
	for i := range w {
		if w[i].any || other[i].any || slices.ContainsFunc(other[i].words, func(word string) bool {
			return !slices.ContainsFunc(w[i].words, func(pattern string) bool { return describe.Wild(pattern, word) })
		}) {
			return false
		}
	}
	return true
}

// literal reports whether the element names words and is no pattern.
func (e *element) literal() bool {
	return !e.any && !slices.ContainsFunc(e.words, func(w string) bool { return strings.ContainsAny(w, `*?\`) })
}

// searches reports whether the way is about words wherever they stand.
func (w way) searches() bool {
	return slices.ContainsFunc(w, func(e element) bool { return e.any })
}

// mostBegins is at how many words a way may begin that any word does.
const mostBegins = 8

// begins is how many of the operands a way may pass over before it begins. A word that any
// operand is, is the first of them, which may be the value of an option, or the next.
func (w way) begins(operands []operand) int {
	n := 1
	if len(w) > 0 && !w[0].any && !w[0].literal() {
		for n < min(len(operands), mostBegins) && operands[n-1].maybe {
			n++
		}
	}
	return n
}

// match reports how many of the operands the way takes, -1 if it does not match.
// Operands that may be values of options can be passed over. used marks those that
// are words of the way. Of several readings it is the shortest.
// weight says how specific it is: the more words the way names, the more.
func (w way) match(operands []operand) (taken int, used []bool, weight int) {
	if len(w) == 0 {
		return 0, nil, 0
	}
	// can[e*(n+1)+o]: the elements from e on match the operands from o on.
	n := len(operands)
	if first := &w[0]; !first.any && (n == 0 || !operands[0].maybe && !first.matches(operands[0].key)) {
		return -1, nil, 0 // as of most
	}
	can := make([]bool, (len(w)+1)*(n+1))
	for o := range n + 1 {
		can[len(w)*(n+1)+o] = true
	}
	for e := len(w) - 1; e >= 0; e-- {
		row, next := can[e*(n+1):], can[(e+1)*(n+1):]
		row[n] = w[e].any && next[n]
		for o := n - 1; o >= 0; o-- {
			switch {
			case w[e].any:
				row[o] = next[o] || row[o+1]
			case row[o+1] && operands[o].maybe:
				row[o] = true
			default:
				row[o] = next[o+1] && w[e].matches(operands[o].key)
			}
		}
	}
	if !can[0] {
		return -1, nil, 0
	}
	used = make([]bool, n)
	e, o := 0, 0
	for e < len(w) {
		switch next := can[(e+1)*(n+1):]; {
		case w[e].any && (e+1 == len(w) || next[o] && (o == n || w[e+1].matches(operands[o].key))):
			e++
		case w[e].any:
			used[o] = true
			o++
		case next[o+1] && w[e].matches(operands[o].key):
			used[o] = true
			weight += w[e].weight(operands[o].key)
			e++
			o++
		default: // the value of an option
			o++
		}
	}
	return o, used[:o], weight
}
