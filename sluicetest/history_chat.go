package sluicetest

import "unicode/utf8"

// chatIDLimit is the most characters of a call's id. Observed: "string too long.
// Expected a string with maximum length 40".
const chatIDLimit = 40

// chat judges the body of a request of OpenAI Chat Completions. Documented: the
// shapes and roles, that an assistant's message needs content or calls, names.
// Observed in refusals: that results follow their calls at once, one for each,
// and an empty list of calls. That arguments must be JSON is what most
// compatible servers ask; OpenAI's own takes any text. That a refusal alone is
// enough as content is how the API answers itself, not a documented rule for
// requests.
func (j *judge) chat(body object) {
	messages := j.list(body, "messages", "")
	if len(messages) == 0 {
		j.failf("messages-empty", "messages", "there must be one at least")
	}
	var waiting awaited
	for _, m := range messages {
		role := j.text(m.object, "role", m.at)
		if role == "tool" {
			j.chatContent(m, "tool")
			waiting.answer(j, j.text(m.object, "tool_call_id", m.at), m.at)
			continue
		}
		waiting.settle(j)
		switch role {
		case "system", "developer", "user":
			j.chatContent(m, role)
		case "assistant":
			j.chatAssistant(m, &waiting)
		default:
			j.failf("role", m.at, "there is no role %q", role)
		}
	}
	waiting.settle(j)
}

// chatContent asks for a text or for parts.
func (j *judge) chatContent(m placed, role string) {
	if _, isText := m.object["content"].(string); isText {
		return
	}
	parts := j.list(m.object, "content", m.at)
	if len(parts) == 0 {
		j.failf("content-empty", m.at, "a message of the role %s without content", role)
	}
	for _, part := range parts {
		switch typ := j.text(part.object, "type", part.at); {
		case typ == "text":
			if _, ok := part.object["text"].(string); !ok {
				j.failf("type", part.at, "\"text\" is %s, want a string", kindOf(part.object["text"]))
			}
		case typ == "", role == "tool":
			j.failf("part", part.at, "a message of the role %s has no parts of type %q", role, typ)
		case role == "assistant" && typ != "refusal" && typ != "thinking":
			// Thinking is a part of compatible servers only.
			j.failf("part", part.at, "the assistant has no parts of type %q", typ)
		}
	}
}

func (j *judge) chatAssistant(m placed, waiting *awaited) {
	content := m.object["content"]
	if content != nil && content != "" {
		j.chatContent(m, "assistant")
	} else if m.object["tool_calls"] == nil && m.object["function_call"] == nil && m.object["audio"] == nil &&
		j.text(m.object, "refusal", m.at) == "" {
		j.failf("content-empty", m.at, "a message of the assistant without content and calls")
	}
	if m.object["tool_calls"] == nil {
		return
	}
	calls := j.list(m.object, "tool_calls", m.at)
	if len(calls) == 0 {
		j.failf("calls-empty", m.at, "an empty list of calls")
	}
	ids := map[string]bool{}
	for _, call := range calls {
		id := j.text(call.object, "id", call.at)
		switch {
		case id == "":
			j.failf("id-missing", call.at, "a call without an id")
		case utf8.RuneCountInString(id) > chatIDLimit:
			j.failf("id-long", call.at, "the id %q has more than %d characters", id, chatIDLimit)
		case ids[id]:
			j.failf("call-duplicate", call.at, "the id %q belongs to an earlier call", id)
		}
		ids[id] = true
		waiting.call(id, call.at)
		switch typ := j.text(call.object, "type", call.at); typ {
		case "function":
			function := j.object(call.object, typ, call.at)
			j.name(j.text(function, "name", call.at), call.at)
			j.jsonArguments(function, call.at)
		case "custom":
			j.name(j.text(j.object(call.object, typ, call.at), "name", call.at), call.at)
		default:
			j.failf("call-type", call.at, "there are no calls of type %q", typ)
		}
	}
}
