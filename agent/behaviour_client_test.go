package agent_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/stream"
)

// An agent with tools loops by default: the model and the advisors inside are called in every round.
func TestBehaviour053ToolsBringALoop(t *testing.T) {
	t.Parallel()
	bothPaths(t, func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
		inside := &spy{name: "inside"}
		r := newRig(t, agent.Config{Advisors: []agent.Advisor{inside}}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
		result, err := ask(r.Client, &agent.Request{Text: "How is it?"})
		if err != nil || result.Text() != "Fine." {
			t.Fatalf("answered %q, %v", result.Text(), err)
		}
		r.wants(2, "look{}")
		if len(inside.seen) != 2 || inside.seen[0].Round != 1 || inside.seen[1].Round != 2 {
			t.Errorf("the advisor inside was asked %d times", len(inside.seen))
		}
	})
}

// With NoLoop the chain runs once, tools are declared but not run, and the calls are left to the caller.
func TestBehaviour054WithoutALoopToolsAreNotRun(t *testing.T) {
	t.Parallel()
	bothPaths(t, func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
		inside := &spy{name: "inside"}
		r := newRig(t, agent.Config{NoLoop: true, Advisors: []agent.Advisor{inside}}, scripted.Round{scripted.Call("look", "{}")})
		result, err := ask(r.Client, &agent.Request{Text: "How is it?"})
		if err != nil || result.Reason != agent.CallsLeft || len(result.Answer.Calls()) != 1 {
			t.Fatalf("ended with %+v, %v", result, err)
		}
		r.wants(1, "")
		if len(inside.seen) != 1 || len(r.model.Requests()[0].Tools) != 2 {
			t.Errorf("the advisor was asked %d times, with %d tools", len(inside.seen), len(r.model.Requests()[0].Tools))
		}
	})
}

// The loop is switched off in one place, Config.NoLoop, and not by parameters of a request with several names; the zero value loops.
func TestDifferent054OneSwitchForTheLoop(t *testing.T) {
	t.Parallel()
	for _, off := range []bool{false, true} {
		r := newRig(t, agent.Config{NoLoop: off})
		loops := slices.ContainsFunc(r.Advisors(), func(a agent.Advisor) bool { _, ok := a.(agent.ToolAdvisor); return ok })
		if loops == off {
			t.Errorf("NoLoop %t: there is a loop: %t", off, loops)
		}
	}
}

// An agent without tools runs its chain once.
func TestBehaviour055WithoutToolsTheChainIsPassedOnce(t *testing.T) {
	t.Parallel()
	inside := &spy{name: "inside"}
	r := newRig(t, agent.Config{Tools: []*agent.Tool{}, Advisors: []agent.Advisor{inside}}, scripted.Round{scripted.Text("Fine.")})
	if got := r.ask("How is it?").Text(); got != "Fine." {
		t.Errorf("answered %q", got)
	}
	r.wants(1, "")
	if len(inside.seen) != 1 {
		t.Errorf("the advisor was asked %d times", len(inside.seen))
	}
}

// orderedFunc is an advisor of an order and a function.
type orderedFunc struct {
	agent.Advisor
	order int
}

func (o orderedFunc) Order() int { return o.order }

// Tools that an advisor outside of the loop adds during the run are declared and run like others.
func TestBehaviour056ToolsOfAnOuterAdvisorAreRun(t *testing.T) {
	t.Parallel()
	bothPaths(t, func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
		var l ledger
		adds := orderedFunc{agent.AdvisorFunc("adds", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
			req = req.Clone()
			req.Tools = append(req.Tools, l.tool("added", "here"))
			return next(ctx, req)
		}), agent.Outermost}
		r := newRig(t, agent.Config{Tools: []*agent.Tool{}, Advisors: []agent.Advisor{adds}}, scripted.Round{scripted.Call("added", "{}")}, scripted.Round{scripted.Text("Fine.")})
		result, err := ask(r.Client, &agent.Request{Text: "How is it?"})
		if err != nil || result.Text() != "Fine." || l.ran() != "added{}" {
			t.Errorf("answered %q, ran %q, %v", result.Text(), l.ran(), err)
		}
		r.wants(2, "")
	})
}

