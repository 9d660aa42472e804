package agent_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
)

// ending is a way in which a run can end.
type ending struct {
	name   string
	rounds []scripted.Round
	loop   func(*agent.LoopConfig)
	// cancelAfter cancels the context after so many events of the model, if it is
	// not 0; safe cancels at a safe point then.
	cancelAfter int
	safe        agent.CancelAt
	reason      agent.Reason
	fails       bool
	// stored is what is remembered: one letter for each message. U is a user, A an
	// answer, C an answer with calls, R their results.
	stored string
}

var errModel = &stream.ProviderError{Type: "overloaded_error", Message: "too much"}

func endings() []ending {
	get := func(city string) scripted.Step { return scripted.Call("get", `{"city":"`+city+`"}`) }
	text := scripted.Text("All is well, as far as can be seen.")
	limits := func(l agent.Limits) func(*agent.LoopConfig) {
		return func(c *agent.LoopConfig) { c.Limits = l }
	}
	return []ending{
		{name: "an answer", rounds: []scripted.Round{{text}}, reason: agent.Done, stored: "UA"},
		{name: "one tool", rounds: []scripted.Round{{scripted.Text("Look."), get("a")}, {text}}, reason: agent.Done, stored: "UCRA"},
		{name: "signed thinking and two tools", rounds: []scripted.Round{
			{scripted.SignedThinking("hm", "c2ln"), get("a"), get("b")}, {text},
		}, reason: agent.Done, stored: "UCRA"},
		{name: "three rounds", rounds: []scripted.Round{{get("a")}, {get("b"), get("c")}, {get("d")}, {text}}, reason: agent.Done, stored: "UCRCRCRA"},
		{name: "ids that repeat", rounds: []scripted.Round{
			{scripted.CallID("x", "get", "{}"), scripted.CallID("x", "get", "{}")}, {scripted.CallID("x", "get", "{}"), scripted.CallID("", "get", "{}")}, {text},
		}, reason: agent.Done, stored: "UCRCRA"},
		{name: "one tool that returns directly", rounds: []scripted.Round{{scripted.Call("direct", "{}")}}, reason: agent.ReturnedDirectly, stored: "UCR"},
		{name: "two tools that return directly", rounds: []scripted.Round{{get("a")}, {scripted.Call("direct", "{}"), scripted.Call("direct", `{"n":2}`)}}, reason: agent.ReturnedDirectly, stored: "UCRCR"},
		{name: "one that returns directly and one that does not", rounds: []scripted.Round{{scripted.Call("direct", "{}"), get("a")}, {text}}, reason: agent.Done, stored: "UCRA"},
		{name: "limit of rounds", rounds: []scripted.Round{{get("a")}, {get("b")}}, loop: limits(agent.Limits{Rounds: 2}), reason: agent.LimitRounds, stored: "UCRCR"},
		{name: "limit of calls", rounds: []scripted.Round{{get("a")}, {get("b"), get("c")}}, loop: limits(agent.Limits{Calls: 2}), reason: agent.LimitCalls, stored: "UCRCR"},
		{name: "limit of a tool", rounds: []scripted.Round{{get("a"), get("b")}}, loop: limits(agent.Limits{Tools: map[string]int{"get": 1}}), reason: agent.LimitToolCalls, stored: "UCR"},
		{name: "limit of identical calls", rounds: []scripted.Round{{get("a")}, {get("a")}, {get("a")}}, loop: limits(agent.Limits{Identical: 2}), reason: agent.LimitIdentical, stored: "UCRCRCR"},
		{name: "limit of tokens", rounds: []scripted.Round{{get("a"), scripted.Usage(50, 60)}}, loop: limits(agent.Limits{Tokens: 100}), reason: agent.LimitTokens, stored: "UCR"},
		{name: "the model is told of a limit", rounds: []scripted.Round{{get("a"), get("b")}, {text}}, loop: limits(agent.Limits{PerTool: 1, TellModel: true}), reason: agent.Done, stored: "UCRA"},
		{name: "an unknown tool", rounds: []scripted.Round{{scripted.Call("nothing", "{}")}, {text}}, reason: agent.Done, stored: "UCRA"},
		{name: "a name that no provider takes", rounds: []scripted.Round{{scripted.Call("functions.get:0 ü", "{}")}, {text}}, reason: agent.Done, stored: "UCRA"},
		{name: "arguments that are not JSON", rounds: []scripted.Round{{scripted.Call("get", `{"city":`)}, {text}}, reason: agent.Done, stored: "UCRA"},
		{name: "arguments with a key twice", rounds: []scripted.Round{{scripted.Call("get", `{"city":"a","city":"b"}`)}, {text}}, reason: agent.Done, stored: "UCRA"},
		{name: "a tool that fails", rounds: []scripted.Round{{scripted.Call("fails", "{}"), get("a")}, {text}}, reason: agent.Done, stored: "UCRA"},
		{name: "a tool that panics", rounds: []scripted.Round{{scripted.Call("panics", "{}"), get("a")}, {text}}, reason: agent.Done, stored: "UCRA"},
		{name: "a tool that returns nothing", rounds: []scripted.Round{{scripted.Call("silent", "{}")}, {text}}, reason: agent.Done, stored: "UCRA"},
		{name: "a tool that stops the run", rounds: []scripted.Round{{get("a"), scripted.Call("fatal", "{}")}}, fails: true, reason: agent.Failed, stored: "UCR"},
		{name: "a tool that asks a person", rounds: []scripted.Round{{get("a")}, {get("b"), scripted.Call("asks", "{}")}}, reason: agent.Interrupted, stored: "UCR"},
		{name: "an error before the answer", rounds: []scripted.Round{{scripted.Fail(errModel)}}, fails: true, reason: agent.Failed, stored: ""},
		{name: "an error in the answer", rounds: []scripted.Round{{get("a")}, {text, scripted.Fail(errModel)}}, fails: true, reason: agent.Failed, stored: "UCR"},
		{name: "an answer that is cut in a call", rounds: []scripted.Round{{text, get("a"), scripted.Cut()}}, fails: true, reason: agent.Failed, stored: ""},
		{name: "an answer that is too long", rounds: []scripted.Round{{get("a")}, {text, get("b"), scripted.Finish(llm.FinishLength)}}, reason: agent.Truncated, stored: "UCRA"},
		{name: "only a call that is too long", rounds: []scripted.Round{{get("a"), scripted.Finish(llm.FinishLength)}}, reason: agent.Truncated, stored: ""},
		{name: "an answer that is filtered", rounds: []scripted.Round{{text, get("a"), scripted.Finish(llm.FinishFiltered)}}, reason: agent.Filtered, stored: "UA"},
		{name: "a refusal", rounds: []scripted.Round{{scripted.Refusal("I will not.")}}, reason: agent.Filtered, stored: "UA"},
		{name: "an empty answer", rounds: []scripted.Round{{}}, reason: agent.Done, stored: ""},
		{name: "an empty answer after a tool", rounds: []scripted.Round{{get("a")}, {}}, reason: agent.Done, stored: "UCR"},
		{name: "cancelled in the first answer", rounds: []scripted.Round{{text}}, cancelAfter: 3, fails: true, reason: agent.Cancelled, stored: ""},
		{name: "cancelled in the second answer", rounds: []scripted.Round{{get("a")}, {text}}, cancelAfter: 8, fails: true, reason: agent.Cancelled, stored: "UCR"},
		{name: "cancelled while a tool runs", rounds: []scripted.Round{{get("a"), scripted.Call("cancels", "{}"), get("b")}}, fails: true, reason: agent.Cancelled, stored: "UCR"},
		{name: "cancelled after the model", rounds: []scripted.Round{{get("a")}, {get("b")}}, cancelAfter: 8, safe: agent.AfterModel, reason: agent.Cancelled, stored: "UCR"},
		{name: "cancelled after the tools", rounds: []scripted.Round{{get("a")}}, cancelAfter: 2, safe: agent.AfterTools, reason: agent.Cancelled, stored: "UCR"},
	}
}

