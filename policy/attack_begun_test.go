package policy_test

import (
	"bytes"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
)

// An item of an unknown type leaves twice, as it begins and as it ends: a call in either is
// judged, whatever the other has.
func TestAttackACallThatAnUnknownItemBeginsWith(t *testing.T) {
	t.Parallel()
	const none = `{"type":"gadget","id":"g","status":"completed","data":{}}`
	for name, call := range map[string]string{
		"its own":             `{"type":"gadget","id":"g","status":"in_progress","name":"good","arguments":"{\"s\":\"X9ZZY\"}"}`,
		"by its type":         `{"type":"gadget_call","id":"g","status":"in_progress","s":"X9ZZY"}`,
		"in a member":         `{"type":"gadget","id":"g","data":{"type":"function_call","name":"good","arguments":"{\"s\":\"X9ZZY\"}"}}`,
		"in a list":           `{"type":"gadget","id":"g","data":[{"tool_calls":[{"id":"c","type":"function","function":{"name":"good","arguments":"{\"s\":\"X9ZZY\"}"}}]}]}`,
		"of another dialect":  `{"type":"gadget","id":"g","data":{"functionCall":{"name":"good","args":{"s":"X9ZZY"}}}}`,
		"of a built-in tool":  `{"type":"gadget","id":"g","x":{"type":"local_shell_call","call_id":"c","action":{"type":"exec","command":["X9ZZY"]}}}`,
		"two of them":         `{"type":"gadget","id":"g","a":{"name":"good","input":{}},"b":{"name":"good","input":{"s":"X9ZZY"}}}`,
		"with a repeated key": `{"type":"gadget","id":"g","name":"good","arguments":"{\"s\":1,\"s\":\"X9ZZY\"}"}`,
	} {
		end := none
		if name == "by its type" {
			end = `{"type":"gadget_call","id":"g","status":"completed"}`
		}
		answer := responsesOf(responsesBegin, itemEvent("added", 0, call), itemEvent("done", 0, end), responsesEnd(end))
		if d := keepsMark(t, name, sluicetest.OpenAIResponses, answer); len(d.Records) == 0 {
			t.Errorf("%s: it was not judged: %v\n%s", name, d.Err, d.Bytes)
		}
		if name == "two of them" || name == "with a repeated key" {
			continue
		}
		d := judged(t, sluicetest.OpenAIResponses, answer, allows("judge"))
		if d.Err != nil || !bytes.Contains(d.Bytes, []byte(call)) {
			t.Errorf("%s: an allowed block did not pass: %v\n%s", name, d.Err, d.Bytes)
		}
	}
}

// An approval has no deltas: it leaves as it is judged, whatever it begins with. Blank
// arguments are none, however they are written.
func TestAttackNoClientReadsOtherArgumentsThanTheLastLookAllows(t *testing.T) {
	t.Parallel()
	for name, events := range map[string][]string{
		"an approval that begins with nothing": {
			itemEvent("added", 1, `{"id":"a","type":"mcp_approval_request","server_label":"s","name":"sh","arguments":"{}"}`),
			itemEvent("done", 1, `{"id":"a","type":"mcp_approval_request","server_label":"s","name":"sh","arguments":"{\"s\":1}"}`),
		},
		"blank arguments": {
			itemEvent("added", 1, `{"id":"a","type":"function_call","status":"in_progress","call_id":"c","name":"sh","arguments":""}`),
			`{"type":"response.function_call_arguments.done","item_id":"a","output_index":1,"arguments":""}`,
			itemEvent("done", 1, `{"id":"a","type":"function_call","status":"completed","call_id":"c","name":"sh","arguments":" "}`),
		},
	} {
		blocked := itemEvent("done", 0, `{"id":"b","type":"function_call","status":"completed","call_id":"d","name":"memory","arguments":"{\"s\":\"X9ZZY\"}"}`)
		events = append(append([]string{responsesBegin, blocked}, events...), responsesEnd())
		d := judged(t, sluicetest.OpenAIResponses, responsesOf(events...), byName(""))
		if d.Err != nil || leaks(d) {
			t.Errorf("%s: %v\n%s", name, d.Err, d.Bytes)
		}
	}
}
