package policy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire/witness"
)

// noMark blocks calls that are given a mark, or are named by it, whatever form they
// come in.
func noMark(t *testing.T) sluicetest.Enforcement {
	return sluicetest.Enforcement{Set: set(t, policy.Func("guard", func(s *policy.Subject) policy.Verdict {
		if strings.Contains(s.Block.Arguments, "X9ZZY") || s.Block.Name == "bad" {
			return policy.Verdict{Action: policy.Block, Reason: "not this one"}
		}
		return policy.Verdict{Action: policy.Allow}
	}))}
}

// keepsMark lets an answer pass the guard. The mark must not be in what leaves, and it
// must not be the exit alone that keeps it back.
func keepsMark(t *testing.T, name, format, answer string) sluicetest.Delivered {
	t.Helper()
	var d sluicetest.Delivered
	if strings.HasPrefix(answer, "{") {
		d = noMark(t).Body(context.Background(), format, []byte(answer))
	} else {
		d = noMark(t).Stream(context.Background(), format, strings.NewReader(answer))
	}
	if _, alone := errors.AsType[*witness.UnjudgedError](d.Err); alone || bytes.Contains(d.Bytes, []byte("X9ZZY")) {
		t.Errorf("%s: %v\n%s", name, d.Err, d.Bytes)
	}
	return d
}

// A piece of a call belongs to a call that is known. Clients that go by the members and
// not by the types append it wherever they find it, so it may be in its place only.
func TestAttackAPieceOfACallStandsInItsPlaceOnly(t *testing.T) {
	t.Parallel()
	const text = `"{\"s\":\"X9ZZY\"}"`
	pieces := []string{
		`"partial_json":` + text, `"Partial_JSON":` + text, `"partialJson":` + text,
		`"partialArgs":[{"jsonPath":"$.s","stringValue":"X9ZZY"}]`, `"partial_args":[{"json_path":"$.s","string_value":"X9ZZY"}]`,
	}
	for _, piece := range pieces {
		for name, event := range map[string]string{
			"an unknown event":         `{"type":"future_delta","index":0,"delta":{"type":"x",` + piece + `}}`,
			"a result's event":         `{"type":"web_search_tool_result","index":0,"delta":{` + piece + `}}`,
			"the event itself":         `{"type":"future_delta","index":0,` + piece + `}`,
			"beside a delta":           `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"},` + piece + `}`,
			"the message's delta":      `{"type":"message_delta","delta":{"stop_reason":"tool_use",` + piece + `},"usage":{"output_tokens":9}}`,
			"deep in an unknown event": `{"type":"future","a":[{"b":{` + piece + `}}]}`,
		} {
			answer := anthropicWith(`{"type":"tool_use","id":"t","name":"good","input":{}}`)
			at := strings.Index(answer, "event: content_block_stop")
			answer = answer[:at] + "data: " + event + "\n\n" + answer[at:]
			if d := keepsMark(t, name, sluicetest.Anthropic, answer); d.Err == nil {
				t.Errorf("%s, %s: the answer was not ended", name, piece)
			}
		}
		if strings.Contains(piece, "Args") || strings.Contains(piece, "args") {
			part := `{"gadget":{"functionCall":{` + piece + `}}}`
			body := `{"candidates":[{"content":{"role":"model","parts":[{"text":"a"},` + part + `]},"finishReason":"STOP","index":0}]}`
			keepsMark(t, "a part of an unknown kind", sluicetest.Gemini, body)
		}
	}
}

// A client that goes by members appends a piece of JSON whatever the type of its delta is,
// also to a block that nobody knows.
func TestAttackAPieceOfJSONHasItsType(t *testing.T) {
	t.Parallel()
	for _, block := range []string{`{"type":"tool_use","id":"t","name":"good","input":{}}`, `{"type":"future_tool_use","id":"t","name":"good","input":{}}`, `{"type":"text","text":""}`} {
		for _, typ := range []string{"inputjsondelta", "INPUT_JSON_DELTA", "future_delta", "input_json_delta ", "citations_delta"} {
			delta := `{"type":"` + typ + `","partial_json":"{\"s\":\"X9ZZY\"}"}`
			if d := keepsMark(t, block+" "+delta, sluicetest.Anthropic, anthropicWith(block, delta)); d.Err == nil {
				t.Errorf("%s %s: the answer was not ended", block, delta)
			}
		}
	}
}