// setting is one combination in which a run is made.
type setting struct {
	memory    string // none, outside, inside
	noHistory bool
	mode      agent.StreamMode
	path      string // call, stream
	parallel  int
}

func (s setting) String() string {
	return fmt.Sprintf("memory %s, history %t, %s, %s, %d at once", s.memory, !s.noHistory, s.mode, s.path, s.parallel)
}

func settings() []setting {
	var all []setting
	for _, memory := range []string{"none", "outside", "inside"} {
		for _, noHistory := range []bool{false, true} {
			if noHistory && memory != "inside" {
				continue // it is refused: see TestHistoryOffWithoutAMemoryInsideIsRefused
			}
			for _, mode := range []agent.StreamMode{agent.FinalBuffered, agent.FinalLive, agent.All} {
				for _, path := range []string{"call", "stream"} {
					for _, parallel := range []int{1, 4} {
						all = append(all, setting{memory, noHistory, mode, path, parallel})
					}
				}
			}
		}
	}
	return all
}

// cancelling counts the events of a model.
type cancelling struct {
	model.Model

	after int
	do    func()
}

func (c *cancelling) Stream(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
	return func(yield func(stream.Event, error) bool) {
		for ev, err := range c.Model.Stream(ctx, req) {
			if c.after > 0 {
				if c.after--; c.after == 0 {
					c.do()
				}
			}
			if !yield(ev, err) {
				return
			}
		}
	}
}

