package policies_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
)

var asksForBash = map[string]policy.Action{"Bash": policy.Ask}

func twoAsks() []scripted.Round {
	return []scripted.Round{
		{scripted.Text("a"), scripted.Call("Bash", `{"n":1}`), scripted.Call("list", `{}`), scripted.Call("Bash", `{"n":2}`)},
		{scripted.Text("done")},
	}
}

func TestAPersonIsAskedWithAnEvent(t *testing.T) {
	r := &rig{cfg: policies.Config{Set: setOf(t, on(asksForBash))}, chunk: 100}
	r.seen = func(ev agent.Event) bool {
		if ev.Type == agent.EventAsk {
			if strings.Contains(r.told(), "tool_delta "+ev.Ask.Call.Arguments) {
				t.Error("a part of the call was seen before somebody allowed it")
			}
			if ev.Ask.Call.Arguments == `{"n":1}` {
				ev.Ask.Approve("kim")
			} else {
				ev.Ask.Deny("kim", "once is enough")
			}
		}
		return true
	}
	if _, err := r.run(t, twoAsks()...); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r.ran, "|"); got != `Bash {"n":1}|list {}` {
		t.Error("ran", got)
	}
	told := result(r.model.Requests()[1])
	if !strings.HasSuffix(told, "|Sluice denied this tool call before it ran: once is enough (policy on). Do not repeat it; choose another way or ask the user.") {
		t.Error("the model was told", told)
	}
	if v := r.records[0].Verdict; v.Cause != policy.CauseApproved || v.Notes[0] != "by kim" {
		t.Errorf("%+v", v)
	}
}

func TestSeveralAsksAreAnsweredTogetherLater(t *testing.T) {
	r := &rig{cfg: policies.Config{Set: setOf(t, on(asksForBash))}}
	var asks []*agent.Ask
	r.seen = func(ev agent.Event) bool {
		if ev.Type == agent.EventAsk {
			if asks = append(asks, ev.Ask); len(asks) == 2 {
				go func() {
					asks[1].Approve("kim")
					asks[0].Approve("kim")
				}()
			}
		}
		return true
	}
	if _, err := r.run(t, twoAsks()...); err != nil {
		t.Fatal(err)
	}
	if len(r.ran) != 3 {
		t.Error(r.ran)
	}
}

func TestNobodyAnswersInTime(t *testing.T) {
	for _, tc := range []struct{ set, want time.Duration }{{0, 120 * time.Second}, {time.Second, time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			r := &rig{cfg: policies.Config{Set: setOf(t, on(asksForBash)), AskFor: tc.set}}
			began := time.Now()
			if _, err := r.run(t, twoAsks()...); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took != tc.want {
				t.Error("it took", took)
			}
			if len(r.ran) != 1 || !strings.Contains(result(r.model.Requests()[1]), "it needs approval, and nobody approved it") {
				t.Error(r.ran, result(r.model.Requests()[1]))
			}
		})
	}
}

func TestACancelledRunEndsWhileAPersonIsAsked(t *testing.T) {
	r := &rig{cfg: policies.Config{Set: setOf(t, on(asksForBash))}}
	ctx, cancel := context.WithCancel(t.Context())
	r.seen = func(ev agent.Event) bool {
		if ev.Type == agent.EventAsk {
			cancel()
		}
		return true
	}
	res, err := r.watch(r.client(t, twoAsks()...).Run(ctx, &agent.Request{Text: "x"}))
	if !errors.Is(err, context.Canceled) || res.Reason != agent.Cancelled || len(r.ran) > 0 {
		t.Error(err, res, r.ran)
	}
}

