package anthropic_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/anthropic"
)

// Payloads that most streams of the tests share.
const (
	msgStart = `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-x","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":1}}}`
	msgStop  = `{"type":"message_stop"}`
	endTurn  = `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}`
	toolTurn = `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":5}}`
)

func start(index int, block string) string {
	return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, index, block)
}

func delta(index int, d string) string {
	return fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, index, d)
}

func textDelta(index int, text string) string {
	return delta(index, fmt.Sprintf(`{"type":"text_delta","text":%q}`, text))
}

func jsonDelta(index int, json string) string {
	return delta(index, fmt.Sprintf(`{"type":"input_json_delta","partial_json":%q}`, json))
}

func stop(index int) string { return fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, index) }

const (
	textBlock = `{"type":"text","text":""}`
	toolBlock = `{"type":"tool_use","id":"toolu_1","name":"bash","input":{}}`

	serverBlock = `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}`
)

func raws(payloads []string) [][]byte {
	var raw [][]byte
	for _, p := range payloads {
		raw = append(raw, []byte(p))
	}
	return raw
}

// describe writes blocks in one line: kind, name, id, text or arguments, and
// the signature and status where they are not the usual.
func describe(s *stream.State) string {
	var words []string
	for _, b := range s.Blocks() {
		w := b.Kind().String()
		if b.Kind() != llm.Content && b.Kind() != llm.Thinking && b.Kind() != llm.ToolCall {
			w += ":" + b.Type()
		}
		if b.Name() != "" || b.ID() != "" {
			w += " " + b.Name() + "#" + b.ID()
		}
		if b.ToolUseID() != "" {
			w += " of #" + b.ToolUseID()
		}
		w += " [" + b.Text() + "]"
		if b.Signature() != "" {
			w += " signed " + b.Signature()
		}
		if b.Status() != llm.Complete {
			w += " " + b.Status().String()
		}
		words = append(words, w)
	}
	return strings.Join(words, ", ")
}