// letters describes a history.
func letters(messages []llm.Message) string {
	var said strings.Builder
	for _, m := range messages {
		switch {
		case m.Role == llm.User:
			said.WriteByte('U')
		case m.Role == llm.ToolRole:
			said.WriteByte('R')
		case slices.ContainsFunc(m.Blocks, func(b llm.Block) bool { return b.Kind == llm.ToolCall }):
			said.WriteByte('C')
		default:
			said.WriteByte('A')
		}
	}
	return said.String()
}

func matrixTools(cancel func()) []*agent.Tool {
	tool := func(name string, run func(context.Context, agent.Call) (agent.Output, error)) *agent.Tool {
		return &agent.Tool{Name: name, Run: run}
	}
	direct := tool("direct", func(_ context.Context, c agent.Call) (agent.Output, error) {
		return agent.Output{Text: "for you: " + string(c.Arguments)}, nil
	})
	direct.ReturnDirect = true
	// It is alone, so that what runs beside it does not depend on the clock.
	cancels := tool("cancels", func(ctx context.Context, _ agent.Call) (agent.Output, error) {
		cancel()
		<-ctx.Done()
		return agent.Output{}, context.Cause(ctx)
	})
	fatal := tool("fatal", func(context.Context, agent.Call) (agent.Output, error) {
		return agent.Output{}, agent.Fatal(errors.New("the disk is full"))
	})
	cancels.Sequential, fatal.Sequential = true, true
	return []*agent.Tool{
		tool("get", func(_ context.Context, c agent.Call) (agent.Output, error) {
			return agent.Output{Text: "got " + string(c.Arguments)}, nil
		}),
		direct, cancels, fatal,
		tool("fails", func(context.Context, agent.Call) (agent.Output, error) {
			return agent.Output{}, errors.New("no such city")
		}),
		tool("panics", func(context.Context, agent.Call) (agent.Output, error) { panic("oh") }),
		tool("silent", func(context.Context, agent.Call) (agent.Output, error) { return agent.Output{}, nil }),
		tool("asks", func(context.Context, agent.Call) (agent.Output, error) {
			return agent.Output{}, agent.Interrupt("may I?")
		}),
	}
}