func TestAnInterruptedRunIsResumed(t *testing.T) {
	set := load(t, `
policies:
  - name: mark
    when: call.name == "Bash"
    then: {rewrite: {add: {marked: "true"}}}
  - {name: "on", when: call.name == "Bash", then: ask, reason: not Bash}
`)
	r := &rig{cfg: policies.Config{Set: set, Asks: policies.Interrupts}}
	c := r.client(t, twoAsks()...)
	res, err := r.watch(c.Run(t.Context(), &agent.Request{Text: "x"}))
	if err != nil || res.Reason != agent.Interrupted || len(res.State.Pending) != 2 {
		t.Fatal(err, res)
	}
	var q struct {
		Policy string `json:"policy"`
		Reason string `json:"reason"`
	}
	if err := json.Unmarshal(res.State.Pending[0].Question, &q); err != nil || q.Policy != "on" || q.Reason != "not Bash" {
		t.Error(err, q)
	}
	asked := 0
	for _, rec := range r.records {
		if rec.Verdict.Action == policy.Ask && !rec.Delivered {
			asked++
		}
	}
	if asked != 2 || len(r.ran) != 1 {
		t.Error(asked, "asked,", r.ran)
	}
	answers := agent.Answers{}
	answers.Approve(res.State.Pending[0].ID, "kim")
	answers.Deny(res.State.Pending[1].ID, "kim", "once is enough")
	res, err = r.watch(c.Resume(t.Context(), res.State, answers, nil))
	if err != nil || res.Reason != agent.Done {
		t.Fatal(err, res)
	}
	if got := strings.Join(r.ran, "|"); got != `list {}|Bash {"n":1,"marked":true}` {
		t.Error("ran", got)
	}
}

func TestWithoutALoopNobodyIsInterrupted(t *testing.T) {
	r := &rig{cfg: policies.Config{Set: setOf(t, on(asksForBash)), Asks: policies.Interrupts}, noLoop: true}
	res, err := r.run(t, twoAsks()...)
	if err != nil {
		t.Fatal(err)
	}
	if calls := res.Answer.Calls(); len(calls) != 1 || res.Answer.Blocks[calls[0]].Name != "list" {
		t.Errorf("%+v", res.Answer)
	}
}

type approver func(policy.Approval) (policy.Decision, error)

func (f approver) Approve(_ context.Context, a policy.Approval) (policy.Decision, error) { return f(a) }

func TestAnApproverOfTheCallersIsAsked(t *testing.T) {
	r := &rig{cfg: policies.Config{Set: setOf(t, on(asksForBash))}}
	r.cfg.Approver = approver(func(a policy.Approval) (policy.Decision, error) {
		return policy.Decision{Approved: a.Subject.Block.Arguments == `{"n":2}`}, nil
	})
	if _, err := r.run(t, twoAsks()...); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r.ran, "|"); got != `list {}|Bash {"n":2}` {
		t.Error("ran", got)
	}
}

func TestPoliciesThatWaitRunBesideTheStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := policy.WaitFunc("on", 10*time.Second, func(ctx context.Context, s *policy.Subject) policy.Verdict {
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
			if strings.Contains(s.Block.Arguments, "1") {
				return policy.Verdict{Action: policy.Ask, Reason: "who knows"}
			}
			return policy.Verdict{Action: policy.Allow}
		})
		r := &rig{cfg: policies.Config{Set: setOf(t, slow)}}
		r.seen = func(ev agent.Event) bool {
			if ev.Type == agent.EventAsk {
				ev.Ask.Approve("kim")
			}
			return true
		}
		began := time.Now()
		if _, err := r.run(t, twoAsks()...); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != time.Second || len(r.ran) != 3 {
			t.Error("it took", took, "and ran", r.ran)
		}
	})
}

func TestACallLeavesWithTheNextEventAfterItsVerdict(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := policy.WaitFunc("slow", 10*time.Second, func(context.Context, *policy.Subject) policy.Verdict {
			time.Sleep(time.Second)
			return policy.Verdict{Action: policy.Allow}
		})
		r := &rig{cfg: policies.Config{Set: setOf(t, slow)}}
		began, seen := time.Now(), map[string]time.Duration{}
		r.seen = func(ev agent.Event) bool {
			seen[ev.Type.String()+" "+ev.Text] = time.Since(began)
			return true
		}
		pause := scripted.Pause(2 * time.Second)
		if _, err := r.run(t, scripted.Round{scripted.Call("list", `{}`), pause, scripted.Text("a"), pause, scripted.Text("b")}, scripted.Round{}); err != nil {
			t.Fatal(err)
		}
		if seen["tool_end "] != 2*time.Second || seen["text a"] != 2*time.Second || seen["text b"] != 4*time.Second {
			t.Error(seen)
		}
	})
}

func TestAPolicyThatTakesTooLongBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := policy.WaitFunc("slow", time.Second, func(ctx context.Context, _ *policy.Subject) policy.Verdict {
			<-ctx.Done()
			return policy.Verdict{Err: ctx.Err()}
		})
		r := &rig{cfg: policies.Config{Set: setOf(t, slow)}}
		if _, err := r.run(t, twoAsks()...); err != nil {
			t.Fatal(err)
		}
		if len(r.ran) > 0 || r.records[0].Verdict.Cause != policy.CauseTimeout {
			t.Error(r.ran, r.records)
		}
	})
}

