package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sluice-project/sluice/llm"
)

// interrupt ends a run because a person must answer first. Nothing of the round is
// stored in the memory: the State has it.
func (l *looping) interrupt(req *Request, b *batch) {
	s := &State{
		Conversation: req.Conversation,
		Created:      time.Now().UTC().Truncate(time.Millisecond),
		Round:        len(l.turn.rounds),
		Question:     slices.Clip(l.turn.question),
		Messages:     append(slices.Clip(l.added), b.said),
		Kept:         l.turn.progress.Kept,
		Version:      l.turn.version(),
		Rounds:       slices.Clone(l.turn.rounds),
		Counts:       maps.Clone(l.counts.same),
		Model:        l.req.Model, System: l.turn.system, MaxTokens: l.req.MaxTokens, Temperature: l.req.Temperature, Extra: l.req.Extra,
	}
	if l.cfg.NextInstructions != nil {
		s.Instructions = slices.Clip(l.messages)
	}
	for i := range b.calls {
		c := &b.calls[i]
		switch {
		case c.waits != nil:
			s.Pending = append(s.Pending, *c.waits)
		case !c.settled:
			s.Waiting = append(s.Waiting, c.call.ID)
		default:
			s.Done = append(s.Done, c.result)
		}
	}
	l.result.Reason = Interrupted
	l.result.State = s
	l.result.Messages = l.added
}

// Answers are people's answers about the interrupted calls of a run, by call id.
type Answers map[string]json.RawMessage

// Answer answers a tool's question with v, which is passed to the tool as JSON.
func (a Answers) Answer(id string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("agent: the answer to %s cannot be written as JSON: %w", id, err)
	}
	a[id] = raw
	return nil
}

// Approve answers a policy's question with yes.
func (a Answers) Approve(id, by string) { a.approval(id, Approval{Approved: true, By: by}) }

// Deny answers a policy's question with no.
func (a Answers) Deny(id, by, comment string) { a.approval(id, Approval{By: by, Comment: comment}) }

func (a Answers) approval(id string, answer Approval) {
	raw, err := json.Marshal(answer)
	if err != nil {
		return // strings and booleans can always be marshalled
	}
	a[id] = raw
}

// resumption is an interrupted run and the answers that it continues with.
type resumption struct {
	state   *State
	answers Answers
}

// Resume returns a run that continues where an interrupted one stopped, possibly
// in another process, with a client that has the same tools and memory. Every
// pending call of the state needs an answer. Tools that have run are not run
// again. The request supplies what a State does not contain: Values, and the tools
// of that run. It may be nil.
func (c *Client) Resume(ctx context.Context, s *State, answers Answers, req *Request) *Run {
	r := &Request{}
	if req != nil {
		r = req.Clone()
	}
	if s == nil {
		return &Run{client: c, ctx: ctx, failed: errors.New("agent: the state is nil")}
	}
	r.Text, r.Messages = "", s.Question
	r.Conversation = s.Conversation
	r.Model, r.System, r.MaxTokens, r.Temperature, r.Extra = s.Model, s.System, s.MaxTokens, s.Temperature, s.Extra
	return &Run{client: c, ctx: ctx, req: r, resume: &resumption{s, answers}, failed: s.check(answers)}
}

var errBrokenState = errors.New("agent: the state is inconsistent: its calls and their outcomes do not match")

// check says why a state cannot be resumed.
func (s *State) check(answers Answers) error {
	if len(s.Messages) == 0 || len(s.Question) == 0 {
		return errors.New("agent: the state has no conversation")
	}
	ids := make(map[string]llm.Block)
	for _, b := range s.Messages[len(s.Messages)-1].Blocks {
		if b.Kind != llm.ToolCall {
			continue
		}
		if _, twice := ids[b.ID]; twice || b.ID == "" {
			return errBrokenState
		}
		ids[b.ID] = b
	}
	known := make(map[string]bool)
	for _, p := range s.Pending {
		known[p.ID] = true
	}
	for _, b := range s.Done {
		known[b.ToolUseID] = true
	}
	for _, id := range s.Waiting {
		known[id] = true
	}
	// Each call appears exactly once, and nothing else does.
	if len(s.Pending) == 0 || len(known) != len(ids) || len(known) != len(s.Pending)+len(s.Done)+len(s.Waiting) {
		return errBrokenState
	}
	for id := range known {
		if _, ok := ids[id]; !ok {
			return errBrokenState
		}
	}
	for _, p := range s.Pending {
		if call, ok := ids[p.ID]; !ok || call.Name != p.Name || call.Arguments != p.Arguments {
			return fmt.Errorf("agent: the state has no call %q", p.ID)
		}
		answer, ok := answers[p.ID]
		if !ok {
			return fmt.Errorf("%w: %s, of the tool %s", ErrNotAnswered, p.ID, p.Name)
		}
		if !json.Valid(answer) {
			return fmt.Errorf("agent: the answer to %s is not JSON", p.ID)
		}
		if p.Held {
			if err := json.Unmarshal(answer, &Approval{}); err != nil {
				return fmt.Errorf("agent: the answer to %s is not an approval: %w", p.ID, err)
			}
		}
	}
	for id := range answers {
		if !slices.ContainsFunc(s.Pending, func(p Pending) bool { return p.ID == id }) {
			return fmt.Errorf("agent: there is an answer to %q, but no such question", id)
		}
	}
	return nil
}

// resume continues with the tools of the interrupted round.
func (l *looping) resume(ctx context.Context, r *resumption) (over bool, err error) {
	s := r.state
	before := s.Messages[:len(s.Messages)-1]
	said := s.Messages[len(s.Messages)-1]
	l.added = slices.Clone(before)
	l.asked = len(s.Rounds)
	for i := range s.Rounds {
		addUsage(&l.usage, s.Rounds[i].Usage)
	}
	l.counts.restore(s.Counts)
	// A memory outside has put the history before the question.
	from := 0
	if l.turn.outside {
		from = max(0, s.Kept-len(s.Question))
	}
	l.messages = append(l.messages, before[min(from, len(before)):]...)
	if len(s.Instructions) > 0 {
		l.messages = slices.Clip(s.Instructions)
	}
	req := l.request()
	if l.cfg.Before != nil {
		if err := l.cfg.Before(ctx, req); err != nil {
			return true, err
		}
		if err := l.checkTools(req.Tools); err != nil {
			return true, err
		}
	}
	answer := &Answer{Round: s.Round, Blocks: said.Blocks, Finish: llm.FinishToolCalls}
	b := newBatch(answer, said)
	for i := range b.calls {
		c := &b.calls[i]
		c.tool = req.tool(c.call.Name) // for those that have run, and return directly
		c.resume(s, r.answers)
	}
	return l.runAll(ctx, req, answer, b)
}

// resume restores what is known about a call.
func (c *pendingCall) resume(s *State, answers Answers) {
	for i := range s.Done {
		if s.Done[i].ToolUseID == c.call.ID {
			c.settle(s.Done[i].Text, s.Done[i].Failed)
			c.emitted = true
			return
		}
	}
	for i := range s.Pending {
		p := &s.Pending[i]
		if p.ID != c.call.ID {
			continue
		}
		if !p.Held {
			c.answer = answers[p.ID]
			return
		}
		var approval Approval
		if err := json.Unmarshal(answers[p.ID], &approval); err != nil || !approval.Approved {
			c.refuse(Refused, refusal(&approval))
		}
		return
	}
}

// refusal is what the model is told when a person said no.
func refusal(a *Approval) string {
	text := "not run: a person refused it"
	if a.Comment != "" {
		text += ": " + a.Comment
	}
	return text
}
