package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
)

// The loop has a name.
func TestBehaviour038TheLoopHasAName(t *testing.T) {
	t.Parallel()
	loop, err := agent.NewToolLoop(agent.LoopConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if loop.Name() != "tool loop" {
		t.Errorf("it is named %q", loop.Name())
	}
}

// The loop reports its order, and is at that position.
func TestBehaviour039TheLoopStandsAtItsOrder(t *testing.T) {
	t.Parallel()
	outer, inner := &spy{name: "outer", order: 4}, &spy{name: "inner", order: 6}
	r := newRig(t, agent.Config{Loop: agent.LoopConfig{Order: 5}, Advisors: []agent.Advisor{inner, outer}},
		scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	r.ask("How is it?")
	if len(outer.seen) != 1 || len(inner.seen) != 2 {
		t.Errorf("the outer advisor was asked %d times, the inner one %d", len(outer.seen), len(inner.seen))
	}
	if at := r.Advisors()[1].(agent.Ordered).Order(); at != 5 {
		t.Errorf("the loop stands at %d", at)
	}
}

// A LoopConfig is a value that its owner can read; it needs no accessors, and changing it later changes no loop made from
// it.
func TestDifferent040TheConfigIsAValue(t *testing.T) {
	t.Parallel()
	cfg := agent.LoopConfig{Order: 5, Stream: agent.FinalBuffered}
	loop, err := agent.NewToolLoop(cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Order, cfg.Stream = 9, agent.All
	r := newRig(t, agent.Config{Advisors: []agent.Advisor{loop}}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	events, _ := r.watch("How is it?")
	if got := spell(events); got != "text round_end final" || loop.Order() != 5 {
		t.Errorf("seen %q, the order is %d", got, loop.Order())
	}
}

// By default each round is sent the whole history of the run.
func TestBehaviour041HistoryIsOnByDefault(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{System: "Be brief."}, scripted.Round{scripted.Text("Look."), scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	if result := r.ask("How is it?"); result.Reason != agent.Done {
		t.Errorf("ended with %q", result.Reason)
	}
	second := r.model.Requests()[1]
	if letters(second.Messages) != "UCR" || second.Messages[1].Blocks[0].Text != "Look." || second.System[0].Text != "Be brief." {
		t.Errorf("the second request is %+v", second)
	}
}

// remembering is a Config with a memory inside of a loop that keeps no history.
func remembering(t *testing.T, loop agent.LoopConfig, advisors ...agent.Advisor) agent.Config {
	t.Helper()
	loop.NoHistory = true
	return agent.Config{
		Memory: newMemory(t), Remember: agent.MemoryConfig{Order: agent.InsideLoop}, System: "Be brief.",
		Loop: loop, Advisors: advisors,
	}
}

// A loop without history ends with the same single run of the tool, because the memory inside has the rest.
func TestBehaviour042HistoryOffComesToTheSameEnd(t *testing.T) {
	t.Parallel()
	cfg := remembering(t, agent.LoopConfig{})
	r := newRig(t, cfg, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	if result := r.ask("How is it?"); result.Text() != "Fine." || result.Reason != agent.Done {
		t.Errorf("ended with %q, %q", result.Reason, result.Text())
	}
	r.wants(2, "look{}")
	if got := letters(r.model.Requests()[1].Messages); got != "UCR" {
		t.Errorf("the model got %s, want the memory's part too, once", got)
	}
	if got := storedIn(t, cfg.Memory); got != "UCRA" {
		t.Errorf("stored %s", got)
	}
}

// A loop without history sends the instructions and the results of the last round into the chain, and nothing else.
func TestBehaviour043HistoryOffSendsOnlyTheResults(t *testing.T) {
	t.Parallel()
	between := &spy{name: "between", order: agent.InsideLoop - 1}
	r := newRig(t, remembering(t, agent.LoopConfig{}, between), scripted.Round{scripted.Call("look", "{}"), scripted.Call("look", `{"at":2}`)}, scripted.Round{scripted.Text("Fine.")})
	r.ask("How is it?")
	if len(between.seen) != 2 {
		t.Fatalf("seen %d requests", len(between.seen))
	}
	second := between.seen[1]
	if second.System != "Be brief." || letters(second.Messages) != "R" || len(second.Messages[0].Blocks) != 2 {
		t.Errorf("the second round is sent %q and %+v", second.System, second.Messages)
	}
}

// wholeTurn checks that a loop without history still knows the whole turn: ids, limits and the result.
func wholeTurn(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
	t.Helper()
	cfg := remembering(t, agent.LoopConfig{Limits: agent.Limits{PerTool: 2}})
	r := newRig(t, cfg, scripted.Round{scripted.CallID("x", "look", `{"n":1}`)}, scripted.Round{scripted.CallID("x", "look", `{"n":2}`)}, scripted.Round{scripted.CallID("x", "look", `{"n":3}`)})
	result, err := ask(r.Client, &agent.Request{Text: "How is it?", Conversation: "c"})
	if err != nil {
		t.Fatal(err)
	}
	r.wants(3, `look{"n":1} look{"n":2}`)
	if letters(result.Messages) != "CRCRCR" || result.Reason != agent.LimitToolCalls {
		t.Errorf("ended with %q and %s", result.Reason, letters(result.Messages))
	}
	taken := takenCallIDs(result.Messages)
	if len(taken) != 3 || taken[0] == taken[1] || taken[1] == taken[2] || taken[0] == taken[2] {
		t.Errorf("the ids are %q", taken)
	}
}

func takenCallIDs(messages []llm.Message) []string {
	var ids []string
	for _, m := range messages {
		for _, b := range m.Blocks {
			if b.Kind == llm.ToolCall {
				ids = append(ids, b.ID)
			}
		}
	}
	return ids
}

// In a call, a loop that sends no history still knows all rounds of the run when it runs tools: their ids, counts and
// messages.
func TestBehaviour044ToolsAreRunWithTheWholeTurnInACall(t *testing.T) {
	t.Parallel()
	wholeTurn(t, func(c *agent.Client, req *agent.Request) (*agent.Result, error) { return c.Call(t.Context(), req) })
}

// In a stream, too, a loop that sends no history knows all rounds of the run when it runs tools.
func TestBehaviour045ToolsAreRunWithTheWholeTurnInAStream(t *testing.T) {
	t.Parallel()
	wholeTurn(t, func(c *agent.Client, req *agent.Request) (*agent.Result, error) {
		run := c.Run(t.Context(), req)
		_, err := eventsOf(run)
		return run.Result(), err
	})
}

// A limit ends a call with a typed reason and no error; what tools did before it is in the result's messages, and no text
// is passed off as an answer.
func TestDifferent046ALimitIsAReasonNotAnAnswer(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{Loop: agent.LoopConfig{Limits: agent.Limits{Tools: map[string]int{"look": 1}}}},
		scripted.Round{scripted.Call("look", `{"n":1}`), scripted.Call("look", `{"n":2}`)}, scripted.Round{scripted.Text("never")})
	result := r.ask("How is it?")
	r.wants(1, `look{"n":1}`)
	if result.Reason != agent.LimitToolCalls || result.Limit == nil || result.Limit.Tool != "look" || result.Limit.Max != 1 || result.Text() != "" {
		t.Errorf("ended with %q, %+v, %q", result.Reason, result.Limit, result.Text())
	}
	texts := resultTexts(result.Messages)
	if len(texts) != 2 || texts[0] != "sunny" || !strings.Contains(texts[1], "limit of 1 calls of look") {
		t.Errorf("the results are %q", texts)
	}
}

// A limit ends a stream with the final event, whose result has the typed reason, and with no text that looks like an answer.
func TestDifferent047ALimitEndsAStreamWithItsReason(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{Loop: agent.LoopConfig{Limits: agent.Limits{PerTool: 1}}},
		scripted.Round{scripted.Call("look", `{"n":1}`)}, scripted.Round{scripted.Call("look", `{"n":2}`)})
	events, result := r.watch("How is it?")
	if got := spell(events); got != "final" || events[0].Final.Reason != agent.LimitToolCalls {
		t.Errorf("seen %q", got)
	}
	r.wants(2, `look{"n":1}`)
	if texts := resultTexts(result.Messages); len(texts) != 2 || texts[0] != "sunny" {
		t.Errorf("the results are %q", texts)
	}
}

// hooks is a LoopConfig whose hooks write down that they were called.
func hooks(called *[]string) agent.LoopConfig {
	note := func(name string) { *called = append(*called, name) }
	return agent.LoopConfig{
		Initialise: func(context.Context, *agent.Request) error { note("initialise"); return nil },
		Before:     func(context.Context, *agent.Request) error { note("before"); return nil },
		After:      func(context.Context, *agent.Request, *agent.Answer) error { note("after"); return nil },
		NextInstructions: func(_ context.Context, _ *agent.Request, m []llm.Message) ([]llm.Message, error) {
			note("next")
			return m, nil
		},
		Finalise: func(context.Context, *agent.Result, error) error { note("finalise"); return nil },
	}
}

// Without tools each hook is called once, in order, and the one between rounds not at all.
func TestBehaviour048HooksWithoutTools(t *testing.T) {
	t.Parallel()
	bothPaths(t, func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
		var called []string
		r := newRig(t, agent.Config{Loop: hooks(&called)}, scripted.Round{scripted.Text("Fine.")})
		if _, err := ask(r.Client, &agent.Request{Text: "How is it?"}); err != nil {
			t.Fatal(err)
		}
		if !equalStrings(called, "initialise", "before", "after", "finalise") {
			t.Errorf("called %q", called)
		}
	})
}

// With one round of tools the hooks of a round are called twice, the others once.
func TestBehaviour049HooksWithOneRoundOfTools(t *testing.T) {
	t.Parallel()
	bothPaths(t, func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
		var called []string
		r := newRig(t, agent.Config{Loop: hooks(&called)}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
		if _, err := ask(r.Client, &agent.Request{Text: "How is it?"}); err != nil {
			t.Fatal(err)
		}
		if !equalStrings(called, "initialise", "before", "after", "next", "before", "after", "finalise") {
			t.Errorf("called %q", called)
		}
	})
}

// ownLoop is a tool loop of one's own.
type ownLoop struct{ *agent.ToolLoop }

func (ownLoop) Name() string { return "own loop" }

// A loop is not extended by subclasses and their builders but by hooks, or by embedding it in another type, which New
// accepts.
func TestDifferent050ALoopIsExtendedByEmbedding(t *testing.T) {
	t.Parallel()
	loop, err := agent.NewToolLoop(agent.LoopConfig{})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, agent.Config{Advisors: []agent.Advisor{ownLoop{loop}}}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	r.ask("How is it?")
	r.wants(2, "look{}")
	if got := r.Advisors(); len(got) != 1 || got[0] != agent.Advisor(ownLoop{loop}) || got[0].Name() != "own loop" {
		t.Errorf("the advisors are %v", got)
	}
}

// injecting is a LoopConfig whose Before adds a tool to each round.
func injecting(tool *agent.Tool) agent.LoopConfig {
	return agent.LoopConfig{Before: func(_ context.Context, req *agent.Request) error {
		req.Tools = append(req.Tools, tool)
		return nil
	}}
}

// In a stream, a tool that the hook before a round adds is declared to the model and can be called in that round.
func TestBehaviour051ToolsOfTheHookAreRunInAStream(t *testing.T) {
	t.Parallel()
	var l ledger
	r := newRig(t, agent.Config{Tools: []*agent.Tool{}, Loop: injecting(l.tool("added", "here"))}, scripted.Round{scripted.Call("added", "{}")}, scripted.Round{scripted.Text("Fine.")})
	_, result := r.watch("How is it?")
	if l.ran() != "added{}" || !equalStrings(resultTexts(result.Messages), "here") {
		t.Errorf("ran %q, results %q", l.ran(), resultTexts(result.Messages))
	}
	for _, req := range r.model.Requests() {
		if len(req.Tools) != 1 || req.Tools[0].Name != "added" {
			t.Errorf("declared %+v", req.Tools)
		}
	}
}

// In a call, a tool that the hook before a round adds can be called in that round, and the request of the caller is not changed.
func TestBehaviour052ToolsOfTheHookAreRunInACall(t *testing.T) {
	t.Parallel()
	var l ledger
	r := newRig(t, agent.Config{Loop: injecting(l.tool("added", "here"))}, scripted.Round{scripted.Call("added", "{}"), scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	req := &agent.Request{Text: "How is it?"}
	result, err := r.Call(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if l.ran() != "added{}" || !equalStrings(resultTexts(result.Messages), "here", "sunny") || len(req.Tools) != 0 {
		t.Errorf("ran %q, results %q", l.ran(), resultTexts(result.Messages))
	}
	names := func(req *llm.Request) (names []string) {
		for _, tool := range req.Tools {
			names = append(names, tool.Name)
		}
		return names
	}
	if got := names(r.model.Requests()[1]); !slices.Equal(got, []string{"look", "show", "added"}) {
		t.Errorf("declared %q", got)
	}
}
