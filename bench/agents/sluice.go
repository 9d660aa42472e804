package main

import (
	"context"
	"encoding/json"
	"iter"
	"strings"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/stream"
)

// prepareSluice streams with all events of all rounds, and calls with the default
// loop.
func prepareSluice(ctx context.Context, s *script, called func(any)) (loop, error) {
	whole, pieces := sluiceModel(s, true), sluiceModel(s, false)
	tool := &agent.Tool{
		Name: toolName, Description: toolAbout, Schema: json.RawMessage(toolSchema),
		Run: func(_ context.Context, c agent.Call) (agent.Output, error) {
			if called != nil {
				called(string(c.Arguments))
			}
			return agent.Output{Text: toolResult}, nil
		},
	}
	calling, err := agent.New(agent.Config{Model: whole, Tools: []*agent.Tool{tool}})
	if err != nil {
		return loop{}, err
	}
	collecting, err := agent.New(agent.Config{Model: pieces, Tools: []*agent.Tool{tool}})
	if err != nil {
		return loop{}, err
	}
	streaming, err := agent.New(agent.Config{Model: pieces, Tools: []*agent.Tool{tool}, Loop: agent.LoopConfig{Stream: agent.All}})
	if err != nil {
		return loop{}, err
	}
	call := func(c *agent.Client) func() (string, error) {
		return func() (string, error) {
			result, err := c.Call(ctx, &agent.Request{Text: question})
			return result.Text(), err
		}
	}
	return loop{
		call:    call(calling),
		collect: call(collecting),
		stream: func(take func(string)) error {
			for ev, err := range streaming.Run(ctx, &agent.Request{Text: question}).Events() { //nolint:contextcheck // the run has it
				if err != nil {
					return err
				}
				if ev.Type == agent.EventText {
					take(ev.Text)
				}
			}
			return nil
		},
		bareCall:   bareSluice(ctx, s, whole, tool),
		bareStream: bareSluice(ctx, s, pieces, tool),
	}, nil
}

// sluiceModel yields prepared events. It knows by the length of the history which
// answer is next: a round adds the answer and the results. Whole answers have one
// piece in each block.
func sluiceModel(s *script, whole bool) model.Model {
	answers := make([]iter.Seq2[stream.Event, error], len(s.said))
	for i := range s.said {
		events := sluiceEvents(&s.said[i], whole)
		answers[i] = func(yield func(stream.Event, error) bool) {
			for i := range events {
				if !yield(events[i], nil) {
					return
				}
			}
		}
	}
	return model.Func(func(_ context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
		return answers[len(req.Messages)/2]
	})
}

// sluiceEvents is an answer as events of a decoder.
func sluiceEvents(a *said, whole bool) []stream.Event {
	list := []stream.Event{{Type: stream.EventMeta, ID: "answer", Name: modelName, Block: -1, Index: -1}}
	block := func(at stream.Event, id, name string, pieces []string) {
		start := at
		start.Type, start.ID, start.Name = stream.EventStart, id, name
		list = append(list, start)
		if whole {
			pieces = []string{strings.Join(pieces, "")}
		}
		sent := 0
		for _, piece := range pieces {
			delta := at
			delta.Type, delta.Offset, delta.Data = stream.EventDelta, sent, []byte(piece)
			list = append(list, delta)
			sent += len(piece)
		}
		at.Type = stream.EventEnd
		list = append(list, at)
	}
	block(stream.Event{Kind: llm.Content}, "", "", a.text)
	for i := range a.calls {
		block(stream.Event{Kind: llm.ToolCall, Block: i + 1, Index: i + 1}, a.calls[i].id, toolName, a.calls[i].pieces)
	}
	finish := stream.Event{Type: stream.EventFinish, Data: []byte("stop"), Reason: llm.FinishStop, Block: -1, Index: -1}
	if len(a.calls) > 0 {
		finish.Data, finish.Reason = []byte("tool_calls"), llm.FinishToolCalls
	}
	usage := &llm.Usage{Input: inputTokens, Output: int64(a.tokens())}
	return append(list, finish,
		stream.Event{Type: stream.EventUsage, Usage: usage, Block: -1, Index: -1},
		stream.Event{Type: stream.EventDone, Block: -1, Index: -1})
}

func bareSluice(ctx context.Context, s *script, m model.Model, tool *agent.Tool) func() error {
	requests := make([]*llm.Request, len(s.said))
	calls := make([][]agent.Call, len(s.said))
	for i := range s.said {
		requests[i] = &llm.Request{Messages: make([]llm.Message, 1+2*i)}
		for _, c := range s.said[i].calls {
			calls[i] = append(calls[i], agent.Call{ID: c.id, Name: toolName, Arguments: json.RawMessage(c.arguments)})
		}
	}
	return func() error {
		for i, req := range requests {
			for _, err := range m.Stream(ctx, req) {
				if err != nil {
					return err
				}
			}
			for _, c := range calls[i] {
				if _, err := tool.Run(ctx, c); err != nil {
					return err
				}
			}
		}
		return nil
	}
}
