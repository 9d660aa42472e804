package sluicetest_test

import (
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
)

// part is a payload with one part.
func part(json string) string {
	return `{"candidates":[{"content":{"parts":[` + json + `],"role":"model"},"index":0}],"responseId":"r"}`
}

func TestValidateGemini(t *testing.T) {
	t.Parallel()
	text, stop := part(`{"text":"Hi"}`), `{"candidates":[{"finishReason":"STOP","index":0}],"usageMetadata":{}}`
	failed := `{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}`
	begun := part(`{"functionCall":{"name":"f","willContinue":true}}`)
	check(t, sluicetest.Gemini, []streamCase{
		{name: "text", stream: lines(text, stop)},
		{name: "finish with content", stream: `{"candidates":[{"content":{"parts":[{"text":"Hi"},{"text":"","thoughtSignature":"s"}],"role":"model"},"finishReason":"STOP"}]}`},
		{name: "usage after the finish", stream: lines(text, stop, `{"usageMetadata":{"totalTokenCount":3}}`)},
		{name: "finish with empty content", stream: lines(text, `{"candidates":[{"content":{},"finishReason":"MAX_TOKENS"}]}`)},
		{name: "every kind of part", stream: lines(part(`{"text":"hm","thought":true},{"functionCall":{"name":"f","args":{}},"thoughtSignature":"s"},{"functionCall":{"name":"f"}},{"inlineData":{}},{"executableCode":{}},{"codeExecutionResult":{}}`), stop)},
		{name: "streamed arguments", stream: lines(begun, part(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"x"}],"willContinue":true}}`), part(`{"functionCall":{}}`), stop)},
		{name: "two candidates", stream: lines(text, `{"candidates":[{"content":{"parts":[{"text":"Ho"}],"role":"model"},"index":1,"finishReason":"STOP"},{"index":0,"finishReason":"STOP"}]}`)},
		{name: "blocked prompt", stream: `{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{}}`},
		{name: "error", stream: lines(text, failed)},

		{name: "payload of nothing", rule: "payload", payload: 0, stream: `{"x":1}`},
		{name: "parts not a list", rule: "type", payload: 0, stream: `{"candidates":[{"content":{"parts":{},"role":"model"}}]}`},
		{name: "part not an object", rule: "type", payload: 0, stream: part(`"x"`)},
		{name: "part without data", rule: "part", payload: 0, stream: part(`{"thoughtSignature":"s"}`)},
		{name: "part with two kinds of data", rule: "part", payload: 0, stream: part(`{"text":"x","functionCall":{"name":"f"}}`)},
		{name: "thought not a boolean", rule: "type", payload: 0, stream: part(`{"text":"x","thought":"yes"}`)},
		{name: "role missing", rule: "role", payload: 0, stream: `{"candidates":[{"content":{"parts":[{"text":"x"}]}}]}`},
		{name: "role of somebody else", rule: "role", payload: 0, stream: `{"candidates":[{"content":{"parts":[{"text":"x"}],"role":"user"}}]}`},
		{name: "call without name", rule: "tool-name", payload: 0, stream: part(`{"functionCall":{"args":{}}}`)},
		{name: "args not an object", rule: "type", payload: 0, stream: part(`{"functionCall":{"name":"f","args":"{}"}}`)},
		{name: "two calls with one id", rule: "tool-id-unique", payload: 0, stream: part(`{"functionCall":{"id":"a","name":"f"}},{"functionCall":{"id":"a","name":"g"}}`)},
		{name: "text while arguments go on", rule: "call-open", payload: 1, stream: lines(begun, text)},
		{name: "another part while arguments go on", rule: "call-open", payload: 1, stream: lines(begun, part(`{"inlineData":{}}`))},
		{name: "another call while arguments go on", rule: "call-open", payload: 1, stream: lines(begun, part(`{"functionCall":{"name":"g"}}`))},
		{name: "finish while arguments go on", rule: "call-open", payload: 1, stream: lines(begun, stop)},
		{name: "content after the finish", rule: "after-finish", payload: 2, stream: lines(text, stop, text)},
		{name: "finish twice", rule: "finish-once", payload: 2, stream: lines(text, stop, stop)},
		{name: "responseId changes", rule: "id", payload: 1, stream: lines(text, `{"candidates":[],"responseId":"q"}`)},
		{name: "candidate number left out", rule: "candidate-index", payload: -1, stream: `{"candidates":[{"index":1,"finishReason":"STOP"}]}`},
		{name: "payload after the error", rule: "after-error", payload: 2, stream: lines(text, failed, stop)},
		{name: "error without message", rule: "error", payload: 0, stream: `{"error":{"code":500}}`},
		{name: "error next to candidates", rule: "error", payload: 0, stream: `{"error":{"message":"m"},"candidates":[]}`},
		{name: "DONE", rule: "done", payload: 2, stream: lines(text, stop, "[DONE]")},
		{name: "finish missing", rule: "end-missing", payload: -1, stream: text},
		{name: "finish missing for one candidate", rule: "end-missing", payload: -1, stream: lines(text, `{"candidates":[{"index":1,"finishReason":"STOP"}]}`)},
	})
}

func TestReportOfGemini(t *testing.T) {
	t.Parallel()
	report, err := sluicetest.Inspect(sluicetest.Gemini, sluicetest.SSE(sluicetest.Gemini, []string{
		part(`{"text":"h","thought":true},{"text":"m","thought":true},{"text":"a"},{"text":""}`), part(`{"text":"b"}`),
		part(`{"functionCall":{"id":"i","name":"f","args":{"n":1}}}`), `{"candidates":[{"finishReason":"STOP"}]}`,
	}))
	if err != nil {
		t.Fatal(err)
	}
	sameText(t, "texts", report.Texts, "ab")
	sameText(t, "thinking", report.Thinking, "hm")
	if len(report.Calls) != 1 || report.Calls[0] != (sluicetest.Call{ID: "i", Name: "f", Type: "functionCall", Arguments: `{"n":1}`}) || report.Finish != "STOP" {
		t.Errorf("report %+v", report)
	}
}
