package text_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/text"
)

// stripInput clears what the oracle does not report.
func stripInput(hits []text.Hit) []text.Hit {
	hits = slices.Clone(hits)
	for i := range hits {
		hits[i].InputStart, hits[i].InputEnd = 0, 0
	}
	return hits
}

// order sorts the hits of a stream by rule; those of one rule are in order.
func order(hits []text.Hit) {
	slices.SortStableFunc(hits, func(a, b text.Hit) int { return a.Rule - b.Rule })
}

var (
	atoms = []string{
		"X", "X", "r", `\[r`, `\]`,
		"a", "b", "c", "ab", "abc", "x", "é", "日", "K", "s", "[ab]", "[^a]", "[a-c]", ".", `\w`, `\d`, `\s`, `[^\s]`,
		`(?i)k`, "(?i:ab)", `\pL`, "(?s:.)", `\x{fffd}`, "foo", "1", "_", "aa", `[\x{80}-\x{7ff}]`, "(?i:s)",
	}
	ops        = []string{"", "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{2,}", "{0,2}?"}
	assertions = []string{"", "", "", "", "", `\b`, `\B`, "^", "$", `(?m:^)`, `(?m:$)`, `\A`, `\z`}
	bits       = []string{
		"a", "a", "b", "b", "c", "ab", "abc", "x", "é", "日", "k", "K", "\u212a", "s", "ſ", " ", "\n", "foo", "1", "_",
		"\xff", "\xe2", "\x82", "\xac", "-", "aaaa", "AB", "X", "[r]",
	}
	replacements = []string{"", "", "X", "[r]", "a", "ab", "\xe2", "aX", "\n", " "}
	templates    = []string{"<$1>", "${1}b", "$0$1", "$$1${g}"}
)

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

func randomPattern(r *rand.Rand, depth int) string {
	var b strings.Builder
	for range 1 + r.IntN(3) {
		b.WriteString(pick(r, assertions))
		atom := pick(r, atoms)
		switch {
		case depth > 0 && r.IntN(4) == 0:
			atom = "(?:" + randomPattern(r, depth-1) + "|" + randomPattern(r, depth-1) + ")"
		case depth > 0 && r.IntN(6) == 0:
			atom = "(" + randomPattern(r, depth-1) + ")"
		case len([]rune(atom)) > 1 && atom[0] != '[' && atom[0] != '\\' && atom[0] != '(':
			atom = "(?:" + atom + ")"
		}
		b.WriteString(atom)
		b.WriteString(pick(r, ops))
	}
	b.WriteString(pick(r, assertions))
	return b.String()
}

// replaceSome is a Replace that leaves about a third of the matches alone.
func replaceSome(with string) func(text.Match) (string, bool) {
	return func(m text.Match) (string, bool) {
		sum := m.Pattern + 7*m.Start
		for _, b := range m.Text {
			sum += int(b)
		}
		return with + string(m.Part()[:sum%2]), sum%3 != 0
	}
}

// randomRules makes rules that compile.
func randomRules(r *rand.Rand) ([]text.Rule, *text.Chain) {
	for {
		rules := make([]text.Rule, 1+r.IntN(3))
		for i := range rules {
			rules[i] = text.Rule{Replacement: pick(r, replacements), Literal: r.IntN(2) == 0}
			template := r.IntN(3) == 0
			switch {
			case template && r.IntN(2) == 0:
				rules[i].Replacement, rules[i].Literal = "", false
				rules[i].Replace = replaceSome(pick(r, replacements))
			case template:
				rules[i].Replacement, rules[i].Literal = pick(r, templates), false
			}
			for range 1 + r.IntN(3) {
				p := randomPattern(r, 2)
				if template {
					p = "(?P<g>" + p + ")" + randomPattern(r, 1)
				}
				rules[i].Patterns = append(rules[i].Patterns, p)
			}
			if r.IntN(3) == 0 {
				rules[i].Except = []string{randomPattern(r, 2), randomPattern(r, 1)}
			}
		}
		if chain, err := text.Compile(rules...); err == nil {
			if r.IntN(2) == 0 {
				chain.Cramp(r.IntN(6), 64*r.IntN(6), 1+r.IntN(30), r.IntN(9))
			}
			return rules, chain
		}
	}
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	some := make([]string, 2+r.IntN(6))
	for i := range some {
		some[i] = pick(r, bits)
	}
	for range r.IntN(40) {
		b.WriteString(pick(r, some))
	}
	return b.String()
}

func randomCuts(r *rand.Rand, n int) []int {
	var cuts []int
	switch r.IntN(3) {
	case 0: // one byte at a time
		for i := range n {
			cuts = append(cuts, i)
		}
	case 1:
		for i := 0; i < n; i += 1 + r.IntN(9) {
			cuts = append(cuts, i)
		}
	default:
		for range r.IntN(4) {
			cuts = append(cuts, r.IntN(n+1))
		}
		slices.Sort(cuts)
	}
	return cuts
}

