package pattern_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/internal/pattern"
)

// What other engines have is named, with what to write instead.
func TestRefusedPatternsAreExplained(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]string{
		"foo(?!bar)": "no lookahead (?!...)", "(?=x)y": "no lookahead (?=...)", "(?<=a)b": "no lookbehind (?<=...)", "(?<!a)b": "no lookbehind (?<!...)",
		"(?>a)": "no atomic groups", `(a)\1`: `no references to groups such as \1`, "a++": "no repetition ++", "a**": "no repetition **",
		"a(": "not a regular expression: missing closing )", "[z-a]": "not a regular expression: invalid character class range", "a": "",
	} {
		message, suggestion := pattern.Refused(expression)
		if want == "" && message != "" || !strings.Contains(message, want) || (message == "") != (suggestion == "") {
			t.Errorf("%s: %q, %q; want %q", expression, message, suggestion, want)
		}
		if strings.Contains(message+suggestion, "error parsing") {
			t.Errorf("%s: %q says it in Go's words", expression, message)
		}
	}
}
