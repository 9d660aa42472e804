package policy_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
)

// The arguments of a call in a block of an unknown type are judged as what a client
// reads there: the JSON in a text, at whatever depth the call stands.
func TestAttackCallsInUnknownBlocksAreJudgedByTheirArguments(t *testing.T) {
	t.Parallel()
	const arguments = `"{\"s\":\"X\u0039ZZY\"}"`
	for _, call := range []string{
		`{"name":"good","arguments":` + arguments + `}`, `{"name":"good","input":` + arguments + `}`, `{"name":"good","args":{"s":"X9ZZY"}}`,
		`{"function":{"name":"good","arguments":` + arguments + `}}`, `{"tool_calls":[{"id":"c","type":"function","function":{"name":"good","arguments":` + arguments + `}}]}`,
		`{"index":0,"message":{"tool_calls":[{"custom":{"name":"good","input":"X9ZZY"}}]}}`, `{"call_id":{"type":"function_call","name":"good","arguments":` + arguments + `}}`,
		`{"a":{"name":"good","command":["X9ZZY"]}}`, `{"x":{"type":"local_shell_call","call_id":"c","action":{"type":"exec","command":["X9ZZY"]}}}`,
		`{"summary":[{"type":{"name":"good","arguments":` + arguments + `}}]}`,
	} {
		block := `{"type":"gadget","id":"g",` + call[1:]
		for format, answer := range map[string]string{
			sluicetest.Anthropic:       anthropicWith(block),
			sluicetest.OpenAIResponses: responsesWith(block),
			sluicetest.OpenAIChat:      `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":[` + block + `]},"finish_reason":"stop"}]}`,
		} {
			d := keepsMark(t, block, format, answer)
			if bytes.Contains(d.Bytes, []byte(`X\u0039ZZY`)) {
				t.Errorf("%s, %s:\n%s", format, block, d.Bytes)
			}
		}
	}
}

// Two readers see two calls where the arguments in a text repeat a key.
func TestAttackRepeatedKeysInTheTextOfAnUnknownBlock(t *testing.T) {
	t.Parallel()
	block := `{"type":"gadget","id":"g","name":"good","arguments":"{\"s\":\"fine\",\"s\":\"fine\"}"}`
	for format, answer := range map[string]string{sluicetest.Anthropic: anthropicWith(block), sluicetest.OpenAIResponses: responsesWith(block)} {
		if d := keepsMark(t, format, format, answer); bytes.Contains(d.Bytes, []byte(`fine`)) {
			t.Errorf("%s:\n%s", format, d.Bytes)
		}
	}
}

// A block whose type is not a call's has no input.
func TestAttackWhatSpeaksDoesNotAct(t *testing.T) {
	t.Parallel()
	for _, member := range []string{"input", "arguments", "args", "action", "operation", "command", "parameters", "Input"} {
		for _, value := range []string{`{"s":"X9ZZY"}`, `"{\"s\":\"X9ZZY\"}"`, `["X9ZZY"]`} {
			for _, name := range []string{``, `"name":null,`, `"name":7,`, `"name":"good",`} {
				body := name + `"` + member + `":` + value
				for _, block := range []string{
					`{"type":"text","text":"a",` + body + `}`, `{"type":"thinking","thinking":"a","signature":"c2ln",` + body + `}`, `{"type":"redacted_thinking","data":"eA",` + body + `}`,
					`{` + body + `,"type":"compaction","content":"a"}`,
				} {
					keepsMark(t, block, sluicetest.Anthropic, anthropicWith(block))
					keepsMark(t, block, sluicetest.Anthropic, `{"id":"m","type":"message","role":"assistant","model":"m","content":[`+block+`],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`)
				}
				for _, item := range []string{
					`{"id":"i","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"a","annotations":[]}],` + body + `}`,
					`{"id":"i","type":"reasoning","summary":[],` + body + `}`, `{` + body + `,"id":"i","type":"compaction","encrypted_content":"eA"}`,
				} {
					keepsMark(t, item, sluicetest.OpenAIResponses, responsesWith(item))
					keepsMark(t, item, sluicetest.OpenAIResponses, `{"id":"resp_1","object":"response","status":"completed","model":"m","output":[`+item+`],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}`)
				}
			}
		}
	}
}

