package stream_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openaichat"
	"github.com/sluice-project/sluice/wire/sse"
)

// answer is a model's answer: some text, then two calls, the second of which
// nobody should execute.
const answer = `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Cleaning "},"finish_reason":null}]}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"up."},"finish_reason":null}]}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"list","arguments":""}}]},"finish_reason":null}]}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"path\":\".\"}"}}]},"finish_reason":null}]}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_2","type":"function","function":{"name":"delete","arguments":"{\"path\":\"/\"}"}}]},"finish_reason":null}]}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

data: [DONE]

`

// run lets a handler decide about the answer, and returns what the client got.
func run(handler stream.Handler) string {
	var client bytes.Buffer
	out := stream.NewOutput(openaichat.NewWriter(stream.WriterOptions{}), func(p []byte) error {
		_, err := client.Write(p)
		return err
	})
	source := sse.NewReader(strings.NewReader(answer), sse.Options{})
	if _, err := stream.Process(context.Background(), source, openaichat.NewDecoder(), handler, out); err != nil {
		fmt.Println("ended with:", err)
	}
	return client.String()
}

// inspect prints the blocks of what the client got.
func inspect(received string) {
	source := sse.NewReader(strings.NewReader(received), sse.Options{})
	state, err := stream.Process(context.Background(), source, openaichat.NewDecoder(), nil, nil)
	if err != nil {
		fmt.Println("the client sees:", err)
	}
	for _, b := range state.Blocks() {
		fmt.Printf("the client has: %s %s %s\n", b.Kind(), b.Name(), b.Text())
	}
	if reason := state.FinishReason(); reason != "" {
		fmt.Println("the client finishes:", reason)
	}
}

func shouldBlock(b *stream.Block) bool {
	args, err := llm.ParseArguments(b.Arguments())
	return err != nil || b.Name() == "delete" && args["path"] == "/"
}

// React to completion: look at every block when its end is proven. What was
// sent before cannot be taken back, so the answer ends as an error and the
// client, which waits for a good finish, acts on nothing.
func ExampleProcessor_reactToCompletion() {
	received := run(stream.HandlerFunc(func(_ context.Context, chunk *stream.Chunk, state *stream.State, out *stream.Output) error {
		for _, block := range state.Completed() {
			switch block.Kind() {
			case llm.ToolCall:
				if shouldBlock(block) {
					fmt.Println("blocked:", block.Name(), block.Arguments())
					return out.Terminate()
				}
				fmt.Println("allowed:", block.Name(), block.Arguments())
			default:
				fmt.Println("complete:", block.Kind(), block.Text())
			}
		}
		return out.Send(chunk)
	}))
	inspect(received)
	// Output:
	// complete: content Cleaning up.
	// allowed: list {"path":"."}
	// blocked: delete {"path":"/"}
	// ended with: stream: the answer has been ended
	// the client sees: stream: the provider reported server_error: the answer was ended inside a tool call
	// the client has: content  Cleaning up.
	// the client has: tool_call list {"path":"."}
	// the client has: tool_call delete {"path":"/"}
}

// bufferedJudge keeps everything back until it can judge.
type bufferedJudge struct{ buffered []*stream.Chunk }

func (j *bufferedJudge) OnChunk(_ context.Context, chunk *stream.Chunk, state *stream.State, out *stream.Output) error {
	j.buffered = append(j.buffered, chunk.Clone())
	for _, block := range state.Completed() {
		if block.Kind() == llm.ToolCall && shouldBlock(block) {
			if err := out.SendText("A call to " + block.Name() + " was blocked."); err != nil {
				return err
			}
			return out.Terminate()
		}
	}
	if !state.Finished() {
		return nil
	}
	for _, kept := range j.buffered {
		if err := out.Send(kept); err != nil {
			return err
		}
	}
	j.buffered = j.buffered[:0]
	return nil
}

// Buffer until completion: nothing leaves before every call is judged. One bad
// call costs the whole answer; the client gets an explanation instead.
func ExampleProcessor_bufferUntilCompletion() {
	inspect(run(&bufferedJudge{}))
	// Output:
	// ended with: stream: the answer has been ended
	// the client has: content  A call to delete was blocked.
	// the client finishes: stop
}

// perCallJudge lets text flow, keeps each tool call back until its end is proven,
// and replaces the ones it blocks. What it keeps is kept under the key of the block:
// ids can be missing, and two blocks can have the same.
type perCallJudge struct {
	order []string // the keys of the calls, as they began
	held  map[string][]*stream.Chunk
}

func (j *perCallJudge) OnChunk(_ context.Context, chunk *stream.Chunk, state *stream.State, out *stream.Output) error {
	if block := state.Current(); block != nil && block.Kind() == llm.ToolCall {
		key := block.Key()
		if j.held == nil {
			j.held = make(map[string][]*stream.Chunk)
		}
		if j.held[key] == nil {
			j.order = append(j.order, key)
		}
		j.held[key] = append(j.held[key], chunk.Clone())
		return nil
	}
	for _, block := range state.Completed() {
		if block.Kind() == llm.ToolCall && shouldBlock(block) {
			reason := llm.Block{Kind: llm.Content, Text: " [" + block.Name() + " was blocked]"}
			if err := out.Replace(block, reason); err != nil {
				return err
			}
		}
	}
	for _, key := range j.order {
		for _, kept := range j.held[key] {
			if err := out.Send(kept); err != nil {
				return err
			}
		}
		delete(j.held, key)
	}
	j.order = j.order[:0]
	return out.Send(chunk)
}

// Per-tool-call buffering: text is forwarded at once, calls wait for their
// verdict, and a blocked call is replaced by a text that says so. The call that
// was allowed is delivered, so the finish still tells the client to run it.
func ExampleProcessor_perToolCallBuffering() {
	inspect(run(&perCallJudge{}))
	// Output:
	// the client has: content  Cleaning up. [delete was blocked]
	// the client has: tool_call list {"path":"."}
	// the client finishes: tool_calls
}

// Hooks are for handlers that care about blocks and not about chunks.
func ExampleHooks() {
	run(&stream.Hooks{
		Start: func(_ context.Context, b *stream.Block, _ *stream.Output) error {
			fmt.Println("start:", b.Kind())
			return nil
		},
		Complete: func(_ context.Context, b *stream.Block, _ *stream.Output) error {
			fmt.Println("complete:", b.Kind(), b.Text())
			return nil
		},
		Finish: func(_ context.Context, c *stream.Choice, _ *stream.Output) error {
			fmt.Println("finish:", c.FinishReason(), "meaning", c.Finish())
			return nil
		},
	})
	// Output:
	// start: content
	// start: tool_call
	// complete: content Cleaning up.
	// start: tool_call
	// complete: tool_call {"path":"."}
	// complete: tool_call {"path":"/"}
	// finish: tool_calls meaning tool_calls
}
