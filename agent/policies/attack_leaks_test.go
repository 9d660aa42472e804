package policies_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
)

// onTexts decides about whole texts that have a word in them.
func onTexts(word string, action policy.Action) policy.Definition {
	d := policy.Func("texts", func(s *policy.Subject) policy.Verdict {
		if strings.Contains(s.Block.Text, word) {
			return policy.Verdict{Action: action, Reason: "a secret"}
		}
		return policy.Verdict{Action: policy.Allow}
	})
	d.Applies = policy.KindsOf(llm.Content)
	return d
}

// shown is all that can be read in a result.
func shown(t *testing.T, res *agent.Result) string {
	t.Helper()
	text := fmt.Sprintf("%+v", *res)
	if res.Answer != nil {
		text += fmt.Sprintf("%+v", res.Answer.Blocks)
	}
	if res.State != nil {
		raw, err := json.Marshal(res.State)
		if err != nil {
			t.Fatal(err)
		}
		text += string(raw)
	}
	return text
}

// A text for which a policy ended the run is not in the result of that run.
func TestAttackATextThatAbortedTheRunIsNotInItsResult(t *testing.T) {
	r := &rig{cfg: policies.Config{Set: setOf(t, onTexts("secret", policy.Abort))}, chunk: 3}
	res, err := r.run(t, scripted.Round{scripted.Text("the secret is xyzzy")})
	if aborted(err) == nil {
		t.Fatal(err)
	}
	if strings.Contains(shown(t, res), "xyzzy") || strings.Contains(r.told(), "xyzzy") {
		t.Errorf("the aborted text is in the result: %+v", res.Answer.Blocks)
	}
}

// A call that nobody has decided about when the run is cancelled is not in its result.
func TestAttackACallThatWaitedWhenTheRunWasCancelledIsNotInItsResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &rig{cfg: policies.Config{Set: setOf(t, on(asksForBash))}, chunk: 100}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		r.seen = func(ev agent.Event) bool {
			if ev.Type == agent.EventAsk {
				go func() {
					synctest.Wait() // the model has ended, and the answer is awaited
					cancel()
				}()
			}
			return true
		}
		res, err := r.watch(r.client(t, scripted.Round{scripted.Call("Bash", `{"n":"secret"}`)}).Run(ctx, &agent.Request{Text: "x"}))
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if strings.Contains(shown(t, res), "secret") {
			t.Errorf("the undecided call is in the result: %+v", res.Answer.Blocks)
		}
	})
}

// With Interrupts, a text that a policy asks about is not seen before a person has answered.
func TestAttackATextThatIsAskedAboutDoesNotPassUnasked(t *testing.T) {
	r := &rig{cfg: policies.Config{Set: setOf(t, onTexts("secret", policy.Ask)), Asks: policies.Interrupts}, chunk: 100}
	res, err := r.run(t, scripted.Round{scripted.Text("the secret is xyzzy")})
	if err != nil {
		t.Fatal(err)
	}
	if res.Reason != agent.Interrupted && (strings.Contains(shown(t, res), "xyzzy") || strings.Contains(r.told(), "xyzzy")) {
		t.Errorf("nobody was asked, and the run ended with %s and the text %q", res.Reason, res.Text())
	}
}

