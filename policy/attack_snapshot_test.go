package policy_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/wire"
)

// A snapshot of a response that goes on lists no call that has not been sent in full.
func TestAttackNoSnapshotListsHalfACall(t *testing.T) {
	t.Parallel()
	const message = `{"type":"message","id":"m","role":"assistant","content":[]}`
	payloads := []string{
		`{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}`,
		`{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"function_call","id":"b","call_id":"b","name":"harm","arguments":"","status":"in_progress"}}`,
		`{"type":"response.output_item.done","sequence_number":2,"output_index":0,"item":{"type":"function_call","id":"b","call_id":"b","name":"harm","arguments":"{}","status":"completed"}}`,
		`{"type":"response.output_item.added","sequence_number":3,"output_index":1,"item":{"type":"function_call","id":"f","call_id":"c","name":"good","arguments":"","status":"in_progress"}}`,
		`{"type":"response.in_progress","sequence_number":4,"response":{"id":"r","object":"response","status":"in_progress","output":[` + message + `]}}`,
		`{"type":"response.function_call_arguments.delta","sequence_number":5,"output_index":1,"item_id":"f","delta":"{\"a\":1}"}`,
		`{"type":"response.output_item.done","sequence_number":6,"output_index":1,"item":{"type":"function_call","id":"f","call_id":"c","name":"good","arguments":"{\"a\":1}","status":"completed"}}`,
		`{"type":"response.completed","sequence_number":7,"response":{"id":"r","object":"response","status":"completed","output":[{"type":"function_call","id":"f","call_id":"c","name":"good","arguments":"{\"a\":1}","status":"completed"}]}}`,
	}
	left, _, err := withoutHarm(t, wire.OpenAIResponses, nil, payloads...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range left {
		if strings.Contains(p, "response.in_progress") && strings.Contains(p, `"good"`) {
			t.Errorf("a snapshot with half a call: %s", p)
		}
	}
}
