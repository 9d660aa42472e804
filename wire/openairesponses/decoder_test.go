package openairesponses_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openairesponses"
)

func TestDecoderReadsBlocks(t *testing.T) {
	for _, tc := range []struct {
		name, payloads, want string
	}{
		{"text", message(0, "msg_1", "Hello"), `
content message id=msg_1 "Hello"
finish completed stop`},
		{"function call: the block's id is the call_id, not the item's", call(0, "fc_1", "call_1", "f", `{"a":1}`), `
tool_call function_call id=call_1 name=f "{\"a\":1}"
finish completed stop`},
		{"reasoning with a proof", reasoning(0, "rs_1", "hm", "gAAA"), `
thinking reasoning id=rs_1 sig=gAAA "hm"
finish completed stop`},
		{"custom call: free-form input, no done event", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"custom_tool_call","id":"ctc_1","call_id":"call_1","name":"exec","input":"","namespace":"functions"}}
{"type":"response.custom_tool_call_input.delta","item_id":"ctc_1","output_index":0,"delta":"await tools.exec("}
{"type":"response.custom_tool_call_input.delta","item_id":"ctc_1","output_index":0,"delta":"{cmd:1})"}
{"type":"response.output_item.done","output_index":0,"item":{"type":"custom_tool_call","id":"ctc_1","call_id":"call_1","name":"exec","input":"await tools.exec({cmd:1})"}}`, `
tool_call custom_tool_call id=call_1 name=exec "await tools.exec({cmd:1})"
finish completed stop`},
		{"item ids that differ on every event", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"a","role":"assistant","content":[]}}
{"type":"response.output_text.delta","item_id":"b","output_index":0,"content_index":0,"delta":"He"}
{"type":"response.output_text.delta","item_id":"c","output_index":0,"content_index":0,"delta":"y"}
{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"d","role":"assistant","content":[{"type":"output_text","text":"Hey"}]}}`, `
content message id=a "Hey"
finish completed stop
noted item-id-varies`},
		{"members in another order, type last", `
{"item":{"arguments":"","name":"f","call_id":"call_0","id":"fc_1","type":"function_call"},"output_index":0,"type":"response.output_item.added"}
{"delta":"{}","output_index":0,"item_id":"fc_1","type":"response.function_call_arguments.delta"}
{"item":{"arguments":"{}","name":"f","call_id":"call_0","id":"fc_1","type":"function_call"},"output_index":0,"type":"response.output_item.done"}`, `
tool_call function_call id=call_0 name=f "{}"
finish completed stop`},
		{"a call whose pieces have another id each", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"a","call_id":"call_1","name":"f","arguments":""}}
{"type":"response.function_call_arguments.delta","item_id":"b","output_index":0,"delta":"{\"a\""}
{"type":"response.function_call_arguments.delta","item_id":"c","output_index":0,"delta":":1}"}
{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"d","call_id":"call_1","name":"f","arguments":"{\"a\":1}"}}`, `
tool_call function_call id=call_1 name=f "{\"a\":1}"
finish completed stop
noted item-id-varies`},
		{"a call whose pieces have neither a place nor a type", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":""}}
event: response.function_call_arguments.delta {"item_id":"fc_1","delta":"{\"a\""}
event: response.function_call_arguments.delta {"item_id":"fc_1","delta":":1}"}
{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{\"a\":1}"}}`, `
tool_call function_call id=call_1 name=f "{\"a\":1}"
finish completed stop
noted output-index-missing`},
		{"raw reasoning instead of a summary", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"rs_1","summary":[],"content":[]}}
{"type":"response.reasoning_text.delta","item_id":"rs_1","output_index":0,"content_index":0,"delta":"a"}
{"type":"response.reasoning_text.delta","item_id":"rs_1","output_index":0,"content_index":0,"delta":"b"}
{"type":"response.reasoning_text.done","item_id":"rs_1","output_index":0,"content_index":0,"text":"ab"}
{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs_1","summary":[],"content":[{"type":"reasoning_text","text":"ab"}]}}`, `
thinking reasoning id=rs_1 "ab"
finish completed stop`},
		{"empty reasoning items keep their order", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"rs_1","summary":[]}}
{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs_1","summary":[]}}
{"type":"response.output_item.added","output_index":1,"item":{"type":"web_search_call","id":"ws_1","status":"in_progress"}}
{"type":"response.web_search_call.searching","output_index":1,"item_id":"ws_1"}
{"type":"response.output_item.done","output_index":1,"item":{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"q"}}}
{"type":"response.output_item.done","output_index":2,"item":{"type":"reasoning","id":"rs_2","summary":[]}}`, `
thinking reasoning id=rs_1 ""
server_tool web_search_call id=ws_1 "{\"type\":\"search\",\"query\":\"q\"}"
thinking reasoning id=rs_2 ""
finish completed stop`},
		{"a final word that is longer than the deltas, and gaps in output_index", `
{"type":"response.output_item.added","output_index":3,"item":{"type":"message","id":"msg_1","role":"assistant","content":[]}}
{"type":"response.output_text.delta","item_id":"msg_1","output_index":3,"content_index":0,"delta":"Got"}
{"type":"response.output_text.done","item_id":"msg_1","output_index":3,"content_index":0,"text":"Got it"}
{"type":"response.output_item.done","output_index":3,"item":{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"Got it"}]}}`, `
content message id=msg_1 "Got it" other="Got"
finish completed stop
noted done-differs-from-deltas`},
		{"a call whose final word has the same length but says another thing", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":""}}
{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"a\":1}"}
{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{\"a\":2}"}}`, `
tool_call function_call id=call_1 name=f "{\"a\":2}" other="{\"a\":1}"
finish completed stop
noted done-differs-from-deltas`},
		{"a local shell call, whose command events have no item_id", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"shell_call","id":"sh_1","call_id":"call_1","action":{"commands":[]}}}
{"type":"response.shell_call_command.delta","output_index":0,"command_index":0,"delta":"ls"}
{"type":"response.output_item.done","output_index":0,"item":{"type":"shell_call","id":"sh_1","call_id":"call_1","action":{"commands":["ls"]}}}`, `
tool_call shell_call id=call_1 "{\"commands\":[\"ls\"]}"
finish completed stop`},
		{"a shell call in a container, with its result", `
{"type":"response.output_item.done","output_index":0,"item":{"type":"shell_call","id":"sh_1","call_id":"call_1","action":{"commands":["ls"]},"environment":{"type":"container_auto"}}}
{"type":"response.output_item.done","output_index":1,"item":{"type":"shell_call_output","id":"sho_1","call_id":"call_1","output":[{"stdout":"x"}]}}`, `
server_tool shell_call id=call_1 "{\"commands\":[\"ls\"]}"
tool_result shell_call_output id=sho_1 for=call_1 "[{\"stdout\":\"x\"}]"
finish completed stop`},
		{"a shell call that only its end places in a container stays the client's", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"shell_call","id":"sh_1","call_id":"call_1","action":{}}}
{"type":"response.output_item.done","output_index":0,"item":{"type":"shell_call","id":"sh_1","call_id":"call_1","action":{"commands":["ls"]},"environment":{"type":"container_auto"}}}`, `
tool_call shell_call id=call_1 "{\"commands\":[\"ls\"]}"
finish completed stop`},
		{"a container shell call that ends as a local one is a call of its own", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"shell_call","id":"sh_1","call_id":"call_1","action":{},"environment":{"type":"container_auto"}}}
{"type":"response.output_item.done","output_index":0,"item":{"type":"shell_call","id":"sh_1","call_id":"call_1","action":{"commands":["rm"]},"environment":{"type":"loc\u0061l"}}}`, `
server_tool shell_call id=call_1 "{}" incomplete
tool_call shell_call id=call_1 "{\"commands\":[\"rm\"]}"
finish completed stop
noted item-type-changes`},
		{"the other built-in calls of the client", `
{"type":"response.output_item.done","output_index":0,"item":{"type":"local_shell_call","id":"lsh_1","call_id":"call_1","action":{"type":"exec"}}}
{"type":"response.output_item.done","output_index":1,"item":{"type":"apply_patch_call","id":"apc_1","call_id":"call_2","operation":{"type":"delete_file"}}}
{"type":"response.output_item.done","output_index":2,"item":{"type":"computer_call","id":"cu_1","call_id":"call_3","action":{"type":"click"}}}
{"type":"response.output_item.done","output_index":3,"item":{"type":"mcp_approval_request","id":"mcpr_1","name":"t","arguments":"{}","server_label":"s"}}`, `
tool_call local_shell_call id=call_1 "{\"type\":\"exec\"}"
tool_call apply_patch_call id=call_2 "{\"type\":\"delete_file\"}"
tool_call computer_call id=call_3 "{\"type\":\"click\"}"
tool_call mcp_approval_request id=mcpr_1 name=t "{}"
finish completed stop`},
		{"tools of the provider", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"mcp_call","id":"mcp_1","name":"t","arguments":"","server_label":"s"}}
{"type":"response.mcp_call_arguments.delta","output_index":0,"item_id":"mcp_1","delta":"{}"}
{"type":"response.mcp_call_arguments.done","output_index":0,"item_id":"mcp_1","arguments":"{}"}
{"type":"response.output_item.done","output_index":0,"item":{"type":"mcp_call","id":"mcp_1","name":"t","arguments":"{}","output":"x"}}
{"type":"response.output_item.done","output_index":1,"item":{"type":"tool_search_call","id":"tsc_1","call_id":null,"execution":"server","arguments":{"q":1}}}
{"type":"response.output_item.done","output_index":2,"item":{"type":"file_search_call","id":"fs_1"}}`, `
server_tool mcp_call id=mcp_1 name=t "{}"
server_tool tool_search_call id=tsc_1 "{\"q\":1}"
server_tool file_search_call id=fs_1 "{\"type\":\"file_search_call\",\"id\":\"fs_1\"}"
finish completed stop`},
		{"what has no name in common is opaque", `
{"type":"response.output_item.done","output_index":0,"item":{"type":"tool_search_call","id":"tsc_1","call_id":"call_1","execution":"client"}}
{"type":"response.output_item.done","output_index":1,"item":{"type":"compaction","id":"cmp_1"}}
{"type":"response.output_item.done","output_index":2,"item":{"type":"made_up","id":"x"}}`, `
opaque tool_search_call id=call_1 ""
opaque compaction id=cmp_1 ""
opaque made_up id=x ""
finish completed stop`},
		{"text and refusal in one message are two blocks; parts of one kind are one", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","content":[]}}
{"type":"response.content_part.added","output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}
{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"a"}
{"type":"response.content_part.done","output_index":0,"content_index":0,"part":{"type":"output_text","text":"a"}}
{"type":"response.content_part.added","output_index":0,"content_index":1,"part":{"type":"output_text","text":""}}
{"type":"response.output_text.delta","output_index":0,"content_index":1,"delta":"b"}
{"type":"response.output_text.done","output_index":0,"content_index":1,"text":"b"}
{"type":"response.refusal.delta","output_index":0,"content_index":2,"delta":"no"}
{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"a"},{"type":"output_text","text":"b"},{"type":"refusal","refusal":"no"}]}}`, `
content message id=msg_1 "ab"
refusal message id=msg_1 "no"
finish completed stop`},
		{"an empty message is one empty block", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","content":[]}}
{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","content":[]}}`, `
content message id=msg_1 ""
finish completed stop`},
		{"items that interleave", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":""}}
{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"fc_2","call_id":"call_2","name":"g","arguments":""}}
{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{"}
{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{"}
{"type":"response.function_call_arguments.delta","output_index":0,"delta":"}"}
{"type":"response.function_call_arguments.delta","output_index":1,"delta":" }"}
{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","id":"fc_2","call_id":"call_2","name":"g","arguments":"{ }"}}
{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{}"}}`, `
tool_call function_call id=call_1 name=f "{}"
tool_call function_call id=call_2 name=g "{ }"
finish completed stop`},
		{"no output_index: the item's id", `
{"type":"response.output_item.added","item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":""}}
{"type":"response.function_call_arguments.delta","item_id":"fc_1","delta":"{"}
{"type":"response.function_call_arguments.delta","item_id":"fc_1","delta":"}"}
{"type":"response.output_item.done","item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{}"}}`, `
tool_call function_call id=call_1 name=f "{}"
finish completed stop
noted output-index-missing`},
		{"no output_index and no id: the only open item", `
{"type":"response.output_item.added","item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":""}}
{"type":"response.function_call_arguments.delta","delta":"{"}
{"type":"response.function_call_arguments.delta","delta":"}"}
{"type":"response.output_item.done","item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{}"}}`, `
tool_call function_call id=call_1 name=f "{}"
finish completed stop
noted output-index-missing`},
		{"two open items that share an output_index are told apart by id", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":""}}
{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc_2","call_id":"call_2","name":"g","arguments":""}}
{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"fc_1","delta":"{}"}
{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{}"}}
{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"fc_2","call_id":"call_2","name":"g","arguments":""}}`, `
tool_call function_call id=call_1 name=f "{}"
tool_call function_call id=call_2 name=g ""
finish completed stop
noted output-index-reused`},
		{"arguments as an object", `
{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":{"a":1}}}`, `
tool_call function_call id=call_1 name=f "{\"a\":1}"
finish completed stop
noted arguments-as-object`},
		{"name and call_id that only the end tells", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc_1","arguments":""}}
{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{}"}}`, `
tool_call function_call id=call_1 name=f "{}"
finish completed stop`},
		{"a surrogate pair split over two deltas", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","content":[]}}
{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"\ud83d"}
{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"\ude00"}
{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"😀"}]}}`, `
content message id=msg_1 "😀"
finish completed stop`},
		{"empty deltas and events of unknown types make no block", `
{"type":"response.output_text.delta","output_index":7,"content_index":0,"delta":""}
{"type":"response.something.new","output_index":9}
{"type":"response.something.odd","output_index":"x","item":1,"part":[],"response":"y","delta":{}}
{"type":"keepalive"}`, `
finish completed stop`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := must(t, answered(tc.payloads)...)
			expect(t, a.say(), tc.want)
			if a.end != nil {
				t.Errorf("ends with %v", a.end)
			}
		})
	}
}

func TestDecoderReadsResumedStreams(t *testing.T) {
	a := must(t, append(lines(`
{"type":"response.function_call_arguments.delta","sequence_number":7,"output_index":1,"item_id":"fc_1","delta":"1}"}
{"type":"response.output_item.done","sequence_number":8,"output_index":1,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{\"a\":1}"}}
{"type":"response.output_text.delta","sequence_number":9,"output_index":2,"content_index":0,"item_id":"msg_1","delta":"end"}
{"type":"response.output_item.done","sequence_number":10,"output_index":2,"item":{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"the end"}]}}`), completed)...)
	expect(t, a.say(), `
