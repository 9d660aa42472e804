package partial_test

import (
	"path"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/internal/partial"
)

// A text in which wildcards are holes could be all that they match.
func TestAWildTextCouldBeWhatItMatches(t *testing.T) {
	t.Parallel()

	const letters = "ab*?"
	var texts, patterns []string
	var grow func(text string)
	grow = func(text string) {
		patterns = append(patterns, text)
		if !strings.ContainsAny(text, "*?") {
			texts = append(texts, text)
		}
		if len(text) < 5 {
			for _, c := range letters {
				grow(text + string(c))
			}
		}
	}
	grow("")
	for _, pattern := range patterns {
		wild := partial.New(partial.Wild(pattern))
		for _, text := range texts {
			matches, err := path.Match(pattern, text)
			if err != nil {
				t.Fatal(err)
			}
			if could := wild.Could(text); matches && !could || could && !matches && strings.Count(pattern, "?") == 0 {
				t.Errorf("%s could be %s: %v, and matches: %v", pattern, text, could, matches)
			}
		}
	}
}

// A text without an end of a hole is open from there on.
func TestHolesWithoutAnEnd(t *testing.T) {
	t.Parallel()

	for _, text := range []string{"\x00", "a\x00", "a\x00?", "\x00?", "\x00[", "$", "`", "${", "$("} {
		h := partial.New(text)
		if could := h.Could(strings.TrimRight(text, "\x00?[$`{(") + "b"); !could {
			t.Errorf("%q could not be more than is known of it", text)
		}
	}
}