// outcome is what a run left.
type outcome struct {
	reason agent.Reason
	err    string
	// stored is what is remembered, added what the result has.
	stored, added []llm.Message
}

// try runs one ending in one setting.
func try(t *testing.T, e ending, s setting) outcome {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	var run *agent.Run
	do := func() {
		if e.safe != 0 {
			run.Cancel(e.safe)
		} else {
			cancel(agent.ErrCancelled)
		}
	}
	m := &cancelling{scripted.New(e.rounds...), e.cancelAfter, do}
	cfg := agent.Config{Model: m, Tools: matrixTools(do), Loop: agent.LoopConfig{Stream: s.mode, NoHistory: s.noHistory, Parallel: s.parallel}}
	if e.loop != nil {
		e.loop(&cfg.Loop)
	}
	finalised := 0
	cfg.Loop.Finalise = func(context.Context, *agent.Result, error) error { finalised++; return nil }
	var kept *memory.Memory
	if s.memory != "none" {
		var err error
		if kept, err = memory.New(memory.NewInMemory(), memory.Options{}); err != nil {
			t.Fatal(err)
		}
		cfg.Memory = kept
		if s.memory == "inside" {
			cfg.Remember.Order = agent.InsideLoop
		}
	}
	client, err := agent.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	run = client.Run(ctx, &agent.Request{Text: "How is it?", Conversation: "c"})
	o := outcome{}
	var calls, results int
	if s.path == "call" {
		_, err = drain(run)
	} else {
		for ev, failed := range run.Events() {
			err = failed
			if ev.Type == agent.EventToolEnd {
				calls++
			}
			if ev.Type == agent.EventToolResult {
				results++
			}
		}
		if !e.fails && e.reason != agent.Interrupted && s.mode == agent.All && calls != results {
			t.Errorf("%d calls and %d results were seen", calls, results)
		}
		if s.mode != agent.All && calls+results > 0 {
			t.Errorf("%d calls and %d results were seen in mode %s", calls, results, s.mode)
		}
	}
	if finalised != 1 {
		t.Errorf("finalised %d times", finalised)
	}
	if err != nil {
		o.err = err.Error()
	}
	o.reason, o.added = run.Result().Reason, run.Result().Messages
	if kept != nil {
		c, err := kept.Get(t.Context(), "c")
		if err != nil {
			t.Fatal(err)
		}
		o.stored = c.Messages
		if n := run.Result().Kept; n != len(c.Messages) {
			t.Errorf("the result says that %d messages are kept, and there are %d", n, len(c.Messages))
		}
		again(t, client, kept)
	}
	return o
}

// drain waits for the end of a run, as Call does.
func drain(run *agent.Run) (*agent.Result, error) {
	var failed error
	for _, err := range run.Events() {
		failed = err
	}
	return run.Result(), failed
}

// again asks once more in the same conversation: what the model gets must be what a
// provider takes.
func again(t *testing.T, _ *agent.Client, kept *memory.Memory) {
	t.Helper()
	m := scripted.New(scripted.Round{scripted.Text("Still.")})
	client, err := agent.New(agent.Config{Model: m, Memory: kept})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Call(t.Context(), &agent.Request{Text: "And now?", Conversation: "c"}); err != nil {
		t.Fatal(err)
	}
	if err := sluicetest.ValidateHistories(m.Requests()[0].Messages); err != nil {
		t.Errorf("the next turn asks what a provider refuses: %v", err)
	}
}

