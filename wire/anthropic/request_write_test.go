package anthropic_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/anthropic"
)

func TestRequestsAreWrittenAsTheDialectDemands(t *testing.T) {
	text := func(s string) llm.Block { return llm.Block{Kind: llm.Content, Text: s} }
	call := func(id, name, args string) llm.Block {
		return llm.Block{Kind: llm.ToolCall, ID: id, Name: name, Arguments: args}
	}
	result := func(id, s string) llm.Block { return llm.Block{Kind: llm.ToolResult, ToolUseID: id, Text: s} }
	say := func(role llm.Role, blocks ...llm.Block) llm.Message { return llm.Message{Role: role, Blocks: blocks} }
	image := json.RawMessage(`{"type":"image","source":{"type":"url","url":"https://x"}}`)
	half := 0.5
	cases := []struct {
		name string
		req  llm.Request
		want string // without the model
	}{
		{
			"a limit is always there, and the system text is a string",
			llm.Request{System: []llm.Block{text("be brief")}, Messages: []llm.Message{say(llm.User, text("hi"))}},
			`{"max_tokens":4096,"system":"be brief","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}`,
		},
		{
			"all results of a turn stand in one message before any text",
			llm.Request{MaxTokens: 7, Stream: true, Temperature: &half, Messages: []llm.Message{
				say(llm.User, text("go")),
				say(llm.Assistant, call("a", "f", ""), call("b", "g", `{"x":1}`)),
				say(llm.User, text("and now")), say(llm.ToolRole, result("a", "1")), say(llm.ToolRole, result("b", "")),
			}},
			`{"max_tokens":7,"messages":[{"role":"user","content":[{"type":"text","text":"go"}]},` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"g","input":{"x":1}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"},{"type":"tool_result","tool_use_id":"b","content":""},` +
				`{"type":"text","text":"and now"}]}],"stream":true,"temperature":0.5}`,
		},
		{
			"leading system messages move to the system text",
			llm.Request{Messages: []llm.Message{say(llm.System, text("a")), say(llm.System, text("b")), say(llm.User, text("hi"))}},
			`{"max_tokens":4096,"system":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}`,
		},
		{
			"text after a call moves before it; thinking keeps its place and proof",
			llm.Request{Messages: []llm.Message{say(llm.Assistant, llm.Block{Kind: llm.Thinking, Type: "thinking", Text: "hm", Signature: "S"}, call("a", "f", "{}"), text("calling"))}},
			`{"max_tokens":4096,"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"S"},{"type":"text","text":"calling"},{"type":"tool_use","id":"a","name":"f","input":{}}]}]}`,
		},
		{
			"thinking of another vendor is gone as a whole",
			llm.Request{Messages: []llm.Message{say(llm.Assistant, llm.Block{Kind: llm.Thinking, Type: "reasoning", Text: "hm", Signature: "enc"}, text("x"))}},
			`{"max_tokens":4096,"messages":[{"role":"assistant","content":[{"type":"text","text":"x"}]}]}`,
		},
		{
			"ids outside the alphabet are mapped alike in calls and results",
			llm.Request{Messages: []llm.Message{say(llm.Assistant, call("functions.f:0", "f", "{}")), say(llm.ToolRole, result("functions.f:0", "r"))}},
			`{"max_tokens":4096,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"call_sluice64_ZnVuY3Rpb25zLmY6MA","name":"f","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_sluice64_ZnVuY3Rpb25zLmY6MA","content":"r"}]}]}`,
		},
		{
			"calls without ids are paired by order",
			llm.Request{Messages: []llm.Message{say(llm.Assistant, call("", "f", ""), call("", "g", "")), say(llm.ToolRole, result("", "1"), result("", "2"))}},
			`{"max_tokens":4096,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"call_sluice_1","name":"f","input":{}},{"type":"tool_use","id":"call_sluice_2","name":"g","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_sluice_1","content":"1"},{"type":"tool_result","tool_use_id":"call_sluice_2","content":"2"}]}]}`,
		},
		{
			"a failed result says so, and parts stay parts",
			llm.Request{Messages: []llm.Message{say(llm.ToolRole,
				llm.Block{Kind: llm.ToolResult, ToolUseID: "a", Text: "no", Failed: true},
				llm.Block{Kind: llm.Opaque, ToolUseID: "a", Type: "image", Raw: image})}},
			`{"max_tokens":4096,"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"no"},` + string(image) + `],"is_error":true}]}]}`,
		},
		{
			"opaque blocks and unchanged blocks leave as they came",
			llm.Request{Messages: []llm.Message{say(llm.User,
				llm.Block{Kind: llm.Opaque, Type: "image", Raw: image},
				llm.Block{Kind: llm.Content, Type: "text", Text: "a", Raw: json.RawMessage(`{"text":"a","cache_control":{"type":"ephemeral"},"type":"text"}`)},
				llm.Block{Kind: llm.Content, Type: "text", Text: "changed", Raw: json.RawMessage(`{"text":"a","cache_control":{"type":"ephemeral"},"type":"text"}`)})}},
			`{"max_tokens":4096,"messages":[{"role":"user","content":[` + string(image) + `,{"text":"a","cache_control":{"type":"ephemeral"},"type":"text"},{"type":"text","text":"changed"}]}]}`,
		},
		{
			"tools get the schema that the dialect demands; free text is wrapped",
			llm.Request{
				Tools: []llm.Tool{
					{Name: "f"},
					{Name: "patch", Type: "custom"},
					{Name: "web_search", Type: "web_search_20250305", Server: true, Raw: json.RawMessage(`{"type":"web_search_20250305","name":"web_search","max_uses":2}`)},
				},
				Messages: []llm.Message{say(llm.Assistant, llm.Block{Kind: llm.ToolCall, Type: "custom_tool_call", ID: "a", Name: "patch", Arguments: "*** x"})},
			},
			`{"max_tokens":4096,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"patch","input":{"input":"*** x"}}]}],` +
				`"tools":[{"name":"f","input_schema":{"type":"object","properties":{}}},` +
				`{"name":"patch","input_schema":{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}},` +
				`{"type":"web_search_20250305","name":"web_search","max_uses":2}]}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.req.Model = "m"
			got, err := anthropic.AppendRequest(nil, &c.req)
			if err != nil {
				t.Fatal(err)
			}
			if want := `{"model":"m",` + c.want[1:]; string(got) != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if _, err := anthropic.ReadRequest(got); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRequestsWithoutAFormAreRefused(t *testing.T) {
	message := func(role llm.Role, b llm.Block) llm.Request {
		return llm.Request{Messages: []llm.Message{{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: "x"}}}, {Role: role, Blocks: []llm.Block{b}}}}
	}
	cases := map[string]struct {
		req  llm.Request
		want string
	}{
		"arguments that are no object":  {message(llm.Assistant, llm.Block{Kind: llm.ToolCall, Name: "f", Arguments: `{"a":`}), "not a JSON object"},
		"a call without a name":         {message(llm.Assistant, llm.Block{Kind: llm.ToolCall, Type: "local_shell_call"}), "no tool name"},
		"a call of the user":            {message(llm.User, llm.Block{Kind: llm.ToolCall, Name: "f"}), "only the assistant"},
		"a server tool of others":       {message(llm.Assistant, llm.Block{Kind: llm.ServerTool, Type: "web_search_call", Raw: json.RawMessage(`{"type":"web_search_call"}`)}), "own Raw"},
		"an image of others":            {message(llm.User, llm.Block{Kind: llm.Opaque, Type: "image_url", Raw: json.RawMessage(`{"type":"image_url","image_url":{"url":"x"}}`)}), "image_url"},
		"a system message in the midst": {message(llm.System, llm.Block{Kind: llm.Content, Text: "x"}), "middle of the history"},
		"an unknown role":               {message("critic", llm.Block{Kind: llm.Content, Text: "x"}), `unknown role "critic"`},
		"a kind that is none":           {message(llm.Assistant, llm.Block{}), "kind"},
		"a field twice":                 {llm.Request{Extra: map[string]json.RawMessage{"model": []byte(`"x"`)}}, "field of its own"},
		"an extra that is no JSON":      {llm.Request{Extra: map[string]json.RawMessage{"x": []byte(`{`)}}, "not JSON"},
		"a schema that is no JSON":      {llm.Request{Tools: []llm.Tool{{Name: "f", Schema: []byte(`{`)}}}, "schema"},
		"a tool of others":              {llm.Request{Tools: []llm.Tool{{Name: "googleSearch", Type: "googleSearch", Server: true, Raw: []byte(`{"googleSearch":{}}`)}}}, "another dialect"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out, err := anthropic.AppendRequest([]byte("dst"), &c.req)
			bad := new(llm.RequestError)
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.want) || string(out) != "dst" {
				t.Errorf("%q, %v", out, err)
			}
		})
	}
}