func TestCallsThatAreJudgedTogether(t *testing.T) {
	atMostOne := policy.Definition{Name: "one", Policy: &policy.Policy{JudgeAll: func(_ context.Context, calls []*policy.Subject) []policy.Verdict {
		verdicts := make([]policy.Verdict, len(calls))
		for i := range verdicts {
			verdicts[i] = policy.Verdict{Action: policy.Allow}
			if i > 0 {
				verdicts[i] = policy.Verdict{Action: policy.Block, Reason: "one at a time"}
			}
		}
		return verdicts
	}}}
	r := &rig{cfg: policies.Config{Set: setOf(t, atMostOne)}}
	if _, err := r.run(t, twoAsks()...); err != nil {
		t.Fatal(err)
	}
	if len(r.ran) != 1 || strings.Count(result(r.model.Requests()[1]), "one at a time") != 2 {
		t.Error(r.ran, result(r.model.Requests()[1]))
	}
}

func TestLeavingAtEveryEventEndsEverything(t *testing.T) {
	slow := policy.WaitFunc("slow", time.Minute, func(context.Context, *policy.Subject) policy.Verdict {
		return policy.Verdict{Action: policy.Allow}
	})
	for n := 1; ; n++ {
		r := &rig{cfg: policies.Config{Set: setOf(t, slow, on(asksForBash))}}
		r.seen = func(ev agent.Event) bool {
			if ev.Type == agent.EventAsk && n%2 == 0 {
				ev.Ask.Approve("kim")
			}
			return len(r.events) < n && (ev.Type != agent.EventAsk || n%2 == 0)
		}
		res, err := r.run(t, twoAsks()...)
		if err != nil {
			t.Fatal(err)
		}
		if n%2 == 0 && res.Reason == agent.Done {
			return
		}
	}
}

func TestAResultIsAskedAboutOnceInARun(t *testing.T) {
	asks := policy.Definition{Name: "look", Applies: policy.KindsOf(llm.ToolResult), Policy: &policy.Policy{
		Judge: func(context.Context, *policy.Subject) policy.Verdict {
			return policy.Verdict{Action: policy.Ask, Reason: "look at it"}
		},
	}}
	for _, approve := range []bool{true, false} {
		r := &rig{cfg: policies.Config{Set: setOf(t, asks)}}
		asked := 0
		r.seen = func(ev agent.Event) bool {
			if ev.Type == agent.EventAsk {
				if asked++; approve {
					ev.Ask.Approve("kim")
				} else {
					ev.Ask.Deny("kim", "secret")
				}
			}
			return true
		}
		call := scripted.Call("list", `{}`)
		if _, err := r.run(t, scripted.Round{call}, scripted.Round{call}, scripted.Round{scripted.Text("ok")}); err != nil {
			t.Fatal(err)
		}
		want := "result of list, key sk-0123456789"
		if !approve {
			want = "[Sluice withheld this tool result: secret (policy look). The tool did run.]"
		}
		if asked != 2 || result(r.model.Requests()[2]) != want || result(r.model.Requests()[1]) != want {
			t.Error(asked, result(r.model.Requests()[2]))
		}
	}
}

func TestOneThatIsAskedAboutCanBeBlockedWithTheOthers(t *testing.T) {
	none := policy.Definition{Name: "none", Policy: &policy.Policy{JudgeAll: func(_ context.Context, calls []*policy.Subject) []policy.Verdict {
		verdicts := make([]policy.Verdict, len(calls))
		for i := range verdicts {
			verdicts[i] = policy.Verdict{Action: policy.Block, Reason: "none of them"}
		}
		return verdicts
	}}}
	r := &rig{cfg: policies.Config{Set: setOf(t, on(asksForBash), none), Asks: policies.Interrupts}}
	res, err := r.run(t, twoAsks()...)
	if err != nil || res.Reason != agent.Done || len(r.ran) > 0 {
		t.Error(err, res, r.ran)
	}
	for _, rec := range r.records {
		if rec.Kind == llm.ToolCall && rec.Verdict.Action != policy.BlockFeedback {
			t.Errorf("%+v", rec.Verdict)
		}
	}
}
