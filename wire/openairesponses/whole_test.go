package openairesponses_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openairesponses"
)

// awaiting returns a writer for an answer that will not stream, whose ids count.
func awaiting() *openairesponses.Writer {
	n := 0
	return openairesponses.NewWriter(stream.WriterOptions{Whole: true, NewID: func() string {
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
			"text last",
			`{"id":"r","object":"response","status":"completed","output":[{"id":"fc_up","type":"function_call","status":"completed","call_id":"call_up","name":"f","arguments":"{}"}]}`,
			[]llm.Block{say},
			`{"id":"r","object":"response","status":"completed","output":[{"id":"fc_up","type":"function_call","status":"completed","call_id":"call_up","name":"f","arguments":"{}"},{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"own"}]}]}`,
		},
		{
			"a call last",
			`{"id":"r","object":"response","status":"completed","output":[{"id":"fc_up","type":"function_call","status":"completed","call_id":"call_up","name":"f","arguments":"{}"}]}`,
			[]llm.Block{act},
			`{"id":"r","object":"response","status":"completed","output":[{"id":"fc_up","type":"function_call","status":"completed","call_id":"call_up","name":"f","arguments":"{}"},{"id":"fc_2","type":"function_call","status":"completed","call_id":"call_1","name":"act","arguments":"{\"a\":1}"}]}`,
		},
		{
			"a call whose id is taken",
			`{"id":"r","object":"response","status":"completed","output":[{"id":"fc_up","type":"function_call","status":"completed","call_id":"call_up","name":"f","arguments":"{}"}]}`,
			[]llm.Block{taken},
			`{"id":"r","object":"response","status":"completed","output":[{"id":"fc_up","type":"function_call","status":"completed","call_id":"call_up","name":"f","arguments":"{}"},{"id":"fc_1","type":"function_call","status":"completed","call_id":"call_2","name":"act","arguments":"{\"a\":1}"}]}`,
		},
		{
			"an empty output",
			`{"id":"r","object":"response","status":"completed","output":[]}`,
			[]llm.Block{say},
			`{"id":"r","object":"response","status":"completed","output":[{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"own"}]}]}`,
		},
		{
			"an output that is null",
			`{"id":"r","object":"response","status":"completed","output":null}`,
			[]llm.Block{say},
			`{"id":"r","object":"response","status":"completed","output":[{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"own"}]}]}`,
		},
		{
			"a response that was cut",
			`{"id":"r","object":"response","status":"incomplete","output":[]}`,
			[]llm.Block{say},
			`{"id":"r","object":"response","status":"incomplete","output":[{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"own"}]}]}`,
		},
		{
			"a response that failed takes nothing",
			`{"id":"r","object":"response","status":"failed","output":[]}`,
			[]llm.Block{say},
			`{"id":"r","object":"response","status":"failed","output":[]}`,
		},
		{
			"an error takes nothing",
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
			if err = openairesponses.NewDecoder().Decode(&c); err == nil {
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
		{[]llm.Block{}, `{"id":"resp_1","object":"response","created_at":0,"status":"completed","error":null,"incomplete_details":null,"model":"","output":[],"usage":null}`},
		{[]llm.Block{{Kind: llm.Content, Text: "own"}}, `{"id":"resp_1","object":"response","created_at":0,"status":"completed","error":null,"incomplete_details":null,"model":"","output":[{"id":"msg_2","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"own"}]}],"usage":null}`},
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
			w := openairesponses.NewWriter(stream.WriterOptions{Whole: whole})
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
