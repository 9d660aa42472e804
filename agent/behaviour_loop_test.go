package agent_test

import (
	"context"
	"encoding/json"
	"iter"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/stream"
)

// A tool that cannot be run is refused when the agent is built; a loop without options is ready to use.
func TestBehaviour001WhatCannotRunIsRefusedWhenBuilt(t *testing.T) {
	t.Parallel()
	m := scripted.New()
	_, err := agent.New(agent.Config{Model: m, Tools: []*agent.Tool{{Name: "look"}}})
	wantError(t, err, `tool "look" has no Run`)
	if _, err := agent.NewToolLoop(agent.LoopConfig{}); err != nil {
		t.Errorf("the zero LoopConfig is refused: %v", err)
	}
}

// The loop cannot be the outermost or the innermost element of a chain, but anywhere in between.
func TestBehaviour002OrdersAtTheEndsAreRefused(t *testing.T) {
	t.Parallel()
	for _, order := range []int{agent.Outermost, agent.Innermost} {
		_, err := agent.NewToolLoop(agent.LoopConfig{Order: order})
		wantError(t, err, "Outermost or Innermost")
	}
	for _, order := range []int{agent.Outermost + 1, -1, 1, agent.Innermost - 1} {
		if _, err := agent.NewToolLoop(agent.LoopConfig{Order: order}); err != nil {
			t.Errorf("order %d: %v", order, err)
		}
	}
}

