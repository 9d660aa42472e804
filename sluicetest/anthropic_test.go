package sluicetest_test

import (
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
)

const (
	antStart    = `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}`
	antText     = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	antHi       = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}`
	antClose    = `{"type":"content_block_stop","index":0}`
	antTool     = `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}`
	antInput    = `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{}"}}`
	antThink    = `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`
	antEndTurn  = `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}}`
	antToolTurn = `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":2}}`
	antStop     = `{"type":"message_stop"}`
	antPing     = `{"type":"ping"}`
	antError    = `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`
)

func TestValidateAnthropic(t *testing.T) {
	t.Parallel()
	start := antStart + nl
	text := start + antText + nl + antHi + nl + antClose + nl
	tool := start + antTool + nl + antInput + nl + antClose + nl
	check(t, sluicetest.Anthropic, []streamCase{
		{name: "text", stream: text + antEndTurn + nl + antStop},
		{name: "tool", stream: tool + antToolTurn + nl + antStop},
		{name: "tool without input delta", stream: start + antTool + nl + antClose + nl + antToolTurn + nl + antStop},
		{name: "thinking with a signature only", stream: start + antThink + nl + `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}` + nl + antClose + nl + antEndTurn + nl + antStop},
		{name: "no blocks at all", stream: start + antEndTurn + nl + antStop},
		{name: "pings everywhere", stream: antPing + nl + start + antPing + nl + antText + nl + antPing + nl + antHi + nl + antClose + nl + antPing + nl + antEndTurn + nl + antPing + nl + antStop},
		{name: "citations", stream: start + antText + nl + `{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{}}}` + nl + antHi + nl + antClose + nl + antEndTurn + nl + antStop},
		{name: "server tool and its result", stream: start + `{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"s","name":"web_search","input":{}}}` + nl + antInput + nl + antClose + nl + `{"type":"content_block_start","index":1,"content_block":{"type":"web_search_tool_result","tool_use_id":"s","content":[]}}` + nl + `{"type":"content_block_stop","index":1}` + nl + antEndTurn + nl + antStop},
		{name: "redacted thinking", stream: start + `{"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"xyz"}}` + nl + antClose + nl + antEndTurn + nl + antStop},
		{name: "unknown events, blocks and deltas", stream: start + `{"type":"novelty"}` + nl + `{"type":"content_block_start","index":0,"content_block":{"type":"novel_block"}}` + nl + antHi + nl + `{"type":"content_block_delta","index":0,"delta":{"type":"novel_delta"}}` + nl + antClose + nl + antEndTurn + nl + antStop},
		{name: "message_delta without a reason first", stream: text + `{"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":1}}` + nl + antEndTurn + nl + antStop},
		{name: "message_start with content and stop_reason", stream: `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[{"type":"tool_use","id":"t","name":"f","input":{"a":1}}],"stop_reason":"tool_use","usage":{}}}` + nl + antStop},
		{name: "text after a tool", stream: tool + `{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"x"}}` + nl + `{"type":"content_block_stop","index":1}` + nl + antToolTurn + nl + antStop},
		{name: "end_turn with a tool", stream: tool + antEndTurn + nl + antStop},
		{name: "error inside a block", stream: start + antText + nl + antHi + nl + antError},
		{name: "error first", stream: antError},
		{name: "error before message_stop", stream: text + antEndTurn + nl + antError},

		{name: "type missing", rule: "type", payload: 0, stream: `{}`},
		{name: "block before message_start", rule: "message-start", payload: 0, stream: antText},
		{name: "message_start twice", rule: "message-start", payload: 1, stream: start + antStart},
		{name: "message without id", rule: "message-id", payload: 0, stream: `{"type":"message_start","message":{"type":"message","role":"assistant","model":"x","content":[],"usage":{}}}`},
		{name: "message of another type", rule: "message-type", payload: 0, stream: `{"type":"message_start","message":{"id":"m","role":"assistant","model":"x","content":[],"usage":{}}}`},
		{name: "message of another role", rule: "role", payload: 0, stream: `{"type":"message_start","message":{"id":"m","type":"message","role":"user","model":"x","content":[],"usage":{}}}`},
		{name: "message without model", rule: "model", payload: 0, stream: `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"usage":{}}}`},
		{name: "message without usage", rule: "usage", payload: 0, stream: `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[]}}`},
		{name: "message without content", rule: "message-start", payload: 0, stream: `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","usage":{}}}`},
		{name: "first block is 1", rule: "block-index", payload: 1, stream: start + `{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`},
		{name: "index reused", rule: "block-index", payload: 4, stream: text + antText},
		{name: "index missing", rule: "block-index", payload: 2, stream: start + antText + nl + `{"type":"content_block_delta","delta":{"type":"text_delta","text":"x"}}`},
		{name: "blocks overlap", rule: "block-overlap", payload: 2, stream: start + antText + nl + `{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`},
		{name: "block without type", rule: "block-type", payload: 1, stream: start + `{"type":"content_block_start","index":0,"content_block":{}}`},
		{name: "delta without a block", rule: "block-open", payload: 1, stream: start + antHi},
		{name: "delta for another block", rule: "block-open", payload: 2, stream: start + antText + nl + `{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"x"}}`},
		{name: "stop for another block", rule: "block-open", payload: 2, stream: start + antText + nl + `{"type":"content_block_stop","index":1}`},
		{name: "stop twice", rule: "block-open", payload: 4, stream: text + antClose},
		{name: "input in a text block", rule: "delta-kind", payload: 2, stream: start + antText + nl + antInput},
		{name: "text in a tool block", rule: "delta-kind", payload: 2, stream: start + antTool + nl + antHi},
		{name: "text in a result block", rule: "delta-kind", payload: 2, stream: start + `{"type":"content_block_start","index":0,"content_block":{"type":"mcp_tool_result","tool_use_id":"s"}}` + nl + antHi},
		{name: "delta without its text", rule: "delta", payload: 2, stream: start + antText + nl + `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta"}}`},
		{name: "text block without text", rule: "empty-text", payload: 2, stream: start + antText + nl + antClose},
		{name: "tool without id", rule: "tool-id", payload: 1, stream: start + `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"f","input":{}}}`},
		{name: "tool without name", rule: "tool-name", payload: 1, stream: start + `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","input":{}}}`},
		{name: "tool without input", rule: "tool-input", payload: 1, stream: start + `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f"}}`},
		{name: "result without its call", rule: "tool-id", payload: 1, stream: start + `{"type":"content_block_start","index":0,"content_block":{"type":"mcp_tool_result"}}`},
		{name: "two tools with one id", rule: "tool-id-unique", payload: 4, stream: tool + `{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}`},
		{name: "text after a tool, forbidden", rule: "text-after-calls", payload: 4, opts: sluicetest.Options{ForbidTextAfterCalls: true}, stream: tool + `{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"x"}}`},
		{name: "message_delta in a block", rule: "block-unclosed", payload: 2, stream: start + antText + nl + antEndTurn},
		{name: "message_delta without usage", rule: "usage", payload: 4, stream: text + `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`},
		{name: "block after message_delta", rule: "block-after-delta", payload: 5, stream: text + antEndTurn + nl + `{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`},
		{name: "stop_reason twice", rule: "stop-reason-once", payload: 5, stream: text + antEndTurn + nl + antEndTurn},
		{name: "stop_reason tool_use without a tool", rule: "finish-calls", payload: 4, stream: text + antToolTurn},
		{name: "end_turn with a tool, forbidden", rule: "finish-stop", payload: 4, opts: sluicetest.Options{ForbidStopWithCalls: true}, stream: tool + antEndTurn},
		{name: "input that is not JSON, forbidden", rule: "arguments", payload: 4, opts: sluicetest.Options{RequireJSONArguments: true}, stream: start + antTool + nl + `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{oops"}}` + nl + antClose + nl + antToolTurn},
		{name: "message_stop without stop_reason", rule: "stop-reason-missing", payload: 4, stream: text + antStop},
		{name: "message_stop in a block", rule: "block-unclosed", payload: 2, stream: start + antText + nl + antStop},
		{name: "message_stop twice", rule: "after-stop", payload: 6, stream: text + antEndTurn + nl + antStop + nl + antStop},
		{name: "error after message_stop", rule: "after-stop", payload: 6, stream: text + antEndTurn + nl + antStop + nl + antError},
		{name: "message_stop after the error", rule: "after-error", payload: 5, stream: text + antError + nl + antStop},
		{name: "error without message", rule: "error", payload: 1, stream: start + `{"type":"error","error":{"type":"api_error"}}`},
		{name: "DONE", rule: "done", payload: 6, stream: text + antEndTurn + nl + antStop + nl + "[DONE]"},
		{name: "message_stop missing", rule: "end-missing", payload: -1, stream: text + antEndTurn},
	})
}

