package policies_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/stream"
)

// gated lets a model call a tool only when the gate is open.
func gated(m model.Model, gate <-chan struct{}) model.Model {
	return model.Func(func(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
		return func(yield func(stream.Event, error) bool) {
			for ev, err := range m.Stream(ctx, req) {
				if ev.Type == stream.EventStart && ev.Kind == llm.ToolCall {
					<-gate
				}
				if !yield(ev, err) {
					return
				}
			}
		}
	})
}

// says answers the first request with events, and all others with a text.
func says(events ...stream.Event) model.Model {
	first := true
	return model.Func(func(context.Context, *llm.Request) iter.Seq2[stream.Event, error] {
		list := events
		if !first {
			list = []stream.Event{start(0, llm.Content, "", ""), delta(0, llm.Content, "done")}
		}
		first = false
		list = append(list, stream.Event{Type: stream.EventFinish, Block: -1, Reason: llm.FinishToolCalls}, stream.Event{Type: stream.EventDone, Block: -1})
		return func(yield func(stream.Event, error) bool) {
			for _, ev := range list {
				if !yield(ev, nil) {
					return
				}
			}
		}
	})
}

func start(block int, kind llm.Kind, id, name string) stream.Event {
	return stream.Event{Type: stream.EventStart, Block: block, Kind: kind, ID: id, Name: name, Index: -1}
}

func delta(block int, kind llm.Kind, text string) stream.Event {
	return stream.Event{Type: stream.EventDelta, Block: block, Kind: kind, Data: []byte(text), Index: -1}
}

func field(block int, f stream.Field, text string) stream.Event {
	ev := delta(block, llm.ToolCall, text)
	ev.Field = f
	return ev
}

func whole(block int, kind llm.Kind, text string) stream.Event {
	ev := delta(block, kind, text)
	ev.Type = stream.EventWhole
	return ev
}

func end(block int, kind llm.Kind) stream.Event {
	return stream.Event{Type: stream.EventEnd, Block: block, Kind: kind, Index: -1}
}

func TestHostileAnswers(t *testing.T) {
	opaque := start(0, llm.Opaque, "", "")
	opaque.ProviderType, opaque.Raw = "future_call", []byte(`{"type":"future_call","name":"Bash","input":{"command":"x"}}`)
	for _, tc := range []struct {
		name   string
		events []stream.Event
		ran    string
		unseen string
		seen   string
	}{
		{
			name: "the name comes late", unseen: "evil",
			events: []stream.Event{start(0, llm.ToolCall, "a", ""), delta(0, llm.ToolCall, `{"evil"`), field(0, stream.Name, "Ba"), delta(0, llm.ToolCall, `:1}`), field(0, stream.Name, "sh"), end(0, llm.ToolCall)},
		},
		{
			name: "two calls are interleaved", unseen: `tool_delta {"evil"`, ran: `list {"good":1}`,
			events: []stream.Event{
				start(0, llm.ToolCall, "a", "list"), delta(0, llm.ToolCall, `{"good"`), start(1, llm.ToolCall, "b", "Bash"), delta(1, llm.ToolCall, `{"evil"`),
				delta(0, llm.ToolCall, `:1}`), delta(1, llm.ToolCall, `:1}`),
			},
		},
		{
			name: "ids are used twice", unseen: `tool_delta {"evil"`, ran: `list {"good":1}|list {"good":2}`,
			events: []stream.Event{
				start(0, llm.ToolCall, "a", "list"), delta(0, llm.ToolCall, `{"good":1}`), end(0, llm.ToolCall),
				start(1, llm.ToolCall, "a", "Bash"), delta(1, llm.ToolCall, `{"evil":1}`), end(1, llm.ToolCall),
				start(2, llm.ToolCall, "a", "list"), delta(2, llm.ToolCall, `{"good":2}`), end(2, llm.ToolCall),
			},
		},
		{
			name: "thinking has a call in it", ran: "", seen: `thinking <tool_call>{"name":"Bash"}`,
			events: []stream.Event{start(0, llm.Thinking, "", ""), delta(0, llm.Thinking, `<tool_call>{"name":"Bash"}`), end(0, llm.Thinking)},
		},
		{
			name: "the final word is another", unseen: "tool_delta",
			events: []stream.Event{start(0, llm.ToolCall, "a", "read"), delta(0, llm.ToolCall, `{"path":"/ok"}`), whole(0, llm.ToolCall, `{"path":"/evil"}`), end(0, llm.ToolCall)},
		},
		{
			name: "the deltas are another", unseen: "tool_delta",
			events: []stream.Event{start(0, llm.ToolCall, "a", "read"), delta(0, llm.ToolCall, `{"path":"/evil"}`), whole(0, llm.ToolCall, `{"path":"/ok"}`), end(0, llm.ToolCall)},
		},
		{
			name: "the name at the end is another", unseen: "tool_delta",
			events: []stream.Event{start(0, llm.ToolCall, "a", "list"), delta(0, llm.ToolCall, `{}`), {Type: stream.EventWhole, Field: stream.Name, Kind: llm.ToolCall, Data: []byte("Bash"), Index: -1}, end(0, llm.ToolCall)},
		},
		{
			name: "a call in a block that nobody knows", unseen: "command", seen: "text Sluice denied this tool call before it ran: not Bash (policy on).",
			events: []stream.Event{opaque, end(0, llm.Opaque)},
		},
		{
			name: "text follows and precedes calls", ran: `list {}`, seen: "text a\ntool_start list\ntool_delta {}\ntool_end {}\ntext b\nround_end",
			events: []stream.Event{
				start(0, llm.Content, "", ""), delta(0, llm.Content, "a"), start(1, llm.ToolCall, "a", "list"), start(2, llm.Content, "", ""),
				delta(1, llm.ToolCall, `{}`), end(1, llm.ToolCall), delta(2, llm.Content, "b"),
			},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			judge := policy.Func("on", func(s *policy.Subject) policy.Verdict {
				if s.Block.Name == "Bash" || strings.Contains(s.Block.Arguments, "evil") {
					return policy.Verdict{Action: policy.Block, Reason: "not Bash"}
				}
				return policy.Verdict{Action: policy.Allow}
			})
			r := &rig{cfg: policies.Config{Set: setOf(t, judge)}}
			guard, err := policies.New(r.cfg)
			if err != nil {
				t.Fatal(err)
			}
			c, err := agent.New(agent.Config{Model: says(tc.events...), Tools: r.tools(), Advisors: []agent.Advisor{guard}, Loop: agent.LoopConfig{Stream: agent.All, Parallel: 1}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.watch(c.Run(t.Context(), &agent.Request{Text: "x"})); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(r.ran, "|"); got != tc.ran {
				t.Errorf("ran %q, want %q", got, tc.ran)
			}
			before, _, _ := strings.Cut(r.told(), "tool_end")
			if tc.seen == "" && tc.unseen != "" && strings.Contains(before, tc.unseen) || !strings.Contains(r.told(), tc.seen) {
				t.Error(r.told())
			}
		})
	}
}

// further is between a guard and the model, and can do anything.
type further struct {
	f func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events
}

func (further) Name() string { return "further" }
func (further) Order() int   { return agent.Innermost }
func (a further) Advise(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
	return a.f(ctx, req, next)
}

// changes changes what passes.
func changes(change func(ev *agent.Event)) further {
	return further{func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
		return func(yield func(agent.Event, error) bool) {
			for ev, err := range next(ctx, req) {
				if err == nil && ev.Round == 1 {
					change(&ev)
				}
				if !yield(ev, err) {
					return
				}
			}
		}
	}}
}

