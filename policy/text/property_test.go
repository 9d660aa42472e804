package text_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/text"
)

// oracle applies rules to whole texts with Go's regexp: what every other way must
// agree with.
type oracle []oracleRule

type oracleRule struct {
	text.Rule
	any      *regexp.Regexp // (p1)|(p2)|...
	patterns []*regexp.Regexp
}

func newOracle(rules []text.Rule) oracle {
	o := make(oracle, len(rules))
	for i, r := range rules {
		o[i].Rule = r
		for _, p := range r.Patterns {
			o[i].patterns = append(o[i].patterns, regexp.MustCompile(p))
		}
		o[i].any = regexp.MustCompile("(" + strings.Join(r.Patterns, ")|(") + ")")
	}
	return o
}

// matches lists the pattern and the groups of each match.
func (r *oracleRule) matches(input string) (patterns []int, groups [][]int) {
	for _, all := range r.any.FindAllStringSubmatchIndex(input, -1) {
		at := 1
		for i, re := range r.patterns {
			n := re.NumSubexp() + 1
			if all[2*at] >= 0 {
				patterns = append(patterns, i)
				groups = append(groups, all[2*at:2*(at+n)])
				break
			}
			at += n
		}
	}
	return patterns, groups
}

func (o oracle) apply(input string) (string, []text.Hit) {
	var hits []text.Hit
	for i := range o {
		r := &o[i]
		var out strings.Builder
		at := 0
		patterns, groups := r.matches(input)
		for j, g := range groups {
			hits = append(hits, text.Hit{Rule: i, Pattern: patterns[j], Start: g[0], End: g[1]})
			out.WriteString(input[at:g[0]])
			if r.Literal {
				out.WriteString(r.Replacement)
			} else {
				out.Write(r.patterns[patterns[j]].ExpandString(nil, r.Replacement, input, g))
			}
			at = g[1]
		}
		out.WriteString(input[at:])
		input = out.String()
	}
	return input, hits
}

func (o oracle) find(input string) (hits []text.Hit) {
	for i := range o {
		patterns, groups := o[i].matches(input)
		for j, g := range groups {
			hits = append(hits, text.Hit{
				Rule: i, Pattern: patterns[j],
				Start: g[0], End: g[1], InputStart: g[0], InputEnd: g[1],
			})
		}
	}
	return hits
}

// stripInput clears what the oracle does not tell.
func stripInput(hits []text.Hit) []text.Hit {
	hits = slices.Clone(hits)
	for i := range hits {
		hits[i].InputStart, hits[i].InputEnd = 0, 0
	}
	return hits
}

// flow feeds the input in the given cuts and checks every promise of a stream on
// the way. It returns the output.
func flow(chain *text.Chain, opts text.StreamOptions, input string, cuts []int) (string, []text.Hit, error) {
	s := chain.NewStream(opts)
	var out strings.Builder
	end, settled := 0, 0
	var hits []text.Hit
	take := func(fed int) error {
		if now := s.Settled(); now < settled || now > fed {
			return fmt.Errorf("settled went from %d to %d with %d fed", settled, now, fed)
		}
		settled = s.Settled()
		for _, p := range s.Pieces() {
			if p.Start != end || p.End <= p.Start {
				return fmt.Errorf("piece [%d,%d) after %d", p.Start, p.End, end)
			}
			end = p.End
			switch {
			case p.Replaced:
				out.WriteString(p.Text)
			case p.Text != "":
				return fmt.Errorf("unchanged piece with text %q", p.Text)
			default:
				out.WriteString(input[p.Start:p.End])
			}
		}
		hits = append(hits, s.Hits()...)
		if end != settled {
			return fmt.Errorf("settled %d, pieces up to %d", settled, end)
		}
		return nil
	}
	at := 0
	scratch := []byte{}
	for i, cut := range append(slices.Clone(cuts), len(input)) {
		before := out.Len()
		scratch = append(scratch[:0], input[at:cut]...)
		var clean bool
		if i%2 == 0 {
			clean = s.Write(scratch)
		} else {
			clean = s.WriteString(input[at:cut])
		}
		for j := range scratch {
			scratch[j] = '!' // the stream must not keep the piece
		}
		from := end
		at = cut
		if err := take(at); err != nil {
			return "", nil, err
		}
		if clean && (end != at || out.String()[before:] != input[from:end]) {
			return "", nil, fmt.Errorf("clean at %d, but settled %d", at, end)
		}
	}
	s.End()
	if err := take(len(input)); err != nil {
		return "", nil, err
	}
	if end != len(input) {
		return "", nil, fmt.Errorf("ended at %d of %d", end, len(input))
	}
	return out.String(), hits, nil
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
	replacements = []string{"", "X", "[r]", "a", "ab", "\xe2", "aX", "\n", " "}
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

// randomRules makes rules that compile.
func randomRules(r *rand.Rand) ([]text.Rule, *text.Chain) {
	for {
		rules := make([]text.Rule, 1+r.IntN(3))
		for i := range rules {
			rules[i] = text.Rule{Replacement: pick(r, replacements), Literal: r.IntN(2) == 0}
			template := r.IntN(3) == 0
			if template {
				rules[i].Replacement, rules[i].Literal = pick(r, templates), false
			}
			for range 1 + r.IntN(3) {
				p := randomPattern(r, 2)
				if template {
					p = "(?P<g>" + p + ")" + randomPattern(r, 1)
				}
				rules[i].Patterns = append(rules[i].Patterns, p)
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
		fmt.Fprintf(&b, "%q -> %q (literal %v)\n", r.Patterns, r.Replacement, r.Literal)
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
