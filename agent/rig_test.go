package agent_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
)

// ledger has tools that write down each of their calls.
type ledger struct {
	mu    sync.Mutex
	calls []string
}

// tool returns a tool that answers the same to every call.
func (l *ledger) tool(name, says string) *agent.Tool {
	return &agent.Tool{Name: name, Description: "says " + says, Run: func(_ context.Context, c agent.Call) (agent.Output, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.calls = append(l.calls, c.Name+string(c.Arguments))
		return agent.Output{Text: says}, nil
	}}
}

// direct returns a tool whose result is for the caller.
func (l *ledger) direct(name, says string) *agent.Tool {
	tool := l.tool(name, says)
	tool.ReturnDirect = true
	return tool
}

// ran lists the calls in the order in which they were made.
func (l *ledger) ran() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.calls, " ")
}

// rig is an agent on a script.
type rig struct {
	*agent.Client
	ledger

	t     *testing.T
	model *scripted.Model
}

// newRig builds an agent on a script, with a tool "look" if the Config has none.
func newRig(t *testing.T, cfg agent.Config, rounds ...scripted.Round) *rig {
	t.Helper()
	r := &rig{t: t, model: scripted.New(rounds...)}
	cfg.Model = r.model
	if cfg.Tools == nil {
		cfg.Tools = []*agent.Tool{r.tool("look", "sunny"), r.direct("show", "for you")}
	}
	var err error
	if r.Client, err = agent.New(cfg); err != nil {
		t.Fatal(err)
	}
	return r
}

// ask calls and wants no error.
func (r *rig) ask(text string) *agent.Result {
	r.t.Helper()
	result, err := r.Call(r.t.Context(), &agent.Request{Text: text, Conversation: "c"})
	if err != nil {
		r.t.Fatal(err)
	}
	return result
}

// watch streams and wants no error.
func (r *rig) watch(text string) ([]agent.Event, *agent.Result) {
	r.t.Helper()
	run := r.Run(r.t.Context(), &agent.Request{Text: text, Conversation: "c"})
	events, err := eventsOf(run)
	if err != nil {
		r.t.Fatal(err)
	}
	return events, run.Result()
}

// asked is how often the model was asked.
func (r *rig) asked() int { return len(r.model.Requests()) }

// wants compares how often the model was asked and which calls were run.
func (r *rig) wants(asked int, ran string) {
	r.t.Helper()
	if r.asked() != asked {
		r.t.Errorf("the model was asked %d times, want %d", r.asked(), asked)
	}
	if r.ran() != ran {
		r.t.Errorf("ran %q, want %q", r.ran(), ran)
	}
}

// eventsOf ranges over a run.
func eventsOf(run *agent.Run) (events []agent.Event, err error) {
	for ev, failed := range run.Events() {
		if failed != nil {
			err = failed
			continue
		}
		events = append(events, ev)
	}
	return events, err
}

// spell names the events; pieces of the same kind that follow each other are one.
func spell(events []agent.Event) string {
	var names []string
	for _, ev := range events {
		name := ev.Type.String()
		piece := ev.Type == agent.EventText || ev.Type == agent.EventThinking || ev.Type == agent.EventToolDelta
		if piece && len(names) > 0 && names[len(names)-1] == name {
			continue
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// spoken joins the text of the events.
func spoken(events []agent.Event) string {
	var text strings.Builder
	for _, ev := range events {
		if ev.Type == agent.EventText {
			text.WriteString(ev.Text)
		}
	}
	return text.String()
}

// spy is an advisor that writes down the requests that pass it.
type spy struct {
	name  string
	order int
	seen  []*agent.Request
}

func (s *spy) Name() string { return s.name }
func (s *spy) Order() int   { return s.order }

func (s *spy) Advise(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
	s.seen = append(s.seen, req.Clone())
	return next(ctx, req)
}

// newMemory returns an empty memory.
func newMemory(t *testing.T) *memory.Memory {
	t.Helper()
	kept, err := memory.New(memory.NewInMemory(), memory.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

// storedIn describes what is kept of the conversation "c", one letter for each message.
func storedIn(t *testing.T, kept *memory.Memory) string {
	t.Helper()
	c, err := kept.Get(t.Context(), "c")
	if err != nil {
		t.Fatal(err)
	}
	return letters(c.Messages)
}

// resultTexts are the texts of all results in messages.
func resultTexts(messages []llm.Message) []string {
	var texts []string
	for _, m := range messages {
		for _, b := range m.Blocks {
			if b.Kind == llm.ToolResult {
				texts = append(texts, b.Text)
			}
		}
	}
	return texts
}

// wantError wants an error that says something.
func wantError(t *testing.T, err error, says string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), says) {
		t.Errorf("the error is %v, want one that says %q", err, says)
	}
}

// bothPaths runs a test with a call and with a stream.
func bothPaths(t *testing.T, test func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error))) {
	t.Helper()
	t.Run("call", func(t *testing.T) {
		test(t, func(c *agent.Client, req *agent.Request) (*agent.Result, error) { return c.Call(t.Context(), req) })
	})
	t.Run("stream", func(t *testing.T) {
		test(t, func(c *agent.Client, req *agent.Request) (*agent.Result, error) {
			run := c.Run(t.Context(), req)
			_, err := eventsOf(run)
			return run.Result(), err
		})
	})
}

// modes are all stream modes.
func modes() []agent.StreamMode {
	return []agent.StreamMode{agent.FinalBuffered, agent.FinalLive, agent.All}
}

// equalStrings compares lists.
func equalStrings(a []string, b ...string) bool { return slices.Equal(a, b) }

// userMessages is a question in one message.
func userMessages(text string) []llm.Message {
	return []llm.Message{{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: text}}}}
}
