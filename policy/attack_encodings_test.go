package policy_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
)

// goodCall is an answer of each dialect with one call, which nobody forbids. What else is
// put into it must not leave.
func goodCall(format string) []string {
	switch format {
	case sluicetest.OpenAIChat:
		chunk := func(delta, finish string) string {
			return `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}`
		}
		return []string{
			chunk(`{"role":"assistant","content":"a"}`, "null"),
			chunk(`{"tool_calls":[{"index":0,"id":"t","type":"function","function":{"name":"good","arguments":"{\"s\":"}}]}`, "null"),
			chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}`, "null"),
			chunk(`{}`, `"tool_calls"`),
			"[DONE]",
		}
	case sluicetest.Anthropic:
		return []string{
			`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"good","input":{}}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"s\":"}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"1}"}}`,
			`{"type":"content_block_stop","index":0}`,
			`{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":9}}`,
			`{"type":"message_stop"}`,
		}
	case sluicetest.OpenAIResponses:
		item := func(args, status string) string {
			return `{"type":"function_call","id":"f","call_id":"c","name":"good","arguments":"` + args + `","status":"` + status + `"}`
		}
		return []string{
			`{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","model":"m","output":[],"prompt":{"id":"p"}}}`,
			`{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":` + item("", "in_progress") + `}`,
			`{"type":"response.function_call_arguments.delta","sequence_number":2,"item_id":"f","output_index":0,"delta":"{\"s\":"}`,
			`{"type":"response.function_call_arguments.delta","sequence_number":3,"item_id":"f","output_index":0,"delta":"1}"}`,
			`{"type":"response.function_call_arguments.done","sequence_number":4,"item_id":"f","output_index":0,"arguments":"{\"s\":1}"}`,
			`{"type":"response.output_item.done","sequence_number":5,"output_index":0,"item":` + item(`{\"s\":1}`, "completed") + `}`,
			`{"type":"response.completed","sequence_number":6,"response":{"id":"r","object":"response","status":"completed","model":"m","output":[` + item(`{\"s\":1}`, "completed") + `],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}}`,
		}
	default:
		chunk := func(part, finish string) string {
			return `{"candidates":[{"content":{"role":"model","parts":[` + part + `]},` + finish + `"index":0}],"modelVersion":"m","responseId":"r"}`
		}
		return []string{
			chunk(`{"functionCall":{"id":"g","name":"good","willContinue":true}}`, ""),
			chunk(`{"functionCall":{"partialArgs":[{"jsonPath":"$.s","stringValue":"a","willContinue":true}],"willContinue":true}}`, ""),
			chunk(`{"functionCall":{"partialArgs":[{"jsonPath":"$.s","stringValue":"b","willContinue":false}],"willContinue":true}}`, ""),
			chunk(`{"functionCall":{}}`, ""),
			chunk(`{"text":"c"}`, `"finishReason":"STOP",`),
		}
	}
}

// A member that is known in one place of a dialect, such as the reason why an answer
// stopped, hides no call in another.
func TestAttackNoKnownMemberHidesACall(t *testing.T) {
	t.Parallel()
	members := []string{
		"stop_reason", "stop_sequence", "finish_reason", "finishReason", "prompt", "role", "model", "id", "index", "type", "status", "created",
		"object", "usage", "obfuscation", "system_fingerprint", "service_tier", "logprobs", "refusal", "audio", "modelVersion", "responseId",
		"createTime", "create_time", "modelStatus", "sequence_number", "item_id", "output_index", "content_index", "call_id", "signature",
		"text", "thinking", "thought", "thoughtSignature", "willContinue", "partialArgs", "jsonPath", "caller", "error", "code", "message",
		"incomplete_details", "annotations", "citations", "summary", "encrypted_content", "cache_control", "container", "context_management",
	}
	const call = `{"type":"tool_use","id":"z","name":"bad","input":{"s":"X9ZZY"}}`
	tried := 0
	for _, format := range sluicetest.Formats() {
		answer := goodCall(format)
		for i, payload := range answer {
			for at := range len(payload) {
				if payload[at] != '{' || at > 0 && payload[at-1] == '"' {
					continue // an object, and not one in a text
				}
				for _, name := range members {
					comma := ","
					if payload[at+1] == '}' {
						comma = ""
					}
					changed := append([]string{}, answer...)
					changed[i] = payload[:at+1] + `"` + name + `":` + call + comma + payload[at+1:]
					keepsMark(t, name+" in "+changed[i], format, string(sluicetest.SSE(format, changed)))
					tried++
				}
			}
		}
	}
	if tried < 2000 {
		t.Errorf("only %d answers were tried", tried)
	}
}

