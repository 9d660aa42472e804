package memory_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent/memory"
)

// One round of an agent in a conversation that fills its window.
func BenchmarkRoundInAFullWindow(b *testing.B) {
	m, err := memory.New(memory.NewInMemory(), memory.Options{})
	if err != nil {
		b.Fatal(err)
	}
	at, err := m.Add(b.Context(), "a", 0, talk(strings.Repeat("U Cab Tab A ", memory.DefaultMessages/4))...)
	if err != nil {
		b.Fatal(err)
	}
	round := talk("U Cab Tab A")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Get(b.Context(), "a"); err != nil {
			b.Fatal(err)
		}
		if at, err = m.Add(b.Context(), "a", at, round...); err != nil {
			b.Fatal(err)
		}
	}
}

// One round of an agent in a conversation that is far from its limit.
func BenchmarkRoundWithinTheWindow(b *testing.B) {
	repo := memory.NewInMemory()
	m, err := memory.New(repo, memory.Options{})
	if err != nil {
		b.Fatal(err)
	}
	question, round := talk(strings.Repeat("U Cab Tab A ", 5)), talk("Cab Tab")
	b.ReportAllocs()
	for b.Loop() {
		if err := m.Clear(b.Context(), "a"); err != nil {
			b.Fatal(err)
		}
		at, err := repo.Append(b.Context(), "a", 0, question)
		if err != nil {
			b.Fatal(err)
		}
		if _, err = m.Add(b.Context(), "a", at, round...); err != nil {
			b.Fatal(err)
		}
	}
}