tool_call function_call id=call_1 name=f "{\"a\":1}" other="1}"
content message id=msg_1 "the end" other="end"
finish completed stop
noted item-added-missing
noted done-differs-from-deltas`)
	if a.chunks[0].Number != 7 || a.chunks[0].Seq != 0 {
		t.Errorf("the first chunk has number %d and seq %d", a.chunks[0].Number, a.chunks[0].Seq)
	}
}

func TestDecoderReadsTheFinalOutput(t *testing.T) {
	final := func(status, output, more string) string {
		return fmt.Sprintf(`{"type":"response.%[1]s","response":{"id":"resp_1","model":"m","status":%[1]q,"output":%[2]s%[3]s}}`, status, output, more)
	}
	item := func(id, callID, args string) string {
		return fmt.Sprintf(`{"type":"function_call","id":%q,"call_id":%q,"name":"f","arguments":%q}`, id, callID, args)
	}
	one := call(0, "fc_1", "call_1", "f", `{"a":1}`)
	for _, tc := range []struct {
		name, payloads, want string
	}{
		{"the same item under another id is the same item", one + final("completed", "["+item("fc_9", "call_1", `{"a":1}`)+"]", ""), `
tool_call function_call id=call_1 name=f "{\"a\":1}"
finish completed stop
noted item-id-varies`},
		{"a copy that says something else is kept", one + final("completed", "["+item("fc_1", "call_1", `{"a":2}`)+"]", ""), `
