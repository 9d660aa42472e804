package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
)

// MemoryConfig configures how an agent uses its memory. The zero value is ready to
// use.
type MemoryConfig struct {
	// Order is the memory's order; 0 means OutsideLoop, where it supplies a run's
	// history once. InsideLoop supplies it in every round.
	Order int
	// Serialise makes the turns of a conversation wait for each other in this
	// process. Otherwise, of two concurrent turns the second fails with a
	// *memory.ConflictError.
	Serialise bool
	// KeepQuestion stores the question before the model is asked. Otherwise it is
	// stored with the first round or the answer, so that a failed run leaves no
	// unanswered question.
	KeepQuestion bool
}

// Memory is the advisor that remembers conversations. It puts the stored history
// before the question, and stores what the run adds: each round with all its
// results as one unit when it is complete, and the answer. What a model or a tool
// did is stored even if the run fails later.
type Memory struct {
	memory *memory.Memory
	cfg    MemoryConfig
}

// NewMemory returns the advisor of a memory.
func NewMemory(m *memory.Memory, cfg MemoryConfig) (*Memory, error) {
	if m == nil {
		return nil, errors.New("agent: there is no memory")
	}
	if cfg.Order == 0 {
		cfg.Order = OutsideLoop
	}
	if cfg.Order == Outermost || cfg.Order == Innermost {
		return nil, errors.New("agent: a memory cannot have the Order Outermost or Innermost")
	}
	return &Memory{m, cfg}, nil
}

// Name is "memory".
func (m *Memory) Name() string { return "memory" }

// Order is the memory's order.
func (m *Memory) Order() int { return m.cfg.Order }

// Remembers marks it.
func (m *Memory) Remembers() {}

// ErrNoConversation is returned for a request without a conversation to an agent
// with a memory.
var ErrNoConversation = fmt.Errorf("agent: the request names no conversation, and the agent has a memory: set Request.Conversation: %w", memory.ErrNoConversation)

// Advise puts the history before the question.
func (m *Memory) Advise(ctx context.Context, req *Request, next Next) Events {
	return func(yield func(Event, error) bool) {
		r, err := m.recall(ctx, req)
		if err != nil {
			yield(Event{}, err)
			return
		}
		for ev, err := range next(ctx, r) {
			if !yield(ev, err) || err != nil {
				return
			}
		}
	}
}

// recall returns the request with its history.
func (m *Memory) recall(ctx context.Context, req *Request) (*Request, error) {
	if req.Conversation == "" {
		return nil, ErrNoConversation
	}
	k := m.keeping(req)
	if k == nil {
		var err error
		if k, err = m.begin(ctx, req); err != nil {
			return nil, err
		}
	}
	kept, err := m.memory.Get(ctx, req.Conversation)
	if err != nil {
		return nil, fmt.Errorf("agent: the memory cannot be read: %w", err)
	}
	if k.version == notRead {
		k.version = kept.Version
	}
	if kept.Version != k.version {
		return nil, &memory.ConflictError{Conversation: req.Conversation, Expected: k.version, Found: kept.Version}
	}
	if req.run != nil {
		req.run.recalled = kept.Messages
	}
	r := req.Clone()
	r.Messages = memory.Join(kept.Messages, k.unseen(req.Messages))
	if m.cfg.KeepQuestion && len(k.seen) == 0 {
		if err := k.keep(ctx, nil); err != nil {
			return nil, err
		}
		if req.run != nil {
			req.run.progress.Kept = req.run.asked
		}
	}
	return r, nil
}

// keeping returns the memory's state in a run, nil if it has none yet.
func (m *Memory) keeping(req *Request) *keeping {
	if req.run == nil {
		return nil
	}
	for _, k := range req.run.keepers {
		if k.owner == any(m) {
			return k.part
		}
	}
	return nil
}

// notRead is the version of a conversation that was not read.
const notRead = -1

// keeping is a memory's state in one run.
type keeping struct {
	m       *Memory
	id      string
	version int64
	// question is what was asked, as it reached the memory; seen is what the
	// memory has of the run, the question first.
	question, seen []llm.Message
}

// begin attaches the memory to a run.
func (m *Memory) begin(ctx context.Context, req *Request) (*keeping, error) {
	k := &keeping{m: m, id: req.Conversation, version: notRead, question: slices.Clip(req.Messages)}
	if req.run == nil {
		return k, nil
	}
	if m.cfg.Serialise {
		unlock, err := m.memory.Lock(ctx, k.id)
		if err != nil {
			return nil, err
		}
		req.OnEnd(unlock)
	}
	req.run.keepers = append(req.run.keepers, keeper{owner: m, keep: k.keep, part: k})
	return k, nil
}

// resume attaches the memory to a resumed run, parts of which it may have
// stored.
func (m *Memory) resume(ctx context.Context, req *Request) error {
	if req.Conversation == "" {
		return ErrNoConversation
	}
	k, err := m.begin(ctx, req)
	if err != nil {
		return err
	}
	kept, err := m.memory.Get(ctx, k.id)
	if err != nil {
		return fmt.Errorf("agent: the memory cannot be read: %w", err)
	}
	s := req.run.resumed.state
	if kept.Version != s.Version {
		// Another turn came in between, or the run was resumed before.
		return &memory.ConflictError{Conversation: k.id, Expected: s.Version, Found: kept.Version}
	}
	k.version = kept.Version
	req.run.recalled = kept.Messages
	all := slices.Concat(s.Question, s.Messages)
	k.question, k.seen = s.Question, all[:min(s.Kept, len(all)):min(s.Kept, len(all))]
	return nil
}

// keep stores a unit, preceded by the question if it is the first.
func (k *keeping) keep(ctx context.Context, messages []llm.Message) error {
	stored := messages
	if len(k.seen) == 0 {
		stored = slices.Concat(oneQuestion(k.question), messages)
		messages = slices.Concat(k.question, messages)
	}
	version, err := k.m.memory.Add(ctx, k.id, k.version, stored...)
	if err != nil {
		return fmt.Errorf("agent: the memory cannot be written: %w", err)
	}
	k.version = version
	k.seen = append(k.seen, messages...)
	return nil
}

// oneQuestion joins what a user says in several messages, so that a window does not
// count them as several turns.
func oneQuestion(messages []llm.Message) []llm.Message {
	var joined []llm.Message
	for _, m := range messages {
		if n := len(joined); n > 0 && m.Role == llm.User && joined[n-1].Role == llm.User {
			joined[n-1].Blocks = slices.Concat(joined[n-1].Blocks, m.Blocks)
			continue
		}
		joined = append(joined, m)
	}
	return joined
}

// unseen returns the messages that the memory has not seen in this run, in order. A
// loop that keeps the history sends all of it again, one that does not only its end,
// a resumed run begins with the question, and hooks may have inserted messages.
func (k *keeping) unseen(messages []llm.Message) []llm.Message {
	var unseen []llm.Message
	from := 0
	for _, m := range messages {
		at := slices.IndexFunc(k.seen[from:], func(seen llm.Message) bool { return memory.Same(seen, m) })
		if at < 0 {
			unseen = append(unseen, m)
			continue
		}
		from += at + 1
	}
	return unseen
}

// usable says why the memory cannot work.
func (m *Memory) usable() error {
	if m == nil || m.memory == nil {
		return errors.New("agent: a memory advisor is made with NewMemory")
	}
	return nil
}

var (
	_ MemoryAdvisor = (*Memory)(nil)
	_ Ordered       = (*Memory)(nil)
)
