package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
)

// noPanic runs f and reports a panic as a failure of the test.
func noPanic(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if problem := recover(); problem != nil {
			t.Errorf("panicked: %v", problem)
		}
	}()
	f()
}

// What cannot work is refused when it is built, with an error that says what is wrong.
func TestNilAndEmptyPartsAreRefusedWhenBuilt(t *testing.T) {
	t.Parallel()
	m := scripted.New()
	run := func(context.Context, agent.Call) (agent.Output, error) { return agent.Output{}, nil }
	build := func(cfg agent.Config) func() error {
		return func() error {
			if cfg.Model == nil {
				cfg.Model = m
			}
			_, err := agent.New(cfg)
			return err
		}
	}
	client := func(advisors ...agent.Advisor) func() error {
		return func() error { _, err := agent.NewClient(m, advisors...); return err }
	}
	long := strings.Repeat("n", 65)
	for name, tc := range map[string]struct {
		build func() error
		says  string
	}{
		"no model":                    {func() error { _, err := agent.New(agent.Config{}); return err }, "no model"},
		"no model for a client":       {func() error { _, err := agent.NewClient(nil); return err }, "no model"},
		"a nil tool":                  {build(agent.Config{Tools: []*agent.Tool{nil}}), "a tool is nil"},
		"a zero tool":                 {build(agent.Config{Tools: []*agent.Tool{{}}}), "no name"},
		"a tool without Run":          {build(agent.Config{Tools: []*agent.Tool{{Name: "a"}}}), "no Run"},
		"a tool with a hostile name":  {build(agent.Config{Tools: []*agent.Tool{{Name: "a b\x00", Run: run}}}), "only letters"},
		"a tool with a long name":     {build(agent.Config{Tools: []*agent.Tool{{Name: long, Run: run}}}), "at most 64"},
		"a tool with a bad schema":    {build(agent.Config{Tools: []*agent.Tool{{Name: "a", Run: run, Schema: []byte("[]")}}}), "not a JSON object"},
		"a tool with an empty schema": {build(agent.Config{Tools: []*agent.Tool{{Name: "a", Run: run, Schema: []byte{}}}}), "not a JSON object"},
		"a tool with a bad timeout":   {build(agent.Config{Tools: []*agent.Tool{{Name: "a", Run: run, Timeout: -1}}}), "negative"},
		"two tools of a name":         {build(agent.Config{Tools: []*agent.Tool{{Name: "a", Run: run}, {Name: "a", Run: run}}}), `two tools are named "a"`},
		"a nil advisor":               {build(agent.Config{Advisors: []agent.Advisor{nil}}), "is nil"},
		"a function that is nil":      {client(agent.AdvisorFunc("nothing", nil)), "nothing"},
		"a memory that is nil":        {func() error { _, err := agent.NewMemory(nil, agent.MemoryConfig{}); return err }, "no memory"},
		"Remember without a memory":   {build(agent.Config{Remember: agent.MemoryConfig{Serialise: true}}), "no Memory"},
		"a memory at the end": {func() error {
			_, err := agent.NewMemory(newMemory(t), agent.MemoryConfig{Order: agent.Innermost})
			return err
		}, "Order"},
		"a zero memory advisor":        {client(&agent.Memory{}), "memory"},
		"a negative number of workers": {build(agent.Config{Loop: agent.LoopConfig{Parallel: -1}}), "-1 tools"},
		"a negative size":              {build(agent.Config{Loop: agent.LoopConfig{MaxResult: -1}}), "-1 bytes"},
		"a mode that does not exist":   {build(agent.Config{Loop: agent.LoopConfig{Stream: 9}}), "unknown stream mode"},
		"no repository":                {func() error { _, err := memory.New(nil, memory.Options{}); return err }, "no repository"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			noPanic(t, func() { wantError(t, tc.build(), tc.says) })
		})
	}
}

// Everything that is wrong with a Config is reported at once.
func TestAllThatIsWrongIsToldAtOnce(t *testing.T) {
	t.Parallel()
	_, err := agent.New(agent.Config{
		Tools: []*agent.Tool{nil, {Name: "a"}}, Loop: agent.LoopConfig{Parallel: -1},
		Remember: agent.MemoryConfig{Serialise: true},
	})
	for _, says := range []string{"no model", "a tool is nil", "no Run", "-1 tools", "no Memory"} {
		wantError(t, err, says)
	}
}

