package policies_test

import (
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/model/scripted"
)

// BenchmarkRound is a run of two rounds with one call, with and without a guard.
func BenchmarkRound(b *testing.B) {
	guard, err := policies.Load("preset:recommended")
	if err != nil {
		b.Fatal(err)
	}
	for name, advisors := range map[string][]agent.Advisor{"alone": nil, "guarded": {guard}} {
		b.Run(name, func(b *testing.B) {
			r := &rig{}
			b.ReportAllocs()
			for b.Loop() {
				m := scripted.New(
					scripted.Round{scripted.Text("Let me look at it, that will not take long."), scripted.Call("Bash", `{"command":"git status --short"}`)},
					scripted.Round{scripted.Text("Nothing has changed.")},
				)
				c, err := agent.New(agent.Config{Model: m, Tools: r.tools(), Advisors: advisors})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := c.Call(b.Context(), &agent.Request{Text: "x"}); err != nil {
					b.Fatal(err)
				}
				r.ran = r.ran[:0]
			}
		})
	}
}
