package policies_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/text"
)

// script is a random conversation. Every text and every argument in it is unlike any
// other.
func script(r *rand.Rand, readable bool) []scripted.Round {
	rounds := make([]scripted.Round, 0, 4)
	n := 0
	word := func() string {
		n++
		return fmt.Sprintf("w%dw", n) + strings.Repeat("é sk-7 ", r.IntN(4))
	}
	for range 1 + r.IntN(3) {
		var round scripted.Round
		for range r.IntN(5) {
			switch r.IntN(6) {
			case 0:
				round = append(round, scripted.Text(word()))
			case 1:
				round = append(round, scripted.Thinking(word()))
			case 2:
				round = append(round, scripted.SignedThinking(word(), "sig"))
			case 3:
				round = append(round, scripted.Refusal(word()))
			default:
				args := fmt.Sprintf(`{"x":%q}`, word())
				if !readable && r.IntN(10) == 0 {
					args = args[:len(args)-1] // nobody can read it
				}
				round = append(round, scripted.Call([]string{"Bash", "list", "read", "none"}[r.IntN(4)], args))
			}
		}
		rounds = append(rounds, append(round, scripted.Usage(1, 2)))
	}
	return append(rounds, scripted.Round{scripted.Text("end " + word())})
}

// lottery decides by what a block says, and by the seed.
func lottery(seed uint64, kinds policy.Kinds, waits bool, actions ...policy.Action) policy.Definition {
	judge := func(_ context.Context, s *policy.Subject) policy.Verdict {
		h := fnv.New64a()
		fmt.Fprint(h, seed, s.Text())
		return policy.Verdict{Action: actions[h.Sum64()%uint64(len(actions))], Reason: "lost"}
	}
	return policy.Definition{Name: "lottery", Applies: kinds, Waits: waits, Timeout: time.Minute, Policy: &policy.Policy{Judge: judge}}
}

func keys() policy.Definition {
	return policy.Definition{
		Name: "keys", Applies: policy.KindsOf(llm.Content, llm.Refusal), Text: []text.Rule{{Patterns: []string{`sk-[0-9]+`}, Replacement: "[key]"}},
	}
}

func TestWhateverIsDecidedEventsAndAnswersAgree(t *testing.T) {
	all := []policy.Action{policy.Allow, policy.Allow, policy.Annotate, policy.Block, policy.BlockFeedback, policy.BlockEndTurn, policy.Ask}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		kinds := policy.KindsOf(llm.ToolCall)
		if seed%3 == 0 {
			kinds = policy.KindsOf(llm.ToolCall, llm.Thinking, llm.Content)
		}
		definitions := []policy.Definition{lottery(seed, kinds, seed%2 == 0, all...)}
		if seed%5 < 3 {
			definitions = append(definitions, keys())
		}
		g := &rig{cfg: policies.Config{Set: setOf(t, definitions...)}, chunk: 1 + r.IntN(20)}
		p := &property{t: t, rig: g, verdict: map[int]policy.Record{}}
		g.cfg.Record = p.record
		g.seen = p.seen
		if _, err := g.run(t, script(r, false)...); err != nil {
			t.Fatal(seed, err)
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, g.told())
		}
	}
}

// property is what must be true of every round.
type property struct {
	t       *testing.T
	rig     *rig
	verdict map[int]policy.Record // of the calls of the round
	ends    map[int]bool
	said    string
	asked   int
}

func (p *property) record(r *policy.Record) {
	if r.Kind == llm.ToolCall {
		p.verdict[r.Block] = *r
	}
}

