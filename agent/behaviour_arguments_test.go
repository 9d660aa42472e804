package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
)

// Several calls are each run with their own arguments, nested ones arrive as they were written, and a tool that returns nothing has a result without text.
func TestBehaviour127ArgumentsArriveAsWritten(t *testing.T) {
	t.Parallel()
	nested := `{"a": [1, {"b": "\u00e9 \"quoted\""}], "big": 12345678901234567890, "none": null}`
	r := newRig(t, agent.Config{Loop: agent.LoopConfig{Parallel: 1}}, scripted.Round{scripted.Call("look", ""), scripted.Call("look", nested)}, scripted.Round{scripted.Text("Fine.")})
	r.ask("?")
	r.wants(2, "look{} look"+nested)
	silent := newRig(t, agent.Config{Tools: []*agent.Tool{failing("silent", nil)}}, scripted.Round{scripted.Call("silent", "{}")}, scripted.Round{scripted.Text("Fine.")})
	if result := silent.ask("?"); result.Reason != agent.Done || result.Text() != "Fine." {
		t.Errorf("ended with %q, %q", result.Reason, result.Text())
	}
	if got := silent.lastResults(); len(got) != 1 || got[0].Text != "" || got[0].Failed {
		t.Errorf("the model is told %+v", got)
	}
}

// Of several alternatives only the first one's text and calls are shown and run, even if another one starts before it.
func TestBehaviour127OnlyTheFirstAlternativeCounts(t *testing.T) {
	t.Parallel()
	for _, order := range [][]int{{0, 1}, {1, 0}} {
		var l ledger
		client, err := agent.New(agent.Config{Model: alternatives(order), Tools: []*agent.Tool{l.tool("look", "sunny")}, Loop: agent.LoopConfig{Stream: agent.All}})
		if err != nil {
			t.Fatal(err)
		}
		run := client.Run(t.Context(), &agent.Request{Text: "?"})
		events, err := eventsOf(run)
		if err != nil {
			t.Fatal(err)
		}
		result := run.Result()
		if result.Text() != "Fine." || l.ran() != `look{"choice":0}` || letters(result.Messages) != "CRA" {
			t.Errorf("%v: ended with %q after %s and %s", order, result.Text(), l.ran(), letters(result.Messages))
		}
		arguments := ""
		for _, ev := range events {
			if ev.Type == agent.EventToolDelta {
				arguments += ev.Text
			}
		}
		if got := spoken(events); arguments != `{"choice":0}` || got != "I am 0.Fine." {
			t.Errorf("%v: seen are the arguments %s and the text %q", order, arguments, got)
		}
	}
}

// alternatives is a model whose first answer has two alternatives, both with a text and a call, that come in an order.
func alternatives(order []int) model.Model {
	round := 0
	return model.Func(func(context.Context, *llm.Request) iter.Seq2[stream.Event, error] {
		return func(yield func(stream.Event, error) bool) {
			var events []stream.Event
			if round++; round == 1 {
				for _, choice := range order {
					events = append(events,
						stream.Event{Type: stream.EventStart, Choice: choice, Kind: llm.Content, Index: -1},
						stream.Event{Type: stream.EventDelta, Choice: choice, Kind: llm.Content, Data: fmt.Appendf(nil, "I am %d.", choice)},
						stream.Event{Type: stream.EventEnd, Choice: choice, Kind: llm.Content},
						stream.Event{Type: stream.EventStart, Choice: choice, Block: 1, Kind: llm.ToolCall, Name: "look", ID: fmt.Sprint("c", choice), Index: -1},
						stream.Event{Type: stream.EventDelta, Choice: choice, Block: 1, Kind: llm.ToolCall, Data: fmt.Appendf(nil, `{"choice":%d}`, choice)},
						stream.Event{Type: stream.EventEnd, Choice: choice, Block: 1, Kind: llm.ToolCall},
						stream.Event{Type: stream.EventFinish, Choice: choice, Reason: llm.FinishToolCalls})
				}
			} else {
				events = append(events,
					stream.Event{Type: stream.EventStart, Kind: llm.Content, Index: -1},
					stream.Event{Type: stream.EventDelta, Kind: llm.Content, Data: []byte("Fine.")},
					stream.Event{Type: stream.EventEnd, Kind: llm.Content},
					stream.Event{Type: stream.EventFinish, Reason: llm.FinishStop})
			}
			for _, ev := range append(events, stream.Event{Type: stream.EventDone}) {
				if !yield(ev, nil) {
					return
				}
			}
		}
	})
}