// The loop uses the order and the function for running tools that it is given, and its name is always the same.
func TestBehaviour003OrderAndWayOfRunningAreTaken(t *testing.T) {
	t.Parallel()
	loop, err := agent.NewToolLoop(agent.LoopConfig{
		Order: 42,
		Around: func(context.Context, *agent.Tool, agent.Call, func(context.Context, agent.Call) (agent.Output, error)) (agent.Output, error) {
			return agent.Output{Text: "instead"}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, agent.Config{Advisors: []agent.Advisor{loop}}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	result := r.ask("How is it?")
	if loop.Order() != 42 || loop.Name() != "tool loop" {
		t.Errorf("%q stands at %d", loop.Name(), loop.Order())
	}
	if got := resultTexts(result.Messages); !equalStrings(got, "instead") {
		t.Errorf("the model was told %q", got)
	}
	r.wants(2, "")
}

// By default the loop is at LoopOrder, outside of advisors without an order and inside of a memory's default position.
func TestBehaviour004TheDefaultOrder(t *testing.T) {
	t.Parallel()
	loop, err := agent.NewToolLoop(agent.LoopConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if loop.Order() != agent.LoopOrder || agent.LoopOrder != agent.Outermost+300 {
		t.Errorf("the loop stands at %d", loop.Order())
	}
	if !(agent.OutsideLoop < agent.LoopOrder && agent.LoopOrder < agent.InsideLoop && agent.InsideLoop < 0) {
		t.Error("the usual places are not in their order")
	}
}

// A missing Eligible is not an error but means the default check, whether there are calls, so that the zero LoopConfig
// works.
func TestDifferent005NoCheckMeansTheUsualOne(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{Loop: agent.LoopConfig{Eligible: nil}}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	if got := r.ask("How is it?").Text(); got != "Fine." {
		t.Errorf("answered %q", got)
	}
	r.wants(2, "look{}")
}

// An answer that is not eligible is the result as it is, with its calls, and nothing is run.
func TestBehaviour006CallsThatAreNotEligibleAreTheCallers(t *testing.T) {
	t.Parallel()
	asked := 0
	no := func(a *agent.Answer) bool { asked++; return !a.HasCalls() }
	r := newRig(t, agent.Config{Loop: agent.LoopConfig{Eligible: no}}, scripted.Round{scripted.Text("Let me look."), scripted.CallID("7", "look", `{"at":1}`)})
	result := r.ask("How is it?")
	if result.Reason != agent.CallsLeft || result.Text() != "Let me look." {
		t.Errorf("ended with %q and %q", result.Reason, result.Text())
	}
	calls := result.Answer.Calls()
	if len(calls) != 1 || result.Answer.Blocks[calls[0]].ID != "7" || result.Answer.Blocks[calls[0]].Arguments != `{"at":1}` {
		t.Errorf("the answer has %+v", result.Answer.Blocks)
	}
	if asked != 1 {
		t.Errorf("the check was asked %d times", asked)
	}
	r.wants(1, "")
}

// A check that accepts an answer without calls does not force a round, because there is nothing to run and nothing new to
// tell the model.
func TestDifferent007ARoundCannotBeForcedWithoutCalls(t *testing.T) {
	t.Parallel()
	yes := func(*agent.Answer) bool { return true }
	r := newRig(t, agent.Config{Loop: agent.LoopConfig{Eligible: yes}}, scripted.Round{scripted.Text("Fine.")})
	if result := r.ask("How is it?"); result.Reason != agent.Done || result.Text() != "Fine." {
		t.Errorf("ended with %q and %q", result.Reason, result.Text())
	}
	r.wants(1, "")
}

// In a stream, too, the calls of an answer that is not eligible are shown, even if the mode hides calls, and not run.
func TestBehaviour008CallsThatAreNotEligibleAreStreamed(t *testing.T) {
	t.Parallel()
	for _, mode := range modes() {
		no := func(*agent.Answer) bool { return false }
		r := newRig(t, agent.Config{Loop: agent.LoopConfig{Eligible: no, Stream: mode}}, scripted.Round{scripted.Call("look", "{}")})
		events, result := r.watch("How is it?")
		if got := spell(events); got != "tool_start tool_delta tool_end round_end final" {
			t.Errorf("%s: seen %q", mode, got)
		}
		if result.Reason != agent.CallsLeft {
			t.Errorf("%s: ended with %q", mode, result.Reason)
		}
		r.wants(1, "")
	}
}

// A call without a request is an error, and the model is not asked.
func TestBehaviour009NoRequestIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{}, scripted.Round{scripted.Text("Fine.")})
	result, err := r.Call(t.Context(), nil)
	wantError(t, err, "the request is nil")
	if result == nil || result.Reason != agent.Failed {
		t.Errorf("the result is %+v", result)
	}
	r.wants(0, "")
}

// A chain without a model at its end is refused when it is built.
func TestBehaviour010AChainWithoutAModelIsRefused(t *testing.T) {
	t.Parallel()
	loop, err := agent.NewToolLoop(agent.LoopConfig{})
	if err != nil {
		t.Fatal(err)
	}
	client, err := agent.NewClient(nil, loop)
	wantError(t, err, "no model")
	if client != nil {
		t.Error("there is a client all the same")
	}
}

// A request without tools and options passes through the loop unchanged.
func TestBehaviour011ARequestWithoutOptionsPasses(t *testing.T) {
	t.Parallel()
	inside := &spy{name: "inside"}
	r := newRig(t, agent.Config{Tools: []*agent.Tool{}, Advisors: []agent.Advisor{inside}}, scripted.Round{scripted.Text("Fine.")})
	if got := r.ask("How is it?").Text(); got != "Fine." {
		t.Errorf("answered %q", got)
	}
	req := r.model.Requests()[0]
	if len(req.Tools) != 0 || len(req.System) != 0 || req.MaxTokens != 0 || req.Temperature != nil || req.Extra != nil || letters(req.Messages) != "U" {
		t.Errorf("the model was asked %+v", req)
	}
	if len(inside.seen) != 1 {
		t.Errorf("asked %d times", len(inside.seen))
	}
}

// Options of the model that have nothing to do with tools reach it unchanged, in every round.
func TestBehaviour012OtherOptionsPass(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	warm := 0.5
	req := &agent.Request{Text: "How is it?", Model: "large", MaxTokens: 77, Temperature: &warm, Extra: map[string]json.RawMessage{"seed": json.RawMessage("1")}}
	if _, err := r.Call(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	r.wants(2, "look{}")
	for _, got := range r.model.Requests() {
		if got.Model != "large" || got.MaxTokens != 77 || *got.Temperature != 0.5 || string(got.Extra["seed"]) != "1" {
			t.Errorf("the model was asked %+v", got)
		}
	}
}

// An answer without calls is returned as it is, even if there are tools.
func TestBehaviour013AnAnswerWithoutCallsIsReturned(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{}, scripted.Round{scripted.Text("It is fine.")})
	result := r.ask("How is it?")
	if result.Reason != agent.Done || result.Text() != "It is fine." || result.Answer.Finish != llm.FinishStop || letters(result.Messages) != "A" {
		t.Errorf("the result is %+v", result)
	}
	r.wants(1, "")
}

// If an advisor inside the loop ends without an answer, the run ends without one, and nothing is run.
func TestBehaviour014NoAnswerIsReturnedAsItIs(t *testing.T) {
	t.Parallel()
	silent := agent.AdvisorFunc("silent", func(context.Context, *agent.Request, agent.Next) agent.Events {
		return func(yield func(agent.Event, error) bool) {
			yield(agent.Event{Type: agent.EventFinal, Block: -1, Final: &agent.Result{Reason: agent.Done}}, nil)
		}
	})
	r := newRig(t, agent.Config{Advisors: []agent.Advisor{silent}}, scripted.Round{scripted.Text("never")})
	result := r.ask("How is it?")
	if result.Reason != agent.Done || result.Answer != nil || result.Text() != "" || len(result.Messages) != 0 {
		t.Errorf("the result is %+v", result)
	}
	r.wants(0, "")
}

// A call is run once, its result goes to the model, and the answer to that is the result.
func TestBehaviour015OneRoundOfTools(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{}, scripted.Round{scripted.Call("look", `{"city":"a"}`)}, scripted.Round{scripted.Text("It is sunny.")})
	result := r.ask("How is it?")
	if result.Text() != "It is sunny." || result.Reason != agent.Done || letters(result.Messages) != "CRA" {
		t.Errorf("ended with %q, %q, %s", result.Reason, result.Text(), letters(result.Messages))
	}
	r.wants(2, `look{"city":"a"}`)
	if got := resultTexts(r.model.Requests()[1].Messages); !equalStrings(got, "sunny") {
		t.Errorf("the model was told %q", got)
	}
}

// The loop continues as long as the model calls tools: two rounds of calls are three requests to the model.
func TestBehaviour016TwoRoundsOfTools(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{}, scripted.Round{scripted.Call("look", `{"city":"a"}`)}, scripted.Round{scripted.Call("look", `{"city":"b"}`)}, scripted.Round{scripted.Text("Both sunny.")})
	result := r.ask("How is it?")
	if result.Text() != "Both sunny." || letters(result.Messages) != "CRCRA" || len(result.Rounds) != 3 {
		t.Errorf("ended with %q, %s, %d rounds", result.Text(), letters(result.Messages), len(result.Rounds))
	}
	r.wants(3, `look{"city":"a"} look{"city":"b"}`)
	if got := letters(r.model.Requests()[2].Messages); got != "UCRCR" {
		t.Errorf("the third request has %s", got)
	}
}

