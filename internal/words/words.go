package words

import (
	"strings"
	"unicode/utf8"
)

// Suggest says what the user may have meant by an unknown word: the nearest known one,
// or all of them. It is empty if there are no known words.
func Suggest(word string, known []string) string {
	if len(known) == 0 {
		return ""
	}
	if near := Closest(word, known); near != "" {
		return "did you mean " + near + "?"
	}
	return "use " + OneOf(known)
}

// Closest returns the known word that a mistyped one was probably meant to be, or that
// begins like it and ends otherwise: infra-destruction for infra-destroy. It is empty if
// there is none.
func Closest(word string, known []string) string {
	if near := Nearest(word, known, Most(word)); near != "" {
		return near
	}
	best, most := "", 0
	for _, candidate := range known {
		n := begins(strings.ToLower(word), strings.ToLower(candidate))
		if n >= 6 && 5*n >= 3*max(len(word), len(candidate)) && n > most {
			best, most = candidate, n
		}
	}
	return best
}

// begins is how many bytes two words begin with that are the same.
func begins(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// Most is the distance at which a word is no longer taken for a mistyped one: of a short
// word, a few changes make any other.
func Most(word string) int {
	if n := utf8.RuneCountInString(word); n > 2 {
		return 1 + max(1, n/3)
	}
	return 1
}

// Nearest returns the known word with the smallest edit distance below most, ignoring
// case, or the shortest that begins with it, that it contains or that is otherwise written
// like it from the fifth letter on, for words of at least four letters; empty if there is
// none.
func Nearest(word string, known []string, most int) string {
	best := ""
	for _, candidate := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(candidate), most); d < most {
			best, most = candidate, d
		}
	}
	if best != "" || len(word) < 4 {
		return best
	}
	for _, candidate := range known {
		if isPartOf(word, candidate) && (best == "" || len(candidate) < len(best)) {
			best = candidate
		}
	}
	return best
}

// Typo returns the known word that differs in one letter from a word, ignoring case,
// empty if there is none.
func Typo(word string, known []string) string {
	for _, candidate := range known {
		if distance(strings.ToLower(word), strings.ToLower(candidate), 2) < 2 {
			return candidate
		}
	}
	return ""
}

// isPartOf reports whether a word is the beginning of another one, contains it, or begins
// with the same four letters and is nearly as long.
func isPartOf(word, known string) bool {
	word, known = strings.ToLower(word), strings.ToLower(known)
	if strings.HasPrefix(known, word) && known != word || len(known) >= 4 && strings.Contains(word, known) {
		return true
	}
	return min(len(word), len(known)) >= 4 && word[:4] == known[:4] && max(len(word), len(known))-4 <= 3
}

// OneOf lists words: a, b or c.
func OneOf(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

// longest is the maximum length of a word that is compared: the work is quadratic in
// it.
const longest = 64

// distance is the edit distance of a and b: letters changed, added, removed or swapped
// with their neighbour. It gives up at most.
func distance(a, b string, most int) int {
	if len(a) > longest || len(a)-len(b) >= most || len(b)-len(a) >= most {
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
