package openairesponses_test

import (
	"fmt"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openairesponses"
)

// A call is taken out of a stream and an explanation put in its place.
func Example() {
	payloads := []string{
		`{"type":"response.created","response":{"id":"resp_1","object":"response","status":"in_progress","model":"m","output":[]}}`,
		`{"type":"response.output_item.added","output_index":0,"item":{"id":"fc_1","type":"function_call","call_id":"call_1","name":"shell","arguments":""}}`,
		`{"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":0,"delta":"{\"cmd\":\"rm -rf /\"}"}`,
		`{"type":"response.output_item.done","output_index":0,"item":{"id":"fc_1","type":"function_call","call_id":"call_1","name":"shell","arguments":"{\"cmd\":\"rm -rf /\"}"}}`,
		`{"type":"response.completed","response":{"id":"resp_1","object":"response","status":"completed","model":"m","output":[]}}`,
	}
	decoder := openairesponses.NewDecoder()
	writer := openairesponses.NewWriter(stream.WriterOptions{NewID: func() string { return "1" }})
	state := stream.NewState(stream.Limits{})
	var held []*stream.Chunk
	for _, p := range payloads {
		chunk := stream.Chunk{Raw: []byte(p)}
		if err := decoder.Decode(&chunk); err != nil {
			panic(err)
		}
		if err := state.Apply(&chunk); err != nil {
			panic(err)
		}
		held = append(held, chunk.Clone())
	}
	call := state.Blocks()[0]
	fmt.Println(call.Kind(), call.ID(), call.Name(), call.Arguments())

	if err := writer.Replace(call.At(), llm.Block{Kind: llm.Content, Text: "Not allowed."}); err != nil {
		panic(err)
	}
	again, answer := openairesponses.NewDecoder(), stream.NewState(stream.Limits{})
	var out []byte
	for _, chunk := range held {
		var err error
		if out, err = writer.Write(out, chunk); err != nil {
			panic(err)
		}
	}
	for _, p := range payloadsOf(out) {
		chunk := stream.Chunk{Raw: p}
		if err := again.Decode(&chunk); err != nil {
			panic(err)
		}
		if err := answer.Apply(&chunk); err != nil {
			panic(err)
		}
	}
	for _, b := range answer.Blocks() {
		fmt.Println(b.Kind(), b.Text())
	}
	fmt.Println(answer.FinishReason())
	// Output:
	// tool_call call_1 shell {"cmd":"rm -rf /"}
	// content Not allowed.
	// completed
}