// Arguments that are not one JSON object reach no tool, not even one that reads them raw: the model is told what is wrong, and the history has {} in their place so that providers accept it.
func TestDifferent127MalformedArgumentsReachNoTool(t *testing.T) {
	t.Parallel()
	for _, arguments := range []string{`{"city":`, `[1]`, `"text"`, `null`, `{} {}`, `{"a":1,"a":2}`, `not JSON`} {
		r := newRig(t, agent.Config{}, scripted.Round{scripted.Call("look", arguments)}, scripted.Round{scripted.Text("Fine.")})
		result := r.ask("?")
		got := r.lastResults()
		if !got[0].Failed || !strings.HasPrefix(got[0].Text, "not run: ") || !strings.Contains(got[0].Text, arguments) {
			t.Errorf("%s: the model is told %+v", arguments, got[0])
		}
		if said := result.Messages[0].Blocks[0].Arguments; said != "{}" || result.Rounds[0].Ran != 0 {
			t.Errorf("%s: the history has %s, %d ran", arguments, said, result.Rounds[0].Ran)
		}
		r.wants(2, "")
	}
}

// An empty message is refused in a request and in a memory, while calls without ids and results without text become
// messages that every provider accepts.
func TestBehaviour128HistoriesAreWhole(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{})
	for says, messages := range map[string][]llm.Message{
		"asks nothing":       nil,
		"message 1":          {{Role: llm.User}},
		"message 2 of the":   {spokenBy(llm.User, "hi"), {}},
		"neither Text nor M": {},
	} {
		_, err := r.Call(t.Context(), &agent.Request{Messages: messages})
		wantError(t, err, says)
	}
	kept := newMemory(t)
	_, err := kept.Add(t.Context(), "c", 0, spokenBy(llm.User, "hi"), llm.Message{Role: llm.Assistant})
	wantError(t, err, "message 1 cannot be kept")
	r.wants(0, "")

	silent := failing("silent", nil)
	s := newRig(t, agent.Config{Tools: []*agent.Tool{silent}, Memory: kept},
		scripted.Round{scripted.CallID("", "silent", ""), scripted.CallID("", "silent", `{"n":2}`)}, scripted.Round{scripted.Text("Fine.")})
	result := s.ask("?")
	ids := takenCallIDs(result.Messages)
	if len(ids) != 2 || ids[0] == "" || ids[0] == ids[1] {
		t.Errorf("the calls have the ids %q", ids)
	}
	if got := keptIn(t, kept, "c"); got != `user:? assistant:silent+silent{"n":2} tool:+ assistant:Fine.` {
		t.Errorf("stored %s", got)
	}
}

// What is returned directly is one block for each call of the last round and none for earlier ones, with the call's id and
// name, even if it is empty; a run that returned nothing directly has none.
func TestBehaviour128DirectResultsAreThoseOfTheLastRound(t *testing.T) {
	t.Parallel()
	bothPaths(t, func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
		var l ledger
		r := newRig(t, agent.Config{Tools: []*agent.Tool{l.tool("look", "sunny"), l.direct("show", "for you"), l.direct("blank", "")}},
			scripted.Round{scripted.Call("look", "{}"), scripted.Call("show", "{}")},
			scripted.Round{scripted.CallID("s", "show", `{"n":2}`), scripted.CallID("b", "blank", "{}")},
			scripted.Round{scripted.Text("Hello.")})
		result, err := ask(r.Client, &agent.Request{Text: "?"})
		if err != nil {
			t.Fatal(err)
		}
		d := result.Direct
		if len(d) != 2 || d[0].Text != "for you" || d[0].ToolUseID != "s" || d[0].Name != "show" || d[1].Text != "" || d[1].ToolUseID != "b" {
			t.Errorf("returned directly are %+v", d)
		}
		if err := sluicetest.ValidateHistories(append([]llm.Message{spokenBy(llm.User, "?")}, result.Messages...)); err != nil {
			t.Error(err)
		}
		if result, err = ask(r.Client, &agent.Request{Text: "hi"}); err != nil || result.Direct != nil || result.Text() != "Hello." {
			t.Errorf("without a direct result there are %+v and %q: %v", result.Direct, result.Text(), err)
		}
	})
}

