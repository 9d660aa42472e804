package recording_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/recording"
)

// clean copies an answer from r to w without the calls that unwanted names.
func clean(ctx context.Context, r io.Reader, w io.Writer, format wire.Format, unwanted func(*stream.Block) bool) error {
	source, err := recording.NewSource(r, 0) // an event stream, JSON lines, an array or a whole response
	if err != nil {
		return err
	}
	out := stream.NewOutput(format.NewWriter(stream.WriterOptions{}), func(p []byte) error {
		_, err := w.Write(p)
		return err
	})
	var held []*stream.Chunk // from the first call on
	handler := stream.HandlerFunc(func(_ context.Context, chunk *stream.Chunk, state *stream.State, out *stream.Output) error {
		block := state.Current()
		if len(held) == 0 && (block == nil || block.Kind() != llm.ToolCall) && !state.Finished() {
			return out.Send(chunk)
		}
		held = append(held, chunk.Clone())
		for _, block := range state.Completed() {
			if block.Kind() == llm.ToolCall && unwanted(block) {
				notice := llm.Block{Kind: llm.Content, Text: "[" + block.Name() + " was blocked]"}
				if err := out.Replace(block, notice); err != nil {
					return err
				}
			}
		}
		if !state.Finished() {
			return nil
		}
		for _, kept := range held {
			if err := out.Send(kept); err != nil {
				return err
			}
		}
		held = held[:0]
		return nil
	})
	_, err = stream.Process(ctx, source, format.NewDecoder(), handler, out)
	return err
}

const twoCalls = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Cleaning up."},"finish_reason":null}]}

data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"list","arguments":"{}"}}]},"finish_reason":null}]}

data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_2","type":"function","function":{"name":"delete","arguments":"{}"}}]},"finish_reason":null}]}

data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

data: [DONE]

`

// The function of docs/streams.md at work.
func ExampleNewSource() {
	var out bytes.Buffer
	deletes := func(b *stream.Block) bool { return b.Name() == "delete" }
	if err := clean(context.Background(), strings.NewReader(twoCalls), &out, wire.OpenAIChat, deletes); err != nil {
		fmt.Println(err)
	}
	report, err := recording.Inspect(&out, recording.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range report.Choices[0].Blocks {
		fmt.Println(b.Kind, b.Name, b.Text)
	}
	// Output:
	// content  Cleaning up.[delete was blocked]
	// tool_call list
}

// What the page shows is what runs here.
func TestThePageOnStreamsShowsTheExample(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/streams.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("docs_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(source), "\nfunc clean(")
	code, _, _ = strings.Cut(code, "\n}\n")
	shown := ""
	for line := range strings.SplitSeq("func clean("+code+"\n}", "\n") {
		text := strings.TrimLeft(line, "\t")
		if shown += strings.Repeat("    ", len(line)-len(text)+1) + text + "\n"; text == "" {
			t.Fatal("the function has an empty line")
		}
	}
	if !strings.Contains(string(page), shown) {
		t.Errorf("docs/streams.md does not show\n%s", shown)
	}
}