// What an advisor further in makes of an answer is judged too: what counts is what
// would be run.
func TestAdvisorsFurtherInAreJudged(t *testing.T) {
	evil := llm.Block{Kind: llm.ToolCall, ID: "z", Name: "Bash", Arguments: `{"evil":1}`, Status: llm.Complete}
	for name, change := range map[string]func(ev *agent.Event){
		"arguments change after the call was told": func(ev *agent.Event) {
			if ev.Type == agent.EventRoundEnd {
				ev.Answer.Blocks[0].Arguments, ev.Answer.Blocks[0].Name = `{"evil":1}`, "Bash"
			}
		},
		"a call is added": func(ev *agent.Event) {
			if ev.Type == agent.EventRoundEnd {
				ev.Answer.Blocks = append(ev.Answer.Blocks[:0], evil)
			}
		},
		"the answer changes after its round": func(ev *agent.Event) {
			if ev.Type == agent.EventFinal {
				ev.Final.Answer.Blocks = []llm.Block{evil}
			}
		},
		"the result has another answer": func(ev *agent.Event) {
			if ev.Type == agent.EventFinal {
				ev.Final.Answer = &agent.Answer{Round: 1, Blocks: []llm.Block{evil}, Finish: llm.FinishToolCalls}
			}
		},
		"the call is told as a text": func(ev *agent.Event) {
			switch ev.Type {
			case agent.EventToolStart, agent.EventToolDelta, agent.EventToolEnd:
				*ev = agent.Event{Type: agent.EventText, Round: 1, Text: "x"}
			case agent.EventRoundEnd:
				ev.Answer.Blocks[0] = evil
			default:
			}
		},
		"no call is told whole": func(ev *agent.Event) {
			switch ev.Type {
			case agent.EventToolEnd:
				ev.Call = nil
			case agent.EventRoundEnd:
				ev.Answer.Blocks[0] = evil
			default:
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := &rig{}
			guard, err := policies.New(policies.Config{Set: setOf(t, on(map[string]policy.Action{"Bash": policy.Block}))})
			if err != nil {
				t.Fatal(err)
			}
			m := says(start(0, llm.ToolCall, "a", "list"), delta(0, llm.ToolCall, `{}`), end(0, llm.ToolCall))
			c, err := agent.New(agent.Config{Model: m, Tools: r.tools(), Advisors: []agent.Advisor{guard, changes(change)}, Loop: agent.LoopConfig{Stream: agent.All}})
			if err != nil {
				t.Fatal(err)
			}
			res, err := r.watch(c.Run(t.Context(), &agent.Request{Text: "x"}))
			if err != nil || len(r.ran) > 0 {
				t.Error(err, r.ran)
			}
			if got := res.Messages[1].Blocks[0]; got.Text != denial || !got.Failed {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestAGuardThatSeesToolsRunFailsTheRun(t *testing.T) {
	guard, err := policies.New(policies.Config{Set: setOf(t, on(nil))})
	if err != nil {
		t.Fatal(err)
	}
	loop, err := agent.NewToolLoop(agent.LoopConfig{Order: agent.Innermost - 1, Stream: agent.All})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{}
	m := says(start(0, llm.ToolCall, "a", "list"), delta(0, llm.ToolCall, `{}`), end(0, llm.ToolCall))
	c, err := agent.New(agent.Config{Model: m, Tools: r.tools(), Advisors: []agent.Advisor{guard, loop}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.watch(c.Run(t.Context(), &agent.Request{Text: "x"})); err == nil || !strings.Contains(err.Error(), "outside the tool loop") {
		t.Error(err)
	}
}
