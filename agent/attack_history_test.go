package agent_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// storm is a model that answers whatever it likes, the same for the same seed.
type storm struct {
	t     *testing.T
	seed  uint64
	n     int
	plain bool // nothing that only one provider has
}

func (s *storm) Stream(_ context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
	return func(yield func(stream.Event, error) bool) {
		s.n++
		// A paused answer is sent back unchanged, even if it ends with thinking.
		last := req.Messages[len(req.Messages)-1]
		paused := last.Role == llm.Assistant && last.Blocks[len(last.Blocks)-1].Kind == llm.Thinking
		if err := validStorm(s.plain, req.Messages); err != nil && !paused {
			s.t.Errorf("seed %d, request %d: the model is sent a history that it would refuse: %v\n%s", s.seed, s.n, err, describeStorm(req.Messages))
		}
		r := rand.New(rand.NewPCG(s.seed, uint64(s.n)))
		blocks := r.IntN(5)
		calls := r.IntN(4) // 0: none
		failAt := -1
		if r.IntN(12) == 0 {
			failAt = r.IntN(10)
		}
		sent := 0
		put := func(ev stream.Event) bool {
			if sent == failAt {
				yield(stream.Event{}, errModel)
				return false
			}
			sent++
			return yield(ev, nil)
		}
		called := false
		for at := range blocks {
			start, text := s.block(r, at, calls > 0)
			called = called || start.Kind == llm.ToolCall
			if !put(start) {
				return
			}
			for text != "" {
				n := min(len(text), 1+r.IntN(8))
				if !put(stream.Event{Type: stream.EventDelta, Block: at, Kind: start.Kind, Data: []byte(text[:n])}) {
					return
				}
				text = text[n:]
			}
			if start.Kind == llm.Thinking &&
				!put(stream.Event{Type: stream.EventDelta, Field: stream.Signature, Block: at, Kind: start.Kind, Data: []byte("c2ln")}) {
				return
			}
			if r.IntN(10) > 0 {
				end := stream.Event{Type: stream.EventEnd, Block: at, Kind: start.Kind}
				if r.IntN(12) == 0 {
					end.Status = llm.Incomplete
				}
				if !put(end) {
					return
				}
			}
		}
		reason := llm.FinishStop
		if called {
			reason = llm.FinishToolCalls
		}
		switch r.IntN(10) {
		case 0:
			reason = llm.FinishLength
		case 1:
			reason = llm.FinishFiltered
		case 2, 3:
			if !s.plain {
				reason = llm.FinishPaused
			}
		}
		if put(stream.Event{Type: stream.EventFinish, Block: -1, Reason: reason}) {
			put(stream.Event{Type: stream.EventDone, Block: -1})
		}
	}
}

func (s *storm) block(r *rand.Rand, at int, calls bool) (stream.Event, string) {
	start := stream.Event{Type: stream.EventStart, Block: at, Index: -1}
	k := r.IntN(12)
	switch {
	case calls && k < 5:
		start.Kind = llm.ToolCall
		start.Name = []string{"look", "look", "look", "show", "fails", "stops", "asks", "asks", "no.such", ""}[r.IntN(10)]
		start.ID = []string{"x", "y", "", "x_2"}[r.IntN(4)]
		return start, []string{`{}`, `{"n":1}`, `{"n":`, ``, `[]`, `{"n":1,"n":2}`}[r.IntN(6)]
	case k < 7:
		start.Kind = llm.Content
		return start, []string{"hello there", " ", "", "done"}[r.IntN(4)]
	case k < 9 && at == 0 && s.plain: // elsewhere only a provider that allows it there puts it
		start.Kind = llm.Thinking
		return start, []string{"hm, let me see", "hm", ""}[r.IntN(3)]
	case s.plain || k == 9:
		start.Kind = llm.Refusal
		return start, "I will not"
	case k == 10:
		start.Kind, start.ID, start.Name, start.ProviderType = llm.ServerTool, fmt.Sprintf("srv_%d_%d", s.n, at), "web_search", "server_tool_use"
		start.Raw = fmt.Appendf(nil, `{"type":"server_tool_use","id":%q,"name":"web_search","input":{}}`, start.ID)
		return start, `{"q":1}`
	default:
		start.Kind, start.ProviderType, start.Raw = llm.Opaque, "container_upload", []byte(`{"type":"container_upload","file_id":"f"}`)
		return start, ""
	}
}

