package settings

import (
	"regexp"
	"strconv"
	"strings"
)

// suggest says what the writer may have meant by a word that is none of the
// known ones: the nearest of them, or all of them.
func suggest(word string, known []string) string {
	if near := nearest(word, known, len(word)/2+1); near != "" {
		return "did you mean " + near + "?"
	}
	return "use " + oneOf(known)
}

// nearest returns the known word that needs the fewest changes, fewer than
// most; empty if there is none.
func nearest(word string, known []string, most int) string {
	best := ""
	for _, candidate := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(candidate), most); d < most {
			best, most = candidate, d
		}
	}
	return best
}

// oneOf lists words: a, b or c.
func oneOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// distance counts the letters that must be changed, added or left out to make
// b of a; two swapped neighbours count once. It gives up at most.
func distance(a, b string, most int) int {
	if len(a) > 64 || len(a)-len(b) >= most || len(b)-len(a) >= most {
		return most
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
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

// credential is what a key or token looks like: a known beginning, or a long
// run of letters and digits. It takes more words for secrets than there are.
var credential = regexp.MustCompile(`(?i)slk_|sk-|AIza|gh[a-z]_|xox[a-z]-|eyJ|[A-Za-z0-9+/=_-]{24,}`)

// quote quotes a text for a message, the beginning if it is long. People put
// values where they do not belong, so what could be a secret is not repeated.
func quote(text string) string {
	if credential.MatchString(text) {
		return hidden
	}
	return quotePath(text)
}

// quotePath quotes the name of a file, which can be long and look like
// anything.
func quotePath(text string) string {
	const most = 200
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return strconv.Quote(text)
}