// A delta continues its block. One that is a call itself was never judged.
func TestAttackADeltaIsNoCall(t *testing.T) {
	t.Parallel()
	for _, typ := range []string{"tool_use", "future_tool_use", "function_call", "input_json_delta", "text_delta"} {
		for _, body := range []string{
			`"name":"bad","input":{"s":"X9ZZY"}`, `"name":"bad","arguments":"{\"s\":\"X9ZZY\"}"`, `"name":"bad","operation":{"s":"X9ZZY"}`,
		} {
			delta := `{"type":"` + typ + `","text":"a","partial_json":"",` + body + `}`
			keepsMark(t, "of text: "+delta, sluicetest.Anthropic, anthropicWith(`{"type":"text","text":""}`, delta))
			keepsMark(t, "of a call: "+delta, sluicetest.Anthropic, anthropicWith(`{"type":"tool_use","id":"t","name":"good","input":{}}`, delta))
		}
	}
}

// An event about a call is read in the member that it is named after. What is in
// another one is what another client reads.
func TestAttackAnEventAboutACallHasOneMember(t *testing.T) {
	t.Parallel()
	const item = `{"type":"function_call","id":"f","call_id":"c","name":"good","arguments":"{}","status":"completed"}`
	for _, kind := range []string{
		"function_call_arguments.delta", "function_call_arguments.done", "custom_tool_call_input.delta", "custom_tool_call_input.done",
		"shell_call_command.delta", "future_call_arguments.delta",
	} {
		for _, member := range []string{"arguments", "input", "args", "command", "action", "operation"} {
			if strings.Contains(kind, "_call_"+member+".done") {
				continue
			}
			for _, place := range []string{"event: response.output_item.added", "event: response.output_item.done", "event: response.completed"} {
				event := `{"type":"response.` + kind + `","sequence_number":9,"item_id":"f","output_index":0,"` + member + `":"{\"s\":\"X9ZZY\"}"}`
				answer := responsesWith(item)
				at := strings.Index(answer, place)
				keepsMark(t, kind+" with "+member+" before "+place, sluicetest.OpenAIResponses, answer[:at]+"data: "+event+"\n\n"+answer[at:])
			}
		}
	}
}

// A block of an unknown type is judged by what it acts on, also where it has no name
// that could be read, and in whatever case its members are written.
func TestAttackWhatActsIsJudgedWithoutAName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{``, `"name":{"a":"b"},`, `"name":null,`, `"NAME":"x",`} {
		for _, member := range []string{"input", "arguments", "args", "action", "operation", "command", "Input", "ARGUMENTS"} {
			block := `{"type":"gadget","id":"g","call_id":"c",` + name + `"` + member + `":{"s":"X9ZZY"}}`
			keepsMark(t, block, sluicetest.Anthropic, anthropicWith(block))
			keepsMark(t, block, sluicetest.OpenAIResponses, responsesWith(block))
		}
	}
}

// What a block of an unknown type acts on may be in any member, and in what it began with
// beside a text that follows.
func TestAttackAnUnknownCallIsJudgedByAllOfIt(t *testing.T) {
	t.Parallel()
	for _, typ := range []string{"gadget_call", "shell_call", "agent_tool_use", "local_shell_call"} {
		for _, member := range []string{`"payload":"X9ZZY"`, `"commands":["X9ZZY"]`, `"what":{"to":"X9ZZY"}`, `"X9ZZY":1`, `"function":{"name":"","arguments":"{\"s\":\"X9ZZY\"}"}`} {
			block := `{"type":"` + typ + `","id":"g","call_id":"c",` + member + `}`
			keepsMark(t, block, sluicetest.Anthropic, anthropicWith(block))
			keepsMark(t, block+" and a text", sluicetest.Anthropic, anthropicWith(block, `{"type":"text_delta","text":"hello"}`))
			if !strings.HasSuffix(typ, "shell_call") { // those of OpenAI have an action, and nothing else counts
				keepsMark(t, block, sluicetest.OpenAIResponses, responsesWith(block))
			}
		}
	}
}

