package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
)

// running returns a tool that is a function.
func running(name string, run func(context.Context, agent.Call) (agent.Output, error)) *agent.Tool {
	return &agent.Tool{Name: name, Run: run}
}

// failing returns a tool that only fails.
func failing(name string, err error) *agent.Tool {
	return running(name, func(context.Context, agent.Call) (agent.Output, error) { return agent.Output{}, err })
}

// lastResults are the results that the last request of the rig's model ends with.
func (r *rig) lastResults() []llm.Block {
	r.t.Helper()
	requests := r.model.Requests()
	messages := requests[len(requests)-1].Messages
	last := messages[len(messages)-1]
	if last.Role != llm.ToolRole {
		r.t.Fatalf("the last request ends with a message of %s", last.Role)
	}
	return last.Blocks
}

// An agent needs only a model, and everything that is nil is refused with an error that names it.
func TestBehaviour116DefaultsWorkAndNilIsRefused(t *testing.T) {
	t.Parallel()
	client, err := agent.New(agent.Config{Model: scripted.New(scripted.Round{scripted.Text("Hello.")})})
	if err != nil {
		t.Fatal(err)
	}
	if result, err := client.Call(t.Context(), &agent.Request{Text: "hi"}); err != nil || result.Text() != "Hello." {
		t.Errorf("answered %q: %v", result.Text(), err)
	}
	var nothing func(context.Context, struct{}) (string, error)
	for says, cfg := range map[string]agent.Config{
		"there is no model":      {},
		"a tool is nil":          {Model: scripted.New(), Tools: []*agent.Tool{nil}},
		"has no Run":             {Model: scripted.New(), Tools: []*agent.Tool{{Name: "x"}}},
		"its function is nil":    {Model: scripted.New(), Tools: []*agent.Tool{agent.NewTool("x", "", nothing)}},
		"advisor 1 is nil":       {Model: scripted.New(), Advisors: []agent.Advisor{nil}},
		"cannot run -1 tools":    {Model: scripted.New(), Loop: agent.LoopConfig{Parallel: -1}},
		"unknown stream mode 77": {Model: scripted.New(), Loop: agent.LoopConfig{Stream: 77}},
	} {
		_, err := agent.New(cfg)
		wantError(t, err, says)
	}
	_, err = client.Call(t.Context(), nil)
	wantError(t, err, "the request is nil")
	_, err = client.Call(t.Context(), &agent.Request{})
	wantError(t, err, "asks nothing")
	_, err = client.Call(t.Context(), &agent.Request{Text: "hi", Tools: []*agent.Tool{nil}})
	wantError(t, err, "a tool is nil")
}

// Advisors that were not made by their constructors are refused when the agent is built, and do not panic in a run.
func TestBehaviour116AdvisorsThatWereNotMadeAreRefused(t *testing.T) {
	t.Parallel()
	for name, advisor := range map[string]agent.Advisor{
		"a memory": &agent.Memory{}, "no memory": (*agent.Memory)(nil), "a loop": &agent.ToolLoop{}, "no loop": (*agent.ToolLoop)(nil),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if problem := recover(); problem != nil {
					t.Errorf("it panicked: %v", problem)
				}
			}()
			client, err := agent.NewClient(scripted.New(scripted.Round{scripted.Text("Fine.")}), advisor)
			if err != nil {
				return
			}
			if result, err := client.Call(t.Context(), &agent.Request{Text: "?", Conversation: "c"}); err != nil || result.Text() != "Fine." {
				t.Errorf("it was taken, and the run ended with %v", err)
			}
		})
	}
}

