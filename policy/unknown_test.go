package policy_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
)

// anthropicWith returns a stream with one block of a type.
func anthropicWith(block string, deltas ...string) string {
	payloads := []string{
		`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hello"}}`,
		`{"type":"content_block_stop","index":0}`,
		`{"type":"content_block_start","index":1,"content_block":` + block + `}`,
	}
	for _, d := range deltas {
		payloads = append(payloads, `{"type":"content_block_delta","index":1,"delta":`+d+`}`)
	}
	payloads = append(payloads,
		`{"type":"content_block_stop","index":1}`,
		`{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":9}}`,
		`{"type":"message_stop"}`)
	return string(sluicetest.SSE(sluicetest.Anthropic, payloads))
}

func responsesWith(item string) string {
	return string(sluicetest.SSE(sluicetest.OpenAIResponses, []string{
		`{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"m","output":[]}}`,
		`{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":` + item + `}`,
		`{"type":"response.output_item.done","sequence_number":2,"output_index":0,"item":` + item + `}`,
		`{"type":"response.completed","sequence_number":3,"response":{"id":"resp_1","object":"response","status":"completed","model":"m","output":[` + item + `],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}}`,
	}))
}

// A call in a type that nobody knows is judged like any other.
func TestACallInAnUnknownTypeIsJudged(t *testing.T) {
	for _, tc := range []struct {
		name, format, stream string
	}{
		{"a type that says so", sluicetest.Anthropic, anthropicWith(`{"type":"future_tool_use","id":"x","name":"bad","input":{"secret":"X9ZZY"}}`)},
		{"name and input", sluicetest.Anthropic, anthropicWith(`{"type":"gadget","name":"bad","input":{"secret":"X9ZZY"}}`)},
		{"name and arguments within", sluicetest.Anthropic, anthropicWith(`{"type":"gadget","function":{"name":"bad","arguments":"{\"secret\":\"X9ZZY\"}"}}`)},
		{"input that streams", sluicetest.Anthropic, anthropicWith(`{"type":"gadget","name":"bad","input":{}}`, `{"type":"input_json_delta","partial_json":"{\"secret\":\"X9ZZY\"}"}`)},
		{"an item", sluicetest.OpenAIResponses, responsesWith(`{"type":"gadget_call","id":"g_1","name":"bad","arguments":"{\"secret\":\"X9ZZY\"}","status":"completed"}`)},
		{"an item with an action", sluicetest.OpenAIResponses, responsesWith(`{"type":"gadget","id":"g_1","name":"bad","action":{"secret":"X9ZZY"},"status":"completed"}`)},
	} {
		for _, waits := range []bool{false, true} {
			def := blockNamed("bad")
			def.Waits = waits
			d := sluicetest.Enforcement{Set: set(t, def)}.Stream(context.Background(), tc.format, strings.NewReader(tc.stream))
			if d.Err != nil || d.Invalid != nil {
				t.Errorf("%s: %v, %v\n%s", tc.name, d.Err, d.Invalid, d.Bytes)
			}
			if bytes.Contains(d.Bytes, []byte("X9ZZY")) {
				t.Errorf("%s: the call left:\n%s", tc.name, d.Bytes)
			}
			if !bytes.Contains(d.Bytes, []byte("blocked the tool call bad")) {
				t.Errorf("%s: no notice:\n%s", tc.name, d.Bytes)
			}
			allowed := sluicetest.Enforcement{Set: set(t, blockNamed("other"))}.Stream(context.Background(), tc.format, strings.NewReader(tc.stream))
			if allowed.Err != nil || string(allowed.Bytes) != tc.stream {
				t.Errorf("%s: an allowed one did not leave as it came: %v\n%s", tc.name, allowed.Err, allowed.Bytes)
			}
		}
	}
}

// What carries no call passes, and the records say that nobody knew it.
func TestAnUnknownTypeWithoutACallPassesAndIsAnnotated(t *testing.T) {
	stream := anthropicWith(`{"type":"picture","url":"x"}`)
	d := sluicetest.Enforcement{Set: set(t, blockNamed("bad"))}.Stream(context.Background(), sluicetest.Anthropic, strings.NewReader(stream))
	if d.Err != nil || string(d.Bytes) != stream {
		t.Errorf("%v\n%s", d.Err, d.Bytes)
	}
	if r := d.Records[len(d.Records)-1]; r.Kind != llm.Opaque || r.Verdict.Action != policy.Annotate {
		t.Errorf("recorded %+v", r)
	}
	// A policy about unknown types blocks it, and calls in unknown types too.
	strict := policy.Func("strict", func(*policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.Block} })
	strict.Applies = policy.KindsOf(llm.Opaque)
	for _, block := range []string{`{"type":"picture","url":"X9ZZY"}`, `{"type":"gadget","name":"bad","input":{"secret":"X9ZZY"}}`} {
		d := sluicetest.Enforcement{Set: set(t, strict)}.Stream(context.Background(), sluicetest.Anthropic, strings.NewReader(anthropicWith(block)))
		if d.Err != nil || d.Invalid != nil || bytes.Contains(d.Bytes, []byte("X9ZZY")) {
			t.Errorf("%s: %v, %v\n%s", block, d.Err, d.Invalid, d.Bytes)
		}
	}
}

// An event that nobody knows and that carries a call cannot be taken out, so it
// ends the answer.
func TestACallInAnUnknownEventEndsTheAnswer(t *testing.T) {
	known := anthropicWith(`{"type":"text","text":""}`, `{"type":"text_delta","text":"x"}`)
	event := "event: tool_hint\ndata: " + `{"type":"tool_hint","name":"bad","input":{"secret":"X9ZZY"}}` + "\n\n"
	at := strings.Index(known, "event: content_block_stop")
	stream := known[:at] + event + known[at:]
	d := sluicetest.Enforcement{Set: set(t, blockNamed("bad"))}.Stream(context.Background(), sluicetest.Anthropic, strings.NewReader(stream))
	var abort *policy.AbortError
	if !errors.As(d.Err, &abort) || !d.Report.Failed || bytes.Contains(d.Bytes, []byte("X9ZZY")) {
		t.Errorf("%v, %+v\n%s", d.Err, d.Report, d.Bytes)
	}
}

// What the provider runs itself passes and is recorded as what it is.
func TestServerToolsPassAndAreRecorded(t *testing.T) {
	stream := anthropicWith(`{"type":"server_tool_use","id":"srv_1","name":"web_search","input":{}}`, `{"type":"input_json_delta","partial_json":"{\"query\":\"x\"}"}`)
	judge := policy.Func("watch", func(s *policy.Subject) policy.Verdict {
		return policy.Verdict{Action: policy.Annotate, Reason: "searched " + s.Text()}
	})
	judge.Applies = policy.KindsOf(llm.ServerTool, llm.ToolCall)
	d := sluicetest.Enforcement{Set: set(t, judge)}.Stream(context.Background(), sluicetest.Anthropic, strings.NewReader(stream))
	if d.Err != nil || string(d.Bytes) != stream {
		t.Errorf("%v\n%s", d.Err, d.Bytes)
	}
	if r := d.Records[len(d.Records)-1]; r.Kind != llm.ServerTool || r.Verdict.Reason != `searched {"query":"x"}` || !r.Delivered {
		t.Errorf("recorded %+v", r)
	}
}
