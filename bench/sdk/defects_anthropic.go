package sdk

import "github.com/sluice-project/sluice/wire"

// anthropicDefects are those of anthropic-sdk-go's Message.Accumulate and of
// the stream reader below it.
func anthropicDefects() []Defect {
	return []Defect{
		{
			Name:   "anthropic-sdk-go/invalid-input-emptied",
			Format: wire.Anthropic,
			Explanation: "A tool input that is no JSON at the end of its block, because the token limit cut it, is replaced by {} without an error: " +
				"a call that looks whole and says something else.",
			Example: `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}
{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"rm","input":{}}}
{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"path\":\"/tm"}}
{"type":"content_block_stop","index":0}
{"type":"message_delta","delta":{"stop_reason":"max_tokens","stop_sequence":null},"usage":{"output_tokens":9}}
{"type":"message_stop"}`,
			Paths: []string{"block/*/input"}, When: lost,
			Raw: []string{
				"synth-eager-invalid-json",
			},
			Recoded: []string{
				"synth-eager-invalid-json",
			},
		},
		{
			Name:        "anthropic-sdk-go/cut-is-silent",
			Format:      wire.Anthropic,
			Explanation: "A stream that stops without message_stop ends like a good one: Err returns nil. Only the empty stop reason tells.",
			Example: `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}
{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}
{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}`,
			Paths: []string{"error"},
			When:  func(d Difference) bool { return d.Ours == ErrorCut && d.Theirs == "" },
			Raw: []string{
				"synth-truncated",
			},
		},
		{
			Name:   "anthropic-sdk-go/index-gap-refused",
			Format: wire.Anthropic,
			Explanation: "A block must begin at the index after the last one, else Accumulate returns an error. Translating proxies leave gaps; Sluice " +
				"takes the index as a key, and numbers the blocks anew when it writes.",
			Example: `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}
{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}
{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Hello."}}
{"type":"content_block_stop","index":1}
{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":9}}
{"type":"message_stop"}`,
			Paths: []string{"error", "usage/*", "block/*/*", "choice/*/finish"},
		},
		{
			Name:   "anthropic-sdk-go/repeated-start-resets",
			Format: wire.Anthropic,
			Explanation: "Every message_start begins the message anew. A proxy that repeats it, with the same id, while a block is open makes what came " +
				"before vanish and what follows an error.",
			Example: `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}
{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}
{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}
{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}
{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lo."}}
{"type":"content_block_stop","index":0}
{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":9}}
{"type":"message_stop"}`,
			Paths: []string{"error", "usage/*", "block/*/*", "choice/*/finish"},
		},
		{
			Name:   "anthropic-sdk-go/unnamed-events-skipped",
			Format: wire.Anthropic,
			Explanation: "Events are told apart by the event line, not by the type in the payload. Where a proxy leaves the event lines out, every event is " +
				"skipped: an empty message and no error.",
			Unnamed: true,
			Example: `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}
{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":9}}
{"type":"message_stop"}`,
			Paths: []string{"id", "model", "usage/*", "block/*/*", "choice/*/finish"}, When: lost,
		},
	}
}
