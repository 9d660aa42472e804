package policies_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is an agent with a guard, and what was seen of its run.
type rig struct {
	cfg     policies.Config
	chunk   int
	noLoop  bool
	records []policy.Record
	ran     []string
	events  []agent.Event
	// seen is called with each event; it returns false to leave.
	seen func(ev agent.Event) bool

	model *scripted.Model
}

func (r *rig) client(t *testing.T, rounds ...scripted.Round) *agent.Client {
	t.Helper()
	if r.cfg.Record == nil {
		r.cfg.Record = func(rec *policy.Record) { r.records = append(r.records, *rec) }
	}
	guard, err := policies.New(r.cfg)
	if err != nil {
		t.Fatal(err)
	}
	r.model = scripted.NewWithOptions(scripted.Options{ChunkSize: r.chunk}, rounds...)
	c, err := agent.New(agent.Config{
		Model: r.model, Tools: r.tools(), Advisors: []agent.Advisor{guard},
		Loop: agent.LoopConfig{Stream: agent.All, Parallel: 1}, NoLoop: r.noLoop,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (r *rig) tools() []*agent.Tool {
	tools := make([]*agent.Tool, 0, 3)
	for _, name := range []string{"Bash", "list", "read"} {
		tools = append(tools, &agent.Tool{Name: name, Run: func(_ context.Context, c agent.Call) (agent.Output, error) {
			r.ran = append(r.ran, c.Name+" "+string(c.Arguments))
			return agent.Output{Text: "result of " + c.Name + ", key sk-0123456789"}, nil
		}})
	}
	return tools
}

func (r *rig) run(t *testing.T, rounds ...scripted.Round) (*agent.Result, error) {
	t.Helper()
	return r.watch(r.client(t, rounds...).Run(t.Context(), &agent.Request{Text: "go on", Conversation: "c1"}))
}

func (r *rig) watch(run *agent.Run) (*agent.Result, error) {
	var failed error
	for ev, err := range run.Events() {
		if failed = err; err != nil {
			break
		}
		r.events = append(r.events, ev)
		if r.seen != nil && !r.seen(ev) {
			break
		}
	}
	return run.Result(), failed
}

// told are the events in short.
func (r *rig) told() string {
	var list []string
	for _, ev := range r.events {
		text := ev.Type.String()
		switch ev.Type {
		case agent.EventText, agent.EventThinking, agent.EventRefusal, agent.EventToolDelta:
			text += " " + ev.Text
		case agent.EventToolStart:
			text += " " + ev.Name
		case agent.EventToolEnd:
			text += " " + ev.Call.Arguments
		case agent.EventToolResult:
			text += " " + ev.Result.Text
		default:
		}
		list = append(list, text)
	}
	return strings.Join(list, "\n")
}

func load(t *testing.T, yaml string) *policy.Set {
	t.Helper()
	loaded, err := file.Parse(file.Options{Feedback: true, Approver: true}, "test.yaml", []byte(yaml), "preset:none")
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Set
}

func setOf(t *testing.T, definitions ...policy.Definition) *policy.Set {
	t.Helper()
	set, err := policy.NewSet(definitions...)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// on decides about the calls of tools by their names.
func on(verdicts map[string]policy.Action) policy.Definition {
	return policy.Func("on", func(s *policy.Subject) policy.Verdict {
		if a, ok := verdicts[s.Block.Name]; ok {
			return policy.Verdict{Action: a, Reason: "not " + s.Block.Name}
		}
		return policy.Verdict{Action: policy.Allow}
	})
}

const (
	denial  = "Sluice denied this tool call before it ran: not Bash (policy on). Do not repeat it; choose another way or ask the user."
	blocked = "[Sluice blocked the tool call Bash: not Bash (policy on)]"
)

func result(req *llm.Request) string {
	last := req.Messages[len(req.Messages)-1]
	var texts []string
	for _, b := range last.Blocks {
		texts = append(texts, b.Text)
	}
	return strings.Join(texts, "|")
}

func aborted(err error) *policy.AbortError {
	if abort, ok := errors.AsType[*policy.AbortError](err); ok {
		return abort
	}
	return nil
}