tool_call function_call id=call_1 name=f "{\"a\":1}" other="{\"a\":2}"
finish completed stop
noted done-differs-from-deltas`},
		{"a copy with another call_id is another call", one + final("completed", "["+item("fc_1", "call_2", `{"a":1}`)+"]", ""), `
tool_call function_call id=call_1 name=f "{\"a\":1}"
tool_call function_call id=call_2 name=f "{\"a\":1}"
finish completed stop
noted item-only-in-output`},
		{"an item that no event told", one + final("completed", "["+item("fc_1", "call_1", `{"a":1}`)+","+item("fc_2", "call_2", `{}`)+"]", ""), `
tool_call function_call id=call_1 name=f "{\"a\":1}"
tool_call function_call id=call_2 name=f "{}"
finish completed stop
noted item-only-in-output`},
		{"an item that was never done", strings.Join(lines(one)[:3], "\n") + "\n" + final("completed", "["+item("fc_1", "call_1", `{"a":1}`)+"]", ""), `
tool_call function_call id=call_1 name=f "{\"a\":1}"
finish completed stop
noted item-done-missing`},
		{"only the end", final("completed", "["+item("fc_1", "call_1", `{"a":1}`)+"]", ""), `
tool_call function_call id=call_1 name=f "{\"a\":1}"
finish completed stop`},
		{"incomplete cuts what is open", strings.Join(lines(one)[:2], "\n") + "\n" + final("incomplete", "[]", `,"incomplete_details":{"reason":"max_output_tokens"}`), `