func TestAnthropicEventNamesMustMatch(t *testing.T) {
	t.Parallel()
	sameRule(t, sluicetest.ValidateAnthropic([]byte("event: ping\ndata: "+antStart+"\n\n")), "event-name", 0)
	sameRule(t, sluicetest.ValidateAnthropic([]byte("data: "+antStart+"\n\n")), "event-name", 0)
}

func TestReportOfAnthropic(t *testing.T) {
	t.Parallel()
	report, err := sluicetest.Inspect(sluicetest.Anthropic, sluicetest.SSE(sluicetest.Anthropic, []string{
		antStart, antThink, `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`, antClose,
		`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"a"}}`, `{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"b"}}`, `{"type":"content_block_stop","index":1}`,
		`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t","name":"f","input":{"from":"start"}}}`, `{"type":"content_block_stop","index":2}`,
		`{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"u","name":"g","input":{}}}`, `{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{oops"}}`, `{"type":"content_block_stop","index":3}`,
		antToolTurn, antStop,
	}))
	if err != nil {
		t.Fatal(err)
	}
	sameText(t, "texts", report.Texts, "ab")
	sameText(t, "thinking", report.Thinking, "hm")
	if len(report.Calls) != 2 || report.Calls[0].Arguments != `{"from":"start"}` || report.Calls[1].Arguments != "{oops" || len(report.Warnings) != 1 {
		t.Errorf("report %+v", report)
	}
}
