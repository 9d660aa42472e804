package text_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/text"
)

func TestRulesThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		rule    text.Rule
		pattern int
		reason  string
	}{
		{"no patterns", text.Rule{}, -1, "no patterns"},
		{"not a regular expression", text.Rule{Patterns: []string{"a", "("}}, 1, "not a regular expression"},
		{"an empty pattern", text.Rule{Patterns: []string{""}}, 0, "empty text"},
		{"a star", text.Rule{Patterns: []string{"a*"}}, 0, "empty text"},
		{"an option among others", text.Rule{Patterns: []string{"ab", "c|d?"}}, 1, "empty text"},
		{"nothing but assertions", text.Rule{Patterns: []string{`^\b$`}}, 0, "empty text"},
		{"a repetition of nothing", text.Rule{Patterns: []string{`(?:a*){3}`}}, 0, "empty text"},
		{"a group that does not exist", text.Rule{Patterns: []string{"(a)", "b"}, Replacement: "$1"}, 1, "no such group"},
		{"a number that is too big", text.Rule{Patterns: []string{"(a)"}, Replacement: "$999999999999"}, 0, "no such group"},
		{"a name that does not exist", text.Rule{Patterns: []string{"(a)"}, Replacement: "$1x"}, 0, "${1}x"},
		{"a brace without a name", text.Rule{Patterns: []string{"(a)"}, Replacement: "${"}, -1, "names no group"},
		{"too many instructions", text.Rule{Patterns: many("[ab]{900}", 40)}, 36, "instructions"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			tc.rule.Name = "mine"
			_, err := text.Compile(text.Rule{Patterns: []string{"x"}}, tc.rule)
			var refused *text.RuleError
			if !errors.As(err, &refused) {
				t.Fatalf("got %v", err)
			}
			if refused.Rule != 1 || refused.Name != "mine" || refused.Pattern != tc.pattern || !strings.Contains(refused.Reason, tc.reason) {
				t.Errorf("got %+v, want pattern %d and %q", refused, tc.pattern, tc.reason)
			}
			if !strings.Contains(err.Error(), "rule 1 (mine)") {
				t.Errorf("got %q, want the rule to be named", err)
			}
		})
	}
}

func many(s string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = s
	}
	return list
}

func TestTooManyClassesOfCharacters(t *testing.T) {
	t.Parallel()
	// n different characters make n classes besides newline, other words and the rest.
	build := func(n int) error {
		var pattern strings.Builder
		for i := range n {
			pattern.WriteRune(rune(0x4e00 + i))
		}
		_, err := text.Compile(text.Rule{Patterns: []string{pattern.String()}})
		return err
	}
	if err := build(text.MaxClasses - 3); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	if err := build(text.MaxClasses - 2); err == nil {
		t.Error("above the limit: want an error")
	}
}

func TestReplacements(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, pattern, replacement string
		literal                    bool
		input, want                string
	}{
		{"a group by number", `(\w+)@(\w+)`, "$2 at $1", false, "me@home", "home at me"},
		{"a group by name", `(?P<user>\w+)@\w+`, "${user}@...", false, "me@home", "me@..."},
		{"the whole match", `\d+`, "<$0>", false, "a 12 b", "a <12> b"},
		{"a group that took no part", `(a)|(b)`, "[$1]", false, "ab", "[a][]"},
		{"a dollar sign", "a", "$$1", false, "a", "$1"},
		{"a dollar sign before nothing", "a", "$ $", false, "a", "$ $"},
		{"literal", "(a)", "$1$$", true, "a", "$1$$"},
		{"groups of a match under way while another begins", `(a)(.)(b|c)`, "$3$2$1", false, "aab aac", "baa caa"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			chain := compile(t, text.Rule{Patterns: []string{tc.pattern}, Replacement: tc.replacement, Literal: tc.literal})
			if got, _ := chain.Apply(tc.input); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// What an exception matches as a whole leaves as it is, wherever the text is cut.
func TestExceptionsHoldWhereverTheTextIsCut(t *testing.T) {
	t.Parallel()

	chain := compile(t, text.Rule{Patterns: []string{`[\w.+-]+@[\w.-]*\w`}, Except: []string{`.+@corp\.example`}, Replacement: "M"})
	const input, want = "ask a@corp.example, b@corp.example.org or c@corp.example.", "ask a@corp.example, M or c@corp.example."
	for first := range len(input) {
		for second := first; second < len(input); second++ {
			if got, hits, err := flow(chain, text.StreamOptions{}, input, []int{first, second}); got != want || len(hits) != 1 || err != nil {
				t.Fatalf("cut at %d and %d: %q with %d matches, %v", first, second, got, len(hits), err)
			}
		}
	}
}