func (p *property) seen(ev agent.Event) bool {
	switch ev.Type {
	case agent.EventText:
		p.said += ev.Text
	case agent.EventToolStart, agent.EventToolEnd:
		if _, ok := p.verdict[ev.Block]; !ok {
			p.t.Error("seen before its verdict:", ev.Type, ev.Block)
		}
		if ev.Type == agent.EventToolEnd {
			if p.ends == nil {
				p.ends = map[int]bool{}
			}
			p.ends[ev.Block] = true
		}
	case agent.EventToolDelta:
		if v, ok := p.verdict[ev.Block]; !ok || !v.Verdict.Action.Passes() {
			p.t.Error("arguments were seen with the verdict", v.Verdict.Action, ev.Text)
		}
	case agent.EventAsk:
		if p.asked++; p.asked%2 == 0 {
			ev.Ask.Approve("kim")
		} else {
			ev.Ask.Deny("kim", "no")
		}
	case agent.EventToolResult:
		if v := p.was(ev); v.Delivered == strings.HasPrefix(ev.Result.Text, "Sluice denied") {
			p.t.Error("the result of a call with the verdict", v.Verdict.Action, "is", ev.Result.Text)
		}
	case agent.EventRoundEnd:
		p.roundEnd(ev.Answer)
	default:
	}
	return true
}

// was returns the verdict on the call of a result, which comes after the round.
func (p *property) was(ev agent.Event) policy.Record { return p.verdict[-1000*ev.Round-ev.Block] }

func (p *property) roundEnd(a *agent.Answer) {
	if a.Text() != p.said {
		p.t.Errorf("the answer says %q, and %q was seen", a.Text(), p.said)
	}
	p.said = ""
	calls := a.Calls()
	for _, at := range calls {
		v, ok := p.verdict[at]
		if !ok || v.Verdict.Action == policy.BlockEndTurn || !p.ends[at] {
			p.t.Error("a call is left with the verdict", v.Verdict.Action)
		}
		p.verdict[-1000*a.Round-at] = v
	}
	if len(p.ends) != len(calls) {
		p.t.Error(len(p.ends), "calls were told, and the answer has", len(calls))
	}
	if len(calls) == 0 && a.Finish == llm.FinishToolCalls {
		p.t.Error("it waits for the results of no calls")
	}
	for at := range p.verdict {
		if at >= 0 {
			delete(p.verdict, at)
		}
	}
	p.ends = nil
}

// Policies that allow everything are not noticed.
func TestWhatIsAllowedIsAsItWouldBeWithoutPolicies(t *testing.T) {
	every := policy.KindsOf(llm.Content, llm.Thinking, llm.Refusal, llm.ToolCall, llm.Opaque, llm.ToolResult)
	for seed := range uint64(200) {
		chunk := 1 + int(seed%20)
		run := func(advisors ...agent.Advisor) ([]agent.Event, *agent.Result) {
			r := &rig{}
			c, err := agent.New(agent.Config{
				Model: scripted.NewWithOptions(scripted.Options{ChunkSize: chunk}, script(rand.New(rand.NewPCG(seed, 2)), true)...), Tools: r.tools(), Advisors: advisors,
				Loop: agent.LoopConfig{Stream: agent.All, Parallel: 1},
			})
			if err != nil {
				t.Fatal(err)
			}
			res, err := r.watch(c.Run(t.Context(), &agent.Request{Text: "x"}))
			if err != nil {
				t.Fatal(seed, err)
			}
			return r.events, res
		}
		never := text.Rule{Patterns: []string{`never-[0-9]+`}, Replacement: "x"}
		set := setOf(t, lottery(seed, every, seed%2 == 0, policy.Allow),
			policy.Definition{Name: "never", Applies: policy.KindsOf(llm.Content), Text: []text.Rule{never}})
		guard, err := policies.New(policies.Config{Set: set})
		if err != nil {
			t.Fatal(err)
		}
		wantEvents, want := run()
		gotEvents, got := run(guard)
		if !reflect.DeepEqual(gotEvents, wantEvents) || !reflect.DeepEqual(got, want) { //nolint:govet // neither has an error
			t.Fatalf("seed %d:\n%+v\n%+v", seed, gotEvents, wantEvents)
		}
	}
}
