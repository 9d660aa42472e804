package sdk

import "github.com/sluice-project/sluice/wire"

// responsesDefects are those of openai-go's reader of Responses streams.
func responsesDefects() []Defect {
	return []Defect{
		{
			Name:   "openai-go/copies-not-reconciled",
			Format: wire.OpenAIResponses,
			Explanation: "An answer is said up to four times: in deltas, in done events, in finished items and in the final response. There is no " +
				"accumulator for HTTP streams, so that a program sees whichever copy it reads, and providers leave some out (no deltas, " +
				"an empty final output) or shorten them.",
			Example: `{"type":"response.created","sequence_number":0,"response":{"id":"r","model":"m","status":"in_progress","output":[]}}
{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}}
{"type":"response.content_part.added","sequence_number":2,"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}
{"type":"response.output_text.delta","sequence_number":3,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"Hello."}
{"type":"response.output_text.done","sequence_number":4,"item_id":"msg_1","output_index":0,"content_index":0,"text":"Hello."}
{"type":"response.content_part.done","sequence_number":5,"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"Hello.","annotations":[]}}
{"type":"response.output_item.done","sequence_number":6,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hello.","annotations":[]}]}}
{"type":"response.completed","sequence_number":7,"response":{"id":"r","model":"m","status":"completed","output":[],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}}`,
			Paths: []string{"deltas/*", "final/*", "final/call/*/*", "items/*", "items/call/*/*", "copies/*"},
			Raw: []string{
				"agw-refusal",
				"lmstudio-tool-call",
				"openai-phase",
				"openai-shell-container",
			},
			Recoded: []string{"openai-shell-container"}, // the done text does not continue the deltas, which have left
		},
		{
			Name:   "openai-go/error-ends-reading",
			Format: wire.OpenAIResponses,
			Explanation: "A payload with a member error ends the iteration. The response.failed that follows it, with the status of the answer, is " +
				"never seen.",
			Example: `{"type":"response.created","sequence_number":0,"response":{"id":"r","model":"m","status":"in_progress","output":[]}}
{"type":"error","sequence_number":1,"error":{"type":"insufficient_quota","code":"insufficient_quota","message":"none left","param":null}}
{"type":"response.failed","sequence_number":2,"response":{"id":"r","model":"m","status":"failed","output":[],"error":{"code":"insufficient_quota","message":"none left"}}}`,
			Paths: []string{"choice/*/finish"}, When: lost,
			Raw: []string{
				"openai-error",
			},
		},
		{
			Name:        "openai-go/responses-cut-is-silent",
			Format:      wire.OpenAIResponses,
			Explanation: "A stream that stops before its terminal event ends like a good one: Err returns nil.",
			Example: `{"type":"response.created","sequence_number":0,"response":{"id":"r","model":"m","status":"in_progress","output":[]}}
{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}}`,
			Paths: []string{"error"},
			When:  func(d Difference) bool { return d.Ours == ErrorCut && d.Theirs == "" },
		},
	}
}