func TestDecoderReadsBlocks(t *testing.T) {
	tests := []struct {
		name       string
		payloads   []string
		want       string
		finish     string
		deviations []string
	}{
		{
			name:     "text in deltas",
			payloads: []string{msgStart, start(0, textBlock), textDelta(0, "Hel"), textDelta(0, "lo"), stop(0), endTurn, msgStop},
			want:     "content [Hello]", finish: "end_turn",
		},
		{
			name: "a call with its input in pieces, the first of them empty",
			payloads: []string{msgStart, start(0, toolBlock), jsonDelta(0, ""), jsonDelta(0, `{"command":`), jsonDelta(0, `"ls"}`),
				stop(0), toolTurn, msgStop},
			want: `tool_call bash#toolu_1 [{"command":"ls"}]`, finish: "tool_use",
		},
		{
			name:     "a call without arguments",
			payloads: []string{msgStart, start(0, toolBlock), jsonDelta(0, ""), stop(0), toolTurn, msgStop},
			want:     `tool_call bash#toolu_1 [{}]`, finish: "tool_use",
		},
		{
			name: "61: a call with its whole input in the start",
			payloads: []string{msgStart, start(0, `{"type":"tool_use","id":"toolu_1","name":"f","input":{"a":1},"caller":{"type":"direct"}}`),
				stop(0), toolTurn, msgStop},
			want: `tool_call f#toolu_1 [{"a":1}]`, finish: "tool_use",
		},
		{
			name: "deltas replace the input of the start",
			payloads: []string{msgStart, start(0, `{"type":"tool_use","id":"toolu_1","name":"f","input":{"a":1}}`), jsonDelta(0, `{"b":2}`),
				stop(0), toolTurn, msgStop},
			want: `tool_call f#toolu_1 [{"b":2}]`, finish: "tool_use",
		},
		{
			name: "a text that begins with text goes on from it",
			payloads: []string{msgStart, start(0, `{"type":"text","text":"Once "}`), textDelta(0, "upon"), stop(0),
				start(1, `{"type":"text","text":"alone"}`), stop(1), endTurn, msgStop},
			want: "content [Once upon], content [alone]", finish: "end_turn",
		},
		{
			name: "thinking with its signature at the end, at the beginning, and alone (60)",
			payloads: []string{msgStart,
				start(0, `{"type":"thinking","thinking":"","signature":""}`), delta(0, `{"type":"thinking_delta","thinking":"hm"}`),
				delta(0, `{"type":"signature_delta","signature":"c2ln"}`), stop(0),
				start(1, `{"type":"thinking","thinking":"so","signature":"YQ=="}`), stop(1),
				start(2, `{"type":"thinking","thinking":"","signature":""}`), delta(2, `{"type":"signature_delta","signature":"Yg=="}`), stop(2),
				endTurn, msgStop},
			want: "thinking [hm] signed c2ln, thinking [so] signed YQ==, thinking [] signed Yg==", finish: "end_turn",
		},
		{
			name: "60, 66: what is opaque stays whole",
			payloads: []string{msgStart, start(0, `{"type":"redacted_thinking","data":"ZGF0YQ=="}`), stop(0),
				start(1, `{"type":"fallback","from":{"model":"a"},"to":{"model":"b"}}`), stop(1),
				start(2, `{"type":"compaction","content":null}`), delta(2, `{"type":"compaction_delta","content":"summary"}`), stop(2),
				start(3, `{"type":"container_upload","file_id":"f"}`), stop(3), endTurn, msgStop},
			want:   "opaque:redacted_thinking [], opaque:fallback [], opaque:compaction [summary], opaque:container_upload []",
			finish: "end_turn",
		},
		{
			name: "63: server tools and results, paired or not",
			payloads: []string{msgStart, start(0, `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_0","content":[{"type":"web_search_result"}]}`), stop(0),
				start(1, `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}`), jsonDelta(1, `{"query":"x"}`), stop(1),
				start(2, `{"type":"mcp_tool_use","id":"mcptoolu_1","name":"echo","server_name":"s","input":{"a":1}}`), stop(2), endTurn, msgStop},
			want: `tool_result:web_search_tool_result of #srvtoolu_0 [[{"type":"web_search_result"}]], ` +
				`server_tool:server_tool_use web_search#srvtoolu_1 [{"query":"x"}], server_tool:mcp_tool_use echo#mcptoolu_1 [{"a":1}]`,
			finish: "end_turn",
		},
		{
			name: "an unknown block takes any delta",
			payloads: []string{msgStart, start(0, `{"type":"hologram","id":"h","shape":{}}`), jsonDelta(0, `{"x":1}`), stop(0),
				start(1, `{"type":"poem","text":5}`), textDelta(1, "la"), stop(1), endTurn, msgStop},
			want: `opaque:hologram #h [{"x":1}], opaque:poem [la]`, finish: "end_turn",
		},
		{
			name: "citations stand between texts",
			payloads: []string{msgStart, start(0, `{"type":"text","text":"","citations":[]}`), delta(0, `{"type":"citations_delta","citation":{"cited_text":"x"}}`),
				textDelta(0, "quoted"), stop(0), endTurn, msgStop},
			want: "content [quoted]", finish: "end_turn",
		},
		{
			name: "a delta of an unknown type that carries nothing",
			payloads: []string{msgStart, start(0, toolBlock), delta(0, `{"type":"new_delta","x":1,"partial_json":""}`), jsonDelta(0, `{}`),
				stop(0), toolTurn, msgStop},
			want: `tool_call bash#toolu_1 [{}]`, finish: "tool_use", deviations: []string{"delta-type-unknown"},
		},
		{
			name: "55: padded JSON, and members in any order",
			payloads: []string{msgStart, `{"content_block":{"text":"","type":"text"},"index":0,"type":"content_block_start"}`,
				`{"delta":{"text":"Hi","type":"text_delta"},"index":0,"type":"content_block_delta"      }`, stop(0), endTurn, msgStop},
			want: "content [Hi]", finish: "end_turn",
		},
		{
			name:     "56: pings are part of no block",
			payloads: []string{`{"type":"ping"}`, msgStart, start(0, textBlock), `{"type": "ping"}`, textDelta(0, "Hi"), `{"type":"ping"}`, stop(0), endTurn, msgStop, `{"type":"ping"}`},
			want:     "content [Hi]", finish: "end_turn",
		},
		{
			name:     "57: message_start twice",
			payloads: []string{msgStart, msgStart, start(0, textBlock), textDelta(0, "Hi"), stop(0), endTurn, msgStop},
			want:     "content [Hi]", finish: "end_turn", deviations: []string{"message-start-repeated"},
		},
		{
			name: "62: message_start with content and stop reason",
			payloads: []string{`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[{"type":"text","text":"so"},{"type":"tool_use","id":"t","name":"f","input":{"a":1}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2}}}`,
				msgStop},
			want: `content [so], tool_call f#t [{"a":1}]`, finish: "tool_use",
		},
		{
			name: "64: a refusal has no blocks",
			payloads: []string{msgStart, `{"type":"message_delta","delta":{"stop_reason":"refusal","stop_sequence":null,"stop_details":{"type":"refusal"}},"usage":{"output_tokens":5}}`,
				msgStop},
			want: "", finish: "refusal",
		},
		{
			name: "67: blocks that overlap",
			payloads: []string{msgStart, start(0, textBlock), textDelta(0, "a"), start(1, toolBlock), jsonDelta(1, `{"x":`), textDelta(0, "b"),
				stop(0), jsonDelta(1, `1}`), stop(1), toolTurn, msgStop},
			want: `content [ab], tool_call bash#toolu_1 [{"x":1}]`, finish: "tool_use", deviations: []string{"blocks-overlap"},
		},
		{
			name: "67: what the provider runs begins while a call is open",
			payloads: []string{msgStart, start(0, toolBlock), start(1, serverBlock), jsonDelta(1, `{"q":1}`), jsonDelta(0, `{"x":1}`),
				stop(0), stop(1), toolTurn, msgStop},
			want:   `tool_call bash#toolu_1 [{"x":1}], server_tool:server_tool_use web_search#srvtoolu_1 [{"q":1}]`,
			finish: "tool_use", deviations: []string{"blocks-overlap"},
		},
		{
			name: "67: stops that never come",
			payloads: []string{msgStart, start(0, textBlock), textDelta(0, "a"), start(1, toolBlock), jsonDelta(1, `{}`),
				toolTurn, stop(1), msgStop},
			want: `content [a], tool_call bash#toolu_1 [{}]`, finish: "tool_use",
			deviations: []string{"blocks-overlap", "block-stop-missing", "block-stop-unexpected"},
		},
		{
			name: "67: a start under the index of an open block ends it",
			payloads: []string{msgStart, start(0, textBlock), textDelta(0, "a"), start(0, textBlock), textDelta(0, "b"), stop(0),
				start(0, textBlock), textDelta(0, "c"), stop(0), endTurn, msgStop},
			want: `content [a], content [b], content [c]`, finish: "end_turn", deviations: []string{"block-stop-missing", "index-reused"},
		},
		{
			name: "67: indices missing from deltas and stops",
			payloads: []string{msgStart, start(0, toolBlock), `{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"{\"a\":1}"}}`,
				`{"type":"content_block_stop"}`, toolTurn, msgStop},
			want: `tool_call bash#toolu_1 [{"a":1}]`, finish: "tool_use", deviations: []string{"index-missing"},
		},
		{
			name: "67: an index missing among others, which the writer settles",
			payloads: []string{msgStart, start(0, textBlock), stop(0), start(1, toolBlock), jsonDelta(1, `{"a":`),
				`{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"1}"}}`, stop(1), toolTurn, msgStop},
			want: `content [], tool_call bash#toolu_1 [{"a":1}]`, finish: "tool_use", deviations: []string{"index-missing"},
		},
		{
			name: "67: no index at all, or only after the start",
			payloads: []string{msgStart, `{"type":"content_block_start","content_block":{"type":"text","text":""}}`, `{"type":"content_block_delta","delta":{"type":"text_delta","text":"a"}}`,
				`{"type":"content_block_start","index":null,"content_block":{"type":"text","text":""}}`, textDelta(1, "b"), stop(1), endTurn, msgStop},
			want: `content [a], content [b]`, finish: "end_turn", deviations: []string{"index-missing", "block-stop-missing", "index-late"},
		},
		{
			name: "indices with gaps, and decreasing",
			payloads: []string{msgStart, start(5, textBlock), textDelta(5, "a"), stop(5), start(-3, textBlock), textDelta(-3, "b"), stop(-3),
				endTurn, msgStop},
			want: `content [a], content [b]`, finish: "end_turn", deviations: []string{"index-gap", "index-reused"},
		},
		{
			name: "68: input that is not JSON stays as it is",
			payloads: []string{msgStart, start(0, toolBlock), jsonDelta(0, `{"path":"a`), stop(0),
				`{"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":5}}`, msgStop},
			want: `tool_call bash#toolu_1 [{"path":"a] incomplete`, finish: "max_tokens",
		},
		{
			name:     "68: input that is not JSON in a call that is said to be whole",
			payloads: []string{msgStart, start(0, toolBlock), jsonDelta(0, `{"path":"a`), stop(0), toolTurn, msgStop},
			want:     `tool_call bash#toolu_1 [{"path":"a] malformed`, finish: "tool_use",
		},
		{
			name:     "a stop reason that never comes is inferred",
			payloads: []string{msgStart, start(0, toolBlock), stop(0), msgStop},
			want:     `tool_call bash#toolu_1 [{}]`, finish: "", deviations: []string{"finish-missing"},
		},
		{
			name: "the last stop reason counts",
			payloads: []string{msgStart, `{"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":1}}`, endTurn,
				`{"type":"message_delta","delta":{"stop_reason":"pause_turn"},"usage":{"output_tokens":9}}`,
				`{"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":9}}`, msgStop},
			want: "", finish: "pause_turn", deviations: []string{"finish-repeated"},
		},
		{
			name:     "blocks before message_start",
			payloads: []string{start(0, textBlock), textDelta(0, "a"), stop(0), endTurn, msgStop},
			want:     "content [a]", finish: "end_turn", deviations: []string{"message-start-missing"},
		},
		{
			name:     "message_start without a message",
			payloads: []string{`{"type":"message_start"}`, start(0, textBlock), textDelta(0, "a"), stop(0), endTurn, msgStop},
			want:     "content [a]", finish: "end_turn", deviations: []string{"message-missing"},
		},
		{
			name:     "message_start after the first block, with a stop reason",
			payloads: []string{start(0, textBlock), strings.Replace(msgStart, `"stop_reason":null`, `"stop_reason":"end_turn"`, 1), textDelta(0, "a"), stop(0), endTurn, msgStop},
			want:     "content [a]", finish: "end_turn", deviations: []string{"message-start-missing", "message-start-late", "stop-reason-early"},
		},
		{
			name:     "an input that is an empty text",
			payloads: []string{msgStart, start(0, `{"type":"tool_use","id":"a","name":"f","input":""}`), stop(0), toolTurn, msgStop},
			want:     "tool_call f#a []", finish: "tool_use",
		},
		{
			name: "deltas without a type are known by their member",
			payloads: []string{msgStart, start(0, textBlock), delta(0, `{"text":"a"}`), stop(0),
				start(1, toolBlock), delta(1, `{"partial_json":"{}"}`), stop(1), toolTurn, msgStop},
			want: `content [a], tool_call bash#toolu_1 [{}]`, finish: "tool_use", deviations: []string{"delta-type-missing"},
		},
		{
			name:     "null and empty deltas open and close nothing",
			payloads: []string{msgStart, `{"type":"content_block_delta","index":7,"delta":{"type":"text_delta","text":""}}`, `{"type":"content_block_delta","index":7,"delta":null}`, `{"type":"content_block_delta","index":7,"delta":{"type":"text_delta","text":null}}`, stop(7), endTurn, msgStop},
			want:     "", finish: "end_turn", deviations: []string{"block-stop-unexpected"},
		},
		{
			name:     "a call without id and name",
			payloads: []string{msgStart, start(0, `{"type":"tool_use","input":null}`), stop(0), toolTurn, msgStop},
			want:     "tool_call [] malformed", finish: "tool_use", deviations: []string{"tool-id-missing", "tool-name-missing"},
		},
		{
			name:     "a [DONE] of another dialect, and message_stop twice",
			payloads: []string{msgStart, endTurn, msgStop, msgStop, "[DONE]"},
			want:     "", finish: "end_turn", deviations: []string{"message-stop-repeated", "done-marker"},
		},
		{
			name:     "surrogates split over two deltas",
			payloads: []string{msgStart, start(0, textBlock), delta(0, `{"type":"text_delta","text":"a\ud83d"}`), delta(0, `{"type":"text_delta","text":"\ude00b"}`), stop(0), endTurn, msgStop},
			want:     "content [a😀b]", finish: "end_turn",
		},
		{
			name:     "escaped member names and types",
			payloads: []string{msgStart, start(0, textBlock), `{"\u0074ype":"content_block\u005fdelta","index":0,"delta":{"type":"text_delta","te\u0078t":"a"}}`, stop(0), endTurn, msgStop},
			want:     "content [a]", finish: "end_turn",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := feed(t, raws(tt.payloads))
			if got.err != nil {
				t.Fatal(got.err)
			}
			if text := describe(got.state); text != tt.want {
				t.Errorf("blocks\n%s\nwant\n%s", text, tt.want)
			}
			if word := got.state.FinishReason(); word != tt.finish {
				t.Errorf("finish %q, want %q", word, tt.finish)
			}
			if !got.state.Complete() {
				t.Error("the answer is not complete")
			}
			if !slices.Equal(got.deviations, tt.deviations) {
				t.Errorf("deviations %v, want %v", got.deviations, tt.deviations)
			}
		})
	}
}

