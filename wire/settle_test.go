package wire_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// The streams here are read in different ways by official clients: some go by
// index, some by id or place, some take the last copy. What was decoded, and so
// judged, must be what every one of them gets.

func chatDelta(entry string) string {
	return `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[` + entry + `]},"finish_reason":null}]}`
}

const (
	chatFinish = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`
	anthStart  = `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`
	anthDelta  = `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":1}}`
	anthStop   = `{"type":"message_stop"}`
)

func TestAmbiguousStreamsAreSettledForEveryClient(t *testing.T) {
	cases := []struct {
		name     string
		format   wire.Format
		payloads []string
		want     string
	}{
		{
			"two calls at one index", wire.OpenAIChat,
			[]string{
				chatDelta(`{"index":0,"id":"a","type":"function","function":{"name":"read","arguments":"{\"path\":\"/etc\"}"}}`),
				chatDelta(`{"index":0,"id":"b","type":"function","function":{"name":"delete","arguments":""}}`),
				chatFinish, "[DONE]",
			},
			`read {"path":"/etc"}; delete `,
		},
		{
			"a name in pieces", wire.OpenAIChat,
			[]string{
				chatDelta(`{"index":0,"id":"a","type":"function","function":{"name":"safe_","arguments":""}}`),
				chatDelta(`{"index":0,"function":{"name":"delete"}}`),
				chatDelta(`{"index":0,"function":{"arguments":"{}"}}`),
				chatFinish, "[DONE]",
			},
			`safe_delete {}`,
		},
		{
			"no index", wire.OpenAIChat,
			[]string{
				chatDelta(`{"id":"a","type":"function","function":{"name":"read","arguments":"{}"}}`),
				chatDelta(`{"id":"b","type":"function","function":{"name":"list","arguments":"{\"x\":1}"}}`),
				chatFinish, "[DONE]",
			},
			`read {}; list {"x":1}`,
		},
		{
			"an id beats the index", wire.OpenAIChat,
			[]string{
				chatDelta(`{"index":0,"id":"a","type":"function","function":{"name":"read","arguments":""}}`),
				chatDelta(`{"index":1,"id":"b","type":"function","function":{"name":"delete","arguments":""}}`),
				chatDelta(`{"index":1,"id":"a","function":{"arguments":"{\"path\":\"/etc\"}"}}`),
				chatFinish, "[DONE]",
			},
			`read {"path":"/etc"}; delete `,
		},
		{
			"calls without ids", wire.OpenAIChat,
			[]string{
				chatDelta(`{"index":0,"id":"a","type":"function","function":{"name":"read","arguments":"{}"}}`),
				chatDelta(`{"index":1,"type":"function","function":{"name":"list","arguments":"{\"x\":1}"}}`),
				chatDelta(`{"index":2,"type":"function","function":{"name":"list","arguments":"{\"x\":2}"}}`),
				chatFinish, "[DONE]",
			},
			`read {}; list {"x":1}; list {"x":2}`,
		},
		{
			"indices that are not places", wire.OpenAIChat,
			[]string{
				chatDelta(`{"index":0,"id":"a","type":"function","function":{"name":"read","arguments":"{}"}}`),
				chatDelta(`{"index":2,"id":"b","type":"function","function":{"name":"ba","arguments":""}}`),
				chatDelta(`{"index":1,"id":"c","type":"function","function":{"name":"sh","arguments":"{\"c\":\"rm\"}"}}`),
				chatFinish, "[DONE]",
			},
			`read {}; ba ; sh {"c":"rm"}`,
		},
		{
			"indices that are not places", wire.Anthropic,
			[]string{
				anthStart,
				`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"read","input":{}}}`,
				`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"b","name":"bash","input":{}}}`,
				`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"command\":\"rm\"}"}}`,
				`{"type":"content_block_stop","index":0}`,
				`{"type":"content_block_stop","index":1}`,
				anthDelta, anthStop,
			},
			`read {"command":"rm"}; bash {}`,
		},
		{
			"an index that is used again", wire.Anthropic,
			[]string{
				anthStart,
				`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"bash","input":{}}}`,
				`{"type":"content_block_stop","index":0}`,
				`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"b","name":"read","input":{}}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"command\":\"rm\"}"}}`,
				`{"type":"content_block_stop","index":0}`,
				anthDelta, anthStop,
			},
			`bash {}; read {"command":"rm"}`,
		},
		{
			"what the provider runs, without an index", wire.Anthropic,
			[]string{
				anthStart,
				`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"bash","input":{}}}`,
				`{"type":"content_block_stop","index":0}`,
				`{"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"b","name":"search","input":{}}}`,
				`{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"{\"command\":\"rm\"}"}}`,
				`{"type":"content_block_stop"}`,
				anthDelta, anthStop,
			},
			`bash {}`,
		},
		{
			"another call in the final response", wire.OpenAIResponses,
			[]string{
				`{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","model":"m","output":[]}}`,
				`{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"fc_1","type":"function_call","status":"in_progress","call_id":"a","name":"bash","arguments":""}}`,
				`{"type":"response.function_call_arguments.delta","sequence_number":2,"item_id":"fc_1","output_index":0,"delta":"{\"command\":\"ls\"}"}`,
				`{"type":"response.function_call_arguments.done","sequence_number":3,"item_id":"fc_1","output_index":0,"arguments":"{\"command\":\"ls\"}"}`,
				`{"type":"response.output_item.done","sequence_number":4,"output_index":0,"item":{"id":"fc_1","type":"function_call","status":"completed","call_id":"a","name":"bash","arguments":"{\"command\":\"ls\"}"}}`,
				`{"type":"response.completed","sequence_number":5,"response":{"id":"r","object":"response","status":"completed","model":"m","output":[{"id":"fc_1","type":"function_call","status":"completed","call_id":"a","name":"bash","arguments":"{\"command\":\"rm\"}"}]}}`,
			},
			`bash {"command":"ls"}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name+", held back", func(t *testing.T) {
			out, err := settle(t, c.format, c.payloads, c.want, true)
			if err != nil {
				t.Fatal(err)
			}
			if got := callsOf(t, c.format, out); got != c.want {
				t.Errorf("a client gets %s, judged was %s\n%s", got, c.want, out)
			}
		})
		t.Run(c.name+", as it comes", func(t *testing.T) {
			out, err := settle(t, c.format, c.payloads, c.want, false)
			if errors.Is(err, stream.ErrGap) {
				// The first part had left. What cannot be settled any more fails.
				if report, err := sluicetest.Inspect(string(c.format), out); err != nil || !report.Failed {
					t.Errorf("%v\n%s", err, out)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := callsOf(t, c.format, out); got != c.want {
				t.Errorf("a client gets %s, judged was %s\n%s", got, c.want, out)
			}
		})
	}
}

// settle writes a stream for clients that must get what was judged. A host that
// holds chunks back knows of an ambiguity before it writes the first of them.
func settle(t *testing.T, format wire.Format, payloads []string, want string, held bool) ([]byte, error) {
	t.Helper()
	var chunks []*stream.Chunk
	ambiguous := false
	state, err := play(format, asBytes(payloads), func(c *stream.Chunk) {
		chunks = append(chunks, c.Clone())
		ambiguous = ambiguous || c.Ambiguous
	})
	if err != nil {
		t.Fatal(err)
	}
	if !ambiguous {
		t.Error("the stream does not count as ambiguous")
	}
	var judged []string
	for _, b := range state.Blocks() {
		if b.Kind() == llm.ServerTool {
			continue // the client runs nothing of it
		}
		judged = append(judged, b.Name()+" "+b.Arguments())
	}
	if got := strings.Join(judged, "; "); got != want {
		t.Errorf("judged %s, want %s", got, want)
	}
	writer := format.NewWriter(stream.WriterOptions{Settle: true})
	var out []byte
	for _, c := range chunks {
		c.Ambiguous = c.Ambiguous || held
		if out, err = writer.Write(out, c); err != nil {
			return out, err
		}
	}
	return out, nil
}

// callsOf is what a strict client would execute.
func callsOf(t *testing.T, format wire.Format, out []byte) string {
	t.Helper()
	report, err := sluicetest.Inspect(string(format), out)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var calls []string
	for _, call := range report.Calls {
		if format == wire.Anthropic && call.Arguments == "" {
			call.Arguments = "{}"
		}
		calls = append(calls, call.Name+" "+call.Arguments)
	}
	return strings.Join(calls, "; ")
}

func TestCorpusUsualStreamsAreNotAmbiguous(t *testing.T) {
	// Its calls have no index at all.
	unusual := map[string]bool{"mistral-tool-call": true}
	for _, s := range corpus(t) {
		if strings.HasPrefix(s.name, "synth-") {
			continue
		}
		ambiguous := false
		_, _ = play(s.format, readLines(t, s.path), func(c *stream.Chunk) { ambiguous = ambiguous || c.Ambiguous })
		if ambiguous != unusual[s.name] {
			t.Errorf("%s/%s: ambiguous is %v", s.format, s.name, ambiguous)
		}
	}
}
