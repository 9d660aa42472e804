package stream_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openaichat"
	"github.com/sluice-project/sluice/wire/sse"
)

// Process is the host's loop: it reads the payloads, feeds them, and says how the
// answer ended. Without a handler and an output it only reads.
func ExampleProcess() {
	source := sse.NewReader(strings.NewReader(answer), sse.Options{})
	state, err := stream.Process(context.Background(), source, openaichat.NewDecoder(), nil, nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	fmt.Println(state.Text())
	for _, call := range state.Calls() {
		fmt.Println(call.Key(), call.Name(), call.Arguments(), call.Ended())
	}
	// Output:
	// Cleaning up.
	// 0:1 list {"path":"."} true
	// 0:2 delete {"path":"/"} true
}

// hintJudge begins to judge a call when it seems to have ended, because the next
// block began. Its judge may be slow, and most calls of an answer are judged by the
// time the finish proves their ends. The hint is no proof: more of the call can
// follow, so a verdict counts only for the arguments that were judged.
type hintJudge struct {
	verdicts map[string]verdict // by Block.Key
	held     []*stream.Chunk
}

type verdict struct {
	arguments string
	blocked   bool
}

func (j *hintJudge) judge(b *stream.Block, when string) verdict {
	v := verdict{b.Arguments(), shouldBlock(b)}
	fmt.Printf("%s: %s %s, blocked %v\n", when, b.Name(), v.arguments, v.blocked)
	return v
}

func (j *hintJudge) OnChunk(_ context.Context, chunk *stream.Chunk, state *stream.State, out *stream.Output) error {
	for _, b := range state.Hinted() {
		if b.Kind() == llm.ToolCall {
			j.verdicts[b.Key()] = j.judge(b, "on the hint")
		}
	}
	for _, b := range state.Completed() {
		if b.Kind() != llm.ToolCall {
			continue
		}
		v, judged := j.verdicts[b.Key()]
		if !judged || v.arguments != b.Arguments() {
			v = j.judge(b, "at the end")
		}
		if v.blocked {
			if err := out.Replace(b, llm.Block{Kind: llm.Content, Text: " [" + b.Name() + " was blocked]"}); err != nil {
				return err
			}
		}
	}
	// Text flows; from the first call on everything waits for the finish.
	if len(state.Calls()) > 0 && !state.Finished() {
		j.held = append(j.held, chunk.Clone())
		return nil
	}
	for _, kept := range j.held {
		if err := out.Send(kept); err != nil {
			return err
		}
	}
	j.held = j.held[:0]
	return out.Send(chunk)
}

// Judge on hints: the verdict is there before the proof, and release waits for the
// proof.
func ExampleState_Hinted() {
	inspect(run(&hintJudge{verdicts: make(map[string]verdict)}))
	// Output:
	// on the hint: list {"path":"."}, blocked false
	// at the end: delete {"path":"/"}, blocked true
	// the client has: content  Cleaning up. [delete was blocked]
	// the client has: tool_call list {"path":"."}
	// the client finishes: tool_calls
}
