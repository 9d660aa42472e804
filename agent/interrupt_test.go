package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/sluicetest"
)

// askingProcess is a process that asks people: each has its own client, and the memory is
// all that they share.
type askingProcess struct {
	ran  []string
	asks []string
}

// client returns a client of another process.
func (d *askingProcess) client(t *testing.T, kept *memory.Memory, order int, noHistory bool, rounds ...scripted.Round) (*agent.Client, *scripted.Model) {
	t.Helper()
	note := &agent.Tool{Name: "note", Run: func(_ context.Context, c agent.Call) (agent.Output, error) {
		d.ran = append(d.ran, string(c.Arguments))
		return agent.Output{Text: "noted " + string(c.Arguments)}, nil
	}}
	pay := &agent.Tool{Name: "pay", Sequential: true, Run: func(_ context.Context, c agent.Call) (agent.Output, error) {
		if c.Answer == nil {
			d.asks = append(d.asks, string(c.Arguments))
			return agent.Output{}, agent.Interrupt(map[string]any{"pay": c.Arguments})
		}
		d.ran = append(d.ran, "paid:"+string(c.Answer))
		return agent.Output{Text: "paid, as " + string(c.Answer) + " said"}, nil
	}}
	m := scripted.New(rounds...)
	c, err := agent.New(agent.Config{
		Model: m, Tools: []*agent.Tool{note, pay}, Memory: kept, Remember: agent.MemoryConfig{Order: order},
		Loop: agent.LoopConfig{Stream: agent.All, NoHistory: noHistory},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c, m
}

var stateKey = []byte("0123456789abcdef0123456789abcdef")

// An interrupted run goes on in another process, from a signed state, with the
// answer of a person: nothing is run twice, and the history is one of a run that was
// never interrupted.
func TestInterruptedRunGoesOnElsewhere(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]struct {
		order     int
		noHistory bool
	}{"outside": {0, false}, "inside": {agent.InsideLoop, false}, "inside, history off": {agent.InsideLoop, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kept, err := memory.New(memory.NewInMemory(), memory.Options{})
			if err != nil {
				t.Fatal(err)
			}
			here := &askingProcess{}
			c, _ := here.client(t, kept, place.order, place.noHistory,
				scripted.Round{scripted.Call("note", `{"n":1}`), scripted.Usage(1, 2)},
				scripted.Round{scripted.Text("One moment."), scripted.Call("note", `{"n":2}`), scripted.Call("pay", `{"eur":5}`), scripted.Call("note", `{"n":3}`), scripted.Usage(3, 4)},
			)
			r, err := c.Call(t.Context(), &agent.Request{Text: "Pay it.", Conversation: "c", System: "be brief", MaxTokens: 77})
			if err != nil || r.Reason != agent.Interrupted || r.State == nil {
				t.Fatalf("%v %+v", err, r)
			}
			if got := r.State.Pending; len(got) != 1 || got[0].Name != "pay" || string(got[0].Question) != `{"pay":{"eur":5}}` || got[0].Held {
				t.Errorf("pending: %+v", got)
			}
			signed, err := r.State.Sign(stateKey)
			if err != nil {
				t.Fatal(err)
			}
			state, err := agent.ReadState(signed, stateKey)
			if err != nil {
				t.Fatal(err)
			}

			there := &askingProcess{}
			c, m := there.client(t, kept, place.order, place.noHistory, scripted.Round{scripted.Text("Done."), scripted.Usage(5, 6)})
			run := c.Resume(t.Context(), state, agent.Answers{state.Pending[0].ID: json.RawMessage(`"Ann"`)}, nil)
			var results []string
			for ev, err := range run.Events() {
				if err != nil {
					t.Fatal(err)
				}
				if ev.Type == agent.EventToolResult {
					results = append(results, ev.Name+": "+ev.Text)
				}
			}
			r = run.Result()
			if r.Reason != agent.Done || r.Text() != "Done." {
				t.Errorf("%+v", r)
			}
			if want := []string{`{"n":1}`, `{"n":2}`, `{"n":3}`}; !slices.Equal(here.ran, want) || len(here.asks) != 1 {
				t.Errorf("there ran %v, asked %v", here.ran, here.asks)
			}
			if want := []string{`paid:"Ann"`}; !slices.Equal(there.ran, want) || len(there.asks) != 0 {
				t.Errorf("here ran %v", there.ran)
			}
			if want := []string{`pay: paid, as "Ann" said`}; !slices.Equal(results, want) {
				t.Errorf("results told: %v", results)
			}
			if r.Usage.Input != 9 || r.Usage.Output != 12 || len(r.Rounds) != 3 {
				t.Errorf("usage of all rounds: %+v", r.Rounds)
			}
			stored, err := kept.Get(t.Context(), "c")
			if err != nil {
				t.Fatal(err)
			}
			if got := letters(stored.Messages); got != "UCRCRA" {
				t.Errorf("stored %s", got)
			}
			if err := sluicetest.ValidateHistories(stored.Messages); err != nil {
				t.Error(err)
			}
			asked := m.Requests()[0]
			if got := letters(asked.Messages); got != "UCRCR" || asked.MaxTokens != 77 || asked.System[0].Text != "be brief" {
				t.Errorf("asked %s %+v", got, asked)
			}
			if r.Kept != 6 || letters(r.Messages) != "CRCRA" {
				t.Errorf("kept %d of %s", r.Kept, letters(r.Messages))
			}
		})
	}
}

