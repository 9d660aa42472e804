package anthropic_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/anthropic"
)

// An answer with a call that is not wanted: it is decoded, the call is replaced
// by a text, and the stop reason follows.
func Example() {
	payloads := []string{
		`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":9,"output_tokens":1}}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"bash","input":{}}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"command\":"}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\"rm -rf /\"}"}}`,
		`{"type":"content_block_stop","index":0}`,
		`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":7}}`,
		`{"type":"message_stop"}`,
	}
	decoder := anthropic.NewDecoder()
	state := stream.NewState(stream.Limits{})
	writer := anthropic.NewWriter(stream.WriterOptions{})

	var held []*stream.Chunk // nothing leaves before it is judged
	for _, payload := range payloads {
		chunk := &stream.Chunk{Raw: []byte(payload)}
		if err := decoder.Decode(chunk); err != nil {
			log.Fatal(err)
		}
		if err := state.Apply(chunk); err != nil {
			log.Fatal(err)
		}
		held = append(held, chunk.Clone())
	}
	for _, block := range state.Blocks() {
		fmt.Println(block.Kind(), block.Name(), block.Arguments())
		if err := writer.Replace(block.At(), llm.Block{Kind: llm.Content, Text: "Blocked."}); err != nil {
			log.Fatal(err)
		}
	}
	var out []byte
	for _, chunk := range held {
		var err error
		if out, err = writer.Write(out, chunk); err != nil {
			log.Fatal(err)
		}
	}
	for line := range strings.Lines(string(out)) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			fmt.Print(data)
		}
	}
	// Output:
	// tool_call bash {"command":"rm -rf /"}
	// {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":9,"output_tokens":1}}}
	// {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}
	// {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Blocked."}}
	// {"type":"content_block_stop","index":0}
	// {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":7}}
	// {"type":"message_stop"}
}

// A text in a request is replaced where it stands.
func ExampleReadRequest() {
	request, err := anthropic.ReadRequest([]byte(`{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true}`))
	if err != nil {
		log.Fatal(err)
	}
	block := request.Messages[0].Blocks[0]
	fmt.Println(request.Model, request.Stream, block.Text, block.BodySpan)
	// Output: m true hi {50 54}
}