tool_call function_call id=call_1 name=f "{\"a" incomplete
finish incomplete length`},
		{"incomplete by a filter", final("incomplete", "[]", `,"incomplete_details":{"reason":"content_filter"}`), `
finish incomplete filtered`},
		{"failed", strings.Join(lines(one)[:2], "\n") + "\n" + final("failed", "[]", `,"error":{"code":"server_error","message":"sorry"}`), `
tool_call function_call id=call_1 name=f "{\"a" incomplete
finish failed failed
error  server_error sorry`},
		{"cancelled", final("cancelled", "[]", ""), `
finish cancelled failed`},
		{"an item that its own end calls incomplete", strings.Replace(one, `"status":"completed"`, `"status":"incomplete"`, 1) + final("incomplete", "[]", ""), `
tool_call function_call id=call_1 name=f "{\"a\":1}" incomplete
finish incomplete length`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := must(t, append([]string{created}, lines(tc.payloads)...)...)
			expect(t, a.say(), tc.want)
			if a.end != nil {
				t.Errorf("ends with %v", a.end)
			}
		})
	}
}

func TestDecoderReadsErrors(t *testing.T) {
	flat := `{"type":"error","sequence_number":3,"code":"server_error","message":"sorry","param":null}`
	nested := `{"type":"error","sequence_number":3,"error":{"type":"insufficient_quota","code":"quota","message":"no money","param":null}}`
	failed := `{"type":"response.failed","response":{"id":"resp_1","status":"failed","output":[],"error":{"code":"quota","message":"no money"}}}`
	open := strings.Join(lines(message(0, "msg_1", "Hello"))[:3], "\n")
	for _, tc := range []struct {
		name, payloads, want string
	}{
		{"flat, then the end of the bytes", open + "\n" + flat, `
