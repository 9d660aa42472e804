package sluicetest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
)

const (
	resCreated  = `{"type":"response.created","response":{"id":"r","status":"in_progress","output":[]}}`
	resMsgAdd   = `{"type":"response.output_item.added","output_index":0,"item":{"id":"m","type":"message","role":"assistant","content":[]}}`
	resPartAdd  = `{"type":"response.content_part.added","item_id":"m","output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}`
	resDelta    = `{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":"Hi"}`
	resTextDone = `{"type":"response.output_text.done","item_id":"m","output_index":0,"content_index":0,"text":"Hi"}`
	resPartDone = `{"type":"response.content_part.done","item_id":"m","output_index":0,"content_index":0,"part":{"type":"output_text","text":"Hi"}}`
	resMsg      = `{"id":"m","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hi"}]}`
	resMsgDone  = `{"type":"response.output_item.done","output_index":0,"item":` + resMsg + `}`
	resEnd      = `{"type":"response.completed","response":{"id":"r","status":"completed","output":[` + resMsg + `]}}`
	resEmptyEnd = `{"type":"response.completed","response":{"id":"r","status":"completed","output":[]}}`

	resCallAdd   = `{"type":"response.output_item.added","output_index":0,"item":{"id":"fc","type":"function_call","call_id":"call","name":"f","arguments":""}}`
	resArgs      = `{"type":"response.function_call_arguments.delta","item_id":"fc","output_index":0,"delta":"{}"}`
	resArgsDone  = `{"type":"response.function_call_arguments.done","item_id":"fc","output_index":0,"arguments":"{}"}`
	resCall      = `{"id":"fc","type":"function_call","call_id":"call","name":"f","arguments":"{}"}`
	resCallDone  = `{"type":"response.output_item.done","output_index":0,"item":` + resCall + `}`
	resCallEnd   = `{"type":"response.completed","response":{"id":"r","status":"completed","output":[` + resCall + `]}}`
	resFlatError = `{"type":"error","code":"server_error","message":"m","param":null}`
	resFailed    = `{"type":"response.failed","response":{"id":"r","status":"failed","output":[],"error":{"code":"c","message":"m"}}}`
)

// numbered gives every payload of a stream its sequence number.
func numbered(stream string) string {
	lines := strings.Split(stream, nl)
	for i := range lines {
		lines[i] = fmt.Sprintf(`{"sequence_number":%d,%s`, i, strings.TrimPrefix(lines[i], "{"))
	}
	return strings.Join(lines, nl)
}

func lines(payloads ...string) string { return strings.Join(payloads, nl) }