// A zero ToolLoop was not made by NewToolLoop: it is refused, or works as if it was.
func TestAZeroToolLoopDoesNotPanic(t *testing.T) {
	t.Parallel()
	noPanic(t, func() {
		var l ledger
		client, err := agent.NewClient(scripted.New(scripted.Round{scripted.Call("look", "{}"), scripted.Call("look", `{"n":2}`)}, scripted.Round{scripted.Text("Fine.")}), &agent.ToolLoop{})
		if err != nil {
			return
		}
		result, err := client.Call(t.Context(), &agent.Request{Text: "How is it?", Tools: []*agent.Tool{l.tool("look", "sunny")}})
		if err != nil || result.Text() != "Fine." || !strings.Contains(l.ran(), `{"n":2}`) {
			t.Errorf("answered %q, ran %q, %v", result.Text(), l.ran(), err)
		}
	})
}

// Requests that ask nothing, or what no provider takes, are refused before the model is asked.
func TestBadRequestsAreRefused(t *testing.T) {
	t.Parallel()
	run := func(context.Context, agent.Call) (agent.Output, error) { return agent.Output{}, nil }
	for name, tc := range map[string]struct {
		req  *agent.Request
		says string
	}{
		"nil":                          {nil, "the request is nil"},
		"empty":                        {&agent.Request{}, "asks nothing"},
		"empty messages":               {&agent.Request{Messages: []llm.Message{}}, "asks nothing"},
		"a message without blocks":     {&agent.Request{Text: "a", Messages: []llm.Message{{Role: llm.User}}}, "message 1"},
		"a message with an empty text": {&agent.Request{Messages: []llm.Message{{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content}}}}}, "message 1"},
		"only space":                   {&agent.Request{Text: " \n"}, "asks nothing"},
		"a nil tool":                   {&agent.Request{Text: "a", Tools: []*agent.Tool{nil}}, "a tool is nil"},
		"a tool of the agent's name":   {&agent.Request{Text: "a", Tools: []*agent.Tool{{Name: "look", Run: run}}}, "two tools"},
		"two tools of a name":          {&agent.Request{Text: "a", Tools: []*agent.Tool{{Name: "b", Run: run}, {Name: "b", Run: run}}}, "two tools"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			noPanic(t, func() {
				r := newRig(t, agent.Config{}, scripted.Round{scripted.Text("never")})
				run := r.Run(t.Context(), tc.req)
				events, err := eventsOf(run)
				wantError(t, err, tc.says)
				if len(events) != 0 || run.Result() == nil || run.Result().Reason != agent.Failed {
					t.Errorf("%d events, the result is %+v", len(events), run.Result())
				}
				r.wants(0, "")
			})
		})
	}
}

// A loop that keeps no history is refused without a memory inside even if it is embedded in another type.
func TestAnEmbeddedLoopIsCheckedToo(t *testing.T) {
	t.Parallel()
	loop, err := agent.NewToolLoop(agent.LoopConfig{NoHistory: true})
	if err != nil {
		t.Fatal(err)
	}
	_, err = agent.NewClient(scripted.New(), ownLoop{loop})
	wantError(t, err, "there is no memory inside it")
}

// A result is never nil, also of a call that failed.
func TestTheResultOfAFailedCallIsNotNil(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("half"), scripted.Fail(errModel)})
	result, err := r.Call(t.Context(), &agent.Request{Text: "How is it?"})
	if err == nil || result == nil {
		t.Fatalf("the result is %v, the error %v", result, err)
	}
	if result.Reason != agent.Failed || letters(result.Messages) != "CR" || result.Text() != "half" {
		t.Errorf("the result is %+v", result)
	}
}

// A client that was not made by New is an error and no panic.
func TestAZeroClientDoesNotPanic(t *testing.T) {
	t.Parallel()
	noPanic(t, func() {
		_, err := new(agent.Client).Call(t.Context(), &agent.Request{Text: "How is it?"})
		wantError(t, err, "New")
	})
}

// A request with a memory needs a conversation, and says how to give one.
func TestAMemoryNeedsAConversation(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{Memory: newMemory(t)}, scripted.Round{scripted.Text("never")})
	_, err := r.Call(t.Context(), &agent.Request{Text: "How is it?"})
	if !errors.Is(err, agent.ErrNoConversation) {
		t.Errorf("the error is %v", err)
	}
	r.wants(0, "")
}