content message id=msg_1 "He" incomplete
error  server_error sorry`},
		{"nested, then failed", nested + "\n" + failed, `
finish failed failed
error insufficient_quota quota no money`},
		{"a body that is an error", `{"error":{"type":"t","code":7,"message":"m"}}`, `
error t 7 m`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := must(t, append([]string{created}, lines(tc.payloads)...)...)
			expect(t, a.say(), tc.want)
			if a.end != nil {
				t.Errorf("End gives %v after an error that was reported", a.end)
			}
			if a.state.Complete() {
				t.Error("an answer with an error is complete")
			}
		})
	}
}

func TestDecoderReadsWholeResponses(t *testing.T) {
	a := must(t, `{"id":"resp_1","object":"response","status":"completed","model":"m","output":[
{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"a"},{"type":"summary_text","text":"b"}],"content":[{"type":"reasoning_text","text":"c"}],"encrypted_content":"enc"},
{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi"},{"type":"refusal","refusal":"no"},{"type":"odd","x":1}]},
{"id":"fc_1","type":"function_call","call_id":"call_1","name":"f","arguments":"{}"}],
"usage":{"input_tokens":3,"output_tokens":4,"output_tokens_details":{"reasoning_tokens":2},"input_tokens_details":{"cached_tokens":1,"cache_write_tokens":5}}}`)
	expect(t, a.say(), `
thinking reasoning id=rs_1 sig=enc "abc"
content message id=msg_1 "Hi"
refusal message id=msg_1 "no"
tool_call function_call id=call_1 name=f "{}"
finish completed stop`)
	if !a.chunks[0].Whole || a.end != nil || !a.state.Complete() {
		t.Errorf("whole %v, end %v, complete %v", a.chunks[0].Whole, a.end, a.state.Complete())
	}
	if a.state.ID() != "resp_1" || a.state.Model() != "m" {
		t.Errorf("id %q model %q", a.state.ID(), a.state.Model())
	}
	u, _ := a.state.Usage()
	if u.Input != 3 || u.Output != 4 || u.CacheRead != 1 || u.CacheWrite != 5 || u.Reasoning != 2 || len(u.Raw) == 0 {
		t.Errorf("usage %+v", u)
	}
	unknown := 0
	for _, ev := range a.chunks[0].Events {
		if ev.Type == stream.EventUnknown && ev.Name == "odd" {
			unknown++
		}
	}
	if unknown != 1 {
		t.Errorf("%d events for the part of an unknown type", unknown)
	}
	expect(t, must(t, `{"id":"resp_1","object":"response","status":"failed","output":[],"error":{"code":"x","message":"y"}}`).say(), `
