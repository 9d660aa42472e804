package policy

import (
	"errors"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

const unknownType = "a block of an unknown type"

// isInert reports whether blocks of a provider's type are known to be nothing
// that a client acts on.
func isInert(providerType string) bool {
	switch providerType {
	case "redacted_thinking", "compaction", "fallback", "container_upload", // Anthropic
		"mcp_list_tools", "item_reference", // Responses
		"inlineData", "fileData": // Gemini
		return true
	}
	return false
}

// namesCall reports whether a provider's type says that it is a call.
func namesCall(providerType string) bool {
	return strings.HasSuffix(providerType, "_call") || strings.HasSuffix(providerType, "tool_use")
}

// asCall shows a block of an unknown type as the call that it carries, if it
// carries one: its type says so, or it has a name and something to act on.
func asCall(b *llm.Block) (llm.Block, bool) {
	name, body := callIn(b.Raw, 2)
	if body == nil && b.Text == "" && !namesCall(b.Type) {
		return llm.Block{}, false
	}
	if name == "" {
		name = b.Type
	}
	call := llm.Block{Kind: llm.ToolCall, ID: b.ID, Name: name, Type: b.Type, Status: b.Status, Raw: b.Raw}
	switch {
	case b.Text != "":
		call.Arguments = b.Text
	case jsonscan.IsObject(string(body)):
		call.Arguments = string(body)
	default:
		call.Arguments = string(b.Raw)
	}
	return call, true
}

// callIn looks for a call in a JSON value: an object with a name and input,
// arguments, an action or a command, in itself or within a few levels. It
// returns its name and what it acts on, nil if there is none.
func callIn(raw []byte, levels int) (name string, body []byte) {
	var s jsonscan.Scanner
	s.Reset(raw)
	var inner []byte // what a call further within acts on
	var innerName string
	within := func() {
		value := s.Raw()
		if levels > 0 && inner == nil && len(value) > 0 && (value[0] == '{' || value[0] == '[') {
			innerName, inner = callIn(value, levels-1)
		}
	}
	switch s.Kind() {
	case jsonscan.Array:
		s.Array()
		for s.Elem() {
			within()
		}
	case jsonscan.Object:
		s.Object()
		for key, ok := s.Key(); ok; key, ok = s.Key() {
			switch string(key) {
			case "name", "tool", "tool_name":
				if word, ok := s.Str(nil); ok {
					name = string(word)
				} else {
					within()
				}
			case "input", "arguments", "args", "action", "command", "parameters":
				body = s.Raw()
			default:
				within()
			}
		}
	default:
	}
	if name != "" && body != nil {
		return name, body
	}
	return innerName, inner
}

var errUnknownCall = errors.New("policy: the answer has a tool call in a form that is not known, so nobody can judge it")

// unknownEvent decides about an event without a name in the vocabulary that
// belongs to no held block. It cannot be taken out of its payload, so one that
// carries a call ends the answer.
func (e *Engine) unknownEvent(ev *stream.Event) error {
	if !e.enforced {
		return nil
	}
	if _, body := callIn(ev.Raw, 3); body != nil {
		return errUnknownCall
	}
	return nil
}
