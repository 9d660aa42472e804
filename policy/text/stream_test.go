package text_test

import (
	"testing"

	"github.com/sluice-project/sluice/policy/text"
)

func compile(t testing.TB, rules ...text.Rule) *text.Chain {
	t.Helper()
	chain, err := text.Compile(rules...)
	if err != nil {
		t.Fatal(err)
	}
	return chain
}

// rule is one rule with a literal replacement.
func rule(replacement string, patterns ...string) text.Rule {
	return text.Rule{Patterns: patterns, Replacement: replacement, Literal: true}
}

func TestTextIsHeldFromWhereAMatchMayBegin(t *testing.T) {
	t.Parallel()
	type step struct {
		piece   string
		settled int
	}
	for _, tc := range []struct {
		name  string
		rules []text.Rule
		steps []step
		want  string
	}{
		{"nothing is held where nothing can match", []text.Rule{rule("*", "sk-[a-z]{3}")},
			[]step{{piece: "hello, ", settled: 7}, {piece: "world", settled: 12}}, "hello, world"},
		{"a prefix of a match is held", []text.Rule{rule("*", "sk-[a-z]{3}")},
			[]step{{piece: "my s", settled: 3}, {piece: "k", settled: 3}, {piece: "-ab", settled: 3}, {piece: "c", settled: 9}}, "my *"},
		{"and let go when it cannot become one", []text.Rule{rule("*", "sk-[a-z]{3}")},
			[]step{{piece: "my s", settled: 3}, {piece: "k", settled: 3}, {piece: "y", settled: 6}}, "my sky"},
		{"a match that cannot grow is settled at once", []text.Rule{rule("*", "abc")},
			[]step{{piece: "xabc", settled: 4}}, "x*"},
		{"a match that can grow waits", []text.Rule{rule("*", "a+")},
			[]step{{piece: "xaa", settled: 1}, {piece: "a", settled: 1}, {piece: "b", settled: 5}}, "x*b"},
		{"a lazy match does not", []text.Rule{rule("*", "ab+?")},
			[]step{{piece: "xab", settled: 3}, {piece: "b", settled: 4}}, "x*b"},
		{"a boundary waits for the next character", []text.Rule{rule("*", `foo\b`)},
			[]step{{piece: "foo", settled: 0}, {piece: " ", settled: 4}, {piece: "foo", settled: 4}, {piece: "d", settled: 8}}, "* food"},
		{"a boundary at the end of the text", []text.Rule{rule("*", `foo\b`, `bar$`)},
			[]step{{piece: "foo", settled: 0}}, "*"},
		{"the end of the text decides", []text.Rule{rule("*", "bar$")},
			[]step{{piece: "bar", settled: 0}, {piece: "bar", settled: 3}}, "bar*"},
		{"an incomplete character waits", []text.Rule{rule("*", "é")},
			[]step{{piece: "a\xc3", settled: 1}, {piece: "\xa9b", settled: 4}}, "a*b"},
		{"a byte that is no UTF-8 is not lost", []text.Rule{rule("*", "é")},
			[]step{{piece: "a\xc3", settled: 1}, {piece: "b", settled: 3}, {piece: "\xc3", settled: 3}}, "a\xc3b\xc3"},
		{"a preferred match may still replace a shorter one", []text.Rule{rule("*", "a.*b", "a")},
			[]step{{piece: "aaa", settled: 0}, {piece: "b\n", settled: 5}}, "*\n"},
		{"or not, and then those behind the shorter one count", []text.Rule{rule("*", "a.*b", "a")},
			[]step{{piece: "aaa", settled: 0}, {piece: "c\n", settled: 5}}, "***c\n"},
		{"a replacement joins the text before it", []text.Rule{rule("X", "bc+d"), rule("*", "aX")},
			[]step{{piece: "a", settled: 0}, {piece: "b", settled: 0}, {piece: "cc", settled: 0}, {piece: "d", settled: 5}}, "*"},
		{"a replacement joins the text behind it", []text.Rule{rule("X", "ab"), rule("*", "Xc")},
			[]step{{piece: "ab", settled: 0}, {piece: "c", settled: 3}}, "*"},
		{"a deletion joins both sides", []text.Rule{rule("", "-"), rule("*", "foo")},
			[]step{{piece: "f", settled: 0}, {piece: "-", settled: 0}, {piece: "oo", settled: 4}}, "*"},
		{"a deletion at the beginning moves the beginning", []text.Rule{rule("", "-"), rule("*", "^b")},
			[]step{{piece: "-", settled: 1}, {piece: "b", settled: 2}}, "*"},
		{"a replacement changes what a boundary sees", []text.Rule{rule("x", "-"), rule("*", `\bb`)},
			[]step{{piece: "-b", settled: 2}}, "xb"},
		{"a match in the middle of a replacement", []text.Rule{rule("xyz", "a"), rule("*", "y")},
			[]step{{piece: "-a-", settled: 3}}, "-x*z-"},
		{"characters put together from bytes of both sides", []text.Rule{rule("", "-"), rule("*", "é")},
			[]step{{piece: "\xc3-", settled: 0}, {piece: "\xa9", settled: 3}}, "*"},
		{"empty pieces change nothing", []text.Rule{rule("*", "ab")},
			[]step{{piece: "", settled: 0}, {piece: "a", settled: 0}, {piece: "", settled: 0}, {piece: "b", settled: 2}, {piece: "", settled: 2}}, "*"},
		{"no rules, no change", nil, []step{{piece: "abc", settled: 3}}, "abc"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := compile(t, tc.rules...).NewStream(text.StreamOptions{})
			input, out := "", ""
			take := func() {
				for _, p := range s.Pieces() {
					if p.Replaced {
						out += p.Text
					} else {
						out += input[p.Start:p.End]
					}
				}
			}
			for i, step := range tc.steps {
				input += step.piece
				s.Write([]byte(step.piece))
				if s.Settled() != step.settled {
					t.Errorf("after piece %d: settled %d, want %d", i, s.Settled(), step.settled)
				}
				take()
			}
			s.End()
			take()
			if out != tc.want || s.Settled() != len(input) {
				t.Errorf("got %q settled %d, want %q", out, s.Settled(), tc.want)
			}
		})
	}
}

