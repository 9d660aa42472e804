package command

import (
	"math/rand/v2"
	"testing"
)

// The index leaves out only ways that do not match, and keeps the order of the commands.
func TestTheIndexFindsEveryWayThatMatches(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	compared := 0
	for _, name := range Builtin().Names() {
		p := Builtin().Program(name)
		if p == nil || len(p.index.entries) < 2 {
			continue
		}
		words := []string{"", "x", "-", `\`}
		for _, e := range p.index.entries {
			for _, element := range e.way {
				words = append(words, element.words...)
			}
		}
		for range 30 {
			operands := make([]operand, r.IntN(4))
			for i := range operands {
				word := words[r.IntN(len(words))]
				operands[i] = operand{text: word, key: word, at: i, maybe: r.IntN(3) == 0}
			}
			var want, got []*calledBy
			for i := range p.index.entries {
				e := &p.index.entries[i]
				if taken, _, _ := e.way.match(operands); taken >= 0 {
					want = append(want, e)
				}
			}
			for e := range p.index.candidates(operands) {
				if taken, _, _ := e.way.match(operands); taken >= 0 {
					got = append(got, e)
				}
			}
			if len(got) != len(want) {
				t.Fatalf("%s %v: %d ways match, the index finds %d", name, operands, len(want), len(got))
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%s %v: the ways are found in another order", name, operands)
				}
			}
			compared += len(want)
		}
	}
	if compared < 1000 {
		t.Fatalf("only %d ways matched", compared)
	}
}
