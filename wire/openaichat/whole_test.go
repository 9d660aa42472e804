package openaichat_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openaichat"
)

// awaiting returns a writer for an answer that will not stream, whose ids count.
func awaiting() *openaichat.Writer {
	n := 0
	return openaichat.NewWriter(stream.WriterOptions{Whole: true, NewID: func() string {
		n++
		return strconv.Itoa(n)
	}})
}

func TestWholeAnswerTakesInsertedBlocks(t *testing.T) {
	say := llm.Block{Kind: llm.Content, Text: "own"}
	act := llm.Block{Kind: llm.ToolCall, Name: "act", Arguments: `{"a":1}`}
	taken := act
	taken.ID = "call_up"
	for _, tc := range []struct {
		name   string
		body   string
		blocks []llm.Block
		want   string
	}{
		{
			"text after the content",
			`{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"hello "},"finish_reason":"stop"}]}`,
			[]llm.Block{say},
			`{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"hello own"},"finish_reason":"stop"}]}`,
		},
		{
			"text where there is none",
			`{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_up","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
			[]llm.Block{say},
			`{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"own","tool_calls":[{"id":"call_up","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
		},
		{
			"a call where there is none",
			`{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}]}`,
			[]llm.Block{act},
			`{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"x","tool_calls":[{"id":"call_1","type":"function","function":{"name":"act","arguments":"{\"a\":1}"}}]},"finish_reason":"tool_calls"}]}`,
		},
		{
			"a call after the others, whose id it must not take",
			`{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_up","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
			[]llm.Block{taken},
			`{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_up","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"call_1","type":"function","function":{"name":"act","arguments":"{\"a\":1}"}}]},"finish_reason":"tool_calls"}]}`,
		},
		{
			"a limit stays one",
			`{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"length"}]}`,
			[]llm.Block{act},
			`{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"x","tool_calls":[{"id":"call_1","type":"function","function":{"name":"act","arguments":"{\"a\":1}"}}]},"finish_reason":"length"}]}`,
		},
		{
			"a refusal after the other",
			`{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":null,"refusal":"no"},"finish_reason":"stop"}]}`,
			[]llm.Block{{Kind: llm.Refusal, Text: " own no"}},
			`{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":null,"refusal":"no own no"},"finish_reason":"stop"}]}`,
		},
		{
			"thinking after the other",
			`{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","reasoning":"hm","content":"x"},"finish_reason":"stop"}]}`,
			[]llm.Block{{Kind: llm.Thinking, Text: " own hm", Signature: "s"}},
			`{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","reasoning":"hm own hm","content":"x","reasoning_details":[{"type":"reasoning.text","text":" own hm","signature":"s","index":0}]},"finish_reason":"stop"}]}`,
		},
		{
			"a failure takes nothing",
			`{"error":{"message":"no"}}`,
			[]llm.Block{say},
			`{"error":{"message":"no"}}`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := awaiting()
			out, err := w.Insert(nil, 0, tc.blocks...)
			if err != nil || len(out) > 0 || len(w.Keepalive(nil)) > 0 {
				t.Fatalf("before the answer: %v, %s", err, out)
			}
			c := stream.Chunk{Raw: []byte(tc.body)}
			if err = openaichat.NewDecoder().Decode(&c); err == nil {
				out, err = w.Write(nil, &c)
			}
			if err != nil || string(out) != tc.want {
				t.Fatalf("%v, written\n%s\nwant\n%s", err, out, tc.want)
			}
			if out, err = w.Terminate(nil); len(out) > 0 || !errors.Is(err, stream.ErrTerminated) {
				t.Errorf("after the answer: %v, %s", err, out)
			}
		})
	}
}

func TestTerminateInsteadOfAWholeAnswer(t *testing.T) {
	for _, tc := range []struct {
		blocks []llm.Block
		want   string
	}{
		{[]llm.Block{}, `{"id":"chatcmpl-1","object":"chat.completion","created":0,"model":"","choices":[{"index":0,"message":{"role":"assistant","content":""},"finish_reason":"stop"}]}`},
		{[]llm.Block{{Kind: llm.Content, Text: "own"}}, `{"id":"chatcmpl-1","object":"chat.completion","created":0,"model":"","choices":[{"index":0,"message":{"role":"assistant","content":"own"},"finish_reason":"stop"}]}`},
		{[]llm.Block{{Kind: llm.ToolCall, ID: "x", Name: "act"}}, `{"id":"chatcmpl-1","object":"chat.completion","created":0,"model":"","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"act","arguments":""}}]},"finish_reason":"tool_calls"}]}`},
	} {
		w := awaiting()
		if _, err := w.Insert(nil, 0, tc.blocks...); err != nil {
			t.Fatal(err)
		}
		if out, err := w.Terminate(nil); err != nil || string(out) != tc.want {
			t.Errorf("%v, written\n%s\nwant\n%s", err, out, tc.want)
		}
	}
}

// What the client is told about a failure quotes nothing of an unjudged
// payload.
func TestFailQuotesNoPayload(t *testing.T) {
	unread := stream.NewProtocolError(&stream.Chunk{Raw: []byte(`{"secret":1}`)}, "it has no sense", errors.New("at secret"))
	for _, tc := range []struct {
		name  string
		cause error
		want  string
	}{
		{"a payload that cannot be read", unread, "it has no sense"},
		{"the same inside another error", fmt.Errorf("reading: %w", unread), "it has no sense"},
		{"an error of the provider that is no object", &stream.ProviderError{Raw: []byte(`"secret"`)}, "the provider reported an error"},
		{"an error of the provider with a message", &stream.ProviderError{Message: "overloaded", Raw: []byte("secret")}, "overloaded"},
		{"another error", errors.New("the judge is away"), "the judge is away"},
	} {
		for _, whole := range []bool{false, true} {
			w := openaichat.NewWriter(stream.WriterOptions{Whole: whole})
			out, err := w.Fail(nil, tc.cause)
			if err != nil || !strings.Contains(string(out), tc.want) || strings.Contains(string(out), "secret") {
				t.Errorf("%s: %v, %s", tc.name, err, out)
			}
			if isBody := strings.HasPrefix(string(out), `{"error":{`); isBody != whole {
				t.Errorf("%s: whole %v, written %s", tc.name, whole, out)
			}
		}
	}
}
