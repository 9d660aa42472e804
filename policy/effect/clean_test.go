package effect

import (
	"math/rand/v2"
	"path"
	"strings"
	"testing"
)

// What is taken for clean is what cleaning would leave as it is.
func TestCleanPaths(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	seen := map[bool]int{}
	for range 20_000 {
		parts := make([]string, 1+rng.IntN(4))
		for i := range parts {
			parts[i] = []string{"", ".", "..", "a", ".a", "a.", "..a", "a..b", "...", "*"}[rng.IntN(10)]
		}
		p := strings.Join(parts, "/")
		clean := isClean(p)
		seen[clean]++
		if clean && path.Join("/d", p) != "/d/"+p {
			t.Fatalf("%q is taken for clean", p)
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("seen %v", seen)
	}
}