// Tools that a hook adds wrongly end the run with an error that says so.
func TestBadToolsOfAHookAreAnError(t *testing.T) {
	t.Parallel()
	for name, tools := range map[string][]*agent.Tool{
		"nil":             {nil},
		"without Run":     {{Name: "b"}},
		"without a name":  {{}},
		"a name that was": {{Name: "look", Run: func(context.Context, agent.Call) (agent.Output, error) { return agent.Output{}, nil }}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			noPanic(t, func() {
				cfg := agent.Config{Loop: agent.LoopConfig{Before: func(_ context.Context, req *agent.Request) error {
					req.Tools = append(req.Tools, tools...)
					return nil
				}}}
				r := newRig(t, cfg, scripted.Round{scripted.Call("b", "{}")}, scripted.Round{scripted.Text("Fine.")})
				_, err := r.Call(t.Context(), &agent.Request{Text: "How is it?"})
				wantError(t, err, "tool")
			})
		})
	}
}

// A result that is too large for a model becomes one that says so; what the tool returned is in the event, and the memory
// stays small.
func TestALargeResult(t *testing.T) {
	t.Parallel()
	const size = 50 << 20
	large := strings.Repeat("x", size)
	for name, run := range map[string]func(context.Context, agent.Call) (agent.Output, error){
		"returned": func(context.Context, agent.Call) (agent.Output, error) { return agent.Output{Text: large}, nil },
		"an error": func(context.Context, agent.Call) (agent.Output, error) { return agent.Output{}, errors.New(large) },
		"a panic":  func(context.Context, agent.Call) (agent.Output, error) { panic(large) },
		"a failure": func(context.Context, agent.Call) (agent.Output, error) {
			return agent.Output{Text: large, Failed: true}, nil
		},
	} {
		kept := newMemory(t)
		r := newRig(t, agent.Config{Memory: kept, Tools: []*agent.Tool{{Name: "dump", Run: run}}, Loop: agent.LoopConfig{Stream: agent.All}},
			scripted.Round{scripted.Call("dump", "{}")}, scripted.Round{scripted.Text("Too much.")})
		events, result := r.watch("Dump it.")
		texts := resultTexts(r.model.Requests()[1].Messages)
		if len(texts) != 1 || len(texts[0]) > 1<<10 || !strings.Contains(texts[0], "bytes") || !result.Messages[1].Blocks[0].Failed {
			t.Errorf("%s: the model was told %d bytes", name, len(texts[0]))
		}
		for _, ev := range events {
			if ev.Type == agent.EventToolResult && len(ev.Text) < size {
				t.Errorf("%s: the event has %d bytes", name, len(ev.Text))
			}
		}
		if got := storedIn(t, kept); got != "UCRA" {
			t.Errorf("%s: stored %s", name, got)
		}
	}
}

// A result of exactly the maximum size is sent as it is, one with a byte more is not.
func TestAResultAtTheLimit(t *testing.T) {
	t.Parallel()
	for size, failed := range map[int]bool{1000: false, 1001: true} {
		var l ledger
		r := newRig(t, agent.Config{Tools: []*agent.Tool{l.tool("dump", strings.Repeat("x", size))}, Loop: agent.LoopConfig{MaxResult: 1000}},
			scripted.Round{scripted.Call("dump", "{}")}, scripted.Round{scripted.Text("Fine.")})
		block := r.ask("Dump it.").Messages[1].Blocks[0]
		if block.Failed != failed || (len(block.Text) == size) == failed {
			t.Errorf("%d bytes: told %d, failed %t", size, len(block.Text), block.Failed)
		}
	}
}

// Conversation ids are data: hostile ones are kept apart, and none is changed.
func TestHostileConversationIDs(t *testing.T) {
	t.Parallel()
	ids := []string{
		"../../etc/passwd", "'; DROP TABLE messages; --", "a\x00b", "a", "a\n", "A", " a", "%", "_", "*", "\xff\xfe", "\u202eabc", "\u00e9", "e\u0301",
		"${jndi:x}", strings.Repeat("i", 1<<20), "\r\n\r\n", "null", "0",
	}
	kept := newMemory(t)
	r := newRig(t, agent.Config{Memory: kept}, scripted.Round{scripted.When(func(*llm.Request) bool { return true }), scripted.Text("Fine.")})
	for i, id := range ids {
		if _, err := r.Call(t.Context(), &agent.Request{Text: fmt.Sprint("question ", i), Conversation: id}); err != nil {
			t.Fatalf("%q: %v", id[:min(len(id), 40)], err)
		}
	}
	for i, id := range ids {
		c, err := kept.Get(t.Context(), id)
		if err != nil || letters(c.Messages) != "UA" || c.Messages[0].Blocks[0].Text != fmt.Sprint("question ", i) {
			t.Errorf("%q: stored %s, %v", id[:min(len(id), 40)], letters(c.Messages), err)
		}
	}
}
