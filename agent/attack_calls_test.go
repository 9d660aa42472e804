package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/sluicetest"
)

// holds is an advisor that lets all calls of the first round wait for a person.
func holds(ask func(call llm.Block) *agent.Ask) agent.Advisor {
	return agent.AdvisorFunc("holds", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
		return func(yield func(agent.Event, error) bool) {
			for ev, err := range next(ctx, req) {
				if ev.Type == agent.EventRoundEnd {
					for _, at := range ev.Answer.Calls() {
						ev.Answer.Hold(at, ask(ev.Answer.Blocks[at]))
					}
				}
				if !yield(ev, err) || err != nil {
					return
				}
			}
		}
	})
}

func asking(call llm.Block) *agent.Ask { return agent.NewAsk(call, "test", "why not") }

// approveAll resumes an interrupted run with yes to everything.
func approveAll(t *testing.T, c *agent.Client, s *agent.State) *agent.Result {
	t.Helper()
	answers := agent.Answers{}
	for _, p := range s.Pending {
		answers.Approve(p.ID, "kim")
	}
	run := c.Resume(t.Context(), s, answers, nil)
	if _, err := eventsOf(run); err != nil {
		t.Fatal(err)
	}
	return run.Result()
}

// A held call whose arguments are no JSON object, or that was cut, is not run with other arguments after an approval.
func TestAttackAnApprovalDoesNotRepairABrokenCall(t *testing.T) {
	for name, step := range map[string]scripted.Step{
		"arguments that stop early": scripted.Call("look", `{"path":"/tmp/a`),
		"a key twice":               scripted.Call("look", `{"a":1,"a":2}`),
		"no name":                   scripted.Call("", `{}`),
		"a name that is alike":      scripted.Call("loo.k", `{}`),
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, agent.Config{Advisors: []agent.Advisor{holds(asking)}}, scripted.Round{step}, scripted.Round{scripted.Text("done")})
			loo := r.tool("loo_k", "no")
			result, err := r.Call(t.Context(), &agent.Request{Text: "go", Tools: []*agent.Tool{loo}})
			if err != nil {
				t.Fatal(err)
			}
			if result.Reason == agent.Interrupted {
				answers := agent.Answers{}
				answers.Approve(result.State.Pending[0].ID, "kim")
				if _, err := eventsOf(r.Resume(t.Context(), result.State, answers, &agent.Request{Tools: []*agent.Tool{loo}})); err != nil {
					t.Fatal(err)
				}
			}
			if r.ran() != "" {
				t.Errorf("ran %s, which the model did not write", r.ran())
			}
		})
	}
}

// A call that is held with no question is not run either.
func TestAttackAHoldWithoutAQuestionIsNoApproval(t *testing.T) {
	r := newRig(t, agent.Config{Advisors: []agent.Advisor{holds(func(llm.Block) *agent.Ask { return nil })}},
		scripted.Round{scripted.Call("look", `{}`)}, scripted.Round{scripted.Text("done")})
	_, _ = r.Call(t.Context(), &agent.Request{Text: "go"})
	if r.ran() != "" {
		t.Error("ran", r.ran())
	}
}

// A tool that stops the run stops the tools beside it and those that wait, in a call as in a stream.
func TestAttackFatalStopsTheToolsBesideIt(t *testing.T) {
	for _, mode := range modes() {
		for _, call := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				var (
					mu    sync.Mutex
					began int
				)
				tools := []*agent.Tool{
					{Name: "stops", Run: func(context.Context, agent.Call) (agent.Output, error) {
						return agent.Output{}, agent.Fatal(errors.New("no"))
					}},
					{Name: "waits", Run: func(ctx context.Context, _ agent.Call) (agent.Output, error) {
						mu.Lock()
						began++
						mu.Unlock()
						select {
						case <-ctx.Done():
						case <-time.After(time.Hour):
						}
						return agent.Output{Text: "waited"}, nil
					}},
				}
				r := newRig(t, agent.Config{Tools: tools, Loop: agent.LoopConfig{Stream: mode, Parallel: 2}}, scripted.Round{
					scripted.Call("stops", `{}`), scripted.Call("waits", `{"n":1}`), scripted.Call("waits", `{"n":2}`), scripted.Call("waits", `{"n":3}`),
				})
				start := time.Now()
				var err error
				if call {
					_, err = r.Call(t.Context(), &agent.Request{Text: "go"})
				} else {
					_, err = eventsOf(r.Run(t.Context(), &agent.Request{Text: "go"}))
				}
				if err == nil {
					t.Fatal("it did not fail")
				}
				if took := time.Since(start); took > 0 {
					t.Errorf("%s, call %t: after the tool had stopped the run, %d others ran for %v", mode, call, began, took)
				}
			})
		}
	}
}