// However a run ends, the same script leaves the same history, whether it was a call
// or a stream, wherever the memory is and whatever was shown; and every provider
// accepts it.
func TestEveryWayToEndLeavesTheSameHistory(t *testing.T) {
	t.Parallel()
	for _, e := range endings() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			var first *outcome
			for _, s := range settings() {
				o := try(t, e, s)
				if o.reason != e.reason {
					t.Errorf("%s: ended with %q, want %q (%s)", s, o.reason, e.reason, o.err)
				}
				if (o.err != "") != e.fails {
					t.Errorf("%s: the error is %q", s, o.err)
				}
				if s.memory != "none" {
					if got := letters(o.stored); got != e.stored {
						t.Errorf("%s: stored %q, want %q", s, got, e.stored)
					}
					if err := sluicetest.ValidateHistories(o.stored); err != nil {
						t.Errorf("%s: stored what a provider refuses: %v", s, err)
					}
				}
				if len(o.added) > 0 {
					question := llm.Message{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: "How is it?"}}}
					if err := sluicetest.ValidateHistories(append([]llm.Message{question}, o.added...)); err != nil {
						t.Errorf("%s: the result has what a provider refuses: %v", s, err)
					}
				}
				if first == nil {
					first = &o
				}
				if !equalMessages(o.added, first.added) {
					t.Errorf("%s: added %v, another setting %v", s, o.added, first.added)
				}
				if s.memory != "none" {
					if first.stored == nil {
						first.stored = o.stored
					}
					if !equalMessages(o.stored, first.stored) {
						t.Errorf("%s: stored %v, another setting %v", s, o.stored, first.stored)
					}
				}
				if t.Failed() {
					return
				}
			}
		})
	}
}

func equalMessages(a, b []llm.Message) bool {
	return fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b)
}

// Leaving the loop over the events at any of them leaves a history that a provider
// accepts, and finalises once.
func TestLeavingAtAnyEventLeavesAGoodHistory(t *testing.T) {
	t.Parallel()
	for _, s := range settings() {
		if s.memory == "none" || s.path != "stream" {
			continue
		}
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			for leave := 0; ; leave++ {
				kept, err := memory.New(memory.NewInMemory(), memory.Options{})
				if err != nil {
					t.Fatal(err)
				}
				finalised := 0
				cfg := agent.Config{
					Model: scripted.New(
						scripted.Round{scripted.Text("Look."), scripted.Call("get", "{}"), scripted.Call("get", `{"n":1}`)},
						scripted.Round{scripted.Call("get", `{"n":2}`)}, scripted.Round{scripted.Text("Well.")}),
					Tools: matrixTools(func() {}), Memory: kept,
					Loop: agent.LoopConfig{
						Stream: s.mode, NoHistory: s.noHistory, Parallel: s.parallel,
						Finalise: func(context.Context, *agent.Result, error) error { finalised++; return nil },
					},
				}
				if s.memory == "inside" {
					cfg.Remember.Order = agent.InsideLoop
				}
				client, err := agent.New(cfg)
				if err != nil {
					t.Fatal(err)
				}
				run := client.Run(t.Context(), &agent.Request{Text: "How is it?", Conversation: "c"})
				n, ended := 0, true
				for ev, err := range run.Events() {
					if err != nil {
						t.Fatal(err)
					}
					if n == leave && ev.Type != agent.EventFinal {
						ended = false
						break
					}
					n++
				}
				if finalised != 1 {
					t.Fatalf("finalised %d times", finalised)
				}
				if run.Result() == nil || !ended && run.Result().Reason != agent.Cancelled {
					t.Fatalf("left at event %d: the result is %+v", leave, run.Result())
				}
				c, err := kept.Get(t.Context(), "c")
				if err != nil {
					t.Fatal(err)
				}
				if err := sluicetest.ValidateHistories(c.Messages); err != nil {
					t.Fatalf("left at event %d: %v", leave, err)
				}
				if run.Result().Kept != len(c.Messages) {
					t.Fatalf("left at event %d: %d messages kept, the result says %d", leave, len(c.Messages), run.Result().Kept)
				}
				again(t, client, kept)
				if ended {
					return
				}
			}
		})
	}
}