func TestDecoderRefusesWhatTwoReadersCouldReadDifferently(t *testing.T) {
	open := []string{msgStart, start(0, textBlock)}
	call := []string{msgStart, start(0, toolBlock)}
	ended := []string{msgStart, endTurn, msgStop}
	overlap := []string{msgStart, start(0, serverBlock), start(1, toolBlock)}
	tests := []struct {
		name     string
		before   []string
		payload  string
		contains string
	}{
		{"54: text that is not JSON", nil, `hello`, "not JSON"},
		{"54: JSON that is cut", nil, `{"type":"ping"`, "not JSON"},
		{"54: two values", nil, `{"type":"ping"}{}`, "not JSON"},
		{"an empty payload", nil, ``, "not JSON"},
		{"not an object", nil, `[1]`, "not a JSON object"},
		{"no type", nil, `{"index":0}`, "no type"},
		{"a type that is no string", nil, `{"type":5}`, "wrong type"},
		{"58: another message", []string{msgStart}, strings.Replace(msgStart, "msg_1", "msg_2", 1), "another message began"},
		{"the same message again, with content", []string{msgStart}, strings.Replace(msgStart, `"content":[]`, `"content":[{"type":"text","text":"x"}]`, 1), "began again"},
		{"the same message again, after a call", []string{msgStart, start(0, toolBlock)}, msgStart, "after one of its calls"},
		{"type twice", nil, `{"type":"ping","type":"message_stop"}`, "twice"},
		{"index twice", open, `{"type":"content_block_delta","index":0,"index":1,"delta":{"type":"text_delta","text":"a"}}`, "twice"},
		{"delta twice", open, `{"type":"content_block_delta","index":0,"delta":{},"delta":{"type":"text_delta","text":"a"}}`, "twice"},
		{"text twice", open, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a","text":"b"}}`, "twice"},
		{"text twice, once escaped", open, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a","te\u0078t":"b"}}`, "twice"},
		{"partial_json twice", call, `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{}","partial_json":"{\"a\":1}"}}`, "twice"},
		{"stop_reason twice", open, `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_reason":"tool_use"}}`, "twice"},
		{"content_block twice", nil, `{"type":"content_block_start","index":0,"content_block":{"type":"text"},"content_block":{"type":"tool_use"}}`, "twice"},
		{"the name of a call twice", nil, start(0, `{"type":"tool_use","id":"a","name":"ls","name":"rm","input":{}}`), "twice"},
		{"the input of a call twice", nil, start(0, `{"type":"tool_use","id":"a","name":"ls","input":{},"input":{"a":1}}`), "twice"},
		{"the content of a message twice", nil, `{"type":"message","content":[],"content":[{"type":"text","text":"a"}]}`, "twice"},
		{"usage counted twice", []string{msgStart}, `{"type":"message_delta","delta":{},"usage":{"output_tokens":1,"output_tokens":2}}`, "twice"},
		{"arguments that are a number", call, delta(0, `{"type":"input_json_delta","partial_json":5}`), "not a string"},
		{"a text that is an object", open, delta(0, `{"type":"text_delta","text":{"a":1}}`), "not a string"},
		{"the name of a call that is an object", nil, start(0, `{"type":"tool_use","id":"a","name":{},"input":{}}`), "wrong type"},
		{"the id of a server tool that is a number", nil, start(0, `{"type":"server_tool_use","id":5,"name":"s","input":{}}`), "wrong type"},
		{"thinking that is a list", nil, start(0, `{"type":"thinking","thinking":[]}`), "wrong type"},
		{"a signature that is a number", nil, start(0, `{"type":"thinking","thinking":"","signature":5}`), "wrong type"},
		{"a result of a call that is a number", nil, start(0, `{"type":"mcp_tool_result","tool_use_id":5}`), "wrong type"},
		{"a stop reason that is a number", open, `{"type":"message_delta","delta":{"stop_reason":5}}`, "wrong type"},
		{"a message that is a text", nil, `{"type":"message_start","message":"hi"}`, "wrong type"},
		{"content in a message that begins late", []string{start(0, textBlock)}, strings.Replace(msgStart, `"content":[]`, `"content":[{"type":"text","text":"x"}]`, 1), "while a block was open"},
		{"a text block whose text is a list", nil, start(0, `{"type":"text","text":["a"]}`), "wrong type"},
		{"an index that is a text", open, `{"type":"content_block_delta","index":"0","delta":{"type":"text_delta","text":"a"}}`, "wrong type"},
		{"an index that is a fraction", open, `{"type":"content_block_delta","index":0.5,"delta":{"type":"text_delta","text":"a"}}`, "wrong type"},
		{"a delta that is a text", open, `{"type":"content_block_delta","index":0,"delta":"a"}`, "wrong type"},
		{"a block without a type", nil, start(0, `{"text":"a"}`), "no type"},
		{"a start without a block", nil, `{"type":"content_block_start","index":0}`, "without content_block"},
		{"text in a call", call, textDelta(0, "a"), "not of its block's type"},
		{"input in a text", open, jsonDelta(0, "{}"), "not of its block's type"},
		{"a signature in a text", open, delta(0, `{"type":"signature_delta","signature":"a"}`), "not of its block's type"},
		{"text in a result", []string{start(0, `{"type":"mcp_tool_result","tool_use_id":"a","content":[]}`)}, textDelta(0, "a"), "not of its block's type"},
		{"two kinds of delta in one unknown block", []string{start(0, `{"type":"hologram"}`), textDelta(0, "a")}, jsonDelta(0, "{}"), "two types"},
		{"a delta that carries two things", open, delta(0, `{"type":"text_delta","text":"a","partial_json":"{}"}`), "not of its type"},
		{"a delta without a type that carries two things", open, delta(0, `{"text":"a","partial_json":"{}"}`), "not of its type"},
		{"a delta that carries what another type carries", call, delta(0, `{"type":"text_delta","partial_json":"{}"}`), "not of its type"},
		{"input in a delta of an unknown type", call, delta(0, `{"type":"weird","partial_json":"{\"c\":1}"}`), "unknown type"},
		{"input in a delta of citations", call, delta(0, `{"type":"citations_delta","partial_json":"{\"c\":1}"}`), "unknown type"},
		{"input that is no text in a delta of an unknown type", call, delta(0, `{"type":"weird","partial_json":{"c":1}}`), "unknown type"},
		{"text in a delta of an unknown type, in a call", call, delta(0, `{"type":"weird","text":"a"}`), "unknown type"},
		{"a piece of input without its type among others", append(slices.Clone(call), jsonDelta(0, `{"c":"E`)), delta(0, `{"partial_json":"X9X"}`), "different ways"},
		{"a piece of input with its type among others", append(slices.Clone(call), delta(0, `{"partial_json":"{\"c\":"}`)), jsonDelta(0, `1}`), "different ways"},
		{"a piece of input whose type is null among others without", append(slices.Clone(call), delta(0, `{"partial_json":"{\"c\":"}`)), delta(0, `{"type":null,"partial_json":"1}"}`), "different ways"},
		{"a piece of input without an index among others", append(slices.Clone(call), jsonDelta(0, `{"c":"E`)), `{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"X9X"}}`, "different ways"},
		{"a piece of input with an index among others", append(slices.Clone(call), `{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"{\"c\":"}}`), jsonDelta(0, `1}`), "different ways"},
		{"input of what the provider runs while a later call is open", overlap, jsonDelta(0, `{}`), "the provider runs"},
		{"input of what the provider runs after a later call", append(slices.Clone(overlap), stop(1)), jsonDelta(0, `{}`), "the provider runs"},
		{"a delta of a block that never began", open, textDelta(3, "a"), "not open"},
		{"a delta of a block that has ended", append(slices.Clone(open), stop(0)), textDelta(0, "a"), "not open"},
		{"an unknown delta of a block that never began", open, delta(3, `{"type":"new_delta","x":1}`), "not open"},
		{"a block after the stop reason", []string{msgStart, endTurn}, start(0, textBlock), "after the stop reason"},
		{"a delta after the stop reason", append(slices.Clone(open), endTurn), textDelta(0, "a"), "not open"},
		{"a block after the end", ended, start(0, textBlock), "follows the end"},
		{"a message after the end", ended, msgStart, "follows the end"},
		{"an unknown event after the end", ended, `{"type":"surprise"}`, "follows the end"},
		{"a block after a [DONE]", []string{msgStart, "[DONE]"}, start(0, textBlock), "follows the end"},
		{"a block after an error", []string{msgStart, `{"type":"error","error":{"type":"a","message":"b"}}`}, start(0, textBlock), "follows the end"},
		{"a whole message inside a stream", open, `{"type":"message","content":[]}`, "whole message"},
		{"a whole message whose content is a text", nil, `{"type":"message","content":"hi"}`, "wrong type"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := feed(t, raws(append(slices.Clone(tt.before), tt.payload)))
			var protocol *stream.ProtocolError
			if !errors.As(got.err, &protocol) {
				t.Fatalf("error %v, want a protocol error", got.err)
			}
			if protocol.Seq != len(tt.before) {
				t.Errorf("payload %d is blamed", protocol.Seq)
			}
			if !strings.Contains(protocol.Reason, tt.contains) {
				t.Errorf("reason %q, want something with %q", protocol.Reason, tt.contains)
			}
		})
	}
}

func TestProviderErrors(t *testing.T) {
	tests := []struct{ name, payload, kind, message string }{
		{"59: overloaded in the middle", `{"type":"error","error":{"details":null,"type":"overloaded_error","message":"Overloaded"}}`, "overloaded_error", "Overloaded"},
		{"a body with a request id", `{"type":"error","error":{"type":"api_error","message":"x"},"request_id":"r"}`, "api_error", "x"},
		{"without a type", `{"error":{"type":"api_error","message":"x"}}`, "api_error", "x"},
		{"a text where an object should be", `{"type":"error","error":"x"}`, "", "x"},
		{"a message beside the type", `{"type":"error","message":"x"}`, "", "x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := feed(t, raws([]string{msgStart, start(0, toolBlock), jsonDelta(0, "{}"), tt.payload}))
			if got.err != nil {
				t.Fatalf("an error that the provider reports is no error of the decoder: %v", got.err)
			}
			e := got.state.Err()
			if e == nil || e.Type != tt.kind || e.Message != tt.message || len(e.Raw) == 0 {
				t.Fatalf("error %+v", e)
			}
			if text := describe(got.state); text != "tool_call bash#toolu_1 [{}] incomplete" {
				t.Errorf("blocks %s", text)
			}
			if got.state.Complete() {
				t.Error("the answer counts as complete")
			}
		})
	}
}

