package anthropic_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/anthropic"
)

// awaiting returns a writer for an answer that will not stream, whose ids count.
func awaiting() *anthropic.Writer {
	n := 0
	return anthropic.NewWriter(stream.WriterOptions{Whole: true, NewID: func() string {
		n++
		return strconv.Itoa(n)
	}})
}

func TestWholeAnswerTakesInsertedBlocks(t *testing.T) {
	say := llm.Block{Kind: llm.Content, Text: "own"}
	act := llm.Block{Kind: llm.ToolCall, Name: "act", Arguments: `{"a":1}`}
	taken := act
	taken.ID = "toolu_up"
	for _, tc := range []struct {
		name   string
		body   string
		blocks []llm.Block
		want   string
	}{
		{
			"text last",
			`{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"x"}],"stop_reason":"end_turn","stop_sequence":null}`,
			[]llm.Block{say},
			`{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"x"},{"type":"text","text":"own"}],"stop_reason":"end_turn","stop_sequence":null}`,
		},
		{
			"text before the first call, a call last",
			`{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"toolu_up","name":"f","input":{}}],"stop_reason":"tool_use","stop_sequence":null}`,
			[]llm.Block{act, say},
			`{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"x"},{"type":"text","text":"own"},{"type":"tool_use","id":"toolu_up","name":"f","input":{}},{"type":"tool_use","id":"toolu_1","name":"act","input":{"a":1}}],"stop_reason":"tool_use","stop_sequence":null}`,
		},
		{
			"a call where there is none",
			`{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"x"}],"stop_reason":"end_turn","stop_sequence":null}`,
			[]llm.Block{act},
			`{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"toolu_1","name":"act","input":{"a":1}}],"stop_reason":"tool_use","stop_sequence":null}`,
		},
		{
			"a call whose id is taken",
			`{"id":"m","type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_up","name":"f","input":{}}],"stop_reason":"tool_use","stop_sequence":null}`,
			[]llm.Block{taken},
			`{"id":"m","type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_up","name":"f","input":{}},{"type":"tool_use","id":"toolu_1","name":"act","input":{"a":1}}],"stop_reason":"tool_use","stop_sequence":null}`,
		},
		{
			"a limit stays one",
			`{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"x"}],"stop_reason":"max_tokens","stop_sequence":null}`,
			[]llm.Block{act},
			`{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"toolu_1","name":"act","input":{"a":1}}],"stop_reason":"max_tokens","stop_sequence":null}`,
		},
		{
			"signed thinking",
			`{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"x"}],"stop_reason":"end_turn","stop_sequence":null}`,
			[]llm.Block{{Kind: llm.Thinking, Text: " own hm", Signature: "s"}},
			`{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"x"},{"type":"thinking","thinking":" own hm","signature":"s"}],"stop_reason":"end_turn","stop_sequence":null}`,
		},
		{
			"an empty message",
			`{"id":"m","type":"message","role":"assistant","content":[],"stop_reason":"end_turn","stop_sequence":null}`,
			[]llm.Block{say},
			`{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"own"}],"stop_reason":"end_turn","stop_sequence":null}`,
		},
		{
			"a message without content",
			`{"id":"m","type":"message","role":"assistant","stop_reason":"end_turn"}`,
			[]llm.Block{say},
			`{"id":"m","type":"message","role":"assistant","stop_reason":"end_turn","content":[{"type":"text","text":"own"}]}`,
		},
		{
			"a failure takes nothing",
			`{"type":"error","error":{"type":"api_error","message":"no"}}`,
			[]llm.Block{say},
			`{"type":"error","error":{"type":"api_error","message":"no"}}`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := awaiting()
			out, err := w.Insert(nil, 0, tc.blocks...)
			if err != nil || len(out) > 0 || len(w.Keepalive(nil)) > 0 {
				t.Fatalf("before the answer: %v, %s", err, out)
			}
			c := stream.Chunk{Raw: []byte(tc.body)}
			if err = anthropic.NewDecoder().Decode(&c); err == nil {
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
		{[]llm.Block{}, `{"id":"msg_1","type":"message","role":"assistant","model":"sluice","content":[],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}`},
		{[]llm.Block{{Kind: llm.Content, Text: "own"}}, `{"id":"msg_1","type":"message","role":"assistant","model":"sluice","content":[{"type":"text","text":"own"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}`},
		{[]llm.Block{{Kind: llm.ToolCall, ID: "x", Name: "act"}}, `{"id":"msg_1","type":"message","role":"assistant","model":"sluice","content":[{"type":"tool_use","id":"x","name":"act","input":{}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}`},
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
			w := anthropic.NewWriter(stream.WriterOptions{Whole: whole})
			out, err := w.Fail(nil, tc.cause)
			if err != nil || !strings.Contains(string(out), tc.want) || strings.Contains(string(out), "secret") {
				t.Errorf("%s: %v, %s", tc.name, err, out)
			}
			if isBody := strings.HasPrefix(string(out), `{"type":"error","error":{`); isBody != whole {
				t.Errorf("%s: whole %v, written %s", tc.name, whole, out)
			}
		}
	}
}
