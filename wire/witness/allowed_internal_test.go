package witness

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Comparing only what is new finds what comparing all of it finds, also when texts are
// added meanwhile.
func TestGoingOnIsBeginning(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func(most int) string {
		b := make([]byte, random.IntN(most))
		for i := range b {
			b[i] = "ab"[random.IntN(2)]
		}
		return string(b)
	}
	found := 0
	for range 20_000 {
		set := new(texts)
		set.add(word(8))
		for range random.IntN(6) {
			set.add(word(8))
		}
		var at progress
		for text := word(3); ; text += word(3) {
			want := slices.ContainsFunc(set.sorted, func(known string) bool { return strings.HasPrefix(known, text) })
			if got := set.hasPrefix(&at, []byte(text)); got != want {
				t.Fatalf("%q of %q: got %v", text, set.sorted, got)
			}
			if !want || len(text) > 8 {
				break
			}
			found++
			if random.IntN(3) == 0 {
				set.add(text + word(4))
			}
		}
	}
	if found < 10_000 {
		t.Errorf("only %d beginnings were found", found)
	}
}