// The tools are declared to the model with their names, descriptions and schemas in each round: those of the agent, and
// then those of the request, in order.
func TestBehaviour117ToolsAreDeclared(t *testing.T) {
	t.Parallel()
	schema := json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`)
	own := &agent.Tool{Name: "own", Description: "The agent's.", Schema: schema, Run: failing("", nil).Run}
	typed := agent.NewTool("typed", "Of a function.", func(_ context.Context, in city) (string, error) { return in.City, nil })
	asked := &agent.Tool{Name: "asked", Description: "The request's.", Run: failing("", nil).Run}
	r := newRig(t, agent.Config{Tools: []*agent.Tool{own, typed}}, scripted.Round{scripted.Call("asked", "{}")}, scripted.Round{scripted.Text("Fine.")}, scripted.Round{scripted.Text("Fine.")})
	for _, tools := range [][]*agent.Tool{{asked}, nil} {
		if _, err := r.Call(t.Context(), &agent.Request{Text: "?", Tools: tools}); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{
		"own (The agent's.), typed (Of a function.), asked (The request's.)",
		"own (The agent's.), typed (Of a function.), asked (The request's.)",
		"own (The agent's.), typed (Of a function.)",
	} {
		var declared []string
		for _, tool := range r.model.Requests()[i].Tools {
			declared = append(declared, fmt.Sprintf("%s (%s)", tool.Name, tool.Description))
		}
		if got := strings.Join(declared, ", "); got != want {
			t.Errorf("request %d declares %s, want %s", i+1, got, want)
		}
	}
	tools := r.model.Requests()[0].Tools
	if string(tools[0].Schema) != string(schema) || !strings.Contains(string(tools[1].Schema), `"city"`) || tools[2].Schema != nil {
		t.Errorf("the schemas are %s, %s, %s", tools[0].Schema, tools[1].Schema, tools[2].Schema)
	}
}

// An answer without calls ends a run without an error, even if the program says that its calls should be run: there is
// nothing to report.
func TestDifferent118AnAnswerWithoutCallsIsTheEnd(t *testing.T) {
	t.Parallel()
	bothPaths(t, func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
		r := newRig(t, agent.Config{Loop: agent.LoopConfig{Eligible: func(*agent.Answer) bool { return true }}},
			scripted.Round{scripted.Text("Hello."), scripted.Finish(llm.FinishToolCalls)})
		result, err := ask(r.Client, &agent.Request{Text: "hi"})
		if err != nil || result.Reason != agent.Done || result.Text() != "Hello." || letters(result.Messages) != "A" {
			t.Errorf("ended with %q, %q: %v", result.Reason, result.Text(), err)
		}
		r.wants(1, "")
	})
}

// A tool that the request does not declare is not run, unless the loop has a resolver for unknown names and it returns one.
func TestBehaviour119OnlyDeclaredToolsRunUnlessResolved(t *testing.T) {
	t.Parallel()
	var l ledger
	hidden := l.tool("hidden", "found")
	for _, resolves := range []bool{false, true} {
		var names []string
		cfg := agent.Config{Tools: []*agent.Tool{l.tool("look", "sunny")}}
		if resolves {
			cfg.Loop.Unknown = func(_ context.Context, name string) *agent.Tool {
				if names = append(names, name); name == hidden.Name {
					return hidden
				}
				return nil
			}
		}
		r := newRig(t, cfg, scripted.Round{scripted.Call("hidden", `{"n":1}`), scripted.Call("nowhere", "{}"), scripted.Call("Look", "{}")}, scripted.Round{scripted.Text("Fine.")})
		l.calls = nil
		r.ask("How is it?")
		results := r.lastResults()
		want, ran := `there is no tool "hidden": use one of look`, ""
		if resolves {
			want, ran = "found", `hidden{"n":1}`
			if !equalStrings(names, "hidden", "nowhere", "Look") {
				t.Errorf("the resolver was asked for %q", names)
			}
		}
		if results[0].Text != want || results[0].Failed == resolves || l.ran() != ran {
			t.Errorf("resolves %t: told %q, ran %q", resolves, results[0].Text, l.ran())
		}
		for i, name := range []string{"nowhere", "Look"} {
			if got := results[i+1]; got.Text != fmt.Sprintf("there is no tool %q: use one of look", name) || !got.Failed {
				t.Errorf("resolves %t: told %q", resolves, got.Text)
			}
		}
		if declared := r.model.Requests()[0].Tools; len(declared) != 1 {
			t.Errorf("declared were %d tools", len(declared))
		}
	}
}

// A call to an unknown tool is answered with the names of the known ones, where Spring AI ends the turn: a model that
// mistook a name can correct itself.
func TestDifferent119AnUnknownToolDoesNotEndTheRun(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{}, scripted.Round{scripted.Call("lok", "{}")}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	result := r.ask("How is it?")
	if got := resultTexts(result.Messages); !equalStrings(got, `there is no tool "lok": use one of look, show`, "sunny") || result.Text() != "Fine." {
		t.Errorf("told %q, answered %q", got, result.Text())
	}
	r.wants(3, "look{}")
}

// The results of one round are one message, in the order of the calls whatever order the tools finish in.
func TestBehaviour121ResultsAreOneMessageInTheOrderOfTheCalls(t *testing.T) {
	t.Parallel()
	for _, parallel := range []int{1, 8} {
		second := make(chan struct{})
		first := running("first", func(ctx context.Context, _ agent.Call) (agent.Output, error) {
			if parallel > 1 { // it ends after the second one
				select {
				case <-second:
				case <-ctx.Done():
					return agent.Output{}, ctx.Err()
				}
			}
			return agent.Output{Text: "one"}, nil
		})
		other := running("second", func(context.Context, agent.Call) (agent.Output, error) {
			close(second)
			return agent.Output{Text: "two"}, nil
		})
		r := newRig(t, agent.Config{Tools: []*agent.Tool{other, first}, Loop: agent.LoopConfig{Parallel: parallel}},
			scripted.Round{scripted.CallID("a", "first", "{}"), scripted.CallID("b", "second", "{}")}, scripted.Round{scripted.Text("Fine.")})
		result := r.ask("?")
		if got := letters(r.model.Requests()[1].Messages); got != "UCR" {
			t.Errorf("%d at once: the model got %s", parallel, got)
		}
		blocks := r.lastResults()
		if len(blocks) != 2 || blocks[0].Text != "one" || blocks[0].ToolUseID != "a" || blocks[1].Text != "two" || blocks[1].ToolUseID != "b" {
			t.Errorf("%d at once: the results are %+v", parallel, blocks)
		}
		if result.Rounds[0].Calls != 2 || result.Rounds[0].Ran != 2 {
			t.Errorf("%d at once: the round is %+v", parallel, result.Rounds[0])
		}
	}
}

// Results are returned directly only if all tools of the round are marked so: one that is not, or one that failed, sends
// all of them to the model.
func TestBehaviour122ReturnDirectNeedsAllTools(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		calls  []string
		direct []string
	}{
		"all":               {[]string{"show", "show"}, []string{"for you", "for you"}},
		"one of two":        {[]string{"show", "look"}, nil},
		"the other of two":  {[]string{"look", "show"}, nil},
		"one and a failure": {[]string{"show", "broken"}, nil},
		"one and an error":  {[]string{"show", "nowhere"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bothPaths(t, func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
				var l ledger
				broken := failing("broken", errors.New("out of order"))
				broken.ReturnDirect = true
				var round scripted.Round
				for _, call := range tc.calls {
					round = append(round, scripted.Call(call, "{}"))
				}
				r := newRig(t, agent.Config{Tools: []*agent.Tool{l.tool("look", "sunny"), l.direct("show", "for you"), broken}}, round, scripted.Round{scripted.Text("Fine.")})
				result, err := ask(r.Client, &agent.Request{Text: "?"})
				if err != nil {
					t.Fatal(err)
				}
				reason, asked, text := agent.Done, 2, "Fine."
				if tc.direct != nil {
					reason, asked, text = agent.ReturnedDirectly, 1, strings.Join(tc.direct, "\n")
				}
				if result.Reason != reason || r.asked() != asked || result.Text() != text || len(result.Direct) != len(tc.direct) {
					t.Errorf("ended with %q, %q after %d requests, direct %+v", result.Reason, result.Text(), r.asked(), result.Direct)
				}
			})
		})
	}
}

// The message of a tool's error is its result, marked as failed, and the run goes on.
func TestBehaviour123AnErrorIsTheResult(t *testing.T) {
	t.Parallel()
	cause := errors.New("the station is closed")
	r := newRig(t, agent.Config{Tools: []*agent.Tool{failing("look", fmt.Errorf("no weather: %w", cause))}, Loop: agent.LoopConfig{Stream: agent.All}},
		scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Sorry.")})
	events, result := r.watch("How is it?")
	blocks := r.lastResults()
	if len(blocks) != 1 || blocks[0].Text != "no weather: the station is closed" || !blocks[0].Failed || blocks[0].ToolUseID != "call_1_1" {
		t.Errorf("the model is told %+v", blocks)
	}
	for _, ev := range events {
		if ev.Type == agent.EventToolResult && (!ev.Result.Failed || ev.Text != blocks[0].Text) {
			t.Errorf("seen is %+v", ev)
		}
	}
	if result.Text() != "Sorry." || result.Reason != agent.Done || result.Rounds[0].Ran != 1 {
		t.Errorf("ended with %q, %q, %+v", result.Reason, result.Text(), result.Rounds)
	}
}

type traceKey struct{}

// A tool runs in the context of the run, below the spans that the caller, an advisor outside of the loop and Around have
// opened, whether it runs alone or concurrently with others.
func TestBehaviour124ToolsRunBelowTheCurrentSpan(t *testing.T) {
	t.Parallel()
	open := func(ctx context.Context, name string) context.Context {
		parent, _ := ctx.Value(traceKey{}).(string)
		return context.WithValue(ctx, traceKey{}, parent+"/"+name)
	}
	for _, calls := range []int{1, 3} {
		spans := make(chan string, calls)
		look := running("look", func(ctx context.Context, _ agent.Call) (agent.Output, error) {
			spans <- ctx.Value(traceKey{}).(string)
			return agent.Output{Text: "sunny"}, nil
		})
		traced := orderedFunc{agent.AdvisorFunc("traced", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
			return next(open(ctx, "advisor"), req)
		}), agent.LoopOrder - 1}
		around := func(ctx context.Context, tool *agent.Tool, call agent.Call, run func(context.Context, agent.Call) (agent.Output, error)) (agent.Output, error) {
			return run(open(ctx, tool.Name), call)
		}
		var round scripted.Round
		for n := range calls {
			round = append(round, scripted.Call("look", fmt.Sprintf(`{"n":%d}`, n)))
		}
		r := newRig(t, agent.Config{Tools: []*agent.Tool{look}, Advisors: []agent.Advisor{traced}, Loop: agent.LoopConfig{Around: around}}, round, scripted.Round{scripted.Text("Fine.")})
		if _, err := r.Call(open(t.Context(), "caller"), &agent.Request{Text: "?"}); err != nil {
			t.Fatal(err)
		}
		close(spans)
		seen := 0
		for span := range spans {
			if seen++; span != "/caller/advisor/look" {
				t.Errorf("a tool ran in %q", span)
			}
		}
		if seen != calls {
			t.Errorf("%d tools ran, want %d", seen, calls)
		}
	}
}

// Tools that use the values of the run and tools that do not work side by side, what one sets another reads, and the model sees none of it.
func TestBehaviour125ToolsWithAndWithoutValuesWorkTogether(t *testing.T) {
	t.Parallel()
	var l ledger
	who := agent.NewTool("who", "", func(ctx context.Context, _ struct{}) (string, error) {
		v := agent.ValuesOf(ctx)
		v.Set("asked", true)
		return fmt.Sprint(v.Get("user")), nil
	})
	r := newRig(t, agent.Config{Tools: []*agent.Tool{l.tool("plain", "plain"), who}},
		scripted.Round{scripted.Call("plain", "{}"), scripted.Call("who", "{}")}, scripted.Round{scripted.Text("Fine.")},
		scripted.Round{scripted.Call("who", "{}")}, scripted.Round{scripted.Text("Fine.")})
	values := agent.NewValues(map[string]any{"user": "ann", "token": "secret"})
	if _, err := r.Call(t.Context(), &agent.Request{Text: "?", Values: values}); err != nil {
		t.Fatal(err)
	}
	if got := r.lastResults(); len(got) != 2 || got[0].Text != "plain" || got[1].Text != "ann" || values.Get("asked") != true {
		t.Errorf("the results are %+v, the values %v", got, values.All())
	}
	if seen := fmt.Sprintf("%+v", r.model.Requests()); strings.Contains(seen, "secret") {
		t.Errorf("the model saw the values: %s", seen)
	}
	// A run without values has empty ones, and they are not those of another run.
	r.ask("And now?")
	if got := r.lastResults(); got[0].Text != "<nil>" || got[0].Failed {
		t.Errorf("without values the tool says %+v", got)
	}
}