func TestACutAnswerIsIncomplete(t *testing.T) {
	full := []string{msgStart, start(0, textBlock), textDelta(0, "a"), stop(0), start(1, toolBlock), jsonDelta(1, "{}"), stop(1), toolTurn, msgStop}
	for n := range full {
		got := feed(t, raws(full[:n]))
		if !errors.Is(got.err, stream.ErrIncomplete) || !errors.Is(got.err, io.ErrUnexpectedEOF) {
			t.Errorf("cut after %d payloads: error %v", n, got.err)
		}
		for _, b := range got.state.Blocks() {
			if b.Status() == llm.Open {
				t.Errorf("cut after %d payloads a block is open", n)
			}
		}
	}
}

func TestWholeAnswersGiveTheBlocksOfTheirStreams(t *testing.T) {
	body := `{"id":"msg_1","type":"message","role":"assistant","model":"claude-x","content":[
	  {"type":"thinking","thinking":"hm","signature":"c2ln"},
	  {"type":"text","text":"Hel\nlo","citations":null},
	  {"type":"server_tool_use","id":"s","name":"web_search","input":{"q":"x"}},
	  {"type":"web_search_tool_result","tool_use_id":"s","content":[]},
	  {"type":"tool_use","id":"toolu_1","name":"bash","input":{"command":"ls"}}],
	  "stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":10,"cache_read_input_tokens":5,"output_tokens":7}}`
	got := feed(t, [][]byte{[]byte(body)})
	if got.err != nil {
		t.Fatal(got.err)
	}
	want := "thinking [hm] signed c2ln, content [Hel\nlo], server_tool:server_tool_use web_search#s [{\"q\":\"x\"}], " +
		"tool_result:web_search_tool_result of #s [[]], tool_call bash#toolu_1 [{\"command\":\"ls\"}]"
	if text := describe(got.state); text != want {
		t.Errorf("blocks\n%s\nwant\n%s", text, want)
	}
	if !got.chunks[0].Whole || !got.state.Complete() || got.state.FinishReason() != "tool_use" {
		t.Error("not a whole, complete answer")
	}
	if got.state.ID() != "msg_1" || got.state.Model() != "claude-x" {
		t.Errorf("id %q, model %q", got.state.ID(), got.state.Model())
	}
	if u, _ := got.state.Usage(); u.Input != 15 || u.Output != 7 || u.CacheRead != 5 {
		t.Errorf("usage %+v", u)
	}
	if len(got.deviations) > 0 {
		t.Errorf("deviations %v", got.deviations)
	}
}

