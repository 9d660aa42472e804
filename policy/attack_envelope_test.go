package policy_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
)

// hiddenCalls are calls in all forms that the dialects have for them, by name:
// whole answers, events, pieces. Each speaks of X9ZZY.
func hiddenCalls() map[string]string {
	all := map[string]string{
		"chat entry":           `{"id":"a","type":"function","function":{"name":"bad","arguments":"{\"s\":\"X9ZZY\"}"}}`,
		"chat custom entry":    `{"id":"a","type":"custom","custom":{"name":"bad","input":"X9ZZY"}}`,
		"chat message":         `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"bad","arguments":"{\"s\":\"X9ZZY\"}"}}]}`,
		"chat old message":     `{"role":"assistant","content":null,"function_call":{"name":"bad","arguments":"{\"s\":\"X9ZZY\"}"}}`,
		"chat piece":           `{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"s\":\"X9ZZY\"}"}}]}}`,
		"chat in camel case":   `{"toolCalls":[{"id":"a","function":{"name":"bad","arguments":"{\"s\":\"X9ZZY\"}"}}]}`,
		"anthropic block":      `{"type":"tool_use","id":"a","name":"bad","input":{"s":"X9ZZY"}}`,
		"anthropic piece":      `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"s\":\"X9ZZY\"}"}}`,
		"bedrock block":        `{"toolUse":{"toolUseId":"a","name":"bad","input":{"s":"X9ZZY"}}}`,
		"function item":        `{"type":"function_call","id":"f","call_id":"a","name":"bad","arguments":"{\"s\":\"X9ZZY\"}"}`,
		"custom item":          `{"type":"custom_tool_call","id":"f","call_id":"a","name":"bad","input":"X9ZZY"}`,
		"local shell item":     `{"type":"local_shell_call","id":"f","call_id":"a","action":{"type":"exec","command":["X9ZZY"]}}`,
		"shell item":           `{"type":"shell_call","id":"f","call_id":"a","action":{"commands":["X9ZZY"]}}`,
		"patch item":           `{"type":"apply_patch_call","id":"f","call_id":"a","operation":{"type":"create_file","path":"x","diff":"X9ZZY"}}`,
		"computer item":        `{"type":"computer_call","id":"f","call_id":"a","action":{"type":"type","text":"X9ZZY"}}`,
		"approval item":        `{"type":"mcp_approval_request","id":"f","server_label":"s","name":"bad","arguments":"{\"s\":\"X9ZZY\"}"}`,
		"responses piece":      `{"type":"response.function_call_arguments.done","item_id":"f","output_index":0,"arguments":"{\"s\":\"X9ZZY\"}"}`,
		"responses free piece": `{"type":"response.custom_tool_call_input.done","item_id":"f","output_index":0,"input":"X9ZZY"}`,
		"gemini part":          `{"functionCall":{"name":"bad","args":{"s":"X9ZZY"}}}`,
		"gemini old part":      `{"function_call":{"name":"bad","args":{"s":"X9ZZY"}}}`,
		"no dialect's":         `{"name":"bad","input":{"s":"X9ZZY"}}`,
		"no dialect's words":   `{"tool":"bad","parameters":{"s":"X9ZZY"}}`,
	}
	blocks := [][]llm.Block{{{Kind: llm.ToolCall, ID: "a", Name: "bad", Arguments: `{"s":"X9ZZY"}`}}}
	for _, format := range sluicetest.Formats() {
		all[format+" body"] = sluicetest.BuildBody(format, blocks, sluicetest.BuildOptions{})
		for i, payload := range sluicetest.Build(format, blocks, sluicetest.BuildOptions{}) {
			if strings.Contains(payload, "X9ZZY") {
				all[fmt.Sprintf("%s event %d", format, i)] = payload
			}
		}
	}
	return all
}

