package sluicetest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
)

// ValidateHistory accepts the history of a conversation that can be sent again in the
// format: the provider would not refuse a request with these messages and, unless the
// last one is the user's, one more message of the user. It does not check whether the
// history makes sense, and it does not need the tools' declarations.
//
// It checks the messages themselves, because a lenient writer can hide what is wrong
// with them; whether the request can be written; and the JSON that would be sent, by
// rules of the provider that share no code with the packages that write it. An empty
// history is valid.
//
// The error joins one *[Violation] for each problem. Its Payload is -1, and its
// Reason begins with the position: "message 2 block 0" counts the messages given,
// "messages[2].content[0]" the JSON sent. Its Format is "history" for a problem
// of the messages, which then is one in every format. An unknown format is an
// error too.
//
// The rules of the messages are the strictest ones of all providers, so that a
// history can move between them: every call is complete, has a unique id, a name
// of letters, digits, underscores and hyphens and one JSON object as arguments,
// and all calls of a turn have exactly one result each, directly after it.
// Neighbouring messages of the assistant are one turn.
func ValidateHistory(format wire.Format, messages []llm.Message) error {
	if !slices.Contains(wire.Formats(), format) {
		return unknownFormat(string(format))
	}
	return errors.Join(slices.Concat(messageProblems(messages), requestProblems(format, messages))...)
}

// ValidateHistories is [ValidateHistory] for all formats: the history can be sent to
// any provider. Problems of the messages are reported once.
func ValidateHistories(messages []llm.Message) error {
	problems := messageProblems(messages)
	for _, format := range wire.Formats() {
		problems = append(problems, requestProblems(format, messages)...)
	}
	return errors.Join(problems...)
}

// requestProblems says why a provider would refuse a request with the messages.
func requestProblems(format wire.Format, messages []llm.Message) []error {
	if n := len(messages); n == 0 || messages[n-1].Role != llm.User {
		messages = append(slices.Clip(messages), llm.Message{
			Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: "Go on.", Status: llm.Complete}},
		})
	}
	body, err := format.AppendRequest(nil, &llm.Request{Model: "any", Messages: messages})
	if err != nil {
		return []error{&Violation{Format: string(format), Payload: -1, Rule: "request", Reason: err.Error()}}
	}
	return bodyProblems(format, body)
}

// bodyProblems says why a provider would refuse a request body.
func bodyProblems(format wire.Format, body []byte) []error {
	j := &judge{format: string(format)}
	value, err := decode(body)
	if err != nil {
		j.failf("json", "the body", "%v", err)
		return j.problems
	}
	o, ok := value.(object)
	if !ok {
		j.failf("json", "the body", "it is %s, want an object", kindOf(value))
		return j.problems
	}
	switch format {
	case wire.OpenAIChat:
		j.chat(o)
	case wire.OpenAIResponses:
		j.responses(o)
	case wire.Anthropic:
		j.anthropic(o)
	case wire.Gemini:
		j.gemini(o)
	}
	return j.problems
}

// judge collects the problems of one history. Unlike the inspector of a stream it
// continues after the first problem, so its readers return something usable for any
// JSON.
type judge struct {
	format   string
	problems []error
}

// failf records a problem and where it is.
func (j *judge) failf(rule, at, reason string, args ...any) {
	j.problems = append(j.problems, &Violation{
		Format: j.format, Payload: -1, Rule: rule, Reason: at + ": " + fmt.Sprintf(reason, args...),
	})
}

// text returns a string member, "" if it is absent or null.
func (j *judge) text(o object, key, at string) string {
	switch value := o[key].(type) {
	case nil:
		return ""
	case string:
		return value
	default:
		j.failf("type", at, "%q is %s, want a string", key, kindOf(value))
		return ""
	}
}

// object returns a member that must be an object, never nil.
func (j *judge) object(o object, key, at string) object {
	value, ok := o[key].(object)
	if !ok {
		j.failf("type", at, "%q is %s, want an object", key, kindOf(o[key]))
		return object{}
	}
	return value
}

// placed is an element of a list with its path.
type placed struct {
	object

	at string
}

// list returns the elements of a member that must be an array of objects.
func (j *judge) list(o object, key, at string) []placed {
	path := key
	if at != "" {
		path = at + "." + key
	}
	elements, ok := o[key].([]any)
	if !ok {
		j.failf("type", path, "it is %s, want an array", kindOf(o[key]))
		return nil
	}
	out := make([]placed, 0, len(elements))
	for i, element := range elements {
		here := fmt.Sprintf("%s[%d]", path, i)
		value, ok := element.(object)
		if !ok {
			j.failf("type", here, "it is %s, want an object", kindOf(element))
			continue
		}
		out = append(out, placed{value, here})
	}
	return out
}

// jsonArguments checks arguments that are sent as a string.
func (j *judge) jsonArguments(o object, at string) {
	text, ok := o["arguments"].(string)
	if !ok {
		j.failf("arguments", at, "\"arguments\" is %s, want a string", kindOf(o["arguments"]))
		return
	}
	if value, err := decode([]byte(text)); err != nil {
		j.failf("arguments", at, "the arguments are %v", err)
	} else if _, ok := value.(object); !ok {
		j.failf("arguments", at, "the arguments are %s, want an object", kindOf(value))
	}
}

// name checks the name of a tool, which all providers accept if it has up to 64
// letters, digits, underscores and hyphens.
func (j *judge) name(name, at string) {
	if len(name) > 64 || !plain(name) {
		j.failf("name", at, "the tool is called %q, want 1 to 64 of a-z, A-Z, 0-9, _ and -", name)
	}
}

// plain reports whether a text is not empty and has only the characters that
// names and ids may have everywhere.
func plain(text string) bool {
	for _, c := range []byte(text) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-':
		default:
			return false
		}
	}
	return text != ""
}

// awaited are the calls of one turn that still need results.
type awaited struct {
	order []string
	at    map[string]string // the position of the call, by its id
	seen  map[string]bool   // whether it was answered
}

// call adds a call.
func (a *awaited) call(id, at string) {
	if a.at == nil {
		a.at, a.seen = map[string]string{}, map[string]bool{}
	}
	if _, known := a.at[id]; !known {
		a.order = append(a.order, id)
	}
	a.at[id] = at
}

// answer takes a result.
func (a *awaited) answer(j *judge, id, at string) {
	switch _, known := a.at[id]; {
	case !known:
		j.failf("result-orphan", at, "no call directly before has the id %q", id)
	case a.seen[id]:
		j.failf("result-twice", at, "the call %q has a result already", id)
	default:
		a.seen[id] = true
	}
}

// settle reports the calls without a result, and clears them all.
func (a *awaited) settle(j *judge) {
	for _, id := range a.order {
		if !a.seen[id] {
			j.failf("call-unanswered", a.at[id], "the call %q has no result directly after it", id)
		}
	}
	*a = awaited{}
}