func describe(rules []text.Rule) string {
	var b strings.Builder
	for _, r := range rules {
		fmt.Fprintf(&b, "%q -> %q (literal %v, asks %v)\n", r.Patterns, r.Replacement, r.Literal, r.Replace != nil)
	}
	return b.String()
}

func TestEveryChunkingGivesTheWholeTextResult(t *testing.T) {
	t.Parallel()
	rounds := 600
	if testing.Short() {
		rounds = 150
	}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		rules, chain := randomRules(r)
		oracle := newOracle(rules)
		for range 10 {
			checkAgainst(t, oracle, r, rules, chain, randomText(r))
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func checkAgainst(t *testing.T, oracle oracle, r *rand.Rand, rules []text.Rule, chain *text.Chain, input string) {
	t.Helper()
	want, wantHits := oracle.apply(input)
	got, hits := chain.Apply(input)
	if got != want {
		t.Errorf("%sinput %q\nApply %q\nwant  %q", describe(rules), input, got, want)
		return
	}
	if !slices.Equal(stripInput(hits), wantHits) {
		t.Errorf("%sinput %q\nhits %v\nwant %v", describe(rules), input, hits, wantHits)
		return
	}
	for range 3 {
		cuts := randomCuts(r, len(input))
		got, streamed, err := flow(chain, text.StreamOptions{}, input, cuts)
		if err != nil || got != want {
			t.Errorf("%sinput %q cuts %v\nstream %q %v\nwant   %q", describe(rules), input, cuts, got, err, want)
			return
		}
		order(streamed)
		if !slices.Equal(streamed, hits) {
			t.Errorf("%sinput %q cuts %v\nstream hits %v\nwant %v", describe(rules), input, cuts, streamed, hits)
			return
		}
	}
	found := oracle.find(input)
	if got := chain.Find(input); !slices.Equal(got, found) {
		t.Errorf("%sinput %q\nFind %v\nwant %v", describe(rules), input, got, found)
	}
}

// Cases that random texts found.
func TestCasesThatWereWrongOnce(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		rules []text.Rule
		input string
	}{
		{"an assertion in a loop that can run empty", []text.Rule{rule("*", `(?:^K{2}|\b[^\s]{0,2}?)+\x{fffd}\b`)},
			"\xffsa\xff\xffx\xffs\xff\xff\xffaaaxaaaaaasxaxaKaaaa\xffxa"},
		{"no credit is left at the end of a piece", []text.Rule{rule("\n", "QX"), rule("[r]", `s\z`)}, "s\xe2"},
		{"a character made of bytes around a deletion", []text.Rule{rule("", "-"), rule("*", "é")}, "\xc3-\xa9"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			oracle := newOracle(tc.rules)
			for i := range 64 {
				chain := compile(t, tc.rules...)
				if i > 0 {
					chain.Cramp(i%4, 64*(i/4%4), 1+i/16, i/32)
				}
				checkAgainst(t, oracle, rand.New(rand.NewPCG(uint64(i), 5)), tc.rules, chain, tc.input)
			}
		})
	}
}

func TestAnOverrunDoesNotDependOnTheChunking(t *testing.T) {
	t.Parallel()
	rounds := 600
	if testing.Short() {
		rounds = 150
	}
	overruns := 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		rules, chain := randomRules(r)
		for range 5 {
			input := randomText(r)
			opts := text.StreamOptions{Limit: 1 + r.IntN(12), Notice: "<withheld>"}
			want, wantHits, err := flow(chain, opts, input, nil)
			if err != nil {
				t.Fatalf("seed %d: %slimit %d input %q: %v", seed, describe(rules), opts.Limit, input, err)
			}
			order(wantHits)
			if strings.Contains(want, opts.Notice) {
				overruns++
			} else if whole, _ := chain.Apply(input); whole != want {
				t.Fatalf("seed %d: %slimit %d input %q\n got %q\nwant %q", seed, describe(rules), opts.Limit, input, want, whole)
			}
			for range 3 {
				cuts := randomCuts(r, len(input))
				got, hits, err := flow(chain, opts, input, cuts)
				order(hits)
				if err != nil || got != want || !slices.Equal(hits, wantHits) {
					t.Fatalf("seed %d: %slimit %d input %q cuts %v\n got %q %v %v\nwant %q %v",
						seed, describe(rules), opts.Limit, input, cuts, got, hits, err, want, wantHits)
				}
			}
		}
	}
	if overruns == 0 {
		t.Error("no overrun was tried")
	}
}
