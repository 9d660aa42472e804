package gemini_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/gemini"
)

// awaiting returns a writer for an answer that will not stream, whose ids count.
func awaiting() *gemini.Writer {
	n := 0
	return gemini.NewWriter(stream.WriterOptions{Whole: true, NewID: func() string {
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
			`{"candidates":[{"content":{"parts":[{"text":"x"}],"role":"model"},"finishReason":"STOP","index":0}],"modelVersion":"m"}`,
			[]llm.Block{say},
			`{"candidates":[{"content":{"parts":[{"text":"x"},{"text":"own"}],"role":"model"},"finishReason":"STOP","index":0}],"modelVersion":"m"}`,
		},
		{
			"text before the first call, a call last",
			`{"candidates":[{"content":{"parts":[{"text":"x"},{"functionCall":{"id":"call_up","name":"f","args":{}}}],"role":"model"},"finishReason":"STOP","index":0}],"modelVersion":"m"}`,
			[]llm.Block{act, say},
			`{"candidates":[{"content":{"parts":[{"text":"x"},{"text":"own"},{"functionCall":{"id":"call_up","name":"f","args":{}}},{"functionCall":{"name":"act","args":{"a":1}}}],"role":"model"},"finishReason":"STOP","index":0}],"modelVersion":"m"}`,
		},
		{
			"a call whose id is taken",
			`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"call_up","name":"f","args":{}}}],"role":"model"},"finishReason":"STOP","index":0}],"modelVersion":"m"}`,
			[]llm.Block{taken},
			`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"call_up","name":"f","args":{}}},{"functionCall":{"id":"call_1","name":"act","args":{"a":1}}}],"role":"model"},"finishReason":"STOP","index":0}],"modelVersion":"m"}`,
		},
		{
			"a candidate without content",
			`{"candidates":[{"finishReason":"STOP","index":0}],"modelVersion":"m"}`,
			[]llm.Block{say},
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"own"}]},"finishReason":"STOP","index":0}],"modelVersion":"m"}`,
		},
		{
			"content without parts",
			`{"candidates":[{"content":{"role":"model"},"finishReason":"MAX_TOKENS"}],"modelVersion":"m"}`,
			[]llm.Block{say},
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"own"}]},"finishReason":"MAX_TOKENS"}],"modelVersion":"m"}`,
		},
		{
			"no candidates",
			`{"candidates":[],"modelVersion":"m"}`,
			[]llm.Block{say},
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"own"}]},"finishReason":"STOP","index":0}],"modelVersion":"m"}`,
		},
		{
			"a list of responses",
			`[{"candidates":[{"content":{"parts":[{"text":"x"}],"role":"model"},"index":0}],"modelVersion":"m"},{"candidates":[{"content":{"parts":[{"functionCall":{"id":"call_up","name":"f","args":{}}}],"role":"model"},"finishReason":"STOP","index":0}],"modelVersion":"m"}]`,
			[]llm.Block{say},
			`[{"candidates":[{"content":{"parts":[{"text":"x"}],"role":"model"},"index":0}],"modelVersion":"m"},{"candidates":[{"content":{"parts":[{"text":"own"},{"functionCall":{"id":"call_up","name":"f","args":{}}}],"role":"model"},"finishReason":"STOP","index":0}],"modelVersion":"m"}]`,
		},
		{
			"a blocked prompt takes nothing",
			`{"promptFeedback":{"blockReason":"SAFETY"}}`,
			[]llm.Block{say},
			`{"promptFeedback":{"blockReason":"SAFETY"}}`,
		},
		{
			"a failure takes nothing",
			`{"error":{"code":500,"message":"no"}}`,
			[]llm.Block{say},
			`{"error":{"code":500,"message":"no"}}`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := awaiting()
			out, err := w.Insert(nil, 0, tc.blocks...)
			if err != nil || len(out) > 0 || len(w.Keepalive(nil)) > 0 {
				t.Fatalf("before the answer: %v, %s", err, out)
			}
			c := stream.Chunk{Raw: []byte(tc.body)}
			if err = gemini.NewDecoder().DecodeWhole(&c); err == nil {
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
		{[]llm.Block{}, `{"candidates":[{"finishReason":"STOP","index":0}]}`},
		{[]llm.Block{{Kind: llm.Content, Text: "own"}}, `{"candidates":[{"content":{"role":"model","parts":[{"text":"own"}]},"finishReason":"STOP","index":0}]}`},
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
			w := gemini.NewWriter(stream.WriterOptions{Whole: whole})
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