// envelopes puts a value where a payload has room for more: as a further member of
// each of its objects and a further element of each of its arrays, alone and with
// others around it.
func envelopes(payload, value string, names []string, yield func(where, made string)) {
	inString := false
	for i := 0; i < len(payload); i++ {
		switch c := payload[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			comma := ","
			if next := strings.TrimLeft(payload[i+1:], " "); next[0] == '}' || next[0] == ']' {
				comma = ""
			}
			put := func(what, member string) {
				yield(fmt.Sprintf("%s at %d", what, i), payload[:i+1]+member+comma+payload[i+1:])
			}
			if c == '[' {
				put("an element", value)
				put("an element of an element", `[[`+value+`]]`)
				continue
			}
			for _, name := range names {
				put("the member "+name, `"`+name+`":`+value)
			}
			put("a member of a list of a member", `"extra":{"list":[{"deep":{"deeper":[`+value+`]}}]}`)
		}
	}
}

// envelopeNames are names of members that a payload may have and mostly has not.
var envelopeNames = []string{"extra", "data", "response", "result", "message", "tool_calls", "content", "output", "item", "candidates", "choices", "delta", "metadata", "functionCall"}

// A call in any dialect's form where this dialect has none is judged, or ends the
// answer: whatever it is wrapped in, streamed or not.
func TestNoEnvelopeHidesACall(t *testing.T) {
	t.Parallel()
	calls := hiddenCalls()
	kinds := slices.Sorted(maps.Keys(calls))
	base := [][]llm.Block{{
		{Kind: llm.Content, Text: "so be it"},
		{Kind: llm.ToolCall, ID: "g", Name: "good", Arguments: `{"s":"ok"}`},
	}}
	guard := sluicetest.Enforcement{Set: set(t, harmless())}
	for _, format := range sluicetest.Formats() {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			var forms, leaked int
			tried := every(7)
			check := func(what string, deliver func() sluicetest.Delivered) {
				if !tried() {
					return
				}
				forms++
				if d := deliver(); leaks(d) {
					if leaked++; leaked <= 20 {
						t.Errorf("%s\n%s", what, d.Bytes)
					}
				}
			}
			payloads := sluicetest.Build(format, base, sluicetest.BuildOptions{})
			stream := func(what string, payloads []string) {
				check(what, func() sluicetest.Delivered {
					return guard.Stream(context.Background(), format, bytes.NewReader(sluicetest.SSE(format, payloads)))
				})
			}
			whole := func(what string, body []byte) {
				check(what, func() sluicetest.Delivered { return guard.Body(context.Background(), format, body) })
			}
			body := sluicetest.BuildBody(format, base, sluicetest.BuildOptions{})
			for k, kind := range kinds {
				call := calls[kind]
				// Each kind of call gets some of the names at each place, and all of
				// them together get all.
				names := []string{"extra", envelopeNames[k%len(envelopeNames)]}
				for i, payload := range payloads {
					if !strings.HasPrefix(payload, "{") {
						continue
					}
					envelopes(payload, call, names, func(where, made string) {
						changed := slices.Clone(payloads)
						changed[i] = made
						stream(fmt.Sprintf("%s as %s of payload %d", kind, where, i), changed)
					})
				}
				own := strings.HasPrefix(kind, format) || format == sluicetest.OpenAIResponses && strings.HasPrefix(kind, "responses")
				for _, alone := range []string{
					call, `[` + call + `]`, `{"data":` + call + `}`, `{"type":"new.event","x":` + call + `}`, `{"type":"new.event","response":{"x":[` + call + `]}}`,
					`{"event":"new","message":` + call + `}`, `{"object":"new","choices":[],"x":{"y":` + call + `}}`, `{"id":"x","result":` + call + `}`,
				} {
					if own && alone == call {
						continue // one more event of this dialect: no envelope
					}
					for i := range payloads {
						stream(kind+" in a payload of its own: "+alone, slices.Insert(slices.Clone(payloads), i, alone))
					}
				}
				envelopes(body, call, names, func(where, made string) {
					whole(kind+" as "+where+" of a body", []byte(made))
				})
				for _, alone := range []string{call, `[` + call + `]`, `{"data":` + call + `}`, `{"result":{"x":[` + call + `]}}`, `[` + body + `,` + call + `]`} {
					whole(kind+" as a body", []byte(alone))
				}
			}
			t.Logf("%d forms, %d leaked", forms, leaked)
		})
	}
}