// Cancel with Now ends the run with ErrCancelled, also if it comes between the model and the tools.
func TestAttackCancelNowIsAnErrorAtEveryPoint(t *testing.T) {
	var run *agent.Run
	r := newRig(t, agent.Config{Loop: agent.LoopConfig{After: func(context.Context, *agent.Request, *agent.Answer) error {
		run.Cancel(agent.Now)
		return nil
	}}}, scripted.Round{scripted.Call("look", `{}`)}, scripted.Round{scripted.Text("done")})
	run = r.Run(t.Context(), &agent.Request{Text: "go"})
	_, err := eventsOf(run)
	if !errors.Is(err, agent.ErrCancelled) || run.Result().Reason != agent.Cancelled {
		t.Errorf("the run ended with %v, %s", err, run.Result().Reason)
	}
	r.wants(1, "")
}

// Tools that return directly do so also if one of them had to wait for a person.
func TestAttackAResumedRunReturnsDirectly(t *testing.T) {
	l := &ledger{}
	first := l.direct("first", "one")
	second := l.direct("second", "two")
	run := second.Run
	second.Run = func(ctx context.Context, c agent.Call) (agent.Output, error) {
		if c.Answer == nil {
			return agent.Output{}, agent.Interrupt("may I?")
		}
		return run(ctx, c)
	}
	r := newRig(t, agent.Config{Tools: []*agent.Tool{first, second}},
		scripted.Round{scripted.Call("first", `{}`), scripted.Call("second", `{}`)}, scripted.Round{scripted.Text("the model was asked again")})
	result := r.ask("go")
	if result.Reason != agent.Interrupted {
		t.Fatal(result.Reason)
	}
	result = approveAll(t, r.Client, result.State)
	if result.Reason != agent.ReturnedDirectly || result.Text() != "one\ntwo" {
		t.Errorf("the run ended with %s: %q", result.Reason, result.Text())
	}
}

// An empty answer does not count: the run is not resumed with it.
func TestAttackANilAnswerIsNone(t *testing.T) {
	asked := 0
	tool := &agent.Tool{Name: "asks", Run: func(_ context.Context, c agent.Call) (agent.Output, error) {
		if asked++; c.Answer == nil {
			return agent.Output{}, agent.Interrupt("may I?")
		}
		return agent.Output{Text: "thanks"}, nil
	}}
	for name, answer := range map[string][]byte{"nil": nil, "empty": {}, "not JSON": []byte("yes, do")} {
		t.Run(name, func(t *testing.T) {
			asked = 0
			r := newRig(t, agent.Config{Tools: []*agent.Tool{tool}}, scripted.Round{scripted.Call("asks", `{}`)}, scripted.Round{scripted.Text("done")})
			state := r.ask("go").State
			run := r.Resume(t.Context(), state, agent.Answers{state.Pending[0].ID: answer}, nil)
			if _, err := eventsOf(run); err == nil || asked != 1 {
				t.Errorf("the tool was called %d times, the run ended with %s, %v", asked, run.Result().Reason, err)
			}
		})
	}
}

// What an advisor does at the end of a run does not keep the conversation locked.
func TestAttackAPanicAtTheEndDoesNotKeepTheConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept := newMemory(t)
		panics := agent.AdvisorFunc("panics", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
			req.OnEnd(func() { panic("at the end") })
			return next(ctx, req)
		})
		r := newRig(t, agent.Config{Memory: kept, Remember: agent.MemoryConfig{Serialise: true}, Advisors: []agent.Advisor{panics}},
			scripted.Round{scripted.Text("one")})
		run := r.Run(t.Context(), &agent.Request{Text: "go", Conversation: "c"})
		func() {
			defer func() { _ = recover() }()
			_, _ = eventsOf(run)
		}()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		unlock, err := kept.Lock(ctx, "c")
		if err != nil {
			t.Error("the conversation is locked for ever:", err)
		} else {
			unlock()
		}
		if run.Result() == nil {
			t.Error("there is no result after the range is over")
		}
	})
}

// A question of several messages is one turn: a window does not forget its beginning while it is answered.
func TestAttackAWindowKeepsAllOfTheQuestion(t *testing.T) {
	kept, err := memory.New(memory.NewInMemory(), memory.Options{Window: memory.Messages(2)})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, agent.Config{Memory: kept, Remember: agent.MemoryConfig{Order: agent.InsideLoop}},
		scripted.Round{scripted.Call("look", `{}`)}, scripted.Round{scripted.Text("done")})
	_, err = r.Call(t.Context(), &agent.Request{Conversation: "c", Messages: append(userMessages("Here is the document."), userMessages("What does it say?")...)})
	if err != nil {
		t.Fatal(err)
	}
	for i, req := range r.model.Requests() {
		var said strings.Builder
		for _, m := range req.Messages {
			for _, b := range m.Blocks {
				said.WriteString(b.Text)
			}
		}
		if !strings.Contains(said.String(), "document") {
			t.Errorf("round %d: the model is not told the whole question", i+1)
		}
	}
}