finish failed failed
error  x y`)
	expect(t, must(t, `{"id":"resp_1","object":"response","status":"queued","output":[]}`).say(), `finish queued other`)
}

// Parts are joined in place, so every small sequence of them is compared with a
// join that is plain.
func TestDecoderJoinsParts(t *testing.T) {
	var sequence []string // "tab" is a text "ab", "r" an empty refusal
	check := func() {
		var content, summary, texts, blocks []string
		last := ""
		for _, part := range sequence {
			kind, text := part[:1], part[1:]
			if kind == "t" {
				content = append(content, fmt.Sprintf(`{"type":"output_text","text":%q}`, text))
			} else {
				content = append(content, fmt.Sprintf(`{"type":"refusal","refusal":%q}`, text))
			}
			summary = append(summary, fmt.Sprintf(`{"type":"summary_text","text":%q}`, text))
			texts = append(texts, text)
			if kind != last {
				blocks = append(blocks, "")
			}
			blocks[len(blocks)-1] += text
			last = kind
		}
		want := append([]string{strings.Join(texts, "")}, blocks...)
		items := []string{
			`{"type":"reasoning","id":"rs_1","summary":[` + strings.Join(summary, ",") + `]}`,
			`{"type":"message","id":"msg_1","role":"assistant","content":[` + strings.Join(content, ",") + `]}`,
		}
		for name, payloads := range map[string][]string{
			"streamed": {
				created,
				`{"type":"response.output_item.done","output_index":0,"item":` + items[0] + `}`,
				`{"type":"response.output_item.done","output_index":1,"item":` + items[1] + `}`,
				completed,
			},
			"in the final response": {created, `{"type":"response.completed","response":{"status":"completed","output":[` + strings.Join(items, ",") + `]}}`},
			"whole":                 {`{"object":"response","status":"completed","output":[` + strings.Join(items, ",") + `]}`},
		} {
			var got []string
			for _, b := range must(t, payloads...).state.Blocks() {
				got = append(got, b.Text())
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %q is read as %q, want %q", name, sequence, got, want)
			}
		}
	}
	var extend func()
	extend = func() {
		if len(sequence) > 0 {
			check()
		}
		if len(sequence) == 4 {
			return
		}
		for _, kind := range []string{"t", "r"} {
			for size := range 3 {
				sequence = append(sequence, kind+"abcdefgh"[2*len(sequence):][:size])
				extend()
				sequence = sequence[:len(sequence)-1]
			}
		}
	}
	extend()
}

func TestDecoderTellsTheAnswerAndItsUsage(t *testing.T) {
	a := must(t, append([]string{
		created, `{"type":"response.queued","response":{"id":"resp_1","output":[]}}`,
		`{"type":"response.in_progress","response":{"id":"resp_1","output":[]}}`,
	}, completed)...)
	if a.state.ID() != "resp_1" || a.state.Model() != "m" {
		t.Errorf("id %q model %q", a.state.ID(), a.state.Model())
	}
	if u, ok := a.state.Usage(); !ok || u.Input != 10 || u.Output != 7 || u.CacheRead != 4 || u.Reasoning != 3 {
		t.Errorf("usage %+v %v", u, ok)
	}
	if len(a.deviations) > 0 {
		t.Errorf("noted %v", a.deviations)
	}
}

func TestDecoderRefuses(t *testing.T) {
	added := `{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":""}}`
	done := `{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{}"}}`
	delta := `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{}"}`
	piece := func(text string) string {
		return fmt.Sprintf(`{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"fc_1","delta":%q}`, text)
	}
	for _, tc := range []struct{ name, payloads string }{
		{"no JSON", "nonsense"},
		{"cut JSON", `{"type":"response.created"`},
		{"an array", `[1]`},
		{"two values", `{}{}`},
		{"two types", `{"type":"a","type":"response.completed"}`},
		{"two deltas", added + "\n" + `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"a","delta":"b"}`},
		{"two deltas, one name escaped", added + "\n" + `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"a","delt\u0061":"b"}`},
		{"two output indices", `{"type":"response.function_call_arguments.delta","output_index":0,"output_index":1,"delta":"b"}`},
		{"two arguments in an item", strings.Replace(done, `"name"`, `"arguments":"{1}","name"`, 1)},
		{"two items", strings.Replace(done, `"item"`, `"item":{"type":"message"},"item"`, 1)},
		{"two texts in a part", `{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[{"type":"output_text","text":"a","text":"b"}]}}`},
		{"two outputs", `{"type":"response.completed","response":{"output":[],"output":[]}}`},
		{"a delta without a type", added + "\n" + `{"output_index":0,"delta":"{}"}`},
		{"a delta without a type or a place", `{"delta":"{}","sequence_number":3}`},
		{"a delta whose type is empty", `{"type":"","delta":"{}"}`},
		{"an object as a delta, without a type", `{"delta":{"command":["ls"]}}`},
		{"arguments without a type", `{"output_index":0,"arguments":"{}"}`},
		{"input without a type", `{"input":"ls"}`},
		{"an item without a type of the payload", `{"output_index":0,"item":{"type":"message","content":[]}}`},
		{"a part without a type of the payload", `{"part":{"type":"output_text","text":""}}`},
		{"a delta that is a number", added + "\n" + `{"type":"response.function_call_arguments.delta","output_index":0,"delta":1}`},
		{"arguments that are a number", strings.Replace(done, `"{}"`, `7`, 1)},
		{"input that is an object", `{"type":"response.output_item.done","output_index":0,"item":{"type":"custom_tool_call","input":{}}}`},
		{"an index that is a string", `{"type":"response.function_call_arguments.delta","output_index":"0","delta":"b"}`},
		{"a negative index", `{"type":"response.function_call_arguments.delta","output_index":-1,"delta":"b"}`},
		{"an item that is added under another name", added + "\n" + strings.Replace(added, `"f"`, `"g"`, 1)},
		{"an item that is added with other arguments", added + "\n" + strings.Replace(added, `"arguments":""`, `"arguments":"{}"`, 1)},
		{"an item that is added again after it grew", added + "\n" + delta + "\n" + added},
		{"a delta with the id of another call", added + "\n" + done + "\n" + strings.NewReplacer("fc_1", "fc_2", `"output_index":0`, `"output_index":1`).Replace(added) +
			"\n" + `{"type":"response.function_call_arguments.delta","output_index":1,"item_id":"fc_1","delta":"{}"}`},
		{"a delta with the id of another call, for an item without one", added + "\n" + done + "\n" + strings.NewReplacer(`"id":"fc_1",`, "", `"output_index":0`, `"output_index":1`).Replace(added) +
			"\n" + `{"type":"response.function_call_arguments.delta","output_index":1,"item_id":"fc_1","delta":"{}"}`},
		{"a delta with the id of a call at another place", added + "\n" + `{"type":"response.function_call_arguments.delta","output_index":1,"item_id":"fc_1","delta":"{}"}`},
		{"a delta with an unknown id and no place", strings.Replace(added, `"output_index":0,`, "", 1) + "\n" + `{"type":"response.function_call_arguments.delta","item_id":"fc_2","delta":"{}"}`},
		{"a shell call of a container with the body of a patch", `{"type":"response.output_item.added","output_index":0,"item":{"type":"shell_call","action":{},"operation":{"path":"a"},"environment":{"type":"container_auto"}}}`},
		{"a delta after the item's end", added + "\n" + done + "\n" + delta},
		{"a delta of another kind", added + "\n" + `{"type":"response.output_text.delta","output_index":0,"delta":"x"}`},
		{"a delta that could be of two items", added + "\n" + strings.ReplaceAll(added, `"output_index":0`, `"output_index":1`) + "\n" +
			`{"type":"response.function_call_arguments.delta","delta":"{}"}`},
		{"a piece under the name of its event among others with a type", added + "\n" + piece("{") + "\n" +
			`event: response.function_call_arguments.delta {"output_index":0,"item_id":"fc_1","delta":"x"}`},
		{"a piece with a type among others under the names of their events", added + "\n" +
			`event: response.function_call_arguments.delta {"output_index":0,"item_id":"fc_1","delta":"x"}` + "\n" + piece("{")},
		{"a piece without a place among others", added + "\n" + piece("{") + "\n" + strings.Replace(piece("x"), `"output_index":0,`, "", 1)},
		{"a piece with a place among others", added + "\n" + strings.Replace(piece("x"), `"output_index":0,`, "", 1) + "\n" + piece("{")},
		{"a piece without an id among others", added + "\n" + piece("{") + "\n" + delta},
		{"a piece with an empty id among others", added + "\n" + piece("{") + "\n" + strings.Replace(piece("x"), "fc_1", "", 1)},
		{"a piece with an id among others", added + "\n" + delta + "\n" + piece("{")},
		{"a piece with another id among others", added + "\n" + piece("{") + "\n" + strings.Replace(piece("x"), "fc_1", "fc_2", 1)},
		{"a piece with the item's id among others", added + "\n" + strings.Replace(piece("x"), "fc_1", "fc_2", 1) + "\n" + piece("{")},
		{"a piece of a custom call without a place among others", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"custom_tool_call","id":"ctc_1","call_id":"call_1","name":"f","input":""}}
{"type":"response.custom_tool_call_input.delta","output_index":0,"item_id":"ctc_1","delta":"E"}
{"type":"response.custom_tool_call_input.delta","item_id":"ctc_1","delta":"x"}`},
		{"an approval whose arguments come under two names", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"mcp_approval_request","id":"mcpr_1","name":"f","arguments":""}}
{"type":"response.mcp_call_arguments.delta","output_index":0,"item_id":"mcpr_1","delta":"E"}
{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"mcpr_1","delta":"x"}`},
		{"a function's arguments as those of what the provider runs", added + "\n" + strings.Replace(piece("{}"), "function_call", "mcp_call", 1)},
		{"a function's whole arguments as those of what the provider runs", added + "\n" + `{"type":"response.mcp_call_arguments.done","output_index":0,"item_id":"fc_1","arguments":"{}"}`},
		{"a piece of a call that was added with arguments", strings.Replace(added, `"arguments":""`, `"arguments":"{\"a\""`, 1) + "\n" + piece(":1}")},
		{"a piece of a call that was added with an object", strings.Replace(added, `"arguments":""`, `"arguments":{}`, 1) + "\n" + piece("{}")},
		{"a piece of a custom call that was added with an input", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"custom_tool_call","id":"ctc_1","call_id":"call_1","name":"f","input":"E"}}
{"type":"response.custom_tool_call_input.delta","output_index":0,"item_id":"ctc_1","delta":"x"}`},
		{"a piece of an approval that was added with arguments", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"mcp_approval_request","id":"mcpr_1","name":"f","arguments":"{"}}
{"type":"response.mcp_call_arguments.delta","output_index":0,"item_id":"mcpr_1","delta":"}"}`},
		{"a piece with another name", added + "\n" + strings.Replace(piece("{}"), `"delta":`, `"name":"g","delta":`, 1)},
		{"a piece with a name for an item that was never added", strings.Replace(piece("{}"), `"delta":`, `"name":"g","delta":`, 1)},
		{"whole arguments with another name after the item's end", added + "\n" + done + "\n" + `{"type":"response.function_call_arguments.done","output_index":0,"item_id":"fc_1","name":"g","arguments":"{}"}`},
		{"content after the end", completed + "\n" + added},
		{"a second end", completed + "\n" + completed},
		{"content after [DONE]", completed + "\n[DONE]\n" + added},
		{"content after an error", `{"type":"error","message":"x"}` + "\n" + added},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := decode(append([]string{created}, lines(tc.payloads)...)...)
			if _, ok := errors.AsType[*stream.ProtocolError](a.err); !ok {
				t.Fatalf("got %v, want a *stream.ProtocolError", a.err)
			}
		})
	}
}

