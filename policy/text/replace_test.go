package text_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/text"
)

func TestReplaceDecidesAboutEachMatch(t *testing.T) {
	t.Parallel()
	asked := func(m text.Match) (string, bool) {
		part := string(m.Part())
		return "<" + strings.ToUpper(part) + ">", part != "no"
	}
	for _, tc := range []struct{ name, pattern, input, want string }{
		{"the first group is replaced and the rest stays", `key=(\w+);`, "a key=yes; b", "a key=<YES>; b"},
		{"without a group all of the match is", `k\w+`, "a key b", "a <KEY> b"},
		{"a group that took no part stands for all of the match", `key=(?:x|(y));`, "key=x; key=y;", "<KEY=X;> key=<Y>;"},
		{"the first group that took part counts", `key=(?:(a+)|(b+));`, "key=aa; key=bb;", "key=<AA>; key=<BB>;"},
		{"what is left alone is no match", `key=(\w+)`, "key=no key=yes", "key=no key=<YES>"},
		{"an empty group is left alone", `key=(\w*);`, "key=; key=a;", "key=; key=<A>;"},
		{"the search goes on behind what was left alone", `(no|on)`, "noon non", "no<ON> non"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			chain := compile(t, text.Rule{Patterns: []string{tc.pattern}, Replace: asked})
			got, hits := chain.Apply(tc.input)
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			if n := strings.Count(tc.want, "<"); len(hits) != n {
				t.Errorf("%d hits, want %d", len(hits), n)
			}
			for _, h := range hits {
				if part := tc.input[h.InputStart:h.InputEnd]; !strings.Contains(tc.want, "<"+strings.ToUpper(part)+">") {
					t.Errorf("a hit at %q", part)
				}
			}
		})
	}
}

func TestReplaceAndReplacementExcludeEachOther(t *testing.T) {
	t.Parallel()
	_, err := text.Compile(text.Rule{
		Patterns: []string{"a"}, Replacement: "b",
		Replace: func(text.Match) (string, bool) { return "", true },
	})
	if err == nil || !strings.Contains(err.Error(), "set one of them") {
		t.Errorf("got %v", err)
	}
}
