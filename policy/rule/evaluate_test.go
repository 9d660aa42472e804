package rule

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/internal/advice"
)

// An evaluation that is given up says so, or what it would have said.
func TestEvaluationIsLimited(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 17))
	gaveUp := 0
	for range 300 {
		source := randomCondition(random, 3)
		p, err := Compile(source, Options{Applies: advice.CallKinds})
		if err != nil {
			continue
		}
		v := viewOf(policy.NewSubject(nil, randomBlock(random)), nil)
		var f frame
		p.begin(&f, v)
		want := p.node.holds(&f)
		exact := mostCost - f.steps
		for _, steps := range []int{exact, exact - 1, exact / 2, 1, 0} {
			var f frame
			p.begin(&f, v)
			f.steps = steps
			got := p.node.holds(&f)
			if f.steps >= 0 && got != want || steps == exact && got != want {
				t.Fatalf("%s: %v with %d of %d steps, %v with all", source, got, steps, exact, want)
			}
			if f.steps < 0 {
				gaveUp++
			}
		}
	}
	if gaveUp < 100 {
		t.Errorf("only %d evaluations were given up", gaveUp)
	}
}

// If what is known is enough to be true, more can not make it false: a call
// that was cut is never decided otherwise than the same call with the rest.
func TestMoreElementsDoNotChangeADecision(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	decided := 0
	for range 600 {
		source := randomCondition(random, 3)
		p, err := Compile(source, Options{Applies: advice.CallKinds})
		if err != nil || strings.Contains(source, "call.raw") || strings.Contains(source, "call.args") {
			continue
		}
		known := randomCommands(random)
		some := bashBlock(known + "; $X")
		all := bashBlock(known + "; $X; " + randomCommands(random))
		before, _, err := p.Match(policy.NewSubject(nil, some))
		if err != nil || before == Unknown {
			continue
		}
		decided++
		after, what, err := p.Match(policy.NewSubject(nil, all))
		if err != nil || after != before && after != Unknown {
			t.Fatalf("%s: %v for %s, but %v %s %v for %s", source, before, some.Arguments, after, what, err, all.Arguments)
		}
		if after == Unknown {
			t.Fatalf("%s: %v for %s, but more is %v (%s): %s", source, before, some.Arguments, after, what, all.Arguments)
		}
	}
	if decided < 50 {
		t.Errorf("only %d cases were decided", decided)
	}
}
