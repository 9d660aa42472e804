package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
)

// The result of a call says what became of it.
func TestResultsSayWhatBecameOfTheCall(t *testing.T) {
	t.Parallel()
	deny := agent.AdvisorFunc("deny", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
		return func(yield func(agent.Event, error) bool) {
			for ev, err := range next(ctx, req) {
				if ev.Type == agent.EventRoundEnd {
					for _, at := range ev.Answer.Calls() {
						if strings.Contains(ev.Answer.Blocks[at].Arguments, "evil") {
							ev.Answer.Deny(at, "no evil")
							if reason, denied := ev.Answer.Denied(at); !denied || reason != "no evil" {
								t.Errorf("denied %t: %q", denied, reason)
							}
						}
					}
				}
				if !yield(ev, err) {
					return
				}
			}
		}
	})
	m := scripted.New(
		scripted.Round{
			scripted.Call("get", `{"n":1}`), scripted.Call("fails", "{}"), scripted.Call("get", `{"n":"evil"}`), scripted.Call("none", "{}"),
			scripted.Call("get", `{"n":`), scripted.Call("get", `{"n":2}`), scripted.Call("get", `{"n":3}`),
		},
		scripted.Round{scripted.Call("get", `{"n":4}`), scripted.Finish(llm.FinishLength)},
	)
	client, err := agent.New(agent.Config{
		Model: m, Tools: matrixTools(func() {}), Advisors: []agent.Advisor{deny},
		Loop: agent.LoopConfig{Stream: agent.All, Limits: agent.Limits{Tools: map[string]int{"get": 2}, TellModel: true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]agent.Outcome)
	for ev, err := range client.Run(t.Context(), &agent.Request{Text: "?"}).Events() {
		if err != nil {
			t.Fatal(err)
		}
		if ev.Type == agent.EventToolResult {
			got[ev.ID] = ev.Outcome
		}
	}
	for id, want := range map[string]agent.Outcome{
		"call_1_1": agent.Ran, "call_1_2": agent.Ran, "call_1_3": agent.Denied, "call_1_4": agent.Invalid,
		"call_1_5": agent.Invalid, "call_1_6": agent.Ran, "call_1_7": agent.OverLimit, "call_2_1": agent.NotRun,
	} {
		if got[id] != want {
			t.Errorf("%s: %s, want %s", id, got[id], want)
		}
	}
}

// A tool that is made of a function can ask a person, and knows the answer.
func TestTypedToolsCanAskAPerson(t *testing.T) {
	t.Parallel()
	pay := agent.NewTool("pay", "Pays.", func(ctx context.Context, in struct {
		Euro int `json:"euro"`
	},
	) (string, error) {
		call := agent.CallOf(ctx)
		if call.Answer == nil {
			return "", agent.Interrupt(in.Euro)
		}
		return "paid, by order of " + string(call.Answer), nil
	})
	client, err := agent.New(agent.Config{
		Model: scripted.New(scripted.Round{scripted.Call("pay", `{"euro":5}`)}, scripted.Round{scripted.Text("Done.")}), Tools: []*agent.Tool{pay},
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := client.Call(t.Context(), &agent.Request{Text: "Pay."})
	if err != nil || r.Reason != agent.Interrupted {
		t.Fatalf("%v %+v", err, r)
	}
	answers := agent.Answers{}
	if err := answers.Answer(r.State.Pending[0].ID, "Ann"); err != nil {
		t.Fatal(err)
	}
	if err := answers.Answer("x", func() {}); err == nil {
		t.Error("a function has no form in JSON")
	}
	r, err = drain(client.Resume(t.Context(), r.State, answers, nil))
	if err != nil || r.Messages[1].Blocks[0].Text != `paid, by order of "Ann"` {
		t.Fatalf("%v %+v", err, r)
	}
	if call := agent.CallOf(t.Context()); call.ID != "" {
		t.Errorf("outside of a tool there is a call %+v", call)
	}
}

// A run cannot be resumed once its conversation has gone on, nor a second time.
func TestResumingAfterAnotherTurnIsAConflict(t *testing.T) {
	t.Parallel()
	for kept, rounds := range map[int][]scripted.Round{
		3: {{scripted.Call("note", "{}")}, {scripted.Call("pay", "{}")}},
		0: {{scripted.Call("pay", "{}")}},
	} {
		m, err := memory.New(memory.NewInMemory(), memory.Options{})
		if err != nil {
			t.Fatal(err)
		}
		d := &askingProcess{}
		c, _ := d.client(t, m, 0, false, append(rounds, scripted.Round{scripted.Text("Hello.")}, scripted.Round{scripted.Text("Paid.")})...)
		r, err := c.Call(t.Context(), &agent.Request{Text: "Pay.", Conversation: "c"})
		if err != nil || r.State.Kept != kept {
			t.Fatalf("%v %+v", err, r)
		}
		if _, err := c.Call(t.Context(), &agent.Request{Text: "Hi.", Conversation: "c"}); err != nil {
			t.Fatal(err)
		}
		_, err = drain(c.Resume(t.Context(), r.State, agent.Answers{r.State.Pending[0].ID: json.RawMessage("1")}, nil))
		if _, conflict := errors.AsType[*memory.ConflictError](err); !conflict {
			t.Errorf("kept %d: %v", kept, err)
		}
	}
}

// The person who is asked learns when the question is closed, and that a late
// answer does not count.
func TestAskIsOverWhenNobodyAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ask := agent.NewAsk(llm.Block{Name: "pay"}, "p", "r")
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		if _, err := ask.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		<-ask.Done()
		if ask.Approve("Ann") || ask.Deny("Ann", "") {
			t.Error("a late answer counted")
		}
		if _, err := ask.Wait(t.Context()); err == nil {
			t.Error("there is an answer after all")
		}
		ask = agent.NewAsk(llm.Block{Name: "pay"}, "p", "r")
		if !ask.Deny("Ann", "no") || ask.Approve("Bob") {
			t.Error("the first answer counts, and no other")
		}
		if a, err := ask.Wait(t.Context()); err != nil || a.Approved || a.By != "Ann" {
			t.Error(a, err)
		}
	})
}

// The time of a tool is its own: what is done around it, such as asking a person, is
// not counted.
func TestTimeoutBoundsTheToolAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := &agent.Tool{Name: "slow", Timeout: time.Second, Run: func(ctx context.Context, c agent.Call) (agent.Output, error) {
			if strings.Contains(string(c.Arguments), "slow") {
				<-ctx.Done()
				return agent.Output{}, ctx.Err()
			}
			return agent.Output{Text: "done"}, nil
		}}
		client, err := agent.New(agent.Config{
			Model: scripted.New(scripted.Round{scripted.Call("slow", "{}"), scripted.Call("slow", `{"x":"slow"}`)}, scripted.Round{scripted.Text("Done.")}),
			Tools: []*agent.Tool{slow},
			Loop: agent.LoopConfig{Around: func(ctx context.Context, _ *agent.Tool, call agent.Call, run func(context.Context, agent.Call) (agent.Output, error)) (agent.Output, error) {
				time.Sleep(time.Hour) // a person thinks
				return run(ctx, call)
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		r, err := client.Call(t.Context(), &agent.Request{Text: "?"})
		if err != nil {
			t.Fatal(err)
		}
		results := r.Messages[1].Blocks
		if results[0].Text != "done" || results[1].Text != "failed: slow took longer than 1s" || !results[1].Failed {
			t.Errorf("%+v", results)
		}
	})
}