func TestValidateOpenAIResponses(t *testing.T) {
	t.Parallel()
	message := lines(resCreated, resMsgAdd, resPartAdd, resDelta, resTextDone, resPartDone, resMsgDone, resEnd)
	open := lines(resCreated, resMsgAdd, resPartAdd, resDelta) + nl
	reasoning := func(status, item string) string {
		return lines(resCreated, `{"type":"response.output_item.added","output_index":0,"item":{"id":"rs","type":"reasoning","summary":[]}}`,
			status, `{"type":"response.output_item.done","output_index":0,"item":`+item+`}`, `{"type":"response.completed","response":{"id":"r","status":"completed","output":[`+item+`]}}`)
	}
	check(t, sluicetest.OpenAIResponses, []streamCase{
		{name: "message", stream: message},
		{name: "numbered", stream: numbered(message)},
		{name: "numbered from another start", stream: lines(`{"type":"response.created","sequence_number":7,"response":{"id":"r"}}`, `{"type":"response.completed","sequence_number":8,"response":{"id":"r","status":"completed","output":[]}}`)},
		{name: "DONE after the end", stream: message + nl + "[DONE]"},
		{name: "function call", stream: lines(resCreated, resCallAdd, resArgs, resArgsDone, resCallDone, resCallEnd)},
		{name: "queued and in progress", stream: lines(resCreated, `{"type":"response.queued","response":{"id":"r"}}`, `{"type":"response.in_progress","response":{"id":"r"}}`, resEmptyEnd)},
		{name: "empty output although items were sent", stream: lines(resCreated, resMsgAdd, resPartAdd, resDelta, resTextDone, resPartDone, resMsgDone, resEmptyEnd)},
		{name: "empty reasoning item", stream: reasoning(`{"type":"novelty"}`, `{"id":"rs","type":"reasoning","summary":[]}`)},
		{name: "encrypted content that changes", stream: reasoning(`{"type":"novelty"}`, `{"id":"rs","type":"reasoning","summary":[],"encrypted_content":"x"}`)},
		{name: "raw reasoning without part events", stream: reasoning(lines(`{"type":"response.reasoning_text.delta","item_id":"rs","output_index":0,"content_index":0,"delta":"hm"}`, `{"type":"response.reasoning_text.done","item_id":"rs","output_index":0,"content_index":0,"text":"hm"}`), `{"id":"rs","type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"hm"}]}`)},
		{name: "incomplete in a call", stream: lines(resCreated, resCallAdd, `{"type":"response.function_call_arguments.delta","item_id":"fc","output_index":0,"delta":"{\"a"}`, `{"type":"response.output_item.done","output_index":0,"item":{"id":"fc","type":"function_call","call_id":"call","name":"f","arguments":"{\"a","status":"incomplete"}}`, `{"type":"response.incomplete","response":{"id":"r","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[{"id":"fc","type":"function_call","call_id":"call","name":"f","arguments":"{\"a","status":"incomplete"}]}}`)},
		{name: "shell commands without item_id", stream: lines(resCreated, `{"type":"response.output_item.added","output_index":0,"item":{"id":"sh","type":"shell_call","call_id":"call","action":{"commands":[]}}}`, `{"type":"response.shell_call_command.added","output_index":0,"command_index":0,"command":""}`, `{"type":"response.shell_call_command.delta","output_index":0,"command_index":0,"delta":"ls"}`, `{"type":"response.shell_call_command.done","output_index":0,"command_index":0,"command":"ls"}`, `{"type":"response.output_item.done","output_index":0,"item":{"id":"sh","type":"shell_call","call_id":"call","action":{"commands":["ls"]}}}`, resEmptyEnd)},
		{name: "error alone", stream: resFlatError},
		{name: "nested error then failed", stream: open + lines(`{"type":"error","error":{"type":"t","message":"m"}}`, resFailed)},
		{name: "failed alone", stream: open + resFailed},

		{name: "type missing", rule: "type", payload: 0, stream: `{}`},
		{name: "item before created", rule: "created-first", payload: 0, stream: resMsgAdd},
		{name: "created twice", rule: "created-once", payload: 1, stream: lines(resCreated, resCreated)},
		{name: "response without id", rule: "id", payload: 0, stream: `{"type":"response.created","response":{}}`},
		{name: "id of the response changes", rule: "id", payload: 1, stream: lines(resCreated, `{"type":"response.in_progress","response":{"id":"q"}}`)},
		{name: "sequence number on some payloads", rule: "sequence", payload: 1, stream: lines(numbered(resCreated), resMsgAdd)},
		{name: "sequence number jumps", rule: "sequence", payload: 1, stream: lines(`{"type":"response.created","sequence_number":0,"response":{"id":"r"}}`, `{"type":"response.in_progress","sequence_number":2,"response":{"id":"r"}}`)},
		{name: "output_index jumps", rule: "output-index", payload: 1, stream: lines(resCreated, strings.Replace(resMsgAdd, `"output_index":0`, `"output_index":1`, 1))},
		{name: "output_index used twice", rule: "output-index", payload: 4, stream: open + resMsgAdd},
		{name: "item without id", rule: "item-id", payload: 1, stream: lines(resCreated, strings.Replace(resMsgAdd, `"id":"m",`, ``, 1))},
		{name: "two items with one id", rule: "item-id", payload: 4, stream: open + strings.Replace(resMsgAdd, `"output_index":0`, `"output_index":1`, 1)},
		{name: "event for an item that was not added", rule: "item-unknown", payload: 1, stream: lines(resCreated, resDelta)},
		{name: "event for an item that is done", rule: "item-done", payload: 7, stream: open + lines(resTextDone, resPartDone, resMsgDone, `{"type":"response.novelty.happened","output_index":0}`)},
		{name: "item done twice", rule: "item-done", payload: 7, stream: open + lines(resTextDone, resPartDone, resMsgDone, resMsgDone)},
		{name: "item_id of another item", rule: "item-id", payload: 3, stream: lines(resCreated, resMsgAdd, resPartAdd, strings.Replace(resDelta, `"item_id":"m"`, `"item_id":"z"`, 1))},
		{name: "message of another role", rule: "role", payload: 1, stream: lines(resCreated, strings.Replace(resMsgAdd, "assistant", "user", 1))},
		{name: "part index jumps", rule: "part-index", payload: 2, stream: lines(resCreated, resMsgAdd, strings.Replace(resPartAdd, `"content_index":0`, `"content_index":1`, 1))},
		{name: "summary index jumps", rule: "part-index", payload: 2, stream: reasoning(`{"type":"response.reasoning_summary_part.added","item_id":"rs","output_index":0,"summary_index":1,"part":{"type":"summary_text","text":""}}`, `{}`)},
		{name: "content part in a call", rule: "part-kind", payload: 2, stream: lines(resCreated, resCallAdd, strings.Replace(resPartAdd, `"m"`, `"fc"`, 1))},
		{name: "delta without its part", rule: "part-unknown", payload: 2, stream: lines(resCreated, resMsgAdd, resDelta)},
		{name: "arguments for a message", rule: "part-unknown", payload: 4, stream: open + strings.Replace(resArgs, `"fc"`, `"m"`, 1)},
		{name: "refusal in a text part", rule: "delta-kind", payload: 4, stream: open + strings.Replace(resDelta, "output_text", "refusal", 1)},
		{name: "delta after the text is done", rule: "text-done", payload: 5, stream: open + lines(resTextDone, resDelta)},
		{name: "part done twice", rule: "part-done", payload: 6, stream: open + lines(resTextDone, resPartDone, resPartDone)},
		{name: "text done differs from its deltas", rule: "four-copies", payload: 4, stream: open + strings.Replace(resTextDone, "Hi", "Ho", 1)},
		{name: "part done differs from its deltas", rule: "four-copies", payload: 5, stream: open + lines(resTextDone, strings.Replace(resPartDone, "Hi", "Ho", 1))},
		{name: "item done differs from its deltas", rule: "four-copies", payload: 6, stream: open + lines(resTextDone, resPartDone, strings.Replace(resMsgDone, "Hi", "Ho", 1))},
		{name: "output differs from the items", rule: "four-copies", payload: 7, stream: open + lines(resTextDone, resPartDone, resMsgDone, strings.Replace(resEnd, "Hi", "Ho", 1))},
		{name: "id in the output differs", rule: "four-copies", payload: 7, stream: open + lines(resTextDone, resPartDone, resMsgDone, strings.Replace(resEnd, `"id":"m"`, `"id":"z"`, 1))},
		{name: "item done has a part less", rule: "four-copies", payload: 6, stream: open + lines(resTextDone, resPartDone, `{"type":"response.output_item.done","output_index":0,"item":{"id":"m","type":"message","role":"assistant","content":[]}}`)},
		{name: "arguments done differ from their deltas", rule: "four-copies", payload: 3, stream: lines(resCreated, resCallAdd, resArgs, strings.Replace(resArgsDone, `"{}"`, `"{1}"`, 1))},
		{name: "arguments of the item differ", rule: "four-copies", payload: 4, stream: lines(resCreated, resCallAdd, resArgs, resArgsDone, strings.Replace(resCallDone, `"{}"`, `"{1}"`, 1))},
		{name: "arguments in the output differ", rule: "four-copies", payload: 5, stream: lines(resCreated, resCallAdd, resArgs, resArgsDone, resCallDone, strings.Replace(resCallEnd, `"{}"`, `"{1}"`, 1))},
		{name: "summary in the item differs", rule: "four-copies", payload: 6, stream: reasoning(lines(`{"type":"response.reasoning_summary_part.added","item_id":"rs","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}}`, `{"type":"response.reasoning_summary_text.delta","item_id":"rs","output_index":0,"summary_index":0,"delta":"hm"}`, `{"type":"response.reasoning_summary_text.done","item_id":"rs","output_index":0,"summary_index":0,"text":"hm"}`, `{"type":"response.reasoning_summary_part.done","item_id":"rs","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":"hm"}}`), `{"id":"rs","type":"reasoning","summary":[{"type":"summary_text","text":"oh"}]}`)},
		{name: "text never done", rule: "done-missing", payload: 4, stream: open + resMsgDone},
		{name: "part never done", rule: "part-unfinished", payload: 5, stream: open + lines(resTextDone, resMsgDone)},
		{name: "item done under another id", rule: "item-id", payload: 6, stream: open + lines(resTextDone, resPartDone, strings.Replace(resMsgDone, `"id":"m"`, `"id":"z"`, 1))},
		{name: "item done as another type", rule: "item-type", payload: 4, stream: lines(resCreated, resCallAdd, resArgs, resArgsDone, strings.Replace(resCallDone, `"function_call"`, `"custom_tool_call"`, 1))},
		{name: "call without call_id", rule: "call-id", payload: 1, stream: lines(resCreated, strings.Replace(resCallAdd, `"call_id":"call",`, ``, 1))},
		{name: "call_id changes", rule: "call-id", payload: 4, stream: lines(resCreated, resCallAdd, resArgs, resArgsDone, strings.Replace(resCallDone, `"call"`, `"other"`, 1))},
		{name: "two calls with one call_id", rule: "call-id-unique", payload: 2, stream: lines(resCreated, resCallAdd, `{"type":"response.output_item.added","output_index":1,"item":{"id":"fd","type":"function_call","call_id":"call","name":"f","arguments":""}}`)},
		{name: "call without name", rule: "tool-name", payload: 1, stream: lines(resCreated, strings.Replace(resCallAdd, `"name":"f",`, ``, 1))},
		{name: "name changes", rule: "tool-name", payload: 4, stream: lines(resCreated, resCallAdd, resArgs, resArgsDone, strings.Replace(resCallDone, `"f"`, `"g"`, 1))},
		{name: "completed before the item is done", rule: "item-unfinished", payload: 4, stream: open + resEnd},
		{name: "output has more items than were sent", rule: "output", payload: 5, stream: lines(resCreated, resCallAdd, resArgs, resArgsDone, resCallDone, strings.Replace(resCallEnd, resCall, resCall+","+resCall, 1))},
		{name: "empty output, forbidden", rule: "output", payload: 5, opts: sluicetest.Options{RequireOutput: true}, stream: lines(resCreated, resCallAdd, resArgs, resArgsDone, resCallDone, resEmptyEnd)},
		{name: "output missing", rule: "output", payload: 1, stream: lines(resCreated, `{"type":"response.completed","response":{"id":"r","status":"completed"}}`)},
		{name: "arguments that are not JSON, forbidden", rule: "arguments", payload: 4, opts: sluicetest.Options{RequireJSONArguments: true}, stream: strings.ReplaceAll(lines(resCreated, resCallAdd, resArgs, resArgsDone, resCallDone), `"{}"`, `"{oops"`)},
		{name: "status of another end", rule: "status", payload: 1, stream: lines(resCreated, `{"type":"response.completed","response":{"id":"r","status":"in_progress","output":[]}}`)},
		{name: "completed with an error", rule: "status", payload: 1, stream: lines(resCreated, `{"type":"response.completed","response":{"id":"r","status":"completed","output":[],"error":{"message":"m"}}}`)},
		{name: "incomplete without a reason", rule: "status", payload: 1, stream: lines(resCreated, `{"type":"response.incomplete","response":{"id":"r","status":"incomplete","output":[]}}`)},
		{name: "two ends", rule: "after-end", payload: 2, stream: lines(resCreated, resEmptyEnd, resEmptyEnd)},
		{name: "error after the end", rule: "after-end", payload: 2, stream: lines(resCreated, resEmptyEnd, resFlatError)},
		{name: "completed after the error", rule: "after-error", payload: 2, stream: lines(resCreated, resFlatError, resEmptyEnd)},
		{name: "item after the error", rule: "after-error", payload: 2, stream: lines(resCreated, resFlatError, resMsgAdd)},
		{name: "error without message", rule: "error", payload: 1, stream: lines(resCreated, `{"type":"error"}`)},
		{name: "DONE before the end", rule: "terminal-missing", payload: 1, stream: lines(resCreated, "[DONE]")},
		{name: "DONE twice", rule: "done-once", payload: 3, stream: lines(resCreated, resEmptyEnd, "[DONE]", "[DONE]")},
		{name: "payload after DONE", rule: "done-last", payload: 3, stream: lines(resCreated, resEmptyEnd, "[DONE]", resEmptyEnd)},
		{name: "end missing", rule: "end-missing", payload: -1, stream: strings.TrimSuffix(open, nl)},
	})
}

func TestResponsesEventNamesMustMatch(t *testing.T) {
	t.Parallel()
	sameRule(t, sluicetest.ValidateOpenAIResponses([]byte("data: "+resCreated+"\n\n")), "event-name", 0)
	sameRule(t, sluicetest.ValidateOpenAIResponses([]byte("event: error\ndata: "+resCreated+"\n\n")), "event-name", 0)
}

func TestReportOfOpenAIResponses(t *testing.T) {
	t.Parallel()
	report, err := sluicetest.Inspect(sluicetest.OpenAIResponses, sluicetest.SSE(sluicetest.OpenAIResponses, []string{resCreated, resCallAdd, resArgs, resArgsDone, resCallDone, resCallEnd}))
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Calls) != 1 || report.Calls[0] != (sluicetest.Call{ID: "call", Name: "f", Type: "function_call", Arguments: "{}"}) || report.Finish != "completed" {
		t.Errorf("report %+v", report)
	}
}
