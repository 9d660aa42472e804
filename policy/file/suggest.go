package file

import (
	"fmt"
	"strings"
)

// suggest says what the writer may have meant by a word that is none of the
// known ones: the nearest of them, or all of them.
func suggest(word string, known []string) string {
	if len(known) == 0 {
		return ""
	}
	best, least := "", len(word)/2+1
	for _, candidate := range known {
		if d := distance(strings.ToLower(word), candidate, least); d < least {
			best, least = candidate, d
		}
	}
	if best != "" {
		return fmt.Sprintf("did you mean %s?", best)
	}
	return "use " + oneOf(known)
}

// oneOf lists words: a, b or c.
func oneOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// distance counts the letters that must be changed, added, left out or swapped
// with their neighbour to make b of a. It gives up at most.
func distance(a, b string, most int) int {
	if len(a) > 64 || len(a)-len(b) >= most || len(b)-len(a) >= most {
		return most
	}
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
