package sluicetest_test

import (
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
)

const (
	chatRole   = `{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`
	chatText   = `{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}`
	chatCall   = `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"f","arguments":""}}]}}]}`
	chatArgs   = `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}}]}`
	chatStop   = `{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	chatTools  = `{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`
	chatUsage  = `{"id":"c","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`
	chatError  = `{"error":{"message":"overloaded","type":"server_error","code":null}}`
	chatSecond = `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_b","type":"function","function":{"name":"g","arguments":"{}"}}]}}]}`
	nl         = "\n"
)

func TestValidateOpenAIChat(t *testing.T) {
	t.Parallel()
	head := chatRole + nl
	call := head + chatCall + nl
	check(t, sluicetest.OpenAIChat, []streamCase{
		{name: "text", stream: head + chatText + nl + chatStop + nl + "[DONE]"},
		{name: "usage after the finish", stream: head + chatText + nl + chatStop + nl + chatUsage + nl + "[DONE]"},
		{name: "usage on every chunk", stream: `{"id":"c","choices":[{"index":0,"delta":{"role":"assistant"}}],"usage":{"total_tokens":1}}` + nl + chatStop + nl + "[DONE]"},
		{name: "calls", stream: call + chatArgs + nl + chatSecond + nl + chatTools + nl + "[DONE]"},
		{name: "call without arguments", stream: call + chatTools + nl + "[DONE]"},
		{name: "interleaved calls", stream: call + chatSecond + nl + chatArgs + nl + chatTools + nl + "[DONE]"},
		{name: "several calls in one chunk", stream: head + `{"id":"c","choices":[{"index":0,"delta":{"content":"x","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"index":1,"id":"b","type":"custom","custom":{"name":"g","input":"free text"}}]},"finish_reason":"tool_calls"}]}` + nl + "[DONE]"},
		{name: "id, type and name repeated alike", stream: call + `{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"f","arguments":"{}"}}]}}]}` + nl + chatTools + nl + "[DONE]"},
		{name: "legacy function_call", stream: head + `{"id":"c","choices":[{"index":0,"delta":{"function_call":{"name":"f","arguments":"{}"}},"finish_reason":"function_call"}]}` + nl + "[DONE]"},
		{name: "finish stop with calls", stream: call + chatStop + nl + "[DONE]"},
		{name: "two choices", stream: head + `{"id":"c","choices":[{"index":1,"delta":{"role":"assistant","refusal":"no"},"finish_reason":"stop"}]}` + nl + chatStop + nl + "[DONE]"},
		{name: "empty delta after the finish", stream: head + chatStop + nl + `{"id":"c","choices":[{"index":0,"delta":{"content":""},"finish_reason":null}]}` + nl + "[DONE]"},
		{name: "Azure's filter chunk first and filter results last", stream: `{"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[]}` + nl + head + chatStop + nl + `{"id":"","object":"","choices":[],"usage":null}` + nl + `{"id":"c","choices":[{"index":0,"content_filter_results":{},"content_filter_offsets":{}}]}` + nl + "[DONE]"},
		{name: "error first", stream: chatError},
		{name: "error and DONE", stream: head + chatError + nl + "[DONE]"},
		{name: "error next to choices after the finish", stream: head + chatStop + nl + `{"id":"c","error":{"message":"m"},"choices":[{"index":0,"delta":{"content":""}}]}`},
		{name: "role missing, allowed", opts: sluicetest.Options{AllowMissingRole: true}, stream: chatText + nl + chatStop + nl + "[DONE]"},
		{name: "DONE missing, allowed", opts: sluicetest.Options{AllowMissingDone: true}, stream: head + chatStop},
		{name: "arguments that are not JSON are a warning", stream: call + `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{oops"}}]},"finish_reason":"tool_calls"}]}` + nl + "[DONE]"},

		{name: "choices missing", rule: "choices", payload: 0, stream: `{"id":"c"}`},
		{name: "object wrong", rule: "object", payload: 0, stream: `{"id":"c","object":"chat.completion","choices":[]}`},
		{name: "id changes", rule: "id", payload: 1, stream: head + `{"id":"d","choices":[]}`},
		{name: "id missing with choices", rule: "id", payload: 0, stream: `{"choices":[{"index":0,"delta":{"role":"assistant"}}]}`},
		{name: "choice without index", rule: "choice-index", payload: 0, stream: `{"id":"c","choices":[{"delta":{"role":"assistant"}}]}`},
		{name: "choice number left out", rule: "choice-index", payload: -1, stream: `{"id":"c","choices":[{"index":1,"delta":{"role":"assistant"},"finish_reason":"stop"}]}` + nl + "[DONE]"},
		{name: "delta null", rule: "delta", payload: 0, stream: `{"id":"c","choices":[{"index":0,"delta":null}]}`},
		{name: "role missing in the first delta", rule: "role", payload: 0, stream: chatText},
		{name: "role of somebody else", rule: "role", payload: 1, stream: head + `{"id":"c","choices":[{"index":0,"delta":{"role":"user"}}]}`},
		{name: "content not a string", rule: "type", payload: 1, stream: head + `{"id":"c","choices":[{"index":0,"delta":{"content":[]}}]}`},
		{name: "tool index missing", rule: "tool-index", payload: 1, stream: head + `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"id":"a","type":"function","function":{"name":"f"}}]}}]}`},
		{name: "tool index starts at 1", rule: "tool-index", payload: 1, stream: head + chatSecond},
		{name: "call without id", rule: "tool-id", payload: 1, stream: head + `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"type":"function","function":{"name":"f"}}]}}]}`},
		{name: "call without type", rule: "tool-type", payload: 1, stream: head + `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f"}}]}}]}`},
		{name: "call without name", rule: "tool-name", payload: 1, stream: head + `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"arguments":""}}]}}]}`},
		{name: "id of a call changes", rule: "tool-id", payload: 2, stream: call + `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_z","function":{"arguments":""}}]}}]}`},
		{name: "name of a call changes", rule: "tool-name", payload: 2, stream: call + `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"z"}}]}}]}`},
		{name: "type of a call changes", rule: "tool-type", payload: 2, stream: call + `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"type":"custom"}]}}]}`},
		{name: "custom input for a function", rule: "tool-kind", payload: 2, stream: call + `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"custom":{"input":"x"}}]}}]}`},
		{name: "two calls with one id", rule: "tool-id-unique", payload: 2, stream: call + `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_a","type":"function","function":{"name":"f"}}]}}]}`},
		{name: "arguments as an object", rule: "type", payload: 2, stream: call + `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":{}}}]}}]}`},
		{name: "legacy function_call without name", rule: "tool-name", payload: 1, stream: head + `{"id":"c","choices":[{"index":0,"delta":{"function_call":{"arguments":"{}"}}}]}`},
		{name: "text after the finish", rule: "after-finish", payload: 2, stream: head + chatStop + nl + chatText},
		{name: "call after the finish", rule: "after-finish", payload: 2, stream: head + chatStop + nl + chatCall},
		{name: "finish twice", rule: "finish-once", payload: 2, stream: head + chatStop + nl + chatStop},
		{name: "finish tool_calls without calls", rule: "finish-calls", payload: 1, stream: head + chatTools},
		{name: "finish function_call without one", rule: "finish-calls", payload: 1, stream: head + `{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"function_call"}]}`},
		{name: "finish stop with calls, forbidden", rule: "finish-stop", payload: 2, opts: sluicetest.Options{ForbidStopWithCalls: true}, stream: call + chatStop},
		{name: "arguments that are not JSON, forbidden", rule: "arguments", payload: 2, opts: sluicetest.Options{RequireJSONArguments: true}, stream: call + `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{oops"}}]},"finish_reason":"tool_calls"}]}`},
		{name: "usage before the finish", rule: "usage-last", payload: 1, stream: head + chatUsage},
		{name: "DONE before the finish", rule: "finish-missing", payload: 1, stream: head + "[DONE]"},
		{name: "DONE before the finish of one choice", rule: "finish-missing", payload: 3, stream: head + `{"id":"c","choices":[{"index":1,"delta":{"role":"assistant"}}]}` + nl + chatStop + nl + "[DONE]"},
		{name: "DONE without any choice", rule: "choices", payload: 0, stream: "[DONE]"},
		{name: "DONE twice", rule: "done-once", payload: 3, stream: head + chatStop + nl + "[DONE]" + nl + "[DONE]"},
		{name: "payload after DONE", rule: "done-last", payload: 3, stream: head + chatStop + nl + "[DONE]" + nl + chatUsage},
		{name: "payload after the error", rule: "after-error", payload: 2, stream: head + chatError + nl + chatStop},
		{name: "error of no shape", rule: "error", payload: 0, stream: `{"error":7}`},
		{name: "DONE missing", rule: "end-missing", payload: -1, stream: head + chatStop},
		{name: "finish missing", rule: "end-missing", payload: -1, stream: head + chatText},
	})
}

func TestReportOfOpenAIChat(t *testing.T) {
	t.Parallel()
	stream := sluicetest.SSE(sluicetest.OpenAIChat, []string{
		chatRole, `{"id":"c","choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]}`, chatText, chatText, chatCall, chatArgs, chatText, chatTools, "[DONE]",
	})
	report, err := sluicetest.Inspect(sluicetest.OpenAIChat, stream)
	if err != nil {
		t.Fatal(err)
	}
	sameText(t, "texts", report.Texts, "HiHi", "Hi")
	sameText(t, "thinking", report.Thinking, "hm")
	if len(report.Calls) != 1 || report.Calls[0] != (sluicetest.Call{ID: "call_a", Name: "f", Type: "function", Arguments: "{}"}) {
		t.Errorf("calls %+v", report.Calls)
	}
	if !report.Ended || report.Failed || report.Finish != "tool_calls" || report.Finishes[0] != "tool_calls" {
		t.Errorf("report %+v", report)
	}
}

func sameText(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s are %q, want %q", what, got, want)
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s are %q, want %q", what, got, want)
		}
	}
}