func validStorm(plain bool, messages []llm.Message) error {
	if plain {
		return sluicetest.ValidateHistories(messages)
	}
	return sluicetest.ValidateHistory(wire.Anthropic, messages)
}

func describeStorm(messages []llm.Message) string {
	text := ""
	for i, m := range messages {
		text += fmt.Sprintf("%d %s:", i, m.Role)
		for _, b := range m.Blocks {
			text += fmt.Sprintf(" [%s id=%q name=%q text=%q args=%q for=%q %s]", b.Kind, b.ID, b.Name, b.Text, b.Arguments, b.ToolUseID, b.Status)
		}
		text += "\n"
	}
	return text
}

// stormy is a conversation of several turns on a model that answers whatever it likes.
type stormy struct {
	*testing.T
	seed   uint64
	repo   *memory.InMemory
	client *agent.Client
	plain  bool
	window bool
	call   bool
	r      *rand.Rand
	mu     sync.Mutex
	ran    map[string]int
}

func newStormy(t *testing.T, seed uint64, mode agent.StreamMode) *stormy {
	r := rand.New(rand.NewPCG(seed, 77))
	s := &stormy{T: t, seed: seed, repo: memory.NewInMemory(), r: r, plain: r.IntN(2) == 0, window: r.IntN(3) == 0, ran: map[string]int{}}
	tool := func(name string, run func(agent.Call) (agent.Output, error)) *agent.Tool {
		return &agent.Tool{Name: name, Run: func(_ context.Context, c agent.Call) (agent.Output, error) {
			if c.Answer == nil {
				s.mu.Lock()
				s.ran[c.ID]++
				s.mu.Unlock()
			}
			return run(c)
		}}
	}
	says := func(agent.Call) (agent.Output, error) { return agent.Output{Text: "sunny"}, nil }
	show := tool("show", says)
	show.ReturnDirect = true
	stops := tool("stops", func(agent.Call) (agent.Output, error) { return agent.Output{}, agent.Fatal(errors.New("stop")) })
	stops.Sequential = true // so that what runs beside it does not depend on the clock
	tools := []*agent.Tool{
		tool("look", says), show, stops,
		tool("fails", func(agent.Call) (agent.Output, error) { return agent.Output{}, errors.New("no") }),
		tool("asks", func(c agent.Call) (agent.Output, error) {
			if c.Answer == nil {
				return agent.Output{}, agent.Interrupt("may I?")
			}
			return agent.Output{Text: "thanks"}, nil
		}),
	}
	options := memory.Options{Window: memory.All()}
	if s.window {
		options.Window = memory.Messages(1 + r.IntN(6))
	}
	kept, err := memory.New(s.repo, options)
	if err != nil {
		t.Fatal(err)
	}
	cfg := agent.Config{Model: &storm{t: t, seed: seed, plain: s.plain}, Tools: tools, Memory: kept}
	cfg.Loop.Stream = mode
	cfg.Loop.Parallel = 1 + r.IntN(3)
	cfg.Remember.Serialise = r.IntN(2) == 0
	if r.IntN(2) == 0 {
		cfg.Remember.Order = agent.InsideLoop
		cfg.Loop.NoHistory = r.IntN(2) == 0
	}
	cfg.Loop.Limits = agent.Limits{Rounds: 1 + r.IntN(6), Calls: 1 + r.IntN(8), PerTool: 3, TellModel: r.IntN(2) == 0}
	if s.client, err = agent.New(cfg); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *stormy) load() []llm.Message {
	c, err := s.repo.Load(s.Context(), "c")
	if err != nil {
		s.Fatal(err)
	}
	return c.Messages
}