// A block whose type says that it is a call is judged by all of it, also if there is
// another call within it.
func TestAttackACallIsNotJudgedByWhatIsWithinIt(t *testing.T) {
	t.Parallel()
	for _, typ := range []string{"gadget_call", "agent_tool_use", "gadget"} {
		for _, within := range []string{
			`"message":{"function":{"name":"good","arguments":"{}"}}`, `"x":[{"functionCall":{"name":"good","args":{}}}]`, `"x":{"type":"tool_use","name":"good","input":{}}`,
		} {
			for _, members := range []string{`"what":"X9ZZY",` + within, within + `,"what":{"s":["X9ZZY"]}`, within + `,"function":{"name":"","arguments":"{\"s\":\"X9ZZY\"}"}`} {
				block := `{"type":"` + typ + `","id":"g",` + members + `}`
				keepsMark(t, block, sluicetest.Anthropic, anthropicWith(block))
				keepsMark(t, block, sluicetest.OpenAIResponses, responsesWith(block))
				keepsMark(t, block, sluicetest.Gemini, string(sluicetest.SSE(sluicetest.Gemini, []string{`{"candidates":[{"index":0,"content":{"role":"model","parts":[` + block + `]},"finishReason":"STOP"}]}`})))
			}
		}
	}
}

// Clients that ignore the case of members take two characters beyond ASCII for letters.
func TestAttackAMemberIsFoundInWhateverLettersItHas(t *testing.T) {
	t.Parallel()
	for _, member := range []string{`"tool_calls":[%s]`, `"toolcalls":[%s]`, `"tool_use":%s`, `"x":%s`} {
		for _, body := range []string{"arguments", "args", "Arguments", "ARGS"} {
			call := fmt.Sprintf(member, `{"name":"bad","`+body+`":{"s":"X9ZZY"}}`)
			for _, disguise := range []func(string) string{
				func(s string) string { return strings.NewReplacer("s\":", "\u017f\":", "S\":", "\u017f\":").Replace(s) },
				func(s string) string { return strings.Replace(s, "use", "u\u017fe", 1) },
			} {
				extra := disguise(call)
				keepsMark(t, extra, sluicetest.OpenAIChat, chatOf(`{"index":0,"delta":{"role":"assistant","content":"a",`+extra+`}}`, `{"index":0,"delta":{},"finish_reason":"stop"}`))
				keepsMark(t, extra, sluicetest.Anthropic, anthropicWith(`{"type":"text","text":"","x":{`+extra+`}}`))
				keepsMark(t, extra, sluicetest.OpenAIResponses, responsesWith(`{"type":"message","id":"m","role":"assistant","status":"completed","content":[],`+extra+`}`))
				keepsMark(t, extra, sluicetest.Gemini, string(sluicetest.SSE(sluicetest.Gemini, []string{`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"a"}]},"finishReason":"STOP"}],"x":{` + extra + `}}`})))
			}
		}
	}
}

// What the provider says that it has run is no call, also if something else is blocked.
func TestToolsThatTheProviderHasRunPass(t *testing.T) {
	t.Parallel()
	executed := `"executed_tools":[{"index":0,"name":"browser.open","type":"function","arguments":"{\"url\":\"x\"}","output":"y"}]`
	bad := `"tool_calls":[{"index":0,"id":"t","type":"function","function":{"name":"bad","arguments":"{}"}}]`
	for name, answer := range map[string]string{
		"a stream": chatOf(`{"index":0,"delta":{"role":"assistant",`+executed+`}}`, `{"index":0,"delta":{`+bad+`}}`, chatCallsEnd),
		"a body":   `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,` + executed + `,` + bad + `},"finish_reason":"tool_calls"}]}`,
	} {
		if d := keepsMark(t, name, sluicetest.OpenAIChat, answer); d.Err != nil || !bytes.Contains(d.Bytes, []byte("browser.open")) {
			t.Errorf("%s: %v\n%s", name, d.Err, d.Bytes)
		}
	}
}