// The tokens of all rounds are summed in the result, and its answer is still the last one alone.
func TestBehaviour017UsageIsSummed(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{}, scripted.Round{scripted.Call("look", "{}"), scripted.Usage(10, 20)}, scripted.Round{scripted.Text("Fine."), scripted.Usage(1, 2)})
	result := r.ask("How is it?")
	if u := result.Usage; u.Input != 11 || u.Output != 22 {
		t.Errorf("cost %d and %d", u.Input, u.Output)
	}
	if u := result.Answer.Usage; u.Input != 1 || u.Output != 2 || result.Text() != "Fine." || len(result.Answer.Blocks) != 1 {
		t.Errorf("the answer is %+v", result.Answer)
	}
}

// usageModel answers with one usage after the other: first with a call, then with text.
func usageModel(usages ...*llm.Usage) model.Model {
	round := 0
	return model.Func(func(context.Context, *llm.Request) iter.Seq2[stream.Event, error] {
		return func(yield func(stream.Event, error) bool) {
			round++
			kind, name, text, reason := llm.Content, "", "Fine.", llm.FinishStop
			if round < len(usages) {
				kind, name, text, reason = llm.ToolCall, "look", "{}", llm.FinishToolCalls
			}
			events := []stream.Event{
				{Type: stream.EventStart, Kind: kind, Name: name, ID: "1", Index: -1},
				{Type: stream.EventDelta, Kind: kind, Data: []byte(text)},
				{Type: stream.EventEnd, Kind: kind},
				{Type: stream.EventFinish, Reason: reason},
				{Type: stream.EventUsage, Usage: usages[round-1]},
				{Type: stream.EventDone},
			}
			for _, ev := range events {
				if ev.Type == stream.EventUsage && ev.Usage == nil {
					continue
				}
				if !yield(ev, nil) {
					return
				}
			}
		}
	})
}

