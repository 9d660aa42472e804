package policy

import (
	"bytes"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

const unknownType = "a block of an unknown type"

// isInert reports whether blocks of a provider's type are known not to be acted
// on by clients.
func isInert(providerType string) bool {
	switch providerType {
	case "redacted_thinking", "compaction", "fallback", "container_upload", // Anthropic
		"mcp_list_tools", "item_reference", // Responses
		"inlineData", "fileData": // Gemini
		return true
	}
	return false
}

// namesCall reports whether a provider's type says that it is a call, or a piece of
// one.
func namesCall(kind []byte) bool {
	kind = bytes.TrimFunc(kind, func(r rune) bool { return r <= ' ' || r == '"' || r == '\'' })
	switch {
	case bytes.HasSuffix(kind, []byte("_call")), bytes.HasSuffix(kind, []byte("tool_use")):
		return true
	case isResponsesEvent(kind):
		return bytes.Contains(kind, []byte("_call_"))
	}
	return string(kind) == "mcp_approval_request"
}

// asCall shows a block of an unknown type as the call that it carries, if any: its
// type says so, or it has a body to act on. A call without a name is named by its
// type.
func asCall(b *llm.Block) (llm.Block, bool) {
	found := callsIn(b.Raw, deepest, false)
	name, body := found.name, found.body
	if body == nil && b.Text == "" && !namesCall(jsonscan.View(b.Type)) && !HoldsCall(b.Raw) {
		return llm.Block{}, false
	}
	if name == "" {
		name = b.Type
	}
	call := llm.Block{Kind: llm.ToolCall, ID: b.ID, Name: name, Type: b.Type, Status: b.Status, Raw: b.Raw}
	said := inQuotes(body)
	switch {
	case b.Text != "":
		call.Arguments = b.Text
	case body == nil: // what it acts on may be anywhere in it
		call.Arguments = string(b.Raw)
	case jsonscan.IsObject(string(body)):
		call.Arguments = string(body)
	case len(said) > 0 && jsonscan.IsObject(string(said)): // as Chat and Responses have them
		call.Arguments = string(said)
	default: // a text or a list: what it is called there says what it is
		call.Arguments = string(found.raw)
	}
	return call, true
}

// isWithin reports whether the call that was found in a block stands in a part of it.
func isWithin(call *llm.Block) bool {
	found := callsIn(call.Raw, deepest, false)
	return found.raw != nil && len(found.raw) < len(bytes.TrimSpace(call.Raw))
}

// ambiguous reports whether two readers may see two calls in a block of an unknown type:
// one of them in what it began with, and one in the text that followed.
func ambiguous(call *llm.Block, text string) bool {
	found := callsIn(call.Raw, deepest, false)
	began := bytes.TrimSpace(found.body)
	if text != "" && !isNothing(began) && string(began) != text && string(inQuotes(began)) != text {
		return true
	}
	if text != "" && found.body == nil && slices.ContainsFunc(wordsIn(call.Raw), func(word string) bool { return word != call.ID }) {
		return true // what it began with may be what it acts on
	}
	return found.calls > 1 || llm.CheckArguments(string(call.Raw)) != nil ||
		jsonscan.IsObject(call.Arguments) && llm.CheckArguments(call.Arguments) != nil
}

// deepest is how far down a block of an unknown type is looked at for calls.
const deepest = 24

// found are the calls in a JSON value: how many, and the first one's name, what it
// acts on and the object in which that stands.
type found struct {
	calls     int
	name      string
	body, raw []byte
}

func (f *found) add(g found) {
	if f.calls == 0 {
		f.name, f.body, f.raw = g.name, g.body, g.raw
	}
	f.calls += g.calls
}

// callsIn looks for calls in a JSON value: objects with a name and input, arguments, an
// action or a command, at the top or a few levels down. A value that is called a call,
// by its type or by the member it is in, needs only a name, and the top-level value does
// not even need that. A piece of a call belongs to a call that is not here, so it counts
// as more than one.
func callsIn(raw []byte, levels int, called bool) (f found) {
	var s jsonscan.Scanner
	s.Reset(raw)
	own := found{raw: raw}
	var inner, acted found
	var small [16]byte
	var kind string // its type, if it says that it is a call
	within := func(to *found, value []byte, called bool) {
		if levels > 0 && len(value) > 0 && (value[0] == '{' || value[0] == '[') {
			to.add(callsIn(value, levels-1, called))
		}
	}
	switch s.Kind() {
	case jsonscan.Array:
		s.Array()
		for s.Elem() {
			within(&inner, s.Raw(), called)
		}
	case jsonscan.Object:
		s.Object()
		for key, ok := s.Key(); ok; key, ok = s.Key() {
			switch key := jsonscan.Fold(small[:], key); {
			case isName(key):
				if word, ok := s.Str(nil); ok {
					own.name = string(word)
				} else {
					within(&inner, s.Raw(), false)
				}
			case isBody(key):
				own.body = s.Raw()
				own.calls++ // two bodies are two calls to two readers
				within(&acted, own.body, false)
			case string(key) == "type":
				literal := s.Raw()
				if word := inQuotes(literal); namesCall(word) {
					called, kind = true, string(word)
				}
				within(&inner, literal, false)
			case isPiece(key):
				if !isNothing(s.Raw()) {
					inner.calls += 2
				}
			default:
				is := isCallMember(key) || string(key) == "function" || string(key) == "custom"
				within(&inner, s.Raw(), is)
			}
		}
	default:
	}
	if own.name == "" && own.body != nil && acted.calls == 0 {
		own.name = kind // a built-in tool has no other
	}
	if called && own.name != "" && own.body == nil {
		own.body, own.calls = raw, 1
	}
	switch {
	case own.body != nil && (own.name != "" || levels == deepest && acted.calls == 0):
		f.add(own)
	default:
		f.add(acted) // there is no name next to it, but perhaps inside
	}
	f.add(inner)
	return f
}

// isBody reports whether a member of a call holds its body.
func isBody(key []byte) bool {
	switch string(key) {
	case "input", "arguments", "args", "action", "operation", "command", "parameters":
		return true
	}
	return false
}

// isName reports whether a member of a call holds the name of the tool.
func isName(key []byte) bool {
	switch string(key) {
	case "name", "tool", "tool_name":
		return true
	}
	return false
}

// isPiece reports whether a member holds a piece of a call's body.
func isPiece(key []byte) bool {
	switch string(key) {
	case "partial_json", "partialargs", "partial_args":
		return true
	}
	return false
}

// callMembers are the dialects' names for members that hold calls, without
// underscores.
var callMembers = []string{
	"toolcall", "toolcalls", "functioncall", "functioncalls", "tooluse", "tooluses",
	"partialjson", "partialargs", // pieces of a call's body
}

// isCallMember reports whether a member holds calls, or pieces of one, in any
// spelling.
func isCallMember(key []byte) bool {
	if len(key) < len("tooluse") || len(key) > len("function_calls")+2 {
		return false
	}
	var small, plain [16]byte
	n := 0
	for _, c := range jsonscan.Fold(small[:], key) {
		if c == '_' || c == '-' {
			continue
		}
		if n == len(plain) {
			return false
		}
		plain[n] = c
		n++
	}
	return slices.Contains(callMembers, string(plain[:n]))
}

// isNothing reports whether a JSON value is empty.
func isNothing(value []byte) bool {
	switch string(value) {
	case "", "null", "[]", "{}", "false", `""`:
		return true
	}
	return false
}

// says reports whether a JSON value has a text or a number in it, apart from types.
func says(raw []byte) bool { return len(wordsIn(raw)) > 0 }

// wordsIn are the texts and numbers in a JSON value, apart from types.
func wordsIn(raw []byte) (words []string) {
	var s jsonscan.Scanner
	s.Reset(raw)
	var walk func()
	walk = func() {
		switch s.Kind() {
		case jsonscan.Object:
			s.Object()
			for key, ok := s.Key(); ok; key, ok = s.Key() {
				if string(key) == "type" && s.Kind() == jsonscan.String {
					s.Skip()
				} else {
					walk()
				}
			}
		case jsonscan.Array:
			s.Array()
			for s.Elem() {
				walk()
			}
		case jsonscan.String:
			if text, _ := jsonscan.Text(s.Raw()); text != "" {
				words = append(words, text)
			}
		case jsonscan.Number:
			words = append(words, string(s.Raw()))
		default:
			s.Skip()
		}
	}
	walk()
	return words
}
