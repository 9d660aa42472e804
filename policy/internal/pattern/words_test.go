package pattern

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// However many words there are, and wherever in a text they stand, they are
// found as by searching for each of them.
func TestWordsAreFound(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 22))
	some := func(letters string, least, most int) string {
		b := make([]byte, least+random.IntN(most-least+1))
		for i := range b {
			b[i] = letters[random.IntN(len(letters))]
		}
		return string(b)
	}
	found := 0
	for range 20000 {
		folds := random.IntN(2) == 0
		list := make([]string, 1+random.IntN(8))
		for i := range list {
			list[i] = some("ab-@`\xe4", 1+random.IntN(3), 5)
		}
		text := some("aAbB-@`\xe4\xc4 ", 0, 40)
		searched := text
		if folds {
			searched = strings.NewReplacer("A", "a", "B", "b").Replace(text)
		}
		w := newWords(list, folds)
		contains := slices.ContainsFunc(list, func(word string) bool { return strings.Contains(searched, word) })
		begins := slices.ContainsFunc(list, func(word string) bool { return strings.HasPrefix(searched, word) })
		if w.in(text) != contains || w.begin(text) != begins {
			t.Fatalf("%q in %q, folded %v: got %v and %v, want %v and %v", list, text, folds, w.in(text), w.begin(text), contains, begins)
		}
		if contains {
			found++
		}
	}
	if found < 2000 || found > 18000 {
		t.Errorf("the cases say little: %d found", found)
	}
}
