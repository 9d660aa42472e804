package wire

import (
	"bytes"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// DetectRequest determines the format of a request from its body. Requests with messages
// that say nothing of their format are those of Chat Completions. ok is false if it is not
// a request.
func DetectRequest(body []byte) (format Format, ok bool) {
	get := func(name string) []byte {
		value, _, _ := jsonscan.Get(body, name)
		return value
	}
	has := func(name string) bool { return get(name) != nil }
	switch messages := get("messages"); {
	case has("contents"):
		return Gemini, true
	case messages == nil && has("input") && has("model"):
		return OpenAIResponses, true
	case messages == nil:
		return "", false
	case has("system"), has("mcp_servers"), has("anthropic_version"), bytes.Contains(get("tools"), []byte(`"input_schema"`)):
		return Anthropic, true
	}
	for _, of := range []string{"tool_use", "tool_result", "server_tool_use", "thinking", "redacted_thinking"} {
		if hasType(get("messages"), of) {
			return Anthropic, true
		}
	}
	return OpenAIChat, true
}

// hasType reports whether a part of a message's content has a type.
func hasType(messages []byte, of string) bool {
	if !bytes.Contains(messages, []byte(of)) {
		return false
	}
	var s jsonscan.Scanner
	s.Reset(messages)
	if s.Kind() != jsonscan.Array {
		return false
	}
	s.Array()
	for s.Elem() {
		content, _, _ := jsonscan.Get(s.Raw(), "content")
		if len(content) == 0 || content[0] != '[' {
			continue
		}
		var parts jsonscan.Scanner
		parts.Reset(content)
		parts.Array()
		for parts.Elem() {
			value, _, _ := jsonscan.Get(parts.Raw(), "type")
			if word, ok := jsonscan.Text(value); ok && word == of {
				return true
			}
		}
	}
	return false
}