func TestPiecesTellWhichInputTheyStandFor(t *testing.T) {
	t.Parallel()
	s := compile(t, rule("[key]", `k\d+`), rule("", "-")).NewStream(text.StreamOptions{})
	if !s.Write([]byte("a b ")) {
		t.Error("want clean")
	}
	if s.Write([]byte("k12 - c")) {
		t.Error("want not clean: a match was replaced")
	}
	want := []text.Piece{
		{Start: 0, End: 4}, {Start: 4, End: 7, Replaced: true, Text: "[key]"}, {Start: 7, End: 8},
		{Start: 8, End: 9, Replaced: true}, {Start: 9, End: 11},
	}
	got := s.Pieces()
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("piece %d: got %v, want %v", i, got[i], want[i])
		}
	}
	if !s.WriteString(" d") {
		t.Error("want clean again")
	}
	s.End()
	s.End()
	if s.Write([]byte("more")) || s.Settled() != 13 {
		t.Error("want a write after the end to be ignored")
	}
}

func TestHitsNameRulePatternAndPlace(t *testing.T) {
	t.Parallel()
	chain := compile(t, rule("--", "b"), rule("*", "zzz", "-c"))
	out, hits := chain.Apply("abcb")
	want := []text.Hit{
		{Rule: 0, Pattern: 0, Start: 1, End: 2, InputStart: 1, InputEnd: 2},
		{Rule: 0, Pattern: 0, Start: 3, End: 4, InputStart: 3, InputEnd: 4},
		{Rule: 1, Pattern: 1, Start: 2, End: 4, InputStart: 1, InputEnd: 3},
	}
	if out != "a-*--" || len(hits) != len(want) {
		t.Fatalf("got %q %v", out, hits)
	}
	for i := range want {
		if hits[i] != want[i] {
			t.Errorf("hit %d: got %+v, want %+v", i, hits[i], want[i])
		}
	}
	if chain.Rules() != 2 {
		t.Errorf("got %d rules", chain.Rules())
	}
}
