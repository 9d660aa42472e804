package where

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// The look at the beginning of a path never changes what a glob says.
func TestGlobsBeginAsTheirPaths(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 9))
	pick := func(some []string) string {
		var b strings.Builder
		for range 1 + random.IntN(4) {
			b.WriteString("/" + some[random.IntN(len(some))])
		}
		return b.String()
	}
	matched := 0
	for range 20000 {
		p, pattern := pick([]string{"a", "b", "ab"}), pick([]string{"a", "b", "ab", "*", "**", "a*", "?b", "[ab]", `\a`})
		ok, err := matchElements(strings.Split(pattern, "/"), strings.Split(p, "/"))
		if (ok || err != nil) && !beginsAs(p, pattern) {
			t.Fatalf("%s matches %s, but does not begin so", pattern, p)
		}
		if ok {
			matched++
		}
	}
	if matched < 1000 {
		t.Errorf("the cases say little: %d matches", matched)
	}
}
