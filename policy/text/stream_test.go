package text_test

import (
	"math/rand/v2"
	"strings"
	"sync"
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
			[]step{{"hello, ", 7}, {"world", 12}}, "hello, world"},
		{"a prefix of a match is held", []text.Rule{rule("*", "sk-[a-z]{3}")},
			[]step{{"my s", 3}, {"k", 3}, {"-ab", 3}, {"c", 9}}, "my *"},
		{"and let go when it cannot become one", []text.Rule{rule("*", "sk-[a-z]{3}")},
			[]step{{"my s", 3}, {"k", 3}, {"y", 6}}, "my sky"},
		{"a match that cannot grow is settled at once", []text.Rule{rule("*", "abc")},
			[]step{{"xabc", 4}}, "x*"},
		{"a match that can grow waits", []text.Rule{rule("*", "a+")},
			[]step{{"xaa", 1}, {"a", 1}, {"b", 5}}, "x*b"},
		{"a lazy match does not", []text.Rule{rule("*", "ab+?")},
			[]step{{"xab", 3}, {"b", 4}}, "x*b"},
		{"a boundary waits for the next character", []text.Rule{rule("*", `foo\b`)},
			[]step{{"foo", 0}, {" ", 4}, {"foo", 4}, {"d", 8}}, "* food"},
		{"a boundary at the end of the text", []text.Rule{rule("*", `foo\b`, `bar$`)},
			[]step{{"foo", 0}}, "*"},
		{"the end of the text decides", []text.Rule{rule("*", "bar$")},
			[]step{{"bar", 0}, {"bar", 3}}, "bar*"},
		{"an incomplete character waits", []text.Rule{rule("*", "é")},
			[]step{{"a\xc3", 1}, {"\xa9b", 4}}, "a*b"},
		{"a byte that is no UTF-8 is not lost", []text.Rule{rule("*", "é")},
			[]step{{"a\xc3", 1}, {"b", 3}, {"\xc3", 3}}, "a\xc3b\xc3"},
		{"a preferred match may still replace a shorter one", []text.Rule{rule("*", "a.*b", "a")},
			[]step{{"aaa", 0}, {"b\n", 5}}, "*\n"},
		{"or not, and then those behind the shorter one count", []text.Rule{rule("*", "a.*b", "a")},
			[]step{{"aaa", 0}, {"c\n", 5}}, "***c\n"},
		{"a replacement joins the text before it", []text.Rule{rule("X", "bc+d"), rule("*", "aX")},
			[]step{{"a", 0}, {"b", 0}, {"cc", 0}, {"d", 5}}, "*"},
		{"a replacement joins the text behind it", []text.Rule{rule("X", "ab"), rule("*", "Xc")},
			[]step{{"ab", 0}, {"c", 3}}, "*"},
		{"a deletion joins both sides", []text.Rule{rule("", "-"), rule("*", "foo")},
			[]step{{"f", 0}, {"-", 0}, {"oo", 4}}, "*"},
		{"a deletion at the beginning moves the beginning", []text.Rule{rule("", "-"), rule("*", "^b")},
			[]step{{"-", 1}, {"b", 2}}, "*"},
		{"a replacement changes what a boundary sees", []text.Rule{rule("x", "-"), rule("*", `\bb`)},
			[]step{{"-b", 2}}, "xb"},
		{"a match in the middle of a replacement", []text.Rule{rule("xyz", "a"), rule("*", "y")},
			[]step{{"-a-", 3}}, "-x*z-"},
		{"characters put together from bytes of both sides", []text.Rule{rule("", "-"), rule("*", "é")},
			[]step{{"\xc3-", 0}, {"\xa9", 3}}, "*"},
		{"empty pieces change nothing", []text.Rule{rule("*", "ab")},
			[]step{{"", 0}, {"a", 0}, {"", 0}, {"b", 2}, {"", 2}}, "*"},
		{"no rules, no change", nil, []step{{"abc", 3}}, "abc"},
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

