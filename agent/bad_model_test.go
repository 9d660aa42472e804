package agent_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
)

// blockEvents are one block of a choice.
func blockEvents(choice, at int, kind llm.Kind, name, text string) []stream.Event {
	return []stream.Event{
		{Type: stream.EventStart, Choice: choice, Block: at, Kind: kind, Name: name, ID: fmt.Sprintf("%s_%d_%d", name, choice, at), Index: -1},
		{Type: stream.EventDelta, Choice: choice, Block: at, Kind: kind, Data: []byte(text)},
		{Type: stream.EventEnd, Choice: choice, Block: at, Kind: kind},
	}
}

// finishEvents end an answer.
func finishEvents(choice int, reason llm.FinishReason) []stream.Event {
	return []stream.Event{{Type: stream.EventFinish, Choice: choice, Reason: reason}, {Type: stream.EventDone}}
}

// modelRun runs an agent with a tool on a model of events.
func modelRun(t *testing.T, l *ledger, m model.Model, limits agent.Limits) ([]agent.Event, *agent.Result, error) {
	t.Helper()
	client, err := agent.New(agent.Config{Model: m, Tools: []*agent.Tool{l.tool("look", "sunny")}, Loop: agent.LoopConfig{Stream: agent.All, Limits: limits}})
	if err != nil {
		t.Fatal(err)
	}
	run := client.Run(t.Context(), &agent.Request{Text: "How is it?"})
	events, err := eventsOf(run)
	return events, run.Result(), err
}

// A model that says nothing has answered nothing: the run is done, and there is nothing to remember.
func TestAModelThatSaysNothing(t *testing.T) {
	t.Parallel()
	var l ledger
	events, result, err := modelRun(t, &l, eventsModel(nil), agent.Limits{})
	if err != nil || spell(events) != "round_end final" || result.Text() != "" || len(result.Messages) != 0 || len(result.Rounds) != 1 {
		t.Errorf("seen %q, %+v, %v", spell(events), result, err)
	}
}

// A model that fails at once ends the run with its error.
func TestAModelThatFailsAtOnce(t *testing.T) {
	t.Parallel()
	var l ledger
	errMine := errors.New("mine")
	m := model.Func(func(context.Context, *llm.Request) iter.Seq2[stream.Event, error] {
		return func(yield func(stream.Event, error) bool) { yield(stream.Event{}, errMine) }
	})
	events, result, err := modelRun(t, &l, m, agent.Limits{})
	if !errors.Is(err, errMine) || len(events) != 0 || result.Reason != agent.Failed || len(result.Rounds) != 0 {
		t.Errorf("%d events, %+v, %v", len(events), result, err)
	}
}

// Only the first choice of an answer counts: calls of another are not seen and not run.
func TestOtherChoicesAreIgnored(t *testing.T) {
	t.Parallel()
	var l ledger
	events := append(blockEvents(1, 0, llm.ToolCall, "look", "{}"), blockEvents(1, 1, llm.Content, "", "Other.")...)
	events = append(events, finishEvents(1, llm.FinishToolCalls)...)
	both := append(blockEvents(0, 0, llm.Content, "", "Fine."), events...)
	both = append(both, stream.Event{Type: stream.EventFinish, Reason: llm.FinishStop})
	for name, tc := range map[string]struct {
		events []stream.Event
		text   string
	}{"only another": {events, ""}, "the first and another": {both, "Fine."}} {
		seen, result, err := modelRun(t, &l, eventsModel(tc.events), agent.Limits{})
		if err != nil || l.ran() != "" || result.Text() != tc.text || spoken(seen) != tc.text || result.Reason != agent.Done {
			t.Errorf("%s: said %q, ran %q, ended with %q, %v", name, result.Text(), l.ran(), result.Reason, err)
		}
	}
}

// The most blocks that an answer may have are read; one more is an error, and none of its calls are run.
func TestTheMostBlocks(t *testing.T) {
	t.Parallel()
	for more, fails := range map[int]bool{0: false, 1: true} {
		var l ledger
		var events []stream.Event
		for at := range stream.DefaultMaxBlocks + more {
			events = append(events, blockEvents(0, at, llm.ToolCall, "look", fmt.Sprintf(`{"n":%d}`, at))...)
		}
		events = append(events, finishEvents(0, llm.FinishToolCalls)...)
		_, result, err := modelRun(t, &l, eventsModel(events, textEvents("Fine.")), agent.Limits{Calls: 100, PerTool: -1})
		var limit *stream.LimitError
		if fails {
			if !errors.As(err, &limit) || l.ran() != "" || len(result.Messages) != 0 {
				t.Errorf("%d blocks too many: %v", more, err)
			}
			continue
		}
		if err != nil || result.Reason != agent.LimitCalls || strings.Count(l.ran(), "look") != 100 || len(resultTexts(result.Messages)) != stream.DefaultMaxBlocks {
			t.Errorf("ran %d, ended with %q, %d results, %v", strings.Count(l.ran(), "look"), result.Reason, len(resultTexts(result.Messages)), err)
		}
		if err := sluicetest.ValidateHistories(append(userMessages("How is it?"), result.Messages...)); err != nil {
			t.Error(err)
		}
	}
}

