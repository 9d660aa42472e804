package policies_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
)

// onMarks blocks, asks about and aborts for what is marked so.
func onMarks() policy.Definition {
	d := policy.Func("marks", func(s *policy.Subject) policy.Verdict {
		said := s.Block.Text + s.Block.Arguments
		switch {
		case strings.Contains(said, "abort"):
			return policy.Verdict{Action: policy.Abort, Reason: "marked"}
		case strings.Contains(said, "bad"):
			return policy.Verdict{Action: policy.BlockEndTurn, Reason: "marked"}
		case strings.Contains(said, "ask"):
			return policy.Verdict{Action: policy.Ask, Reason: "marked"}
		}
		return policy.Verdict{Action: policy.Allow}
	})
	d.Applies = policy.KindsOf(llm.Content, llm.ToolCall, llm.Thinking, llm.Refusal)
	return d
}

// Wherever a run is left, cancelled or fails, nothing of what policies decided against, or nobody has decided about, is left of it:
// in its events, its result, its state or the memory.
func TestAttackNothingUndecidedIsLeft(t *testing.T) {
	for seed := range uint64(100) {
		for at := range 30 {
			r := rand.New(rand.NewPCG(seed, 5))
			var rounds []scripted.Round
			for range 3 {
				var round scripted.Round
				for i := range 1 + r.IntN(4) {
					mark := []string{"fine", "fine", "fine", "bad", "ask", "abort"}[r.IntN(6)]
					said := fmt.Sprintf("%s-%d-%s", mark, i, strings.Repeat("x", r.IntN(10)))
					switch r.IntN(5) {
					case 0, 1:
						round = append(round, scripted.Call("Bash", `{"a":"`+said+`"}`))
					case 2:
						round = append(round, scripted.Thinking(said))
					case 3:
						round = append(round, scripted.Refusal(said))
					default:
						round = append(round, scripted.Text(said))
					}
				}
				switch r.IntN(8) {
				case 0:
					round = append(round, scripted.Fail(errors.New("down")))
				case 1:
					round = append(round, scripted.Cut())
				}
				rounds = append(rounds, round)
			}
			how := policies.Asking(r.IntN(2))
			guard, err := policies.New(policies.Config{Set: setOf(t, onMarks()), Asks: how})
			if err != nil {
				t.Fatal(err)
			}
			kept, err := memory.New(memory.NewInMemory(), memory.Options{})
			if err != nil {
				t.Fatal(err)
			}
			g := &rig{}
			client, err := agent.New(agent.Config{
				Model: scripted.NewWithOptions(scripted.Options{ChunkSize: 3}, rounds...), Tools: g.tools(), Memory: kept,
				Advisors: []agent.Advisor{guard}, Loop: agent.LoopConfig{Stream: agent.StreamMode(r.IntN(3)), Parallel: 1},
			})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			run := client.Run(ctx, &agent.Request{Text: "go", Conversation: "c"})
			n := 0
			var seen strings.Builder
			for ev, err := range run.Events() {
				if err != nil {
					break
				}
				if ev.Type == agent.EventAsk {
					if seed%3 == 0 {
						cancel()
					} else {
						ev.Ask.Deny("kim", "no")
					}
					continue
				}
				seen.WriteString(ev.Text)
				if ev.Call != nil {
					seen.WriteString(ev.Call.Arguments)
				}
				if n++; n == at {
					if seed%2 == 0 {
						break
					}
					cancel()
				}
			}
			cancel()
			res := run.Result()
			c, err := kept.Get(t.Context(), "c")
			if err != nil {
				t.Fatal(err)
			}
			all := seen.String() + strings.Join(g.ran, " ") + fmt.Sprintf("%+v", c.Messages) + fmt.Sprintf("%+v", res.Messages)
			if res.Answer != nil {
				all += fmt.Sprintf("%+v", res.Answer.Blocks)
			}
			if res.Reason == agent.Interrupted {
				continue // the question itself is in the state
			}
			for _, mark := range []string{"abort-", "bad-", "ask-"} {
				if mark == "ask-" && (seed%3 != 0 || how == policies.Interrupts) {
					continue // a person has decided, or the run waits for one
				}
				if at := strings.Index(all, mark); at >= 0 {
					t.Fatalf("seed %d: %q is left of a run that ended with %s: …%s…", seed, mark, res.Reason, all[max(0, at-150):min(len(all), at+40)])
				}
			}
		}
	}
}