// What tools did is remembered even if the consumer panics on the event.
func TestAttackAConsumerThatPanicsLosesNoRound(t *testing.T) {
	for name, end := range map[string]func(){"leaves": func() {}, "panics": func() { panic("consumer") }} {
		t.Run(name, func(t *testing.T) {
			kept := newMemory(t)
			r := newRig(t, agent.Config{Memory: kept, Loop: agent.LoopConfig{Stream: agent.All}},
				scripted.Round{scripted.Call("look", `{"n":1}`), scripted.Call("look", `{"n":2}`)})
			run := r.Run(t.Context(), &agent.Request{Text: "go", Conversation: "c"})
			func() {
				defer func() { _ = recover() }()
				for ev := range run.Events() {
					if ev.Type == agent.EventToolResult {
						end()
						break
					}
				}
			}()
			if got := storedIn(t, kept); r.ran() != "" && got != "UCR" {
				t.Errorf("ran %s, and %q is remembered", r.ran(), got)
			}
		})
	}
}

// Messages that a hook has put into a run are sent in the rounds after an interruption too.
func TestAttackInstructionsOutlastAnInterruption(t *testing.T) {
	tool := &agent.Tool{Name: "asks", Run: func(_ context.Context, c agent.Call) (agent.Output, error) {
		if c.Answer == nil && c.Round == 2 {
			return agent.Output{}, agent.Interrupt("may I?")
		}
		return agent.Output{Text: "thanks"}, nil
	}}
	told := false
	cfg := agent.Config{Tools: []*agent.Tool{tool}, Loop: agent.LoopConfig{
		NextInstructions: func(_ context.Context, _ *agent.Request, messages []llm.Message) ([]llm.Message, error) {
			if !told {
				told = true
				messages = append(messages, userMessages("Be brief.")...)
			}
			return messages, nil
		},
	}}
	r := newRig(t, cfg, scripted.Round{scripted.Call("asks", `{}`)}, scripted.Round{scripted.Call("asks", `{"n":2}`)}, scripted.Round{scripted.Text("done")})
	result := r.ask("go")
	if result.Reason != agent.Interrupted {
		t.Fatal(result.Reason)
	}
	_ = approveAll(t, r.Client, result.State)
	requests := r.model.Requests()
	if n := len(requests); n != 3 || !strings.Contains(describeStorm(requests[1].Messages), "Be brief.") {
		t.Fatal(n)
	}
	if !strings.Contains(describeStorm(requests[2].Messages), "Be brief.") {
		t.Error("the instructions are gone after the interruption")
	}
}

// Tokens that a provider counts without measure reach a limit of them.
func TestAttackTokensThatOverflowReachTheirLimit(t *testing.T) {
	for _, usage := range [][2]int64{{math.MaxInt64, math.MaxInt64}, {math.MaxInt64, 10}, {200, -1000}} {
		r := newRig(t, agent.Config{Loop: agent.LoopConfig{Limits: agent.Limits{Tokens: 100}}},
			scripted.Round{scripted.Call("look", `{}`), scripted.Usage(usage[0], usage[1])}, scripted.Round{scripted.Text("done")})
		if result := r.ask("go"); result.Reason != agent.LimitTokens {
			t.Errorf("%v: ended with %s", usage, result.Reason)
		}
	}
}

// A tool is given one JSON object, also if the model wrote only space.
func TestAttackArgumentsOfSpaceAreAnObject(t *testing.T) {
	var got []string
	tool := &agent.Tool{Name: "look", Run: func(_ context.Context, c agent.Call) (agent.Output, error) {
		got = append(got, string(c.Arguments))
		return agent.Output{Text: "ok"}, nil
	}}
	r := newRig(t, agent.Config{Tools: []*agent.Tool{tool}}, scripted.Round{scripted.Call("look", " \n")}, scripted.Round{scripted.Text("done")})
	_ = r.ask("go")
	for _, arguments := range got {
		if !json.Valid([]byte(arguments)) {
			t.Errorf("the tool was called with %q", arguments)
		}
	}
}

