package text_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/text"
)

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
	chain = compile(t, rule("*", "<[^>]*>"), rule("*", "c.*d", "c"))
	got, _, err := flow(chain, text.StreamOptions{Limit: 4, Notice: "!"}, " c<ab\xe2\x82", []int{5})
	if want := " !"; err != nil || got != want {
		t.Errorf("what a later rule had not decided: got %q %v, want %q", got, err, want)
	}
}