// Without a memory the state has the whole conversation.
func TestInterruptedRunGoesOnWithoutAMemory(t *testing.T) {
	t.Parallel()
	here := &askingProcess{}
	c, _ := here.client(t, nil, 0, false, scripted.Round{scripted.Call("note", "{}")}, scripted.Round{scripted.Call("pay", "{}"), scripted.Call("pay", `{"x":1}`)})
	r, err := c.Call(t.Context(), &agent.Request{Text: "Pay it."})
	if err != nil || len(r.State.Pending) != 2 {
		t.Fatalf("%v %+v", err, r)
	}
	answers := agent.Answers{r.State.Pending[0].ID: json.RawMessage(`1`), r.State.Pending[1].ID: json.RawMessage(`2`)}
	c, m := here.client(t, nil, 0, false, scripted.Round{scripted.Text("Done.")})
	if r, err = drain(c.Resume(t.Context(), r.State, answers, nil)); err != nil || r.Reason != agent.Done {
		t.Fatalf("%v %+v", err, r)
	}
	if got := letters(m.Requests()[0].Messages); got != "UCRCR" {
		t.Errorf("asked %s", got)
	}
	if err := sluicetest.ValidateHistories(m.Requests()[0].Messages); err != nil {
		t.Error(err)
	}
}