// Cached and reasoning tokens are summed like the others, and a sum has no provider object.
func TestBehaviour018CacheTokensAreSummed(t *testing.T) {
	t.Parallel()
	var l ledger
	client, err := agent.New(agent.Config{Tools: []*agent.Tool{l.tool("look", "sunny")}, Model: usageModel(
		&llm.Usage{Input: 400, Output: 1, CacheRead: 100, CacheWrite: 5, Reasoning: 3, Raw: json.RawMessage(`{"a":1}`)},
		&llm.Usage{Input: 500, Output: 2, CacheRead: 200, Reasoning: 4, Raw: json.RawMessage(`{"a":2}`)},
	)})
	if err != nil {
		t.Fatal(err)
	}
	result, err := client.Call(t.Context(), &agent.Request{Text: "How is it?"})
	if err != nil {
		t.Fatal(err)
	}
	if u := result.Usage; u.CacheRead != 300 || u.CacheWrite != 5 || u.Reasoning != 7 || u.Input != 900 || u.Output != 3 || u.Raw != nil {
		t.Errorf("cost %+v", u)
	}
	if string(result.Rounds[0].Usage.Raw) != `{"a":1}` || string(result.Rounds[1].Usage.Raw) != `{"a":2}` {
		t.Errorf("the rounds cost %+v", result.Rounds)
	}
}

// A run with one answer keeps its usage as the provider reported it.
func TestBehaviour019OneAnswerKeepsItsUsage(t *testing.T) {
	t.Parallel()
	client, err := agent.New(agent.Config{Model: usageModel(&llm.Usage{Input: 1, Output: 2, CacheRead: 3, Raw: json.RawMessage(`{"mine":true}`)})})
	if err != nil {
		t.Fatal(err)
	}
	result, err := client.Call(t.Context(), &agent.Request{Text: "How is it?"})
	if err != nil {
		t.Fatal(err)
	}
	if u := result.Usage; u.Input != 1 || u.Output != 2 || u.CacheRead != 3 || string(u.Raw) != `{"mine":true}` {
		t.Errorf("cost %+v", u)
	}
}

// A run that ends with a direct result in its second round still has the usage of both.
func TestBehaviour020ADirectResultKeepsTheSum(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{}, scripted.Round{scripted.Call("look", "{}"), scripted.Usage(10, 20)}, scripted.Round{scripted.Call("show", "{}"), scripted.Usage(1, 2)})
	result := r.ask("How is it?")
	if result.Usage.Input != 11 || result.Usage.Output != 22 || len(result.Rounds) != 2 {
		t.Errorf("cost %+v in %d rounds", result.Usage, len(result.Rounds))
	}
	if result.Text() != "for you" || len(result.Direct) != 1 {
		t.Errorf("returned %q", result.Text())
	}
	r.wants(2, "look{} show{}")
}

// A direct result ends the run: the model is not asked again, and the reason says so.
func TestBehaviour021ReturnDirectEndsTheRun(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{}, scripted.Round{scripted.Text("Here."), scripted.Call("show", "{}")}, scripted.Round{scripted.Text("never")})
	result := r.ask("Show me.")
	if result.Reason != agent.ReturnedDirectly || result.Text() != "for you" || len(result.Direct) != 1 || result.Direct[0].Failed {
		t.Errorf("ended with %q, %q, %+v", result.Reason, result.Text(), result.Direct)
	}
	if letters(result.Messages) != "CR" {
		t.Errorf("added %s", letters(result.Messages))
	}
	r.wants(1, "show{}")
}

// There is no flag that keeps a model from running tools itself, because no model does: tools are declared to it, and only
// the loop runs them.
func TestDifferent022ModelsRunNoTools(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	r.ask("How is it?")
	r.wants(2, "look{}")
	for _, req := range r.model.Requests() {
		if len(req.Tools) != 2 || req.Tools[0].Name != "look" || req.Tools[1].Name != "show" || req.Tools[0].Server || len(req.Extra) != 0 {
			t.Errorf("the model was asked with %+v and %v", req.Tools, req.Extra)
		}
	}
}
