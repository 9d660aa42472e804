package openairesponses_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/openairesponses"
)

func saidBlock(s string) llm.Block { return llm.Block{Kind: llm.Content, Text: s} }

func callBlock(id, name, args string) llm.Block {
	return llm.Block{Kind: llm.ToolCall, ID: id, Name: name, Arguments: args}
}

func resultBlock(id, s string) llm.Block {
	return llm.Block{Kind: llm.ToolResult, ToolUseID: id, Text: s}
}

func turnOf(role llm.Role, blocks ...llm.Block) llm.Message {
	return llm.Message{Role: role, Blocks: blocks}
}

func TestRequestsAreWrittenAsTheDialectDemands(t *testing.T) {
	cases := []struct {
		name string
		req  llm.Request
		want string
	}{
		{
			"the system text is the instructions",
			llm.Request{System: []llm.Block{saidBlock("a"), saidBlock("b")}, Stream: true, MaxTokens: 9, Messages: []llm.Message{turnOf(llm.System, saidBlock("s")), turnOf(llm.User, saidBlock("hi"))}},
			`{"model":"m","instructions":"a\n\nb","input":[{"type":"message","role":"developer","content":[{"type":"input_text","text":"s"}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}],"stream":true,"max_output_tokens":9}`,
		},
		{
			"what the assistant did becomes items in its order",
			llm.Request{Messages: []llm.Message{
				turnOf(llm.Assistant,
					llm.Block{Kind: llm.Thinking, Type: "reasoning", ID: "rs_1", Text: "hm", Signature: "E"}, saidBlock("ok"),
					llm.Block{Kind: llm.Refusal, Text: "no"}, callBlock("a", "f", ""),
					llm.Block{Kind: llm.ToolCall, Type: "custom", ID: "c", Name: "patch", Arguments: "x"}),
				turnOf(llm.ToolRole, resultBlock("a", "1"), resultBlock("c", "2")),
			}},
			`{"model":"m","input":[{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"E"},` +
				`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"},{"type":"refusal","refusal":"no"}]},` +
				`{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"custom_tool_call","call_id":"c","name":"patch","input":"x"},` +
				`{"type":"function_call_output","call_id":"a","output":"1"},{"type":"custom_tool_call_output","call_id":"c","output":"2"}]}`,
		},
		{
			"items leave as they came when nobody changed them",
			llm.Request{Messages: []llm.Message{turnOf(llm.Assistant,
				llm.Block{Kind: llm.ToolCall, Type: "function_call", ID: "a", Name: "f", Arguments: "{}", Raw: json.RawMessage(`{"id":"fc_1","type":"function_call","call_id":"a","name":"f","arguments":"{}"}`)},
				llm.Block{Kind: llm.ToolCall, Type: "local_shell_call", ID: "b", Arguments: `{"command":["ls"]}`, Raw: json.RawMessage(`{"type":"local_shell_call","call_id":"b","action":{"command":["ls"]}}`)},
				llm.Block{Kind: llm.Opaque, Type: "item_reference", Raw: json.RawMessage(`{"type":"item_reference","id":"x"}`)})}},
			`{"model":"m","input":[{"id":"fc_1","type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"local_shell_call","call_id":"b","action":{"command":["ls"]}},{"type":"item_reference","id":"x"}]}`,
		},
		{
			"thinking of another vendor is gone as a whole",
			llm.Request{Messages: []llm.Message{turnOf(llm.Assistant, llm.Block{Kind: llm.Thinking, Type: "thinking", Text: "a", Signature: "S"}, llm.Block{Kind: llm.Thinking, Type: "reasoning", Text: "chat"}, saidBlock("x"))}},
			`{"model":"m","input":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]}]}`,
		},
		{
			"tools are flat, and images parts",
			llm.Request{
				Messages: []llm.Message{turnOf(llm.User, llm.Block{Kind: llm.Opaque, Type: "input_image", Raw: json.RawMessage(`{"type":"input_image","image_url":"x"}`)})},
				Tools: []llm.Tool{{Name: "f", Schema: []byte(`{}`)}, {Name: "patch", Type: "custom"},
					{Type: "web_search", Server: true, Raw: []byte(`{"type":"web_search"}`)},
					{Name: "g", Type: "function", Schema: []byte(`{}`), Raw: []byte(`{"type":"function","function":{"name":"g","parameters":{}}}`)}},
			},
			`{"model":"m","input":[{"type":"message","role":"user","content":[{"type":"input_image","image_url":"x"}]}],` +
				`"tools":[{"type":"function","name":"f","parameters":{},"strict":false},{"type":"custom","name":"patch"},{"type":"web_search"},{"type":"function","name":"g","parameters":{},"strict":false}]}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.req.Model = "m"
			got, err := openairesponses.AppendRequest(nil, &c.req)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if _, err := openairesponses.ReadRequest(got); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRequestsWithoutAFormAreRefused(t *testing.T) {
	message := func(role llm.Role, b llm.Block) llm.Request {
		return llm.Request{Messages: []llm.Message{turnOf(llm.User, saidBlock("x")), turnOf(role, b)}}
	}
	cases := map[string]struct {
		req  llm.Request
		want string
	}{
		"a call without a name":    {message(llm.Assistant, llm.Block{Kind: llm.ToolCall, Type: "local_shell_call"}), "call"},
		"a call of the user":       {message(llm.User, callBlock("a", "f", "{}")), "only the assistant"},
		"an unknown role":          {message("critic", saidBlock("x")), `unknown role "critic"`},
		"a kind that is none":      {message(llm.Assistant, llm.Block{}), "kind"},
		"a field twice":            {llm.Request{Extra: map[string]json.RawMessage{"tools": []byte(`[]`)}}, "field of its own"},
		"an extra that is no JSON": {llm.Request{Extra: map[string]json.RawMessage{"x": []byte(`{`)}}, "not JSON"},
		"a schema that is no JSON": {llm.Request{Tools: []llm.Tool{{Name: "f", Schema: []byte(`{`)}}}, "schema"},
		"an image of others":       {message(llm.User, llm.Block{Kind: llm.Opaque, Type: "image", Raw: json.RawMessage(`{"type":"image","source":{}}`)}), "image"},
		"a server tool of others":  {message(llm.Assistant, llm.Block{Kind: llm.ServerTool, Type: "server_tool_use", Name: "web", Raw: json.RawMessage(`{"type":"server_tool_use","name":"web"}`)}), ""},
		"a tool of others":         {llm.Request{Tools: []llm.Tool{{Name: "bash", Type: "bash_20250124", Raw: []byte(`{"type":"bash_20250124","name":"bash"}`)}}}, "another dialect"},
		"the output of a call that is only known by its Raw": {llm.Request{Messages: []llm.Message{
			turnOf(llm.Assistant, llm.Block{Kind: llm.ToolCall, Type: "local_shell_call", ID: "b", Arguments: `{}`, Raw: json.RawMessage(`{"type":"local_shell_call","call_id":"b","action":{}}`)}),
			turnOf(llm.ToolRole, resultBlock("b", "x")),
		}}, "own Raw"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out, err := openairesponses.AppendRequest([]byte("dst"), &c.req)
			bad := new(llm.RequestError)
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.want) || string(out) != "dst" {
				t.Errorf("%q, %v", out, err)
			}
		})
	}
}
