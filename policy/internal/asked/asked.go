package asked

import (
	"strings"
	"sync"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// Request is what the model was asked. It is safe for concurrent use; what takes
// time is done once, when it is first needed.
type Request struct {
	Model    string
	Messages func() []Message

	// Tools are the names of the tools that it declares, UserText what the person
	// asked for last.
	Tools    func() []string
	UserText func() string
}

// Message is a message of a request, with its text and the results of tools in it.
type Message struct {
	Role llm.Role
	Text func() string
}

// Of returns the request of an exchange, nil if it is not known.
func Of(x *policy.Exchange) *Request {
	asked := x.Asked()
	if asked == nil {
		return nil
	}
	return &Request{
		Model: asked.Model,
		Messages: sync.OnceValue(func() []Message {
			list := make([]Message, len(asked.Messages))
			for i := range list {
				m := &asked.Messages[i]
				list[i] = Message{Role: m.Role, Text: sync.OnceValue(func() string { return textOf(m) })}
			}
			return list
		}),
		Tools:    sync.OnceValue(func() []string { return ToolNames(asked) }),
		UserText: sync.OnceValue(asked.UserText),
	}
}

func textOf(m *llm.Message) string {
	var said []string
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if (b.Kind == llm.Content || b.Kind == llm.Refusal || b.Kind == llm.ToolResult) && b.Text != "" {
			said = append(said, b.Text)
		}
	}
	return strings.Join(said, "\n")
}

// Tool is the name of the tool that a result is of, empty if no call has its id.
// Few dialects put the name in the result: the call with the same id has it.
func Tool(s *policy.Subject, x *policy.Exchange) string {
	result := &s.Block
	if result.Name != "" || result.ToolUseID == "" {
		return result.Name
	}
	before := s.Before()
	for i := range before {
		b := &before[i]
		if (b.Kind == llm.ToolCall || b.Kind == llm.ServerTool) && b.ID == result.ToolUseID && b.Name != "" {
			return b.Name
		}
	}
	return x.Called(result.ToolUseID)
}
