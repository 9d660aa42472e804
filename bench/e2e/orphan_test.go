package e2e

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/sluice-project/sluice/sluicetest"
)

// orphan says which call of a conversation has no result or which result no call, "" if all are paired. Providers
// refuse such a conversation, so a gateway that takes calls out must not leave one behind.
func orphan(dialect string, body []byte) string {
	root := gjson.ParseBytes(body)
	if root.Get("thread.type").String() == "continue" || root.Get("previous_response_id").String() != "" {
		return "" // the calls are upstream
	}
	open := map[string]int{}
	call := func(id gjson.Result) { open[id.String()]++ }
	result := func(id gjson.Result) { open[id.String()]-- }
	switch dialect {
	case sluicetest.Anthropic:
		root.Get("messages.#.content|@flatten").ForEach(func(_, part gjson.Result) bool {
			switch part.Get("type").String() {
			case "tool_use":
				call(part.Get("id"))
			case "tool_result":
				result(part.Get("tool_use_id"))
			}
			return true
		})
	case sluicetest.OpenAIChat:
		for _, message := range root.Get("messages").Array() {
			message.Get("tool_calls.#.id").ForEach(func(_, id gjson.Result) bool { call(id); return true })
			if message.Get("role").String() == "tool" {
				result(message.Get("tool_call_id"))
			}
		}
	case sluicetest.OpenAIResponses:
		for _, item := range root.Get("input").Array() {
			switch kind := item.Get("type").String(); {
			case strings.HasSuffix(kind, "_call_output"):
				result(item.Get("call_id"))
			case item.Get("call_id").Exists():
				call(item.Get("call_id"))
			}
		}
	case sluicetest.Gemini:
		root.Get("contents.#.parts|@flatten").ForEach(func(_, part gjson.Result) bool {
			switch {
			case part.Get("functionCall").Exists():
				call(part.Get("functionCall.name"))
			case part.Get("functionResponse").Exists():
				result(part.Get("functionResponse.name"))
			}
			return true
		})
	}
	for id, balance := range open {
		switch {
		case balance > 0:
			return fmt.Sprintf("the call %s has no result", id)
		case balance < 0:
			return fmt.Sprintf("the result for %s has no call", id)
		}
	}
	return ""
}