func TestDecoderEnds(t *testing.T) {
	if a := must(t, completed, "[DONE]", "[DONE]"); a.end != nil || !a.state.Complete() || a.chunks[1].Name != "" {
		t.Errorf("[DONE] after the end: %v", a.end)
	}
	for name, payloads := range map[string][]string{
		"nothing":                  nil,
		"no terminal event":        {created},
		"[DONE] is no proof":       {created, "[DONE]"},
		"an open item":             append([]string{created}, lines(message(0, "m", "text"))[:3]...),
		"all items done, no proof": append([]string{created}, lines(message(0, "m", "text"))...),
	} {
		a := must(t, payloads...)
		if !errors.Is(a.end, stream.ErrIncomplete) || !errors.Is(a.end, io.ErrUnexpectedEOF) {
			t.Errorf("%s: ends with %v, want ErrIncomplete", name, a.end)
		}
	}
}

func TestDecoderSetsTheFieldsOfAChunk(t *testing.T) {
	a := must(t, answered(call(4, "fc_1", "call_1", "f", `{"a":1}`))...)
	offset := 0
	for i, c := range a.chunks {
		if c.Seq != i {
			t.Errorf("chunk %d has seq %d", i, c.Seq)
		}
		for _, ev := range c.Events {
			switch ev.Type {
			case stream.EventStart, stream.EventDelta, stream.EventWhole, stream.EventEnd:
				if ev.Kind != llm.ToolCall || ev.Block != 0 || ev.Index != 4 || ev.Span.Len() != len(c.Raw) {
					t.Errorf("chunk %d: event %s has kind %s block %d index %d span %v", i, ev.Type, ev.Kind, ev.Block, ev.Index, ev.Span)
				}
			default:
			}
			if ev.Type == stream.EventDelta {
				if ev.Offset != offset {
					t.Errorf("offset %d, want %d", ev.Offset, offset)
				}
				offset += len(ev.Data)
			}
		}
	}
	if name := a.chunks[2].Name; name != "response.function_call_arguments.delta" {
		t.Errorf("name %q", name)
	}
	d := openairesponses.NewDecoder()
	c := stream.Chunk{Name: "response.output_text.delta", Raw: []byte(`{"output_index":0,"delta":"x"}`)}
	if err := d.Decode(&c); err != nil || len(c.Events) != 2 {
		t.Errorf("a payload without a type under an event name: %v, %d events", err, len(c.Events))
	}
}