func TestTheLimitIsExact(t *testing.T) {
	t.Parallel()
	const limit = 1000
	for _, tc := range []struct {
		name    string
		rules   []text.Rule
		opening string
		filling string // repeated until opening and filling are as long as the limit, give or take
		closing string
		want    string // the output within the limit
	}{
		{"one rule", []text.Rule{rule("*", "<[^>]*>")}, "<", "a", ">", "*"},
		{"several rules", []text.Rule{rule("b", "a"), rule("*", "<[^>]*>")}, "<", "a", ">", "*"},
		{"text that an earlier rule deletes counts", []text.Rule{rule("", "a"), rule("*", "<>")}, "<", "a", ">", "*"},
		{"text that an earlier rule makes shorter counts", []text.Rule{rule("b", "a{9}"), rule("*", "<b*>")},
			"<", "aaaaaaaaa", ">", "*"},
		{"text that never matches", []text.Rule{rule("*", "<a*>")}, "<", "a", "<", ""},
		{"long characters", []text.Rule{rule("*", "<[^>]*>")}, "<", "日日日", ">", "*"},
	} {
		for _, over := range []int{-1, 0, 1} {
			t.Run(tc.name+map[int]string{-1: " below", 0: " at", 1: " above"}[over], func(t *testing.T) {
				t.Parallel()
				chain := compile(t, tc.rules...)
				n := (limit - len(tc.opening)) / len(tc.filling)
				held := tc.opening + strings.Repeat(tc.filling, n)
				limit := len(held) - over // the text has one length, the limit moves
				input := ". " + held + tc.closing + " ."
				want, _ := chain.Apply(input)
				if over > 0 {
					want = ". (withheld)"
				}
				opts := text.StreamOptions{Limit: limit, Notice: "(withheld)"}
				r := rand.New(rand.NewPCG(1, uint64(over+1)))
				// A match that ends with the closing is one byte longer than what was
				// undecided before; it is certain then.
				for range 20 {
					got, _, err := flow(chain, opts, input, randomCuts(r, len(input)))
					if err != nil || got != want {
						t.Fatalf("got %.40q... %v, want %.40q...", got, err, want)
					}
				}
			})
		}
	}
}

