package text_test

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/policy/text"
)

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
