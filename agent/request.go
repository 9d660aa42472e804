package agent

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
)

// Request is a request to an agent.
type Request struct {
	// Text is what the user says. It is appended to Messages as a user message.
	Text string
	// Messages are the rest of the question: several messages, blocks other than
	// text, a history that no memory stores.
	Messages []llm.Message
	// Conversation is the id of the conversation. It is required if there is a
	// memory.
	Conversation string
	// System is added to the System of the Config.
	System string
	// Tools can be called in this run, in addition to those of the Config. They
	// are declared in their order.
	Tools []*Tool
	// Values are passed to advisors and tools.
	Values *Values

	// Model, MaxTokens, Temperature and Extra are those of llm.Request.
	Model       string
	MaxTokens   int
	Temperature *float64
	Extra       map[string]json.RawMessage

	// Round counts the requests to the model from 1. The tool loop sets it.
	Round int

	run  *turn
	cuts []func(*Answer)
	// instead, if not nil, is asked in place of the client's model.
	instead model.Model
}

// OnCut calls f with what arrived of a truncated answer, before it becomes part of
// the Result: the model failed, or the consumer left. It is for advisors that must
// not let everything be shown, on the request that they pass on.
func (r *Request) OnCut(f func(*Answer)) { r.cuts = append(slices.Clip(r.cuts), f) }

// Clone returns a copy that can be changed without changing the request. Messages
// and tools themselves are shared, the lists are not. Values stay those of the run.
func (r *Request) Clone() *Request {
	c := r.copied()
	c.Messages = slices.Clone(r.Messages)
	c.Tools = slices.Clone(r.Tools)
	c.Extra = maps.Clone(r.Extra)
	return c
}

// copied returns a copy whose lists are shared, and can be appended to.
func (r *Request) copied() *Request {
	c := *r
	c.Messages = slices.Clip(r.Messages)
	c.Tools = slices.Clip(r.Tools)
	return &c
}

// tool returns the tool of a name, nil if the request has none.
func (r *Request) tool(name string) *Tool {
	for _, t := range r.Tools {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// forModel returns the request as it is sent to a model.
func (r *Request) forModel() *llm.Request {
	req := &llm.Request{
		Model: r.Model, Messages: r.Messages, Stream: true,
		MaxTokens: r.MaxTokens, Temperature: r.Temperature, Extra: r.Extra,
	}
	if r.System != "" {
		req.System = []llm.Block{{Kind: llm.Content, Text: r.System}}
	}
	if t := r.run; t != nil && len(t.of) > 0 && slices.Equal(t.of, r.Tools) {
		req.Tools = t.declared
	} else if len(r.Tools) > 0 {
		req.Tools = declare(r.Tools)
		if t != nil {
			t.declared, t.of = req.Tools, r.Tools
		}
	}
	return req
}

// declare returns tools as they are declared to a model.
func declare(tools []*Tool) []llm.Tool {
	declared := make([]llm.Tool, len(tools))
	for i, t := range tools {
		declared[i] = llm.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema}
	}
	return declared
}