func TestUsageIsMerged(t *testing.T) {
	payloads := []string{
		`{"type":"message_start","message":{"id":"m","content":[],"usage":{"input_tokens":10,"cache_creation_input_tokens":2,"cache_read_input_tokens":3,"output_tokens":1,"service_tier":"standard"}}}`,
		`{"type":"message_delta","delta":{},"usage":{"input_tokens":null,"output_tokens":4}}`,
		// 65: the count of the input can rise.
		`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":20,"output_tokens":9,"output_tokens_details":{"thinking_tokens":6},"iterations":[1]}}`,
		msgStop,
	}
	got := feed(t, raws(payloads))
	u, ok := got.state.Usage()
	if !ok || u.Input != 25 || u.CacheRead != 3 || u.CacheWrite != 2 || u.Output != 9 || u.Reasoning != 6 {
		t.Errorf("usage %+v", u)
	}
	want := `{"input_tokens":20,"cache_creation_input_tokens":2,"cache_read_input_tokens":3,"output_tokens":9,"service_tier":"standard","output_tokens_details":{"thinking_tokens":6},"iterations":[1]}`
	if string(u.Raw) != want {
		t.Errorf("raw usage %s\nwant %s", u.Raw, want)
	}
}

func TestEventsSayWhereTheyStand(t *testing.T) {
	got := feed(t, raws([]string{msgStart, start(3, toolBlock), jsonDelta(3, "ab"), jsonDelta(3, "cd"), delta(3, `{"type":"new_delta","x":1}`), stop(3), `{"type":"surprise","x":2}`, toolTurn, msgStop}))
	if got.err != nil {
		t.Fatal(got.err)
	}
	var events []string
	for _, c := range got.chunks {
		for i := range c.Events {
			ev := &c.Events[i]
			if ev.Type == stream.EventUsage || ev.Type == stream.EventMeta {
				continue
			}
			events = append(events, fmt.Sprintf("%d %s %s block=%d index=%d offset=%d name=%s", c.Seq, ev.Type, c.Name, ev.Block, ev.Index, ev.Offset, ev.Name))
			if ev.Span != (llm.Span{End: len(c.Raw)}) {
				t.Errorf("%s has the span %v", ev.Type, ev.Span)
			}
			if ev.Block >= 0 && ev.Type != stream.EventFinish && ev.Type != stream.EventDone && ev.Kind != llm.ToolCall {
				t.Errorf("%s has the kind %s", ev.Type, ev.Kind)
			}
		}
	}
	want := []string{
		"1 start content_block_start block=0 index=3 offset=0 name=bash",
		"2 delta content_block_delta block=0 index=3 offset=0 name=",
		"3 delta content_block_delta block=0 index=3 offset=2 name=",
		"4 unknown content_block_delta block=0 index=3 offset=0 name=new_delta",
		"5 end content_block_stop block=0 index=3 offset=4 name=",
		"6 unknown surprise block=-1 index=-1 offset=0 name=surprise",
		"7 finish message_delta block=-1 index=-1 offset=0 name=",
		"8 done message_stop block=-1 index=-1 offset=0 name=",
	}
	if !slices.Equal(events, want) {
		t.Errorf("events\n%s\nwant\n%s", strings.Join(events, "\n"), strings.Join(want, "\n"))
	}
}

