package evasion_test

import (
	_ "embed" // for variants.txt
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/evasion"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/wire"
)

// sampled is how many variants are judged where not all of them are.
const sampled = 6000

// misjudged are the variants that are known to be judged wrongly, by the beginning of
// the SHA-256 of their text, each with the case and the change. The list may only
// shrink: a variant that is not in it fails, and so does one that is in it and is
// judged rightly.
//
//go:embed variants.txt
var misjudged string

const variantsHead = "# Variants of the suites that are judged unlike the original, see monotone_test.go.\n"

func knownWrong() map[string]bool {
	known := map[string]bool{}
	for line := range strings.Lines(misjudged) {
		if hash, _, ok := strings.Cut(line, " "); ok && hash != "#" {
			known[hash] = true
		}
	}
	return known
}

// Commands of the suites, written in other ways or with more beside them: what is
// blocked stays blocked, and what does the same as something harmless passes.
func TestVariantsOfCallsAreJudgedAlike(t *testing.T) {
	set := recommended(t)
	judge := func(c *evasion.Case, text string) bool {
		form := llmCall(text)
		return set.Decide(t.Context(), exchange(t, c, wire.OpenAIChat, true), form, policy.Options{}).Verdict.Action.Blocks()
	}
	type job struct {
		c       *evasion.Case
		v       variant
		hostile bool
	}
	var jobs []job
	collect := func(cases []evasion.Case, hostile bool) {
		for i := range cases {
			c := &cases[i]
			if len(c.Calls) != 1 || c.Calls[0].Shell == "" || len(c.Before) > 0 || judge(c, c.Calls[0].Shell) != hostile {
				continue
			}
			for _, v := range variants(c.Calls[0].Shell) {
				if hostile || v.neutral {
					jobs = append(jobs, job{c, v, hostile})
				}
			}
		}
	}
	collect(wanted(hostile(t)), true)
	collect(wanted(harmless(t)), false)
	all := len(jobs)
	if !long() {
		random := rand.New(rand.NewPCG(1, uint64(all)))
		random.Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
		jobs = jobs[:min(len(jobs), sampled)]
	}
	var mu sync.Mutex
	var wrong, unlisted []string
	listed := knownWrong()
	seen := 0
	byKind := map[string]int{}
	var wg sync.WaitGroup
	next := make(chan *job)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for j := range next {
				if judge(j.c, j.v.text) == j.hostile {
					continue
				}
				mu.Lock()
				hash := hashOf(j.v.text)
				wrong = append(wrong, fmt.Sprintf("%s %s: %s", hash, j.c.Name, j.v.name))
				if listed[hash] {
					seen++
				} else {
					unlisted = append(unlisted, fmt.Sprintf("%s: %s: %s", j.c.Name, j.v.name, j.v.text))
				}
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
	slices.Sort(wrong)
	if path := os.Getenv("SLUICE_VARIANTS"); path != "" {
		if err := os.WriteFile(path, []byte(variantsHead+strings.Join(slices.Compact(wrong), "\n")+"\n"), 0o600); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d of %d variants judged, %d wrong: %v", len(jobs), all, len(wrong), byKind)
	if len(unlisted) > 0 {
		slices.Sort(unlisted)
		t.Errorf("%d are judged unlike the original, for example:\n%s", len(unlisted), strings.Join(unlisted[:min(len(unlisted), 20)], "\n"))
	}
	if long() && seen < len(listed) && os.Getenv("SLUICE_EVASION") == "" {
		t.Errorf("%d of the %d variants in variants.txt are judged rightly now: take them out (SLUICE_VARIANTS=FILE writes the list)", len(listed)-seen, len(listed))
	}
}

// llmCall is a command as Claude Code calls it.
func llmCall(text string) llm.Block {
	c := evasion.Call{Shell: text}
	k := evasion.Case{Calls: []evasion.Call{c}}
	return k.Forms()[0][0]
}
