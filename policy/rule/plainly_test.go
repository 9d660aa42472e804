package rule

import (
	"strings"
	"testing"
)

// What the model is told is not known has no names that only authors of conditions know.
func TestWhatIsNotKnownIsSaidPlainly(t *testing.T) {
	t.Parallel()
	for a := range attributes {
		name := attributeNames[a].name
		if plain := Plainly("x, " + name); strings.Contains(plain, ".") || strings.Contains(plain, "effect") || plain == "x, " {
			t.Errorf("%s is said as %q", name, plain)
		}
	}
}
