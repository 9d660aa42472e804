package llm

import "fmt"

// Kind says what a block is for, regardless of the provider's name for it.
type Kind uint8

const (
	// Content is text meant for the reader of the answer.
	Content Kind = iota + 1
	// Thinking is the model's reasoning, often signed and therefore immutable.
	Thinking
	// Refusal is the model's statement that it will not answer.
	Refusal
	// ToolCall is a call that the client executes. It is what policies hold back.
	ToolCall
	// ServerTool is a call that the provider executes itself. By the time it is seen,
	// it has already run.
	ServerTool
	// ToolResult is the result of a call.
	ToolResult
	// Opaque is everything else: kept byte for byte and judged like any other block.
	Opaque
)

var kindNames = [...]string{
	Content:    "content",
	Thinking:   "thinking",
	Refusal:    "refusal",
	ToolCall:   "tool_call",
	ServerTool: "server_tool",
	ToolResult: "tool_result",
	Opaque:     "opaque",
	Opaque + 1: "prompt", // policy.Prompt, which is not a kind of block
}

// String returns the kind's name in policies, reports and JSON.
func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// MarshalText writes the kind's name. An unknown kind is an error.
func (k Kind) MarshalText() ([]byte, error) {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return []byte(kindNames[k]), nil
	}
	return nil, fmt.Errorf("llm: no name for block kind %d", uint8(k))
}

// UnmarshalText reads a kind's name.
func (k *Kind) UnmarshalText(text []byte) error {
	for i, name := range kindNames {
		if name != "" && name == string(text) {
			*k = Kind(i)
			return nil
		}
	}
	return fmt.Errorf("llm: unknown block kind %q", text)
}

// Status says how much of a block has arrived.
type Status uint8

const (
	// Open blocks are still arriving.
	Open Status = iota
	// Complete blocks have a proven end.
	Complete
	// Incomplete blocks were truncated by a token limit, an error or the end of the
	// stream. An incomplete call must never be executed.
	Incomplete
	// Malformed blocks have a proven end but are invalid: a call without a name, or
	// arguments that are not JSON.
	Malformed
)

var statusNames = [...]string{"open", "complete", "incomplete", "malformed"}

// String returns the status's name in reports and JSON.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return fmt.Sprintf("status(%d)", uint8(s))
}

// MarshalText writes the status's name. An unknown status is an error.
func (s Status) MarshalText() ([]byte, error) {
	if int(s) < len(statusNames) {
		return []byte(statusNames[s]), nil
	}
	return nil, fmt.Errorf("llm: no name for block status %d", uint8(s))
}

// UnmarshalText reads a status's name.
func (s *Status) UnmarshalText(text []byte) error {
	for i, name := range statusNames {
		if name == string(text) {
			*s = Status(i)
			return nil
		}
	}
	return fmt.Errorf("llm: unknown block status %q", text)
}