// Functions with a struct, a map, nothing or the whole call as arguments are tools, and empty input is an empty object for all of them.
func TestBehaviour131AllKindsOfFunctionsAreTools(t *testing.T) {
	t.Parallel()
	tools := []*agent.Tool{
		agent.NewTool("struct", "", func(_ context.Context, in struct {
			N int `json:"n,omitempty"`
		},
		) (int, error) {
			return in.N, nil
		}),
		agent.NewTool("map", "", func(_ context.Context, in map[string]any) (int, error) { return len(in), nil }),
		agent.NewTool("nothing", "", func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil }),
		running("raw", func(_ context.Context, c agent.Call) (agent.Output, error) {
			return agent.Output{Text: string(c.Arguments)}, nil
		}),
	}
	r := newRig(t, agent.Config{Tools: tools},
		scripted.Round{scripted.Call("struct", `{"n":3}`), scripted.Call("map", `{"a":1,"b":2}`), scripted.Call("nothing", "{}"), scripted.Call("raw", `{"c":3}`)},
		scripted.Round{scripted.Call("struct", ""), scripted.Call("map", ""), scripted.Call("nothing", ""), scripted.Call("raw", "")},
		scripted.Round{scripted.Text("Fine.")})
	result := r.ask("?")
	want := []string{"3", "2", "done", `{"c":3}`, "0", "0", "done", "{}"}
	if got := resultTexts(result.Messages); !equalStrings(got, want...) {
		t.Errorf("the results are %q, want %q", got, want)
	}
}

// Tools of the same name are refused wherever they come from, before the model is asked.
func TestBehaviour132DuplicatesOfARequestAreRefused(t *testing.T) {
	t.Parallel()
	var l ledger
	r := newRig(t, agent.Config{Tools: []*agent.Tool{l.tool("look", "sunny")}}, scripted.Round{scripted.Text("Fine.")})
	for name, tools := range map[string][]*agent.Tool{
		"look": {l.tool("look", "rainy")},
		"show": {l.tool("show", "1"), l.tool("show", "2")},
	} {
		_, err := r.Call(t.Context(), &agent.Request{Text: "?", Tools: tools})
		wantError(t, err, fmt.Sprintf("two tools are named %q", name))
	}
	r.wants(0, "")
}

// A tool that a hook adds under an existing name is refused as well: a provider would refuse the request.
func TestBehaviour132DuplicatesOfAHookAreRefused(t *testing.T) {
	t.Parallel()
	var l ledger
	for name, cfg := range map[string]agent.Config{
		"Initialise": {Loop: agent.LoopConfig{Initialise: func(_ context.Context, req *agent.Request) error {
			req.Tools = append(req.Tools, l.tool("look", "rainy"))
			return nil
		}}},
		"Before": {Loop: agent.LoopConfig{Before: func(_ context.Context, req *agent.Request) error {
			req.Tools = append(req.Tools, l.tool("look", "rainy"))
			return nil
		}}},
	} {
		r := newRig(t, cfg, scripted.Round{scripted.Text("Fine.")})
		_, err := r.Call(t.Context(), &agent.Request{Text: "?"})
		if err == nil || !strings.Contains(err.Error(), `"look"`) {
			t.Errorf("%s: %d requests with %q: %v", name, r.asked(), r.declared(), err)
		}
	}
}

// Tools are values and not methods of an object, so there is no object without tools to refuse: a tool that cannot be called is refused, and an agent without tools just answers.
func TestDifferent132AnAgentWithoutToolsAnswers(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{Tools: []*agent.Tool{}}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	r.ask("?")
	if got := r.lastResults(); got[0].Text != `there is no tool "look", and there are no others` || r.model.Requests()[0].Tools != nil {
		t.Errorf("the model is told %+v", got)
	}
	for says, tool := range map[string]*agent.Tool{
		"a tool has no name":      {Run: failing("", nil).Run},
		`tool "x" has no Run`:     {Name: "x"},
		"only letters, digits":    {Name: "a b", Run: failing("", nil).Run},
		"is not a JSON object":    {Name: "x", Schema: json.RawMessage(`[]`), Run: failing("", nil).Run},
		"at most 64 of them":      {Name: strings.Repeat("x", 65), Run: failing("", nil).Run},
		"its timeout is negative": {Name: "x", Timeout: -1, Run: failing("", nil).Run},
	} {
		_, err := agent.New(agent.Config{Model: scripted.New(), Tools: []*agent.Tool{tool}})
		wantError(t, err, says)
	}
}
