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

// It says of lists that not all of them is known, and not that nothing is.
func TestWhatIsKnownInPartIsSaidSo(t *testing.T) {
	t.Parallel()
	for what, want := range map[string]string{
		"call.commands":             "not everything that it runs is known",
		"call.effects, session.cwd": "not everything that it does is known, and the working directory is not known",
		"the value of $X":           "the value of $X is not known",
		"call.args":                 "what its arguments are is not known",
		"call.reads, call.urls":     "not every file that it reads is known, and not every address that it uses is known",
	} {
		if got := Plainly(what); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
}
