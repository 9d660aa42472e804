package agent

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/stream"
)

// Model returns the client as a model, for components that ask a model themselves: a
// window that summarises, a judge. Every request and every answer passes through the
// advisors. Make the client with NewClient and the advisors that it needs, such as a
// guard; a memory and tools are for conversations.
//
//	guarded, err := agent.NewClient(m, guard)
//	...
//	window := memory.Summarise(guarded.Model(), 40, memory.SummaryOptions{})
//
// An answer is delivered when it is complete. If an advisor withheld part of it, the
// error is a *WithheldError, so that the notice is not mistaken for the answer.
// Requests cannot declare tools.
func (c *Client) Model() model.Model { return clientModel{c} }

// WithheldError says that an advisor withheld part of an answer.
type WithheldError struct {
	// Reason is the notice in its place.
	Reason string
}

func (e *WithheldError) Error() string {
	return "agent: something of the answer was withheld, and it cannot be used: " + oneLine(e.Reason, longestReason)
}

// longestReason is how much of a reason the error quotes.
const longestReason = 300

// clientModel adapts a client to a model.
type clientModel struct{ *Client }

var (
	_ model.Model     = clientModel{}
	_ memory.Redactor = clientModel{}
)

// Stream asks the client.
func (m clientModel) Stream(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
	return func(yield func(stream.Event, error) bool) {
		answer, err := m.ask(ctx, req, nil)
		if err != nil {
			yield(stream.Event{}, err)
			return
		}
		tellAnswer(answer, func(ev stream.Event) bool { return yield(ev, nil) })
	}
}

// Redact returns messages as the advisors would let a model see them, without
// asking one.
func (m clientModel) Redact(ctx context.Context, messages []llm.Message) ([]llm.Message, error) {
	var seen []llm.Message
	looks := func(_ context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
		seen = slices.Clone(req.Messages)
		return func(yield func(stream.Event, error) bool) {
			tellAnswer(&Answer{Finish: llm.FinishStop}, func(ev stream.Event) bool { return yield(ev, nil) })
		}
	}
	if _, err := m.ask(ctx, &llm.Request{Messages: messages}, model.Func(looks)); err != nil {
		return nil, err
	}
	if seen == nil {
		return nil, errors.New("agent: the advisors of the client answered without asking the model")
	}
	return seen, nil
}

// ask asks the client, or another model behind its advisors.
func (m clientModel) ask(ctx context.Context, req *llm.Request, instead model.Model) (*Answer, error) {
	if len(req.Tools) > 0 {
		return nil, errors.New("agent: a client that serves as a model cannot be given tools: give them to the client")
	}
	r := &Request{
		Model: req.Model, Messages: req.Messages, MaxTokens: req.MaxTokens, Temperature: req.Temperature, Extra: req.Extra,
		instead: instead,
	}
	var system []string
	for i := range req.System {
		system = append(system, req.System[i].Text)
	}
	r.System = strings.Join(system, "\n\n")
	result, err := m.Call(ctx, r)
	switch {
	case err != nil:
		return nil, err
	case result.Answer == nil:
		return nil, fmt.Errorf("agent: the client got no answer from the model: it ended with %s", result.Reason)
	case result.Answer.Withheld != "":
		return nil, &WithheldError{Reason: result.Answer.Withheld}
	}
	switch result.Reason {
	case Done, CallsLeft, Truncated, Filtered, Unfinished:
		return result.Answer, nil
	default:
		return nil, fmt.Errorf("agent: the client did not get a complete answer: it ended with %s", result.Reason)
	}
}

// tellAnswer emits an answer as a model does, until tell returns false.
func tellAnswer(a *Answer, tell func(stream.Event) bool) {
	if !tell(stream.Event{Type: stream.EventMeta, Block: -1, Index: -1, ID: a.ID, Name: a.Model}) {
		return
	}
	for i := range a.Blocks {
		b := &a.Blocks[i]
		body := b.Text
		if b.Kind == llm.ToolCall || b.Kind == llm.ServerTool {
			body = b.Arguments
		}
		ev := stream.Event{Kind: b.Kind, Block: i, Index: -1}
		start, text, proof, end := ev, ev, ev, ev
		start.Type, start.ID, start.Name, start.ProviderType, start.ToolUseID = stream.EventStart, b.ID, b.Name, b.Type, b.ToolUseID
		text.Type, text.Data = stream.EventDelta, []byte(body)
		proof.Type, proof.Field, proof.Data = stream.EventDelta, stream.Signature, []byte(b.Signature)
		end.Type, end.Status, end.Raw = stream.EventEnd, b.Status, b.Raw
		if b.Status == llm.Open {
			end.Status = llm.Complete
		}
		if !tell(start) || body != "" && !tell(text) || b.Signature != "" && !tell(proof) || !tell(end) {
			return
		}
	}
	finish := stream.Event{Type: stream.EventFinish, Block: -1, Index: -1, Reason: a.Finish, Data: []byte(a.Word)}
	_ = (a.Usage.IsZero() || tell(stream.Event{Type: stream.EventUsage, Block: -1, Index: -1, Usage: &a.Usage})) &&
		tell(finish) && tell(stream.Event{Type: stream.EventDone, Block: -1, Index: -1})
}