// turn asks once and looks at what is left. It reports the result, for comparison.
func (s *stormy) turn(n int, play func(*agent.Run) error) string {
	before := s.load()
	question := userMessages(fmt.Sprintf("question %d", n))
	clear(s.ran)
	req := &agent.Request{Messages: question, Conversation: "c"}
	run := s.client.Run(s.Context(), req)
	var (
		err    error
		result *agent.Result
	)
	if s.call {
		result, err = s.client.Call(s.Context(), req)
	} else {
		err = play(run)
		result = run.Result()
	}
	s.look(before, question, result)
	for tries := 0; result.Reason == agent.Interrupted && err == nil && tries < 3; tries++ {
		answers := agent.Answers{}
		for _, p := range result.State.Pending {
			_ = answers.Answer(p.ID, "yes")
		}
		key := make([]byte, 32)
		signed, problem := result.State.Sign(key)
		if problem != nil {
			s.Fatal(problem)
		}
		state, problem := agent.ReadState(signed, key)
		if problem != nil {
			s.Fatal(problem)
		}
		run = s.client.Resume(s.Context(), state, answers, nil)
		err = play(run)
		result = run.Result()
		s.look(before, question, result)
	}
	for id, times := range s.ran {
		if times > 1 {
			s.Errorf("seed %d: the call %q was begun %d times", s.seed, id, times)
		}
	}
	return fmt.Sprintf("%s %v\n%s", result.Reason, err, describeStorm(s.load()))
}

func (s *stormy) look(before, question []llm.Message, result *agent.Result) {
	s.Helper()
	after := s.load()
	if err := validStorm(s.plain, after); err != nil {
		s.Errorf("seed %d: what is stored is refused: %v\n%s", s.seed, err, describeStorm(after))
	}
	run := slices.Concat(question, result.Messages)
	if err := validStorm(s.plain, run); err != nil {
		s.Errorf("seed %d: Result.Messages is refused: %v\n%s", s.seed, err, describeStorm(run))
	}
	if result.Kept > len(run) {
		s.Errorf("seed %d: Kept is %d of %d", s.seed, result.Kept, len(run))
		return
	}
	if s.window {
		return
	}
	want := slices.Concat(before, run[:result.Kept])
	if !slices.EqualFunc(want, after, memory.Same) {
		s.Errorf("seed %d (%s): stored is\n%swant\n%s", s.seed, result.Reason, describeStorm(after), describeStorm(want))
	}
}

// Whatever a model answers, every request, every result and all that is stored is a history that a provider takes, no call is begun
// twice, and a call and a stream of every mode leave the same.
func TestAttackHistoriesInAStorm(t *testing.T) {
	for seed := range uint64(150) {
		want := ""
		for i, mode := range append(modes(), agent.All) {
			s := newStormy(t, seed, mode)
			s.call = i == 3
			got := ""
			for n := range 4 {
				got += s.turn(n, func(run *agent.Run) error {
					_, err := eventsOf(run)
					return err
				})
			}
			if i == 0 {
				want = got
			} else if got != want {
				t.Errorf("seed %d: mode %d leaves\n%s\nand the first\n%s", seed, i, got, want)
			}
			if t.Failed() {
				return
			}
		}
	}
}

// Wherever a consumer leaves or cancels in a storm, what is left is a history that a provider takes.
func TestAttackLeavingAStorm(t *testing.T) {
	for seed := range uint64(40) {
		for at := range 25 {
			s := newStormy(t, seed, modes()[seed%3])
			for n := range 3 {
				s.turn(n, func(run *agent.Run) error {
					i := 0
					for _, err := range run.Events() {
						if err != nil {
							return err
						}
						if i++; i == at {
							switch (seed + uint64(n)) % 4 {
							case 0:
								return errors.New("left")
							case 1:
								run.Cancel(agent.Now)
							case 2:
								run.Cancel(agent.AfterModel)
							default:
								run.Cancel(agent.AfterTools)
							}
						}
					}
					return nil
				})
			}
			if t.Failed() {
				return
			}
		}
	}
}

var _ model.Model = (*storm)(nil)
