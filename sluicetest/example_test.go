package sluicetest_test

import (
	"fmt"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
)

// A model says one word and calls one tool. The stream that a provider would
// send is legal; with its last event lost it is not.
func Example() {
	blocks := []llm.Block{
		{Kind: llm.Content, Text: "Looking."},
		{Kind: llm.ToolCall, ID: "toolu_1", Name: "Bash", Arguments: `{"command":"ls"}`},
	}
	payloads := sluicetest.Build(sluicetest.Anthropic, [][]llm.Block{blocks}, sluicetest.BuildOptions{MaxPiece: 8})
	stream := sluicetest.SSE(sluicetest.Anthropic, payloads)

	report, err := sluicetest.Inspect(sluicetest.Anthropic, stream)
	fmt.Println(err, report.Ended, report.Finish)
	fmt.Println(report.Texts, report.Calls[0].Name, report.Calls[0].Arguments)

	cut := sluicetest.SSE(sluicetest.Anthropic, payloads[:len(payloads)-1])
	fmt.Println(sluicetest.ValidateAnthropic(cut))

	// Output:
	// <nil> true tool_use
	// [Looking.] Bash {"command":"ls"}
	// anthropic: end-missing: the answer just stops: no good end and no error
}

// A violation names the payload and the rule.
func ExampleValidateAnthropic() {
	stream := sluicetest.SSE(sluicetest.Anthropic, []string{
		`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"usage":{}}}`,
		`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`,
	})
	fmt.Println(sluicetest.ValidateAnthropic(stream))

	// Output:
	// anthropic: payload 1: block-index: block 1 starts, want index 0 in "{\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}"
}