// A question that is stored first is stored once, however often the model is asked again for it.
func TestAttackAKeptQuestionIsKeptOnce(t *testing.T) {
	for _, order := range []int{agent.OutsideLoop - 1, agent.RetryOrder} {
		for _, inside := range []int{0, agent.InsideLoop} {
			retry, err := agent.NewRetry(agent.RetryConfig{Order: order, Backoff: func(int) time.Duration { return 0 }})
			if err != nil {
				t.Fatal(err)
			}
			kept := newMemory(t)
			r := newRig(t, agent.Config{Memory: kept, Remember: agent.MemoryConfig{KeepQuestion: true, Order: inside}, Advisors: []agent.Advisor{retry}},
				scripted.Round{scripted.Fail(errModel)}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("done")})
			if _, err := r.Call(t.Context(), &agent.Request{Text: "go", Conversation: "c"}); err != nil {
				t.Logf("order %d inside %d: %v", order, inside, err)
			}
			if got := storedIn(t, kept); got != "UCRA" && got != "U" {
				t.Errorf("stored %q", got)
			}
			for _, req := range r.model.Requests() {
				if n := strings.Count(describeStorm(req.Messages), `"go"`); n != 1 {
					t.Errorf("the question is asked %d times:\n%s", n, describeStorm(req.Messages))
				}
			}
		}
	}
}

// What an advisor puts into the lists of a clone is not seen in the request that was cloned, nor in later runs of the client.
func TestAttackACloneHasListsOfItsOwn(t *testing.T) {
	changes := agent.AdvisorFunc("changes", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
		req = req.Clone()
		req.Messages[0] = userMessages("[redacted]")[0]
		req.Tools[0] = &agent.Tool{Name: "other" + req.Tools[0].Name, Run: req.Tools[0].Run}
		return next(ctx, req)
	})
	r := newRig(t, agent.Config{Advisors: []agent.Advisor{changes}}, scripted.Round{scripted.Text("done")}, scripted.Round{scripted.Text("done")})
	for range 2 {
		req := &agent.Request{Messages: userMessages("my secret")}
		if _, err := r.Call(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		if got := req.Messages[0].Blocks[0].Text; got != "my secret" {
			t.Errorf("the caller's own question became %q", got)
		}
	}
	if got := r.model.Requests()[1].Tools[0].Name; got != "otherlook" {
		t.Errorf("in the second run the tool is %q: the first has changed the client", got)
	}
}

// A state in which one call occurs twice and another not at all is not resumed.
func TestAttackAStateMustCoverEachCallOnce(t *testing.T) {
	r := newRig(t, agent.Config{Advisors: []agent.Advisor{holds(asking)}},
		scripted.Round{scripted.Call("look", `{"n":1}`), scripted.Call("look", `{"n":2}`)}, scripted.Round{scripted.Text("done")})
	state := r.ask("go").State
	first := state.Pending[0].ID
	state.Pending = state.Pending[:1]
	for name, change := range map[string]func(s *agent.State){
		"one is pending and done": func(s *agent.State) {
			s.Done = []llm.Block{{Kind: llm.ToolResult, ToolUseID: first, Text: "no"}}
		},
		"one is pending twice":       func(s *agent.State) { s.Pending = append(s.Pending, s.Pending[0]) },
		"one that waits is unknown":  func(s *agent.State) { s.Waiting = []string{"other"} },
		"one is pending and waiting": func(s *agent.State) { s.Waiting = []string{first} },
	} {
		t.Run(name, func(t *testing.T) {
			changed := *state
			changed.Pending = append([]agent.Pending(nil), state.Pending...)
			change(&changed)
			answers := agent.Answers{}
			answers.Deny(first, "kim", "no")
			_, err := eventsOf(r.Resume(t.Context(), &changed, answers, nil))
			if r.ran() != "" || err == nil {
				t.Errorf("ran %q, which nobody approved, and ended with %v", r.ran(), err)
			}
		})
	}
}

// Whatever bytes a tool returns, the history with its result is one that providers take.
func TestAttackResultsOfAnyBytes(t *testing.T) {
	for _, text := range []string{"\xff\xfe", "a\x00b", "\u2028", "", " ", "\xed\xa0\x80"} {
		l := &ledger{}
		kept := newMemory(t)
		r := newRig(t, agent.Config{Memory: kept, Tools: []*agent.Tool{l.tool("look", text)}}, scripted.Round{scripted.Call("look", `{}`)}, scripted.Round{scripted.Text("done")})
		_ = r.ask("go")
		c, err := kept.Get(t.Context(), "c")
		if err != nil {
			t.Fatal(err)
		}
		if err := sluicetest.ValidateHistories(c.Messages); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Unsigned thinking, as some models send it, does not make another provider refuse the conversation.
func TestAttackThinkingWithoutAProofIsTakenBack(t *testing.T) {
	for name, round := range map[string]scripted.Round{
		"an answer": {scripted.Thinking("hm"), scripted.Text("hello there")},
		"a call":    {scripted.Thinking("hm"), scripted.Call("look", "{}")},
	} {
		kept := newMemory(t)
		r := newRig(t, agent.Config{Memory: kept}, round, scripted.Round{scripted.Text("done")})
		_ = r.ask("go")
		c, err := kept.Get(t.Context(), "c")
		if err != nil {
			t.Fatal(err)
		}
		if err := sluicetest.ValidateHistories(c.Messages); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
