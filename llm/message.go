package llm

import (
	"encoding/json"
	"strings"
)

// Role is the author of a message. It is an open set: roles that only one provider has
// keep the provider's name.
type Role string

// The roles that all dialects share.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Message is one turn of a conversation.
type Message struct {
	// Role is one of the shared roles if the provider's role has that meaning
	// (developer is System, model is Assistant), otherwise the provider's own name.
	Role   Role
	Blocks []Block
	// Span is the position of the message in the request body. In dialects whose
	// history is a flat list of items, each item is a message of its own.
	Span Span
}

// Tool is a tool that the request declares.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON schema of the arguments as the client sent it, or nil.
	Schema json.RawMessage
	// Type is the provider's own type: function, custom, web_search_20250305.
	Type string
	// Server is true for a tool that the provider executes itself.
	Server bool
	// Raw is the whole declaration.
	Raw json.RawMessage
	// Span is the position of the declaration in the request body.
	Span Span
}

// Request is a request to a model.
type Request struct {
	Model string
	// System holds the system instructions, as blocks of kind Content with their spans.
	// Instructions inside the history stay in Messages.
	System   []Block
	Messages []Message
	Tools    []Tool
	Stream   bool
	// MaxTokens limits the answer; 0 means the request sets no limit.
	MaxTokens int
	// Temperature is nil if the request does not set it.
	Temperature *float64
	// Extra holds the members that have no field here, such as tool_choice and
	// metadata, under their own names and as the client sent them.
	Extra map[string]json.RawMessage
}

// UserText returns the text of the last message written by a user, without tool
// results: what the person asked for.
func (r *Request) UserText() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		m := &r.Messages[i]
		if m.Role != User {
			continue
		}
		var texts []string
		for j := range m.Blocks {
			if b := &m.Blocks[j]; b.Kind == Content && b.Text != "" {
				texts = append(texts, b.Text)
			}
		}
		if len(texts) > 0 {
			return strings.Join(texts, "\n")
		}
	}
	return ""
}

// Response is a complete answer.
type Response struct {
	ID, Model string
	Choices   []Choice
	Usage     Usage
}

// Choice is one alternative of an answer; most answers have one.
type Choice struct {
	Index  int
	Blocks []Block
	// FinishReason is the provider's own word, empty if it sent none.
	FinishReason string
}

// Text returns the text of the first choice: all its content, without thinking,
// refusals and calls.
func (r *Response) Text() string {
	if len(r.Choices) == 0 {
		return ""
	}
	return r.Choices[0].Text()
}

// Calls returns the tool calls of the first choice, in order. They point into the
// response and are not copies.
func (r *Response) Calls() []*Block {
	if len(r.Choices) == 0 {
		return nil
	}
	return r.Choices[0].Calls()
}

// Text returns the choice's content.
func (c *Choice) Text() string {
	var text strings.Builder
	for i := range c.Blocks {
		if b := &c.Blocks[i]; b.Kind == Content {
			text.WriteString(b.Text)
		}
	}
	return text.String()
}

// Calls returns the choice's tool calls, in order.
func (c *Choice) Calls() []*Block {
	var calls []*Block
	for i := range c.Blocks {
		if b := &c.Blocks[i]; b.Kind == ToolCall {
			calls = append(calls, b)
		}
	}
	return calls
}

// Usage counts tokens. Raw is the provider's own object; the other fields normalise it:
// Input includes cached tokens, Output includes reasoning.
type Usage struct {
	Input, Output, CacheRead, CacheWrite, Reasoning int64
	Raw                                             json.RawMessage
}

// IsZero reports whether no tokens were reported.
func (u *Usage) IsZero() bool { return len(u.Raw) == 0 && u.Input == 0 && u.Output == 0 }
