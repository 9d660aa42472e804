package sluicetest_test

import (
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
)

func TestValidateBody(t *testing.T) {
	t.Parallel()
	chat := func(message, finish string) string {
		return `{"id":"c","object":"chat.completion","choices":[{"index":0,"message":` + message + `,"finish_reason":` + finish + `}]}`
	}
	ant := func(content, reason string) string {
		return `{"id":"m","type":"message","role":"assistant","model":"x","content":[` + content + `],"stop_reason":` + reason + `,"usage":{}}`
	}
	res := func(status, output string) string {
		return `{"id":"r","object":"response","status":"` + status + `","output":[` + output + `],"error":null}`
	}
	const call = `{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}`
	for _, c := range []struct{ format, name, rule, body string }{
		{sluicetest.OpenAIChat, "text", "", chat(`{"role":"assistant","content":"Hi"}`, `"stop"`)},
		{sluicetest.OpenAIChat, "calls", "", chat(`{"role":"assistant","content":null,"tool_calls":[`+call+`]}`, `"tool_calls"`)},
		{sluicetest.OpenAIChat, "error", "", `{"error":{"message":"m"}}`},
		{sluicetest.OpenAIChat, "object wrong", "object", `{"id":"c","object":"chat.completion.chunk","choices":[]}`},
		{sluicetest.OpenAIChat, "id missing", "id", `{"object":"chat.completion","choices":[]}`},
		{sluicetest.OpenAIChat, "no choices", "choices", `{"id":"c","object":"chat.completion","choices":[]}`},
		{sluicetest.OpenAIChat, "choice number wrong", "choice-index", `{"id":"c","object":"chat.completion","choices":[{"index":1,"message":{"role":"assistant"},"finish_reason":"stop"}]}`},
		{sluicetest.OpenAIChat, "message missing", "message", `{"id":"c","object":"chat.completion","choices":[{"index":0,"finish_reason":"stop"}]}`},
		{sluicetest.OpenAIChat, "role missing", "role", chat(`{"content":"Hi"}`, `"stop"`)},
		{sluicetest.OpenAIChat, "finish missing", "finish-missing", chat(`{"role":"assistant","content":"Hi"}`, `null`)},
		{sluicetest.OpenAIChat, "finish tool_calls without calls", "finish-calls", chat(`{"role":"assistant","content":"Hi"}`, `"tool_calls"`)},
		{sluicetest.OpenAIChat, "call without id", "tool-id", chat(`{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"f","arguments":""}}]}`, `"tool_calls"`)},
		{sluicetest.OpenAIChat, "two calls with one id", "tool-id-unique", chat(`{"role":"assistant","tool_calls":[`+call+`,`+call+`]}`, `"tool_calls"`)},
		{sluicetest.OpenAIChat, "index out of order", "tool-index", chat(`{"role":"assistant","tool_calls":[{"index":1,"id":"a","type":"function","function":{"name":"f"}}]}`, `"tool_calls"`)},

		{sluicetest.Anthropic, "text and tool", "", ant(`{"type":"text","text":"Hi"},{"type":"tool_use","id":"t","name":"f","input":{}}`, `"tool_use"`)},
		{sluicetest.Anthropic, "error", "", `{"type":"error","error":{"type":"api_error","message":"m"}}`},
		{sluicetest.Anthropic, "empty text", "empty-text", ant(`{"type":"text","text":""}`, `"end_turn"`)},
		{sluicetest.Anthropic, "tool_use without a tool", "finish-calls", ant(`{"type":"text","text":"Hi"}`, `"tool_use"`)},
		{sluicetest.Anthropic, "two tools with one id", "tool-id-unique", ant(`{"type":"tool_use","id":"t","name":"f","input":{}},{"type":"tool_use","id":"t","name":"f","input":{}}`, `"tool_use"`)},
		{sluicetest.Anthropic, "stop_reason missing", "stop-reason-missing", ant(``, `null`)},
		{sluicetest.Anthropic, "not a message", "message-id", `{}`},

		{sluicetest.OpenAIResponses, "message and call", "", res("completed", resMsg+","+resCall)},
		{sluicetest.OpenAIResponses, "incomplete", "", res("incomplete", ``)},
		{sluicetest.OpenAIResponses, "failed", "", `{"id":"r","object":"response","status":"failed","output":[],"error":{"message":"m"}}`},
		{sluicetest.OpenAIResponses, "error", "", `{"error":{"message":"m"}}`},
		{sluicetest.OpenAIResponses, "object wrong", "object", `{"id":"r","output":[]}`},
		{sluicetest.OpenAIResponses, "two items with one id", "item-id", res("completed", resMsg+","+resMsg)},
		{sluicetest.OpenAIResponses, "call without call_id", "call-id", res("completed", `{"id":"fc","type":"function_call","name":"f","arguments":"{}"}`)},
		{sluicetest.OpenAIResponses, "status unfinished", "status", res("in_progress", ``)},
		{sluicetest.OpenAIResponses, "completed with an error", "status", `{"id":"r","object":"response","status":"completed","output":[],"error":{"message":"m"}}`},
		{sluicetest.OpenAIResponses, "output missing", "output", `{"id":"r","object":"response","status":"completed"}`},

		{sluicetest.Gemini, "text", "", `{"candidates":[{"content":{"parts":[{"text":"Hi"}],"role":"model"},"finishReason":"STOP"}]}`},
		{sluicetest.Gemini, "array of payloads", "", `[{"candidates":[{"content":{"parts":[{"text":"Hi"}],"role":"model"}}]},{"candidates":[{"finishReason":"STOP"}]}]`},
		{sluicetest.Gemini, "error in an array", "", `[{"error":{"code":500,"message":"m"}}]`},
		{sluicetest.Gemini, "finish missing", "end-missing", `{"candidates":[{"content":{"parts":[{"text":"Hi"}],"role":"model"}}]}`},
	} {
		t.Run(c.format+" "+c.name, func(t *testing.T) {
			t.Parallel()
			sameRule(t, sluicetest.ValidateBody(c.format, []byte(c.body)), c.rule, -1)
		})
	}
}