// Tools of the agent, of the request and of the loop's first hook are all run, and declared in this order.
func TestBehaviour057ToolsOfAnySourceLoop(t *testing.T) {
	t.Parallel()
	var l ledger
	cfg := agent.Config{
		Tools: []*agent.Tool{l.tool("first", "1")},
		Loop: agent.LoopConfig{Initialise: func(_ context.Context, req *agent.Request) error {
			req.Tools = append(req.Tools, l.tool("third", "3"))
			return nil
		}},
	}
	r := newRig(t, cfg, scripted.Round{scripted.Call("first", "{}")}, scripted.Round{scripted.Call("second", "{}")}, scripted.Round{scripted.Call("third", "{}")}, scripted.Round{scripted.Text("Fine.")})
	result, err := r.Call(t.Context(), &agent.Request{Text: "How is it?", Tools: []*agent.Tool{l.tool("second", "2")}})
	if err != nil || l.ran() != "first{} second{} third{}" || !equalStrings(resultTexts(result.Messages), "1", "2", "3") {
		t.Errorf("ran %q, %v", l.ran(), err)
	}
	for _, req := range r.model.Requests() {
		if len(req.Tools) != 3 || req.Tools[0].Name != "first" || req.Tools[1].Name != "second" || req.Tools[2].Name != "third" {
			t.Errorf("declared %+v", req.Tools)
		}
	}
	r.wants(4, "")
}

// A loop among the advisors replaces the default one: there is only one, and the model is asked as often as one loop asks.
func TestBehaviour058AnExplicitLoopIsTheOnlyOne(t *testing.T) {
	t.Parallel()
	loop, err := agent.NewToolLoop(agent.LoopConfig{Order: 7})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, agent.Config{Advisors: []agent.Advisor{loop}}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	r.ask("How is it?")
	r.wants(2, "look{}")
	if got := r.Advisors(); len(got) != 1 || got[0] != agent.Advisor(loop) {
		t.Errorf("the advisors are %v", got)
	}
}

// The function for running tools in the Config is used for each call, and can run the tool itself.
func TestBehaviour059TheGivenWayOfRunningIsUsed(t *testing.T) {
	t.Parallel()
	var around []string
	cfg := agent.Config{Loop: agent.LoopConfig{
		Parallel: 1,
		Around: func(ctx context.Context, tool *agent.Tool, call agent.Call, run func(context.Context, agent.Call) (agent.Output, error)) (agent.Output, error) {
			around = append(around, tool.Name+string(call.Arguments))
			out, err := run(ctx, call)
			out.Text = strings.ToUpper(out.Text)
			return out, err
		},
	}}
	r := newRig(t, cfg, scripted.Round{scripted.Call("look", `{"n":1}`), scripted.Call("look", `{"n":2}`)}, scripted.Round{scripted.Text("Fine.")})
	result := r.ask("How is it?")
	if !equalStrings(around, `look{"n":1}`, `look{"n":2}`) || !equalStrings(resultTexts(result.Messages), "SUNNY", "SUNNY") {
		t.Errorf("around %q, results %q", around, resultTexts(result.Messages))
	}
	r.wants(2, `look{"n":1} look{"n":2}`)
}

// marked is an advisor that says it runs tools, and lets the chain be.
type marked struct{ spy }

func (*marked) RunsTools() {}

