package text_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/text"
)

func FuzzStream(f *testing.F) {
	f.Add("a+b", "X", "X|c", "[$0]", "aaab acX", uint64(1))
	f.Add(`\bfoo\b`, "", `(?i)k`, "\xe2", "foo kK\u212a \xe2\x82\xac", uint64(2))
	f.Add("a.*b|a", "b", `^b$`, "-", "aaaa\nab", uint64(3))
	f.Fuzz(func(t *testing.T, first, with, second, then, input string, seed uint64) {
		if len(first)+len(second) > 60 || len(with)+len(then) > 40 || len(input) > 400 {
			t.Skip("big input shows nothing that small input does not")
		}
		if strings.Contains(first+second, `\Q`) {
			t.Skip("the oracle joins patterns, and a quotation would swallow what it puts between them")
		}
		rules := []text.Rule{
			{Patterns: []string{first, second}, Replacement: with, Literal: true},
			{Patterns: []string{second}, Replacement: then},
		}
		chain, err := text.Compile(rules...)
		if err != nil {
			t.Skip("refused")
		}
		r := rand.New(rand.NewPCG(seed, 4))
		if seed%2 == 0 {
			chain.Cramp(r.IntN(6), 64*r.IntN(6), 1+r.IntN(30), r.IntN(9))
		}
		checkAgainst(t, newOracle(rules), r, rules, chain, input)
	})
}