// An event that has a call's complete input has no piece of it.
func TestAttackAnEndOfArgumentsHasNoPiece(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"function_call_arguments.done", "custom_tool_call_input.done", "shell_call_command.done", "future_call_arguments.done", "future_call_arguments.added"} {
		for _, own := range []string{``, `"arguments":"{}",`, `"arguments":null,`} {
			for _, place := range []string{"event: response.output_item.added", "event: response.output_item.done", "event: response.completed"} {
				event := `{"type":"response.` + kind + `","sequence_number":9,"item_id":"f","output_index":0,` + own + `"delta":"{\"s\":\"X9ZZY\"}"}`
				answer := responsesWith(`{"type":"function_call","id":"f","call_id":"c","name":"good","arguments":"{}","status":"completed"}`)
				at := strings.Index(answer, place)
				keepsMark(t, kind+" before "+place, sluicetest.OpenAIResponses, answer[:at]+"data: "+event+"\n\n"+answer[at:])
			}
		}
	}
}

// What the call of a built-in tool begins with is judged with it, be it a number: a
// client may keep it. Beside a blocked call, the exit has nothing to stop.
func TestAttackABuiltInToolBeginsWithANumber(t *testing.T) {
	t.Parallel()
	const bad = `{"type":"function_call","id":"b","call_id":"d","name":"bad","arguments":"{}","status":"completed"}`
	for _, typ := range []string{"local_shell_call", "shell_call", "computer_call"} {
		for _, begin := range []string{`16`, `[1]`, `{"type":"click","x":1,"y":2}`, `{"type":"exec","command":[],"timeout_ms":5}`, `true`, `null`, `{}`} {
			item := func(action string) string {
				return `{"type":"` + typ + `","id":"l","call_id":"c","status":"completed","action":` + action + `}`
			}
			end := item(`{"type":"exec","command":["ls"],"commands":["ls"]}`)
			keepsMark(t, typ+" "+begin, sluicetest.OpenAIResponses, string(sluicetest.SSE(sluicetest.OpenAIResponses, []string{
				`{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"m","output":[]}}`,
				`{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":` + bad + `}`,
				`{"type":"response.output_item.done","sequence_number":2,"output_index":0,"item":` + bad + `}`,
				`{"type":"response.output_item.added","sequence_number":3,"output_index":1,"item":` + item(begin) + `}`,
				`{"type":"response.output_item.done","sequence_number":4,"output_index":1,"item":` + end + `}`,
				`{"type":"response.completed","sequence_number":5,"response":{"id":"resp_1","object":"response","status":"completed","model":"m","output":[` + bad + `,` + end + `]}}`,
			})))
		}
	}
}

// A function with a name and no input selects a tool, except among calls. It is no
// reason to end an answer with a blocked call.
func TestAttackAFunctionThatIsChosenIsNoCall(t *testing.T) {
	t.Parallel()
	const chosen = `{"type":"function","function":{"name":"bad"}}`
	for _, member := range []string{`"tool_choice":` + chosen, `"request":{"choice":` + chosen + `}`, `"usage":{"total_tokens":1,"by":[` + chosen + `]}`} {
		body := `{"id":"c","object":"chat.completion","created":1,"model":"m",` + member + `,"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"bad","arguments":"{\"s\":\"X9ZZY\"}"}}]},"finish_reason":"tool_calls"}]}`
		if d := keepsMark(t, member, sluicetest.OpenAIChat, body); d.Err != nil || !bytes.Contains(d.Bytes, []byte("not this one")) {
			t.Errorf("%s: %v\n%s", member, d.Err, d.Bytes)
		}
	}
	for _, place := range []string{`"x":{"tool_calls":[` + chosen + `]}`, `"x":{"toolCalls":[` + chosen + `]}`, `"x":{"function_call":{"name":"bad"}}`} {
		body := `{"id":"c","object":"chat.completion","created":1,"model":"m",` + place + `,"choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}]}`
		if d := keepsMark(t, place, sluicetest.OpenAIChat, body); d.Err == nil {
			t.Errorf("%s: %s", place, d.Bytes)
		}
	}
}