// The text of an answer of very many blocks is put together in one go, not block by block.
func TestTheTextOfManyBlocks(t *testing.T) {
	answer := &agent.Answer{}
	direct := &agent.Result{}
	for range stream.DefaultMaxBlocks {
		answer.Blocks = append(answer.Blocks, llm.Block{Kind: llm.Content, Text: "abc"})
		direct.Direct = append(direct.Direct, llm.Block{Kind: llm.ToolResult, Text: "abc"})
	}
	for name, text := range map[string]func() string{"answer": answer.Text, "direct": direct.Text} {
		if allocs := testing.AllocsPerRun(1, func() { text() }); allocs > 100 {
			t.Errorf("%s: %.0f allocations", name, allocs)
		}
	}
}

// Events about blocks that never began are an error.
func TestEventsOfNoBlockAreAnError(t *testing.T) {
	t.Parallel()
	for name, ev := range map[string]stream.Event{
		"a delta":         {Type: stream.EventDelta, Block: 3, Data: []byte("x")},
		"an end":          {Type: stream.EventEnd, Block: 0},
		"a negative one":  {Type: stream.EventDelta, Block: -1, Data: []byte("x")},
		"another choice":  {Type: stream.EventDelta, Choice: 7, Block: 0, Data: []byte("x")},
		"a start far off": {Type: stream.EventStart, Block: math.MaxInt, Kind: llm.Content},
	} {
		noPanic(t, func() {
			var l ledger
			_, result, err := modelRun(t, &l, eventsModel([]stream.Event{ev}), agent.Limits{})
			var protocol *stream.ProtocolError
			if !errors.As(err, &protocol) || result.Reason != agent.Failed {
				t.Errorf("%s: %v, %q", name, err, result.Reason)
			}
		})
	}
}

// No call of an answer that is not whole is run, whatever the reason that it ended for.
func TestCallsOfAnAnswerThatIsNotWholeAreNotRun(t *testing.T) {
	t.Parallel()
	for _, reason := range []llm.FinishReason{
		llm.FinishNone, llm.FinishLength, llm.FinishFiltered, llm.FinishBadCall, llm.FinishFailed, llm.FinishOther,
	} {
		var l ledger
		events := append(blockEvents(0, 0, llm.ToolCall, "look", "{}"), finishEvents(0, reason)...)
		seen, result, err := modelRun(t, &l, eventsModel(events, textEvents("never")), agent.Limits{})
		if err != nil || l.ran() != "" || result.Reason == agent.Done || len(result.Messages) != 0 || len(result.Rounds) != 1 {
			t.Errorf("%s: ran %q, ended with %q, added %s, %v", reason, l.ran(), result.Reason, letters(result.Messages), err)
		}
		if strings.Count(spell(seen), "tool_end") != strings.Count(spell(seen), "tool_result") {
			t.Errorf("%s: calls and results are not paired: %q", reason, spell(seen))
		}
	}
}

// A model that asks for the same for ever is stopped by the limits, though none was set.
func TestAModelThatNeverStops(t *testing.T) {
	t.Parallel()
	var l ledger
	same := scripted.New(scripted.Round{scripted.When(func(*llm.Request) bool { return true }), scripted.CallID("x", "look", "{}")})
	_, result, err := modelRun(t, &l, same, agent.Limits{})
	if err != nil || result.Reason != agent.LimitIdentical || strings.Count(l.ran(), "look") != agent.DefaultIdentical {
		t.Errorf("ended with %q after %d calls, %v", result.Reason, strings.Count(l.ran(), "look"), err)
	}
	unknown := scripted.New(scripted.Round{scripted.When(func(*llm.Request) bool { return true }), scripted.Call("nothing", "{}")})
	_, result, err = modelRun(t, &l, unknown, agent.Limits{})
	if err != nil || result.Reason != agent.LimitRounds || len(unknown.Requests()) != agent.DefaultRounds {
		t.Errorf("ended with %q after %d requests, %v", result.Reason, len(unknown.Requests()), err)
	}
	told := scripted.New(scripted.Round{scripted.When(func(*llm.Request) bool { return true }), scripted.Call("look", "{}")})
	_, result, err = modelRun(t, &l, told, agent.Limits{TellModel: true})
	if err != nil || result.Reason != agent.LimitRounds || len(told.Requests()) != agent.DefaultRounds {
		t.Errorf("ended with %q after %d requests, %v", result.Reason, len(told.Requests()), err)
	}
}

// An answer that a provider pauses for ever is stopped too.
func TestAnAnswerThatIsPausedForEver(t *testing.T) {
	t.Parallel()
	var l ledger
	paused := append(blockEvents(0, 0, llm.Content, "", "And "), finishEvents(0, llm.FinishPaused)...)
	_, result, err := modelRun(t, &l, eventsModel(paused), agent.Limits{Rounds: 5})
	if err != nil || len(result.Rounds) != 1 || result.Reason != agent.Unfinished {
		t.Errorf("ended with %q after %d rounds, %v", result.Reason, len(result.Rounds), err)
	}
}
