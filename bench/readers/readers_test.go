package readers

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/wire"
)

// opened are all readers, started once for all tests: each start costs more than
// hundreds of answers.
var opened = sync.OnceValues(func() ([]Reader, error) { return Open(os.Getenv("SLUICE_READERS")) })

func TestMain(m *testing.M) {
	status := m.Run()
	readers, err := opened()
	for _, r := range readers {
		err = errors.Join(err, r.Close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

// eachReader runs a test with every reader.
func eachReader(t *testing.T, test func(t *testing.T, r Reader)) {
	t.Helper()
	readers, err := opened()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range readers {
		t.Run(r.Name(), func(t *testing.T) { test(t, r) })
	}
	if os.Getenv("SLUICE_READERS") == "" {
		for _, l := range slices.Concat(javaScript, python) {
			t.Run(l.name, func(t *testing.T) {
				t.Skip("SLUICE_READERS does not name the libraries; `make sdk` installs them and sets it")
			})
		}
	}
}

// written is an answer of testdata: a text and two calls.
func written(t *testing.T, dialect wire.Format, stream bool) Answer {
	t.Helper()
	name := string(dialect) + ".json"
	if stream {
		name = string(dialect) + ".sse"
	}
	body, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return Answer{Dialect: dialect, Stream: stream, Body: body}
}

// theCalls are those of testdata.
var theCalls = []Call{
	{Name: "Bash", Arguments: `{"command":"echo one"}`, ID: "call_1"},
	{Name: "Read", Arguments: `{"path":"two.txt"}`, ID: "call_2"},
}

// read lets a reader read one answer.
func read(t *testing.T, r Reader, answer Answer) Reading {
	t.Helper()
	readings, err := r.Read(t.Context(), []Answer{answer})
	if err != nil {
		t.Fatal(err)
	}
	return readings[0]
}

// compact takes the spaces out of arguments; those of the test data have none
// that matter but in "echo one".
func compact(arguments string) string {
	return strings.NewReplacer(`": `, `":`, `, "`, `,"`).Replace(arguments)
}

// TestSDKReadersFindExactlyTheCalls: every way of reading, in every place where
// calls are handed out, has the two calls, with their arguments and in order.
func TestSDKReadersFindExactlyTheCalls(t *testing.T) {
	eachReader(t, func(t *testing.T, r Reader) {
		for _, dialect := range r.Dialects() {
			for _, stream := range []bool{true, false} {
				form := "whole"
				if stream {
					form = "streamed"
				}
				t.Run(string(dialect)+" "+form, func(t *testing.T) {
					got := read(t, r, written(t, dialect, stream))
					if got.Error != "" {
						t.Errorf("it fails: %s", got.Error)
					}
					byPlace := map[string][]Call{}
					for _, call := range got.Calls {
						byPlace[call.Via] = append(byPlace[call.Via], call)
					}
					want := places[place{r.Name(), dialect, stream}]
					if len(want) == 0 {
						t.Errorf("the test does not know where the reader finds calls: it found %v", byPlace)
					}
					for _, via := range want {
						if byPlace[via] == nil {
							t.Errorf("there are no calls in %q", via)
						}
					}
					for via, calls := range byPlace {
						if !slices.Contains(want, via) {
							t.Errorf("there are calls in %q, which the test does not know: %v", via, calls)
						}
						checkCalls(t, via, calls)
					}
				})
			}
		}
	})
}

func checkCalls(t *testing.T, via string, calls []Call) {
	t.Helper()
	want := theCalls
	if len(calls) != len(want) {
		t.Errorf("%s: %d calls, want %d: %v", via, len(calls), len(want), calls)
		return
	}
	for i, call := range calls {
		if call.Name != want[i].Name || compact(call.Arguments) != want[i].Arguments || cmp.Or(call.ID, want[i].ID) != want[i].ID {
			t.Errorf("%s: the call %d is %+v, want %+v", via, i, call, want[i])
		}
	}
}

type place struct {
	reader  string
	dialect wire.Format
	stream  bool
}

// places says where each reader finds calls, so that a place that is lost, for
// example after an upgrade of a library, is seen.
var places = map[place][]string{
	{"codex", wire.OpenAIResponses, true}:      {"output_item.done"},
	{"codex", wire.OpenAIResponses, false}:     {"output"},
	{"credulous", wire.OpenAIResponses, false}: {"output"},
	{"credulous", wire.OpenAIResponses, true}: {
		"added, arguments.done by output_index", "added, output_item.done by output_index", "added and deltas by output_index",
		"added, arguments.done by item_id", "added, output_item.done by item_id", "added and deltas by item_id",
	},
	{"openai-node", wire.OpenAIChat, true}: {
		"chunks, as the guide", "chunks, as the example", "chat.completions.stream: arguments.done", "chat.completions.stream: message",
		"chat.completions.stream: functionToolCall", "chat.completions.stream: finalChatCompletion",
	},
	{"openai-node", wire.OpenAIChat, false}: {"chat.completions.create"},
	{"openai-node", wire.OpenAIResponses, true}: {
		"responses.create, stream: arguments.done", "responses.create, stream: output_item.done", "responses.create, stream: completed",
		"responses.create, stream: added and deltas", "responses.stream: output_item.done", "responses.stream: finalResponse",
	},
	{"openai-node", wire.OpenAIResponses, false}: {"responses.create"},
	{"ai-sdk", wire.OpenAIChat, true}: {
		"streamText, openai: tool-call", "streamText, openai: executed", "streamText, openai: toolCalls",
		"streamText, openai-compatible: tool-call", "streamText, openai-compatible: executed", "streamText, openai-compatible: toolCalls",
	},
	{"ai-sdk", wire.OpenAIChat, false}: {
		"generateText, openai: executed", "generateText, openai: content",
		"generateText, openai-compatible: executed", "generateText, openai-compatible: content",
	},
	{"ai-sdk", wire.OpenAIResponses, true}:              {"streamText, openai: tool-call", "streamText, openai: executed", "streamText, openai: toolCalls"},
	{"ai-sdk", wire.OpenAIResponses, false}:             {"generateText, openai: executed", "generateText, openai: content"},
	{"ai-sdk", wire.Anthropic, true}:                    {"streamText, anthropic: tool-call", "streamText, anthropic: executed", "streamText, anthropic: toolCalls"},
	{"ai-sdk", wire.Anthropic, false}:                   {"generateText, anthropic: executed", "generateText, anthropic: content"},
	{"ai-sdk", wire.Gemini, true}:                       {"streamText, google: tool-call", "streamText, google: executed", "streamText, google: toolCalls"},
	{"ai-sdk", wire.Gemini, false}:                      {"generateText, google: executed", "generateText, google: content"},
	{"anthropic-sdk-typescript", wire.Anthropic, true}:  {"messages.create, stream: content_block_stop", "messages.create, stream: end", "messages.stream: contentBlock", "messages.stream: message", "messages.stream: finalMessage"},
	{"anthropic-sdk-typescript", wire.Anthropic, false}: {"messages.create"},
	{"js-genai", wire.Gemini, true}:                     {"generateContentStream: functionCalls", "generateContentStream: parts"},
	{"js-genai", wire.Gemini, false}:                    {"generateContent: functionCalls", "generateContent: parts"},
	{"openai-python", wire.OpenAIChat, true}:            {"chunks, as the guide", "chat.completions.stream: arguments.done", "chat.completions.stream: get_final_completion"},
	{"openai-python", wire.OpenAIChat, false}:           {"chat.completions.create"},
	{"openai-python", wire.OpenAIResponses, false}:      {"responses.create"},
	{"anthropic-sdk-python", wire.Anthropic, true}:      {"messages.create, stream: content_block_stop", "messages.create, stream: end", "messages.stream: content_block_stop", "messages.stream: get_final_message"},
	{"anthropic-sdk-python", wire.Anthropic, false}:     {"messages.create"},
	{"python-genai", wire.Gemini, true}:                 {"generate_content_stream: function_calls", "generate_content_stream: parts"},
	{"python-genai", wire.Gemini, false}:                {"generate_content: function_calls", "generate_content: parts"},
	{"openai-python", wire.OpenAIResponses, true}: {
		"responses.create, stream: arguments.done", "responses.create, stream: output_item.done", "responses.create, stream: completed",
		"responses.create, stream: added and deltas", "responses.stream: output_item.done", "responses.stream: get_final_response",
	},
}
