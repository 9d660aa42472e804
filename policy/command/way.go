package command

import (
	"path"
	"slices"
	"strings"
)

// way is one of the sequences of words by which a command is called. An element
// lists alternatives; each may have the wildcards of path.Match. The element "**"
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
		if !strings.ContainsAny(want, "*?[") {
			return false
		}
		ok, err := path.Match(want, word)
		return err == nil && ok
	})
}

// literal reports whether the element names words and is no pattern.
func (e *element) literal() bool {
	return !e.any && !slices.ContainsFunc(e.words, func(w string) bool { return strings.ContainsAny(w, "*?[") })
}

// weight says how specific a way is: the more words it names, the more.
func (w way) weight() int {
	n := 0
	for i := range w {
		if w[i].literal() {
			n += 2
		} else if !w[i].any {
			n++
		}
	}
	return n
}

// most is how many words a command may be called by.
const most = 12

// match reports how many of the operands the way takes, -1 if it does not match.
// Operands that may be values of options can be passed over. used marks those that
// are words of the way. Of several readings it is the shortest.
func (w way) match(operands []operand) (taken int, used []bool) {
	n := min(len(operands), most)
	type step struct{ element, operand int }
	seen := map[step]bool{}
	var try func(e, o int) int
	path := make([]bool, n)
	try = func(e, o int) int {
		if e == len(w) {
			return o
		}
		if o >= n || seen[step{e, o}] {
			return -1
		}
		seen[step{e, o}] = true
		if w[e].any {
			if e+1 == len(w) || w[e+1].matches(operands[o].text) { // else it is one of the words of "**"
				if end := try(e+1, o); end >= 0 {
					return end
				}
			}
			path[o] = true
			if end := try(e, o+1); end >= 0 {
				return end
			}
			path[o] = false
			return -1
		}
		if w[e].matches(operands[o].text) {
			path[o] = true
			if end := try(e+1, o+1); end >= 0 {
				return end
			}
			path[o] = false
		}
		if operands[o].maybe {
			return try(e, o+1)
		}
		return -1
	}
	end := try(0, 0)
	if end < 0 {
		return -1, nil
	}
	return end, path[:end]
}
