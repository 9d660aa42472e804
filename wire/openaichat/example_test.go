package openaichat_test

import (
	"fmt"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openaichat"
)

// A stream is decoded, a call in it is replaced by a text, and what is left is
// written.
func Example() {
	payloads := []string{
		`{"id":"c1","choices":[{"index":0,"delta":{"role":"assistant","content":"Deleting."},"finish_reason":null}]}`,
		`{"id":"c1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"rm","arguments":"{\"path\":\"/\"}"}}]},"finish_reason":null}]}`,
		`{"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
		`[DONE]`,
	}
	decoder := openaichat.NewDecoder()
	state := stream.NewState(stream.Limits{})
	writer := openaichat.NewWriter(stream.WriterOptions{})
	var held []*stream.Chunk
	for _, payload := range payloads {
		chunk := &stream.Chunk{Raw: []byte(payload)}
		if err := decoder.Decode(chunk); err != nil {
			fmt.Println(err)
			return
		}
		if err := state.Apply(chunk); err != nil {
			fmt.Println(err)
			return
		}
		held = append(held, chunk.Clone())
		for _, block := range state.Completed() {
			fmt.Println(block.Kind(), block.Name(), block.Text())
			if block.Kind() == llm.ToolCall {
				err := writer.Replace(block.At(), llm.Block{Kind: llm.Content, Text: " Not allowed."})
				if err != nil {
					fmt.Println(err)
				}
			}
		}
	}
	var out []byte
	for _, chunk := range held {
		var err error
		if out, err = writer.Write(out, chunk); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Printf("%s", out)
	// Output:
	// content  Deleting.
	// tool_call rm {"path":"/"}
	// data: {"id":"c1","choices":[{"index":0,"delta":{"role":"assistant","content":"Deleting."},"finish_reason":null}]}
	//
	// data: {"id":"c1","object":"chat.completion.chunk","created":0,"model":"","choices":[{"index":0,"delta":{"content":" Not allowed."},"finish_reason":null}]}
	//
	// data: {"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}
	//
	// data: [DONE]
}