func TestTheEventNameCountsOnlyWithoutAType(t *testing.T) {
	d := anthropic.NewDecoder()
	steps := []struct{ name, payload, want string }{
		{"message_start", strings.Replace(msgStart, `"type":"message_start",`, "", 1), "message_start"},
		{"content_block_stop", start(0, textBlock), "content_block_start"},
		{"", textDelta(0, "a"), "content_block_delta"},
		{"ping", `{}`, "ping"},
	}
	var c stream.Chunk
	for _, s := range steps {
		c.Raw, c.Name = []byte(s.payload), s.name
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		if c.Name != s.want {
			t.Errorf("name %q, want %q", c.Name, s.want)
		}
	}
	if len(d.Deviations()) != 2 {
		t.Errorf("deviations %v", d.Deviations())
	}
}

// The table of refusals has no event names, so this is a separate test.
func TestPiecesOfACallAreToldInOneWay(t *testing.T) {
	untyped := strings.NewReplacer(`"type":"content_block_start",`, "", `"type":"content_block_delta",`, "")
	begin, later := start(0, toolBlock), start(1, toolBlock)
	typed := jsonDelta(0, "1")
	bare := untyped.Replace(typed)
	empty := `{"index":0,"delta":{"type":"input_json_delta","partial_json":""}}`
	for _, tt := range []struct {
		name     string
		payloads []string
		refused  bool
	}{
		{"the payload has no type among others that do", []string{begin, typed, typed, bare}, true},
		{"the payload has its type among others that do not", []string{untyped.Replace(begin), bare, typed}, true},
		{"no payload has a type", []string{untyped.Replace(begin), bare, bare}, false},
		{"what is empty says nothing", []string{begin, typed, empty, typed}, false},
		{"no piece has a type, but the beginning has", []string{begin, bare}, true},
		{"the beginning has no type, but a piece has", []string{untyped.Replace(begin), typed}, true},
		{"one beginning of two has a type", []string{begin, untyped.Replace(later)}, true},
		{"the other one has", []string{untyped.Replace(begin), later}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := anthropic.NewDecoder()
			var err error
			for _, p := range append([]string{msgStart}, tt.payloads...) {
				if err != nil {
					t.Fatal(err)
				}
				c := stream.Chunk{Raw: []byte(p), Name: "content_block_delta"}
				if strings.Contains(p, "content_block\"") {
					c.Name = "content_block_start"
				}
				err = d.Decode(&c)
			}
			if refused := err != nil && strings.Contains(err.Error(), "different ways"); refused != tt.refused {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestFinishReasons(t *testing.T) {
	for word, want := range map[string]llm.FinishReason{
		"end_turn": llm.FinishStop, "stop_sequence": llm.FinishStop, "tool_use": llm.FinishToolCalls,
		"max_tokens": llm.FinishLength, "model_context_window_exceeded": llm.FinishLength, "refusal": llm.FinishFiltered,
		"pause_turn": llm.FinishPaused, "compaction": llm.FinishPaused, "never_heard_of": llm.FinishOther,
	} {
		got := feed(t, raws([]string{msgStart, fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q}}`, word), msgStop}))
		if reason := got.state.Choice(0).Finish(); reason != want {
			t.Errorf("%s means %s, want %s", word, reason, want)
		}
	}
}