// A call has its input in one member. What is in another one is what another client
// runs.
func TestAttackACallHasItsOwnBodyOnly(t *testing.T) {
	t.Parallel()
	chat := func(message string) string {
		return `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,` + message + `},"finish_reason":"tool_calls"}]}`
	}
	for _, member := range []string{"input", "arguments", "args", "action", "operation", "command", "parameters"} {
		for _, value := range []string{`{"s":"X9ZZY"}`, `"{\"s\":\"X9ZZY\"}"`} {
			body := `"` + member + `":` + value
			keepsMark(t, "chat "+body, sluicetest.OpenAIChat, chat(`"tool_calls":[{"id":"t","type":"function","function":{"name":"good",`+body+`}}]`))
			keepsMark(t, "custom "+body, sluicetest.OpenAIChat, chat(`"tool_calls":[{"id":"t","type":"custom","custom":{"name":"good",`+body+`}}]`))
			keepsMark(t, "legacy "+body, sluicetest.OpenAIChat, chat(`"function_call":{"name":"good",`+body+`}`))
			keepsMark(t, "anthropic "+body, sluicetest.Anthropic, anthropicWith(`{"type":"tool_use","id":"t","name":"good",`+body+`}`))
			keepsMark(t, "gemini "+body, sluicetest.Gemini, `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"good",`+body+`}}]},"finishReason":"STOP","index":0}]}`)
			for _, typ := range []string{"function_call", "custom_tool_call", "mcp_approval_request", "local_shell_call", "shell_call", "apply_patch_call", "computer_call"} {
				item := `{"type":"` + typ + `","id":"f","call_id":"c","name":"good","status":"completed",` + body + `}`
				keepsMark(t, item, sluicetest.OpenAIResponses, responsesWith(item))
			}
		}
	}
}

// A block of an unknown type that begins with what it acts on, and goes on with a text, is
// two calls.
func TestAttackAnUnknownBlockBeginsAndGoesOn(t *testing.T) {
	t.Parallel()
	for _, begin := range []string{`"input":"X9ZZY"`, `"input":{"s":"X9ZZY"}`, `"arguments":"{\"s\":\"X9ZZY\"}"`, `"function":{"name":"good","arguments":"X9ZZY"}`} {
		for _, delta := range []string{`{"type":"text_delta","text":"all is well"}`, `{"type":"input_json_delta","partial_json":"{}"}`} {
			block := `{"type":"gadget_call","id":"g","name":"good",` + begin + `}`
			keepsMark(t, block+delta, sluicetest.Anthropic, anthropicWith(block, delta))
		}
	}
}

// A delta goes on with a block and has nothing to act on beside it.
func TestAttackADeltaHasNoBody(t *testing.T) {
	t.Parallel()
	for _, member := range []string{"input", "arguments", "args", "action", "command"} {
		for _, delta := range []string{`"type":"text_delta","text":"a"`, `"type":"thinking_delta","thinking":"a"`, `"type":"citations_delta"`} {
			block := `{"type":"text","text":""}`
			if strings.Contains(delta, "thinking") {
				block = `{"type":"thinking","thinking":"","signature":""}`
			}
			delta = `{` + delta + `,"` + member + `":"{\"s\":\"X9ZZY\"}"}`
			keepsMark(t, delta, sluicetest.Anthropic, anthropicWith(block, delta))
		}
	}
}

// An event is what its name says where its payload has no type, and a type is what it is
// with a blank around it.
func TestAttackEventsWithoutATypeOrWithABlank(t *testing.T) {
	t.Parallel()
	const item = `{"type":"function_call","id":"f","call_id":"c","name":"good","arguments":"{}","status":"completed"}`
	for _, event := range []string{
		`event: response.function_call_arguments.done
data: {"sequence_number":9,"item_id":"f","output_index":0,"arguments":"{}","input":"X9ZZY"}`,
		`event: response.function_call_arguments.done
data: {"sequence_number":9,"item_id":"f","output_index":0,"delta":"X9ZZY"}`,
		`data: {"type":" response.output_item.added","output_index":1,"item":{"type":"local_shell_call\u0000","call_id":"d","action":{"type":"exec","command":["X9ZZY"]}}}`,
		`data: {"type":"response.x","item":{"type":"\"shell_call\"","call_id":"d","action":{"commands":["X9ZZY"]}}}`,
		`data: {"type":"response.x","item":{"type":" shell_call ","call_id":"d","action":{"commands":["X9ZZY"]}}}`,
	} {
		answer := responsesWith(item)
		at := strings.Index(answer, "event: response.output_item.done")
		keepsMark(t, event, sluicetest.OpenAIResponses, answer[:at]+event+"\n\n"+answer[at:])
	}
}
