package policies_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
)

// Whatever events and answers come from further in, nothing that is blocked is run
// and none of its arguments are streamed.
func TestRandomEventsNeverRunWhatIsBlocked(t *testing.T) {
	judge := policy.Func("on", func(s *policy.Subject) policy.Verdict {
		if strings.Contains(s.Block.Name+s.Block.Arguments, "evil") {
			return policy.Verdict{Action: policy.Block, Reason: "evil"}
		}
		return policy.Verdict{Action: policy.Allow}
	})
	set := setOf(t, judge, keys())
	ran := 0
	for seed := range uint64(3000) {
		rnd := rand.New(rand.NewPCG(seed, 4))
		r := &rig{}
		tools := r.tools()
		tools = append(tools, &agent.Tool{Name: "evil", Run: tools[0].Run})
		guard, err := policies.New(policies.Config{Set: set})
		if err != nil {
			t.Fatal(err)
		}
		c, err := agent.New(agent.Config{Model: scripted.New(), Tools: tools, Advisors: []agent.Advisor{guard, chaos(rnd)}, Loop: agent.LoopConfig{Stream: agent.All, Parallel: 1, Limits: agent.Limits{Rounds: 3}}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.watch(c.Run(t.Context(), &agent.Request{Text: "x"}))
		for _, ev := range r.events {
			if ev.Type == agent.EventToolDelta && strings.Contains(ev.Text, "evil") {
				t.Fatalf("seed %d: %+v", seed, ev)
			}
		}
		if got := strings.Join(r.ran, "|"); strings.Contains(got, "evil") {
			t.Fatalf("seed %d: ran %s (%v)", seed, got, err)
		}
		ran += len(r.ran)
	}
	if ran == 0 {
		t.Error("nothing was run at all")
	}
}

// chaos answers by itself, with events and answers that need not fit.
func chaos(rnd *rand.Rand) further {
	pick := func(list ...string) string { return list[rnd.IntN(len(list))] }
	call := func() llm.Block {
		return llm.Block{
			Kind: llm.ToolCall, ID: pick("", "a", "b"), Name: pick("list", "list", "evil", ""), Status: llm.Status(rnd.IntN(4)),
			Arguments: pick(`{}`, `{"x":1}`, `{"evil":1}`, `{"x"`, ``),
		}
	}
	event := func() agent.Event {
		ev := agent.Event{Type: agent.EventType(1 + rnd.IntN(6)), Round: 1, Block: rnd.IntN(4) - 1}
		switch ev.Type {
		case agent.EventToolStart, agent.EventToolEnd:
			ev.ID, ev.Name = pick("", "a"), pick("list", "evil", "")
			if c := call(); ev.Type == agent.EventToolEnd && rnd.IntN(4) > 0 {
				ev.Call, ev.ID, ev.Name = &c, c.ID, c.Name
			}
		case agent.EventToolDelta:
			ev.Name, ev.Text = pick("list", "evil", ""), pick(`{"x"`, `{"evil"`, `:1}`, "")
		default:
			ev.Text = pick("a", "sk-", "12", "")
		}
		return ev
	}
	return further{func(context.Context, *agent.Request, agent.Next) agent.Events {
		return func(yield func(agent.Event, error) bool) {
			for range rnd.IntN(8) {
				if !yield(event(), nil) {
					return
				}
			}
			answer := &agent.Answer{Round: 1, Finish: llm.FinishToolCalls}
			for range rnd.IntN(4) {
				b := call()
				if rnd.IntN(3) == 0 {
					b = llm.Block{Kind: llm.Kind(1 + rnd.IntN(7)), Text: pick("a", "sk-12"), Status: llm.Complete}
				}
				answer.Blocks = append(answer.Blocks, b)
			}
			if rnd.IntN(4) > 0 && !yield(agent.Event{Type: agent.EventRoundEnd, Round: 1, Block: -1, Answer: answer}, nil) {
				return
			}
			yield(agent.Event{Type: agent.EventFinal, Round: 1, Block: -1, Final: &agent.Result{Answer: answer}}, nil)
		}
	}}
}