func TestAnOverrunIsNamed(t *testing.T) {
	t.Parallel()
	s := compile(t, rule("*", "<[^>]*>")).NewStream(text.StreamOptions{Limit: 4, Notice: "!"})
	s.Write([]byte("ab<abc"))
	if from, over := s.Overrun(); over || from != 0 || s.Settled() != 2 {
		t.Errorf("got %d %v settled %d: want no overrun at the limit", from, over, s.Settled())
	}
	if s.Write([]byte("d>")) {
		t.Error("want not clean")
	}
	if from, over := s.Overrun(); !over || from != 2 || s.Settled() != 8 {
		t.Errorf("got %d %v settled %d: want an overrun from 2", from, over, s.Settled())
	}
	if s.Write([]byte("later")) {
		t.Error("want not clean")
	}
	s.End()
	want := []text.Piece{
		{Start: 0, End: 2}, {Start: 2, End: 8, Replaced: true, Text: "!"}, {Start: 8, End: 13, Replaced: true},
	}
	got := s.Pieces()
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

func TestIncompleteCharactersAtTheEndCount(t *testing.T) {
	t.Parallel()
	chain := compile(t, rule("*", "<[^>]*>"))
	for limit, want := range map[int]string{4: "!", 5: "<ab\xe2\x82"} {
		opts := text.StreamOptions{Limit: limit, Notice: "!"}
		for _, cuts := range [][]int{nil, {1, 2, 3, 4}} {
			if got, _, err := flow(chain, opts, "<ab\xe2\x82", cuts); err != nil || got != want {
				t.Errorf("limit %d: got %q %v, want %q", limit, got, err, want)
			}
		}
	}
	chain = compile(t, rule("*", "<[^>]*>"), rule("*", "c.*d"))
	got, _, err := flow(chain, text.StreamOptions{Limit: 4, Notice: "!"}, " c<ab\xe2\x82", []int{5})
	if want := " !"; err != nil || got != want {
		t.Errorf("what a later rule had not decided: got %q %v, want %q", got, err, want)
	}
}

// Searching again behind each match would read a run of x once for every x in
// it, and take minutes.
func TestTimeIsLinear(t *testing.T) {
	t.Parallel()
	const size = 1 << 16
	chain := compile(t, rule("z", `x*yx`, `x`), rule("q", `z*p`, `z`))
	input := strings.Repeat("x", size)
	if got, hits := chain.Apply(input); got != strings.Repeat("q", size) || len(hits) != 2*size {
		t.Errorf("got %.20q... and %d hits", got, len(hits))
	}
	cuts := make([]int, 0, size/8)
	for at := 8; at < size; at += 8 {
		cuts = append(cuts, at)
	}
	if got, _, err := flow(chain, text.StreamOptions{Limit: size}, input, cuts); err != nil || got != strings.Repeat("q", size) {
		t.Errorf("got %.20q... %v", got, err)
	}
}

// Each byte of such text leads to a set of threads that was never seen.
func TestTextThatNeedsEverNewStates(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for b.Len() < 1<<16 {
		b.WriteByte("ab"[r.IntN(2)])
		if r.IntN(60) == 0 {
			b.WriteByte(" c"[r.IntN(2)])
		}
	}
	rules := []text.Rule{rule("*", `a[ab]{24}c`)}
	want, _ := newOracle(rules).apply(b.String())
	chain := compile(t, rules...)
	if got, _ := chain.Apply(b.String()); got != want {
		t.Error("Apply differs")
	}
	if got, _, err := flow(chain, text.StreamOptions{}, b.String(), []int{1000, 5000, 40000}); err != nil || got != want {
		t.Errorf("stream differs: %v", err)
	}
}

func TestTheAutomatonIsBounded(t *testing.T) {
	t.Parallel()
	const most = 40
	chain := compile(t, rule("[r]", secrets...))
	chain.Cramp(most, 1<<20, 100, 64)
	s := chain.NewStream(text.StreamOptions{})
	for range 20 {
		s.WriteString(prose)
		s.WriteString(nearMisses)
		if n := chain.States(); n > most {
			t.Fatalf("%d states, want %d at most", n, most)
		}
	}
}

func TestCleanTextCostsNoAllocations(t *testing.T) {
	data := repeat(prose, 1<<16)
	for _, size := range []int{3, 64, 5000} {
		s := secretsChain(t).NewStream(text.StreamOptions{})
		write := func() {
			for at := 0; at < len(data); at += size {
				s.Write(data[at:min(len(data), at+size)])
				s.Pieces()
			}
		}
		write()
		if n := testing.AllocsPerRun(5, write); n != 0 {
			t.Errorf("pieces of %d: %v allocations", size, n)
		}
	}
}

func TestAChainServesManyStreamsAtOnce(t *testing.T) {
	t.Parallel()
	rules := []text.Rule{rule("[r]", secrets...), rule("(r)", `\[r\] and`)}
	oracle := newOracle(rules)
	for _, cramped := range []bool{false, true} {
		chain := compile(t, rules...)
		if cramped {
			chain.Cramp(40, 10000, 100, 64)
		}
		var group sync.WaitGroup
		for i := range 6 {
			group.Go(func() {
				r := rand.New(rand.NewPCG(uint64(i), 3))
				for range 4 {
					var b strings.Builder
					for range 8 {
						b.WriteString(prose[r.IntN(len(prose)-200):][:200])
						b.WriteString([]string{dirty, nearMisses, prose}[r.IntN(3)])
					}
					want, _ := oracle.apply(b.String())
					got, _, err := flow(chain, text.StreamOptions{}, b.String(), randomCuts(r, b.Len()))
					if err != nil || got != want {
						t.Errorf("got %q %v\nwant %q", got, err, want)
					}
				}
			})
		}
		group.Wait()
	}
}