// What belongs to a blocked call leaves nowhere: not in a piece that only repeats its
// name, and not in a message beside an empty delta.
func TestAttackABlockedChatCallLeavesNothing(t *testing.T) {
	t.Parallel()
	chunk := func(delta, finish string) string {
		return `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}`
	}
	repeated := `{"function_call":{"name":"bad","arguments":""}}`
	d := keepsMark(t, "a repeated name", sluicetest.OpenAIChat, string(sluicetest.SSE(sluicetest.OpenAIChat, []string{
		chunk(`{"role":"assistant","content":""}`, "null"), chunk(repeated, "null"),
		chunk(`{"function_call":{"arguments":"{\"s\":\"X9ZZY\"}"}}`, "null"), chunk(repeated, "null"),
		chunk(`{}`, `"function_call"`), "[DONE]",
	})))
	if bytes.Contains(d.Bytes, []byte(`"name":"bad"`)) || d.Err != nil {
		t.Errorf("%v\n%s", d.Err, d.Bytes)
	}
	message := `"message":{"role":"assistant","content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"bad","arguments":"{\"s\":\"X9ZZY\"}"}}]}`
	for _, members := range []string{`"delta":null,` + message, message + `,"delta":null`} {
		body := `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,` + members + `,"finish_reason":"tool_calls"}]}`
		if d := keepsMark(t, members, sluicetest.OpenAIChat, body); d.Err != nil || !bytes.Contains(d.Bytes, []byte("not this one")) {
			t.Errorf("%v\n%s", d.Err, d.Bytes)
		}
	}
}

// An allowed call whose end says nothing of its arguments is the call that it was.
func TestAnEndOfArgumentsMaySayNothing(t *testing.T) {
	t.Parallel()
	bad := `{"type":"function_call","id":"b","call_id":"d","name":"bad","arguments":"{}","status":"completed"}`
	good := `{"type":"function_call","id":"f","call_id":"c","name":"good","arguments":"{\"s\":\"ok\"}","status":"completed"}`
	d := keepsMark(t, "null", sluicetest.OpenAIResponses, string(sluicetest.SSE(sluicetest.OpenAIResponses, []string{
		`{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"m","output":[]}}`,
		`{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":` + bad + `}`,
		`{"type":"response.output_item.done","sequence_number":2,"output_index":0,"item":` + bad + `}`,
		`{"type":"response.output_item.added","sequence_number":3,"output_index":1,"item":{"type":"function_call","id":"f","call_id":"c","name":"good","arguments":"","status":"in_progress"}}`,
		`{"type":"response.function_call_arguments.delta","sequence_number":4,"item_id":"f","output_index":1,"delta":"{\"s\":\"ok\"}"}`,
		`{"type":"response.function_call_arguments.done","sequence_number":5,"item_id":"f","output_index":1,"arguments":null}`,
		`{"type":"response.output_item.done","sequence_number":6,"output_index":1,"item":` + good + `}`,
		`{"type":"response.completed","sequence_number":7,"response":{"id":"resp_1","object":"response","status":"completed","model":"m","output":[` + bad + `,` + good + `]}}`,
	})))
	if d.Err != nil || !bytes.Contains(d.Bytes, []byte(good)) {
		t.Errorf("%v\n%s", d.Err, d.Bytes)
	}
}

// A shell call in pieces leaves unchanged.
func TestPiecesOfAShellCallPass(t *testing.T) {
	t.Parallel()
	item := func(status, commands string) string {
		return `{"id":"s","type":"shell_call","status":"` + status + `","action":{"commands":[` + commands + `],"max_output_length":null,"timeout_ms":null},"call_id":"c"}`
	}
	answer := string(sluicetest.SSE(sluicetest.OpenAIResponses, []string{
		`{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"m","output":[]}}`,
		`{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":` + item("in_progress", "") + `}`,
		`{"type":"response.shell_call_command.added","sequence_number":2,"output_index":0,"command_index":0,"command":""}`,
		`{"type":"response.shell_call_command.delta","sequence_number":3,"output_index":0,"command_index":0,"delta":"ls"}`,
		`{"type":"response.shell_call_command.done","sequence_number":4,"output_index":0,"command_index":0,"command":"ls"}`,
		`{"type":"response.output_item.done","sequence_number":5,"output_index":0,"item":` + item("completed", `"ls"`) + `}`,
		`{"type":"response.completed","sequence_number":6,"response":{"id":"resp_1","object":"response","status":"completed","model":"m","output":[` + item("completed", `"ls"`) + `]}}`,
	}))
	if d := keepsMark(t, "pieces", sluicetest.OpenAIResponses, answer); d.Err != nil || string(d.Bytes) != answer {
		t.Errorf("%v\n%s", d.Err, d.Bytes)
	}
	web := `{"arguments":"{\"query\":\"x\"}","call_id":"","name":"web_search","type":"web_search_call","id":"w","status":"completed"}`
	if d := keepsMark(t, web, sluicetest.OpenAIResponses, responsesWith(web)); d.Err != nil || string(d.Bytes) != responsesWith(web) {
		t.Errorf("%v\n%s", d.Err, d.Bytes)
	}
}