// An index is written in one way: strict clients cannot read 0.0 or -0, and of a call
// some of whose pieces have such an index they would join the rest.
func TestAttackAnIndexHasOneNotation(t *testing.T) {
	t.Parallel()
	for _, format := range sluicetest.Formats() {
		answer := goodCall(format)
		for i, payload := range answer {
			for _, member := range []string{`"index":0`, `"output_index":0`} {
				for _, other := range []string{"0.0", "-0", "0e0", "0E+1", "-0.0"} {
					for at := strings.Index(payload, member); at >= 0; {
						changed := append([]string{}, answer...)
						changed[i] = payload[:at+len(member)-1] + other + payload[at+len(member):]
						if d := keepsMark(t, changed[i], format, string(sluicetest.SSE(format, changed))); d.Err == nil {
							t.Errorf("%s passed", changed[i])
						}
						next := strings.Index(payload[at+1:], member)
						if next < 0 {
							break
						}
						at += 1 + next
					}
				}
			}
		}
	}
}

// The pieces of a call are sent in one way, so that a client skips all of them or none.
func TestAttackPiecesOfACallAreSentInOneWay(t *testing.T) {
	t.Parallel()
	untyped := func(payload string) string {
		_, rest, _ := strings.Cut(payload, ",")
		return "{" + rest
	}
	name := func(payload string) string {
		_, rest, _ := strings.Cut(payload, `"type":"`)
		name, _, _ := strings.Cut(rest, `"`)
		return "event: " + name + "\ndata: "
	}
	for _, format := range sluicetest.Formats() {
		answer := goodCall(format)
		plain := string(sluicetest.SSE(format, answer))
		if judged, d := judgedCalls(t, format, plain); d.Err != nil || len(judged) != 1 || string(d.Bytes) != plain {
			t.Fatalf("%s: %v %v\n%s", format, judged, d.Err, d.Bytes)
		}
		for i, payload := range answer {
			var changes []string
			switch {
			case format == sluicetest.Gemini && i < 4:
				changes = []string{"event: other\ndata: " + payload, "data: [" + payload + "]"}
				if i > 0 {
					changes = append(changes, "data: "+strings.Replace(payload, `"functionCall":{`, `"functionCall":{"id":"g","name":"good",`, 1))
				}
			case format == sluicetest.OpenAIChat && (i == 1 || i == 2):
				changes = []string{"event: other\ndata: " + payload, "data: " + strings.Replace(payload, `"choices":[{"index":0,`, `"choices":[{`, 1)}
			case format == sluicetest.Anthropic && i > 0 && i < 4,
				format == sluicetest.OpenAIResponses && strings.Contains(payload, "output_item"):
				changes = []string{name(payload) + untyped(payload)}
			}
			for _, changed := range changes {
				var b strings.Builder
				for j, p := range answer {
					if j == i {
						b.WriteString(changed + "\n\n")
					} else {
						b.Write(sluicetest.SSE(format, []string{p}))
					}
				}
				if _, d := judgedCalls(t, format, b.String()); d.Err == nil {
					t.Errorf("%s passed:\n%s", changed, d.Bytes)
				}
			}
		}
	}
}
