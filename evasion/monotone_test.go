package evasion_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/evasion"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
)

// sampled is how many variants are judged where not all of them are.
func sampled() int {
	if brief() {
		return 1000
	}
	return 6000
}

// Commands of the suites, written in other ways or with more beside them: what is
// blocked stays blocked, and what does the same as something harmless passes.
func TestVariantsOfCallsAreJudgedAlike(t *testing.T) {
	set := recommended(t)
	judge := func(c *evasion.Case, form []llm.Block) bool {
		return decideForm(t, set, exchange(t, c, wire.OpenAIChat, true), form, true).blocked
	}
	type job struct {
		c       *evasion.Case
		v       variant
		hostile bool
	}
	type source struct {
		c       *evasion.Case
		hostile bool
	}
	var sources []source
	of := func(cases []evasion.Case, hostile bool) {
		for i := range cases {
			sources = append(sources, source{&cases[i], hostile})
		}
	}
	of(wanted(hostile(t)), true)
	of(wanted(harmless(t)), false)
	random := rand.New(rand.NewPCG(1, uint64(len(sources))))
	if !long() {
		random.Shuffle(len(sources), func(i, j int) { sources[i], sources[j] = sources[j], sources[i] })
	}
	var jobs []job
	for _, s := range sources {
		if !long() && len(jobs) > 4*sampled() { // enough to choose from
			break
		}
		if len(s.c.Calls) != 1 || s.c.Legacy || judge(s.c, s.c.Forms()[0]) != s.hostile {
			continue
		}
		for _, v := range append(variants(s.c.Calls[0].Shell), formVariants(s.c)...) {
			if v.form == nil {
				v.form = llmCall(v.text)
			}
			if s.hostile || v.neutral {
				jobs = append(jobs, job{s.c, v, s.hostile})
			}
		}
	}
	if !long() {
		random.Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
		jobs = jobs[:min(len(jobs), sampled())]
	}
	var mu sync.Mutex
	var wrong []string
	byKind := map[string]int{}
	var wg sync.WaitGroup
	next := make(chan *job)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for j := range next {
				if judge(j.c, j.v.form) == j.hostile {
					continue
				}
				mu.Lock()
				wrong = append(wrong, fmt.Sprintf("%s: %s: %s", j.c.Name, j.v.name, j.v.text))
				byKind[fmt.Sprintf("hostile %v, %s", j.hostile, j.v.name)]++
				mu.Unlock()
			}
		})
	}
	for i := range jobs {
		next <- &jobs[i]
	}
	close(next)
	wg.Wait()
	t.Logf("%d variants judged, %d wrong: %v", len(jobs), len(wrong), byKind)
	if len(wrong) > 0 {
		slices.Sort(wrong)
		t.Errorf("%d are judged unlike the original, for example:\n%s", len(wrong), strings.Join(wrong[:min(len(wrong), 20)], "\n"))
	}
}

// llmCall is a command as Claude Code calls it.
func llmCall(text string) []llm.Block {
	c := evasion.Case{Calls: []evasion.Call{{Shell: text}}}
	return c.Forms()[0]
}
