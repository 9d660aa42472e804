package contradict_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/sluicetest/contradict"
)

const seeds = 4000

// Without contradictions an answer is legal, and a strict client finds in it what
// the answer says it has.
func TestWellFormedAnswersAreWhatTheySay(t *testing.T) {
	for _, dialect := range sluicetest.Formats() {
		streamed, whole := 0, 0
		for seed := range uint64(seeds) {
			a := contradict.New(dialect, seed)
			if !a.WellFormed {
				continue
			}
			inspect, data := sluicetest.Inspect, a.SSE()
			if a.Plan.Whole {
				inspect, data = sluicetest.InspectBody, a.Body()
				whole++
			} else {
				streamed++
			}
			report, err := inspect(dialect, data)
			if err != nil || !report.Ended {
				t.Fatalf("%v, ended %v\n%s", err, report.Ended, a.String())
			}
			if err := a.Expect(report, false); err != nil {
				t.Fatalf("%v\n%s", err, a.String())
			}
		}
		if streamed < seeds/10 || whole < seeds/40 {
			t.Errorf("%s: only %d streams and %d bodies of %d answers are well formed", dialect, streamed, whole, seeds)
		}
	}
}

func TestTheSameSeedGivesTheSameAnswer(t *testing.T) {
	for _, dialect := range sluicetest.Formats() {
		for seed := range uint64(500) {
			a, b := contradict.New(dialect, seed), contradict.New(dialect, seed)
			if a.String() != b.String() || !slices.Equal(a.Calls, b.Calls) {
				t.Fatalf("%s, seed %d:\n%s\n%s", dialect, seed, a.String(), b.String())
			}
		}
	}
}

// Every contradiction is drawn, finds a place and changes something, in every
// dialect that has it.
func TestEveryContradictionIsUsed(t *testing.T) {
	used := map[string]bool{}
	for _, dialect := range sluicetest.Formats() {
		for seed := range uint64(3 * seeds) {
			p := contradict.NewPlan(dialect, seed)
			if len(p.Steps) != 1 {
				continue
			}
			a := p.Answer()
			if len(a.Applied) == 0 {
				continue
			}
			p.Steps = nil
			if plain := p.Answer(); !bytes.Equal(plain.SSE(), a.SSE()) {
				used[dialect+": "+a.Applied[0]] = true
			}
		}
	}
	for _, c := range contradict.All() {
		for _, dialect := range c.Dialects {
			if !used[dialect+": "+c.Name] {
				t.Errorf("%s: %q was never used", dialect, c.Name)
			}
		}
	}
}

// What is forbidden stands only in calls: texts, and what the provider runs, have
// nothing of it, so that whoever finds it in what left has found a leak.
func TestOnlyCallsAreForbidden(t *testing.T) {
	for _, dialect := range sluicetest.Formats() {
		forbidden := 0
		for seed := range uint64(seeds) {
			p := contradict.NewPlan(dialect, seed)
			p.Steps = nil
			p.Blocks = slices.DeleteFunc(p.Blocks, func(b contradict.Block) bool { return b.Forbidden != contradict.Nothing })
			if a := p.Answer(); contradict.Marked(string(a.SSE())) || strings.Contains(string(a.SSE()), "Z") {
				t.Fatalf("nothing is forbidden, but something is marked:\n%s", a.String())
			}
			a := contradict.New(dialect, seed)
			if slices.ContainsFunc(a.Calls, func(c contradict.Call) bool { return c.Forbidden }) {
				forbidden++
			}
		}
		if forbidden < seeds/3 {
			t.Errorf("%s: only %d of %d answers have a forbidden call", dialect, forbidden, seeds)
		}
	}
}