// A call that a policy holds is run if a person approves it, and reported as refused
// if not.
func TestHeldCallWaitsForAPerson(t *testing.T) {
	t.Parallel()
	for _, approved := range []bool{true, false} {
		d := &askingProcess{}
		hold := agent.AdvisorFunc("hold", holdAll)
		m := scripted.New(scripted.Round{scripted.Call("note", `{"n":1}`)}, scripted.Round{scripted.Text("Well.")})
		note := &agent.Tool{Name: "note", Run: func(_ context.Context, c agent.Call) (agent.Output, error) {
			d.ran = append(d.ran, string(c.Arguments))
			return agent.Output{Text: "noted"}, nil
		}}
		c, err := agent.New(agent.Config{Model: m, Tools: []*agent.Tool{note}, Advisors: []agent.Advisor{hold}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Call(t.Context(), &agent.Request{Text: "Note it."})
		if err != nil || r.Reason != agent.Interrupted || !r.State.Pending[0].Held || len(d.ran) != 0 {
			t.Fatalf("%v %+v", err, r)
		}
		answers := agent.Answers{}
		if id := r.State.Pending[0].ID; approved {
			answers.Approve(id, "Ann")
		} else {
			answers.Deny(id, "Ann", "not on Sundays")
		}
		if r, err = drain(c.Resume(t.Context(), r.State, answers, nil)); err != nil || r.Reason != agent.Done {
			t.Fatalf("%v %+v", err, r)
		}
		result := r.Messages[1].Blocks[0]
		if approved != (len(d.ran) == 1) || approved == result.Failed || !approved && !strings.Contains(result.Text, "not on Sundays") {
			t.Errorf("approved %t: ran %v, told %+v", approved, d.ran, result)
		}
	}
}

// holdAll lets every call wait for a person.
func holdAll(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
	return func(yield func(agent.Event, error) bool) {
		for ev, err := range next(ctx, req) {
			if ev.Type == agent.EventRoundEnd {
				for _, at := range ev.Answer.Calls() {
					ev.Answer.Hold(at, agent.NewAsk(ev.Answer.Blocks[at], "people decide", "it is Sunday"))
				}
			}
			if !yield(ev, err) {
				return
			}
		}
	}
}

// A state that was changed, or an answer that does not fit, is refused before
// anything is run.
func TestStateThatDoesNotFitIsRefused(t *testing.T) {
	t.Parallel()
	d := &askingProcess{}
	c, m := d.client(t, nil, 0, false, scripted.Round{scripted.Call("note", "{}"), scripted.Call("pay", "{}")})
	r, err := c.Call(t.Context(), &agent.Request{Text: "Pay it."})
	if err != nil {
		t.Fatal(err)
	}
	id := r.State.Pending[0].ID
	yes := agent.Answers{id: json.RawMessage(`1`)}
	signed, err := r.State.Sign(stateKey)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("signature", func(t *testing.T) {
		if _, err := agent.ReadState(signed, []byte("0123456789abcdef0123456789abcdeX")); !errors.Is(err, agent.ErrBadSignature) {
			t.Error(err)
		}
		for i := range signed {
			changed := slices.Clone(signed)
			changed[i] ^= 1
			if s, err := agent.ReadState(changed, stateKey); err == nil && s.Pending[0].ID != id {
				t.Errorf("changed at %d and read", i)
			}
		}
		if _, err := r.State.Sign([]byte("short")); err == nil {
			t.Error("a short key was taken")
		}
		if _, err := agent.ReadState(signed, nil); err == nil {
			t.Error("no key was taken")
		}
	})
	for name, try := range map[string]func(s *agent.State) agent.Answers{
		"no answer":              func(*agent.State) agent.Answers { return nil },
		"an answer nobody asked": func(*agent.State) agent.Answers { return agent.Answers{id: yes[id], "x": yes[id]} },
		"no messages":            func(s *agent.State) agent.Answers { s.Messages = nil; return yes },
		"no question":            func(s *agent.State) agent.Answers { s.Question = nil; return yes },
		"a call too many": func(s *agent.State) agent.Answers {
			s.Messages[0].Blocks = append(s.Messages[0].Blocks, llm.Block{Kind: llm.ToolCall, ID: "y", Name: "pay"})
			return yes
		},
		"a result of nothing": func(s *agent.State) agent.Answers { s.Done[0].ToolUseID = "zz"; return yes },
		"nothing pending":     func(s *agent.State) agent.Answers { s.Pending = nil; return agent.Answers{} },
	} {
		t.Run(name, func(t *testing.T) {
			s, err := agent.ReadState(signed, stateKey)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := drain(c.Resume(t.Context(), s, try(s), nil)); err == nil {
				t.Error("it was resumed")
			}
		})
	}
	if _, err := drain(c.Resume(t.Context(), nil, nil, nil)); err == nil {
		t.Error("nothing was resumed")
	}
	if len(m.Requests()) != 1 || len(d.ran) != 1 {
		t.Errorf("asked %d times, ran %v", len(m.Requests()), d.ran)
	}
}

func FuzzReadState(f *testing.F) {
	f.Add([]byte(`{"version":1,"question":{"v":1,"messages":[]},"messages":{"v":1,"messages":[]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &agent.State{}
		if json.Unmarshal(data, s) != nil {
			return
		}
		again, err := json.Marshal(s)
		if err != nil {
			t.Fatalf("%q was read and cannot be written: %v", data, err)
		}
		if err := json.Unmarshal(again, &agent.State{}); err != nil {
			t.Fatalf("%s: %v", again, err)
		}
	})
}