// Two advisors that run tools are refused when the chain is built, with the names of both.
func TestBehaviour060TwoThatRunToolsAreRefused(t *testing.T) {
	t.Parallel()
	loop, err := agent.NewToolLoop(agent.LoopConfig{})
	if err != nil {
		t.Fatal(err)
	}
	other := &marked{spy{name: "my tools", order: 1}}
	for name, build := range map[string]func() (*agent.Client, error){
		"New": func() (*agent.Client, error) {
			return agent.New(agent.Config{Model: scripted.New(), Advisors: []agent.Advisor{loop, other}})
		},
		"NewClient": func() (*agent.Client, error) { return agent.NewClient(scripted.New(), other, loop) },
	} {
		_, err := build()
		if err == nil || !strings.Contains(err.Error(), "at most one") || !strings.Contains(err.Error(), `"tool loop" and "my tools"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A custom advisor that is marked as running tools replaces the default loop.
func TestBehaviour061AMarkedAdvisorKeepsTheLoopOut(t *testing.T) {
	t.Parallel()
	own := &marked{spy{name: "my tools"}}
	r := newRig(t, agent.Config{Advisors: []agent.Advisor{own}}, scripted.Round{scripted.Call("look", "{}")})
	result := r.ask("How is it?")
	if len(r.Advisors()) != 1 || len(own.seen) != 1 || result.Reason != agent.CallsLeft {
		t.Errorf("%d advisors, asked %d times, ended with %q", len(r.Advisors()), len(own.seen), result.Reason)
	}
	r.wants(1, "")
}

type spanKey struct{}

// inSpan is an advisor that puts a span into the context.
func inSpan(name string, order int) agent.Advisor {
	n := 0
	return orderedFunc{agent.AdvisorFunc(name, func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
		n++
		outer, _ := ctx.Value(spanKey{}).(string)
		return next(context.WithValue(ctx, spanKey{}, fmt.Sprintf("%s/%s%d", outer, name, n)), req)
	}), order}
}

// The context that an advisor passes to the rest of the chain is that of the model and, from outside the loop, of the
// tools: each round of the model is below the spans around it.
func TestBehaviour062TheContextFlowsInwards(t *testing.T) {
	t.Parallel()
	var spans []string
	note := func(ctx context.Context, who string) {
		span, _ := ctx.Value(spanKey{}).(string)
		spans = append(spans, who+span)
	}
	script := scripted.New(scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	m := model.Func(func(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
		note(ctx, "model")
		return script.Stream(ctx, req)
	})
	tool := &agent.Tool{Name: "look", Run: func(ctx context.Context, _ agent.Call) (agent.Output, error) {
		note(ctx, "tool")
		return agent.Output{Text: "sunny"}, nil
	}}
	client, err := agent.New(agent.Config{Model: m, Tools: []*agent.Tool{tool}, Advisors: []agent.Advisor{inSpan("loop", agent.Outermost), inSpan("round", 0)}})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.WithValue(t.Context(), spanKey{}, "/caller")
	if _, err := client.Call(ctx, &agent.Request{Text: "How is it?"}); err != nil {
		t.Fatal(err)
	}
	if !equalStrings(spans, "model/caller/loop1/round1", "tool/caller/loop1", "model/caller/loop1/round2") {
		t.Errorf("the spans are %q", spans)
	}
}

// temperatures is a script that asks about three cities and tells what the tools said.
func temperatures() []scripted.Round {
	told := func(want int) scripted.Step {
		return scripted.When(func(req *llm.Request) bool { return len(resultTexts(req.Messages)) == want })
	}
	call := func(city string) scripted.Step { return scripted.Call("weather", `{"city":"`+city+`"}`) }
	return []scripted.Round{
		{told(0), scripted.Text("I look. "), call("Paris"), call("Tokyo"), call("San Francisco")},
		{told(3), scripted.Text("Paris 15, Tokyo 10, San Francisco 30.")},
	}
}

// weather is a tool that knows three cities.
func weather(direct bool) *agent.Tool {
	return &agent.Tool{Name: "weather", ReturnDirect: direct, Run: func(_ context.Context, c agent.Call) (agent.Output, error) {
		for city, degrees := range map[string]int{"Paris": 15, "Tokyo": 10, "San Francisco": 30} {
			if strings.Contains(string(c.Arguments), city) {
				return agent.Output{Text: fmt.Sprintf(`{"temp":%d}`, degrees)}, nil
			}
		}
		return agent.Output{}, fmt.Errorf("no such city")
	}}
}

// A whole conversation about three cities is correct, called and streamed, in every arrangement of advisors.
func TestBehaviour063ThreeCitiesInEveryArrangement(t *testing.T) {
	t.Parallel()
	loop := func(t *testing.T, cfg agent.LoopConfig) agent.Advisor {
		l, err := agent.NewToolLoop(cfg)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for _, tc := range []struct {
		name   string
		cfg    func(t *testing.T) agent.Config
		says   []string
		reason agent.Reason
	}{
		{"plain", func(*testing.T) agent.Config { return agent.Config{} }, []string{"30", "10", "15"}, agent.Done},
		{"a loop of one's own", func(t *testing.T) agent.Config {
			return agent.Config{Advisors: []agent.Advisor{loop(t, agent.LoopConfig{})}}
		}, []string{"30", "10", "15"}, agent.Done},
		{"a memory outside", func(t *testing.T) agent.Config { return agent.Config{Memory: newMemory(t)} }, []string{"30", "10", "15"}, agent.Done},
		{"a memory inside, with history", func(t *testing.T) agent.Config {
			return agent.Config{Memory: newMemory(t), Remember: agent.MemoryConfig{Order: agent.InsideLoop}}
		}, []string{"30", "10", "15"}, agent.Done},
		{"a memory inside, without history", func(t *testing.T) agent.Config { return remembering(t, agent.LoopConfig{}) }, []string{"30", "10", "15"}, agent.Done},
		{"a memory inside a loop of one's own", func(t *testing.T) agent.Config {
			cfg := remembering(t, agent.LoopConfig{})
			cfg.Loop, cfg.Advisors = agent.LoopConfig{}, []agent.Advisor{loop(t, agent.LoopConfig{NoHistory: true})}
			return cfg
		}, []string{"30", "10", "15"}, agent.Done},
		{"direct", func(*testing.T) agent.Config { return agent.Config{Tools: []*agent.Tool{weather(true)}} }, []string{`"temp":30`, `"temp":10`, `"temp":15`}, agent.ReturnedDirectly},
		{"a limit", func(*testing.T) agent.Config {
			return agent.Config{Loop: agent.LoopConfig{Limits: agent.Limits{PerTool: 1}}}
		}, nil, agent.LimitToolCalls},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			bothPaths(t, func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
				cfg := tc.cfg(t)
				if cfg.Tools == nil {
					cfg.Tools = []*agent.Tool{weather(false)}
				}
				r := newRig(t, cfg, temperatures()...)
				result, err := ask(r.Client, &agent.Request{Text: "How warm is it in Paris, Tokyo and San Francisco?", Conversation: "c"})
				if err != nil || result.Reason != tc.reason {
					t.Fatalf("ended with %q: %v", result.Reason, err)
				}
				for _, says := range tc.says {
					if !strings.Contains(result.Text(), says) {
						t.Errorf("%q does not say %s", result.Text(), says)
					}
				}
				if len(resultTexts(result.Messages)) != 3 {
					t.Errorf("the results are %q", resultTexts(result.Messages))
				}
				if tc.reason == agent.LimitToolCalls && (result.Limit == nil || !strings.Contains(result.Limit.String(), "limit")) {
					t.Errorf("the limit is %v", result.Limit)
				}
			})
		})
	}
}

// A memory behind the default loop works, advisors inside see the results of tools, and a caller who runs the loop by hand
// gets the same result with one pass of the chain for each request.
func TestBehaviour064TheLoopCanBeRunByHand(t *testing.T) {
	t.Parallel()
	kept, inside := newMemory(t), &spy{name: "inside"}
	r := newRig(t, agent.Config{Memory: kept, Remember: agent.MemoryConfig{Order: agent.InsideLoop}, Advisors: []agent.Advisor{inside}},
		scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	r.ask("How is it?")
	if got := resultTexts(inside.seen[1].Messages); !equalStrings(got, "sunny") {
		t.Errorf("the advisor inside saw the results %q", got)
	}
	if got := storedIn(t, kept); got != "UCRA" {
		t.Errorf("stored %s", got)
	}
	bothPaths(t, func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
		once := &spy{name: "once"}
		r := newRig(t, agent.Config{NoLoop: true, Advisors: []agent.Advisor{once}}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
		req := &agent.Request{Text: "How is it?"}
		result, err := ask(r.Client, req)
		if err != nil || result.Reason != agent.CallsLeft {
			t.Fatalf("ended with %q: %v", result.Reason, err)
		}
		req = &agent.Request{Messages: []llm.Message{
			{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: req.Text}}},
			{Role: llm.Assistant, Blocks: result.Answer.Blocks},
			{Role: llm.ToolRole, Blocks: []llm.Block{{Kind: llm.ToolResult, ToolUseID: result.Answer.Blocks[0].ID, Name: "look", Text: "sunny"}}},
		}}
		result, err = ask(r.Client, req)
		if err != nil || result.Text() != "Fine." || len(once.seen) != 2 {
			t.Errorf("answered %q after %d passes: %v", result.Text(), len(once.seen), err)
		}
		r.wants(2, "")
	})
}

// A caller who runs the loop by hand also counts by hand: limits belong to the loop, so without one nothing is cut off and
// no error is raised.
func TestDifferent064LimitsAreTheLoops(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{NoLoop: true, Loop: agent.LoopConfig{Limits: agent.Limits{Calls: 1}}},
		scripted.Round{scripted.Call("look", "{}"), scripted.Call("look", "{}")})
	if result := r.ask("How is it?"); result.Reason != agent.CallsLeft || len(result.Answer.Calls()) != 2 || result.Limit != nil {
		t.Errorf("ended with %q and %v", result.Reason, result.Limit)
	}
	r.wants(1, "")
}

// The sum of usage is empty before the first answer, grows with each that reports some, and is the answer's own while there
// is only one.
func TestBehaviour065HowUsageIsSummed(t *testing.T) {
	t.Parallel()
	call := scripted.Call("look", "{}")
	fail := scripted.Fail(errModel)
	for _, tc := range []struct {
		name   string
		rounds []scripted.Round
		want   [2]int64
		rows   int
	}{
		{"nothing was answered", []scripted.Round{{fail}}, [2]int64{0, 0}, 0},
		{"one answer", []scripted.Round{{scripted.Text("a"), scripted.Usage(1, 2)}}, [2]int64{1, 2}, 1},
		{"one answer that tells nothing", []scripted.Round{{scripted.Text("a")}}, [2]int64{0, 0}, 1},
		{"only the last tells", []scripted.Round{{call}, {scripted.Text("a"), scripted.Usage(1, 2)}}, [2]int64{1, 2}, 2},
		{"only the first tells", []scripted.Round{{call, scripted.Usage(1, 2)}, {scripted.Text("a")}}, [2]int64{1, 2}, 2},
		{"all tell", []scripted.Round{{call, scripted.Usage(1, 2)}, {call, scripted.Usage(3, 4)}, {scripted.Text("a"), scripted.Usage(5, 6)}}, [2]int64{9, 12}, 3},
		{"the last fails", []scripted.Round{{call, scripted.Usage(1, 2)}, {scripted.Text("a"), fail}}, [2]int64{1, 2}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, agent.Config{}, tc.rounds...)
			run := r.Run(t.Context(), &agent.Request{Text: "How is it?"})
			_, _ = eventsOf(run)
			result := run.Result()
			if got := [2]int64{result.Usage.Input, result.Usage.Output}; got != tc.want || len(result.Rounds) != tc.rows {
				t.Errorf("cost %v in %d rounds, want %v in %d", got, len(result.Rounds), tc.want, tc.rows)
			}
		})
	}
}
