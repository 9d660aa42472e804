package gemini_test

import (
	"fmt"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/gemini"
)

// A call arrives, is replaced by a text, and every other byte of the answer leaves unchanged.
func Example() {
	payloads := []string{
		`{"candidates":[{"content":{"parts":[{"text":"Let me clean up."}],"role":"model"},"index":0}],"responseId":"r1"}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"shell","args":{"cmd":"rm -rf /"}}}],"role":"model"},"finishReason":"STOP","index":0}],"responseId":"r1"}`,
	}
	var (
		decoder = gemini.NewDecoder()
		state   = stream.NewState(stream.Limits{})
		writer  = gemini.NewWriter(stream.WriterOptions{})
		chunk   stream.Chunk
		out     []byte
	)
	for _, payload := range payloads {
		chunk.Raw = []byte(payload)
		if err := decoder.Decode(&chunk); err != nil {
			fmt.Println(err)
			return
		}
		if err := state.Apply(&chunk); err != nil {
			fmt.Println(err)
			return
		}
		for _, block := range state.Completed() {
			fmt.Println(block.Kind(), block.Name(), block.Text())
			if block.Kind() == llm.ToolCall {
				_ = writer.Replace(block.At(), llm.Block{Kind: llm.Content, Text: " (blocked)"})
			}
		}
		out, _ = writer.Write(out, &chunk)
	}
	fmt.Print("\n", string(out))
	// Output:
	// content  Let me clean up.
	// tool_call shell {"cmd":"rm -rf /"}
	//
	// data: {"candidates":[{"content":{"parts":[{"text":"Let me clean up."}],"role":"model"},"index":0}],"responseId":"r1"}
	//
	// data: {"candidates":[{"content":{"parts":[{"text":" (blocked)"}],"role":"model"},"finishReason":"STOP","index":0}],"responseId":"r1"}
}

// The secret in a tool's result is redacted in the request, and nothing else
// changes.
func ExampleReadRequest() {
	body := []byte(`{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"read","response":{"text":"key sk-1"}}}]}]}`)
	request, err := gemini.ReadRequest(body)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, block := range request.Messages[0].Blocks {
		fmt.Println(block.Kind, block.Name, block.Text, string(block.BodySpan.In(body)))
	}
	// Output: tool_result read key sk-1 "key sk-1"
}