// A call by a name that no tool has is not run as one of a tool whose name is alike, not even after an approval.
func TestAttackAHeldCallDoesNotBecomeOneOfAnotherTool(t *testing.T) {
	r := &rig{cfg: policies.Config{Asks: policies.Interrupts, Set: setOf(t, policy.Func("on", func(s *policy.Subject) policy.Verdict {
		if s.Block.Name == "rm_all" {
			return policy.Verdict{Action: policy.Block, Reason: "never"}
		}
		return policy.Verdict{Action: policy.Ask, Reason: "everything else is asked about"}
	}))}}
	guard, err := policies.New(r.cfg)
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	tool := &agent.Tool{Name: "rm_all", Run: func(context.Context, agent.Call) (agent.Output, error) {
		ran++
		return agent.Output{Text: "gone"}, nil
	}}
	client, err := agent.New(agent.Config{
		Model:    scripted.New(scripted.Round{scripted.Call("rm.all", `{"path":"/"}`)}, scripted.Round{scripted.Text("done")}),
		Tools:    []*agent.Tool{tool},
		Advisors: []agent.Advisor{guard},
	})
	if err != nil {
		t.Fatal(err)
	}
	res, err := client.Call(t.Context(), &agent.Request{Text: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if res.Reason == agent.Interrupted {
		answers := agent.Answers{}
		answers.Approve(res.State.Pending[0].ID, "kim")
		for _, err := range client.Resume(t.Context(), res.State, answers, nil).Events() {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if ran > 0 {
		t.Error("a blocked tool was run for a call of another name")
	}
}

// What a policy has denied stays denied when somebody further out puts a block before it.
func TestAttackADenialStaysWithItsCall(t *testing.T) {
	for name, change := range map[string]func(*agent.Answer){
		"a block is put before it": func(a *agent.Answer) {
			a.Blocks = append([]llm.Block{{Kind: llm.Content, Text: "note", Status: llm.Complete}}, a.Blocks...)
		},
		"a block before it is left out": func(a *agent.Answer) { a.Blocks = a.Blocks[1:] },
	} {
		t.Run(name, func(t *testing.T) {
			r := &rig{cfg: policies.Config{Set: setOf(t, on(map[string]policy.Action{"Bash": policy.Block}))}}
			guard, err := policies.New(r.cfg)
			if err != nil {
				t.Fatal(err)
			}
			client, err := agent.New(agent.Config{
				Model:    scripted.New(scripted.Round{scripted.Text("so"), scripted.Call("Bash", `{}`)}, scripted.Round{scripted.Text("done")}),
				Tools:    r.tools(),
				Advisors: []agent.Advisor{guard},
				Loop: agent.LoopConfig{After: func(_ context.Context, _ *agent.Request, a *agent.Answer) error {
					if a.HasCalls() {
						change(a)
					}
					return nil
				}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := client.Call(t.Context(), &agent.Request{Text: "x"}); err != nil {
				t.Fatal(err)
			}
			if len(r.ran) > 0 {
				t.Error("the denied call was run:", r.ran)
			}
		})
	}
}

// What a person is shown of a call is what is run.
func TestAttackWhatAPersonIsShownIsWhatRuns(t *testing.T) {
	set := load(t, `
policies:
  - name: asks
    when: call.name == "Bash"
    then: ask
  - name: dry
    when: call.name == "Bash"
    then: {rewrite: {add: {dry_run: "true"}}}
`)
	for _, how := range []policies.Asking{policies.Events, policies.Interrupts} {
		r := &rig{cfg: policies.Config{Set: set, Asks: how}, chunk: 4}
		shown := ""
		r.seen = func(ev agent.Event) bool {
			if ev.Type == agent.EventAsk {
				shown = ev.Ask.Call.Arguments
				ev.Ask.Approve("kim")
			}
			return true
		}
		client := r.client(t, scripted.Round{scripted.Call("Bash", `{"command":"x"}`)}, scripted.Round{scripted.Text("ok")})
		res, err := r.watch(client.Run(t.Context(), &agent.Request{Text: "go"}))
		if err != nil {
			t.Fatal(err)
		}
		if how == policies.Interrupts {
			shown = res.State.Pending[0].Arguments
			answers := agent.Answers{}
			answers.Approve(res.State.Pending[0].ID, "kim")
			if _, err = r.watch(client.Resume(t.Context(), res.State, answers, nil)); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Join(r.ran, "|"); got != "Bash "+shown {
			t.Errorf("%d: shown %s, ran %s", how, shown, got)
		}
	}
}

// A call that a policy has denied, or holds for a person, is not left to the caller as one that may be run.
func TestAttackADeniedCallIsNotLeftToTheCaller(t *testing.T) {
	for _, action := range []policy.Action{policy.Block, policy.Ask} {
		guard, err := policies.New(policies.Config{Asks: policies.Interrupts, Set: setOf(t, on(map[string]policy.Action{"Bash": action}))})
		if err != nil {
			t.Fatal(err)
		}
		r := &rig{}
		client, err := agent.New(agent.Config{
			Model:    scripted.New(scripted.Round{scripted.Call("Bash", `{}`)}, scripted.Round{scripted.Text("done")}),
			Tools:    r.tools(),
			Advisors: []agent.Advisor{guard},
			Loop:     agent.LoopConfig{Eligible: func(*agent.Answer) bool { return false }},
		})
		if err != nil {
			t.Fatal(err)
		}
		res, err := client.Call(t.Context(), &agent.Request{Text: "x"})
		if err != nil {
			t.Fatal(err)
		}
		if res.Reason != agent.CallsLeft {
			continue
		}
		answered := 0
		for _, m := range res.Messages {
			for _, b := range m.Blocks {
				if b.Kind == llm.ToolResult {
					answered++
				}
			}
		}
		if answered == 0 {
			t.Errorf("%s: the caller is left with the call, and nothing in Result.Messages says that it must not be run", action)
		}
	}
}
