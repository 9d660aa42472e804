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
	found := callsIn(b.Raw, 2)
	name, body := found.name, found.body
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

// found are the calls in a JSON value: how many, and the first one's name and
// what it acts on.
type found struct {
	calls int
	name  string
	body  []byte
}

func (f *found) add(g found) {
	if f.calls == 0 {
		f.name, f.body = g.name, g.body
	}
	f.calls += g.calls
}

// callsIn looks for calls in a JSON value: objects with a name and input,
// arguments, an action or a command, in itself or within a few levels.
func callsIn(raw []byte, levels int) (f found) {
	var s jsonscan.Scanner
	s.Reset(raw)
	var own, inner, acted found
	within := func(to *found, value []byte) {
		if levels > 0 && len(value) > 0 && (value[0] == '{' || value[0] == '[') {
			to.add(callsIn(value, levels-1))
		}
	}
	switch s.Kind() {
	case jsonscan.Array:
		s.Array()
		for s.Elem() {
			within(&inner, s.Raw())
		}
	case jsonscan.Object:
		s.Object()
		for key, ok := s.Key(); ok; key, ok = s.Key() {
			switch string(key) {
			case "name", "tool", "tool_name":
				if word, ok := s.Str(nil); ok {
					own.name = string(word)
				} else {
					within(&inner, s.Raw())
				}
			case "input", "arguments", "args", "action", "command", "parameters":
				own.body = s.Raw()
				own.calls++ // two bodies are two calls to two readers
				within(&acted, own.body)
			default:
				within(&inner, s.Raw())
			}
		}
	default:
	}
	if own.name != "" && own.body != nil {
		f.add(own)
	} else {
		f.add(acted) // there is no name beside it, but perhaps within
	}
	f.add(inner)
	return f
}

var errUnknownCall = errors.New("policy: the answer has a tool call in a form that is not known, so nobody can judge it")

// unknownEvent decides about an event without a name in the vocabulary that
// belongs to no held block. It cannot be taken out of its payload, so one that
// carries a call ends the answer.
func (e *Engine) unknownEvent(ev *stream.Event) error {
	if !e.enforced {
		return nil
	}
	if callsIn(ev.Raw, 3).calls > 0 || holdsCalls(ev.Raw, deepest, true) {
		return errUnknownCall
	}
	return nil
}

// unknownPayload decides about a payload of which the decoder read no call: one
// of which it read nothing at all, or a whole body. If it has one in a place that
// is not the dialect's, somebody may read it there.
func (e *Engine) unknownPayload(c *stream.Chunk) error {
	if !e.set.enforces || c.Raw == nil || len(c.Events) > 0 && !c.Whole {
		return nil
	}
	for i := range c.Events {
		if k := c.Events[i].Kind; k == llm.ToolCall || k == llm.ServerTool || k == llm.Opaque {
			return nil
		}
	}
	if c.Whole {
		if holdsCalls(c.Raw, deepest, false) {
			return errUnknownCall
		}
		return nil
	}
	// What stands in the dialect's own place was read there, and said nothing.
	var s jsonscan.Scanner
	s.Reset(c.Raw)
	if !s.Object() {
		return nil
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		word := string(key)
		value := s.Raw()
		if word == "choices" || word == "candidates" {
			continue
		}
		if isCallMember(word) && !isNothing(value) || holdsCalls(value, deepest, true) || callsIn(value, 3).calls > 0 {
			return errUnknownCall
		}
	}
	return nil
}

// deepest is how far down an event that nobody knows is looked at for calls in
// the words of the dialects, as when a server wraps its answers in an object.
const deepest = 24

// holdsCalls reports whether a member somewhere in a JSON value is what the
// dialects call a tool call, whole or a piece of one, or, if that counts, has the
// type of one.
func holdsCalls(raw []byte, levels int, types bool) bool {
	var s jsonscan.Scanner
	s.Reset(raw)
	within := func(value []byte) bool {
		if len(value) == 0 || value[0] != '{' && value[0] != '[' {
			return false
		}
		return levels == 0 || holdsCalls(value, levels-1, types) // what lies deeper nobody has looked at
	}
	switch s.Kind() {
	case jsonscan.Array:
		s.Array()
		for s.Elem() {
			if within(s.Raw()) {
				return true
			}
		}
	case jsonscan.Object:
		s.Object()
		for key, ok := s.Key(); ok; key, ok = s.Key() {
			word := string(key)
			value := s.Raw()
			if isCallMember(word) && !isNothing(value) || within(value) {
				return true
			}
			if types && word == "type" {
				if kind, ok := jsonscan.Unquote(nil, value); ok && namesCall(string(kind)) {
					return true
				}
			}
		}
	default:
	}
	return false
}

func isCallMember(key string) bool {
	switch key {
	case "tool_calls", "function_call", "functionCall", "toolCall", "tool_call":
		return true
	}
	return false
}

// isNothing reports whether a JSON value says nothing.
func isNothing(value []byte) bool {
	switch string(value) {
	case "", "null", "[]", "{}", "false", `""`:
		return true
	}
	return false
}

// says reports whether a JSON value has a text in it, apart from types.
func says(raw []byte) bool {
	r := result{}
	r.collect(raw, llm.Span{End: len(raw)}, false)
	for _, text := range r.texts {
		if text != "" {
			return true
		}
	}
	return false
}
