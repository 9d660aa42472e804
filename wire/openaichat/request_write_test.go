package openaichat_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/openaichat"
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
			"the system text is the first message and a stream tells its usage",
			llm.Request{System: []llm.Block{saidBlock("be brief")}, Stream: true, MaxTokens: 9, Messages: []llm.Message{turnOf(llm.User, saidBlock("hi"))}},
			`{"model":"m","messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hi"}],"stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":9}`,
		},
		{
			"what the caller says about the stream and the old limit wins",
			llm.Request{Stream: true, MaxTokens: 9, Extra: map[string]json.RawMessage{"stream_options": []byte(`{}`), "max_tokens": []byte(`9`)}},
			`{"model":"m","messages":[],"stream":true,"max_tokens":9,"stream_options":{}}`,
		},
		{
			"calls of a turn stand in one message, results directly after it",
			llm.Request{Messages: []llm.Message{
				turnOf(llm.Assistant, saidBlock("ok")), turnOf(llm.Assistant, callBlock("a", "f", "")), turnOf(llm.Assistant, callBlock("b", "g", `{"x": 1}`)),
				turnOf(llm.User, saidBlock("and?"), resultBlock("a", "1"), resultBlock("b", "2"), resultBlock("b", "3")),
			}},
			`{"model":"m","messages":[{"role":"assistant","content":"ok","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"g","arguments":"{\"x\": 1}"}}]},` +
				`{"role":"tool","tool_call_id":"a","content":"1"},{"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"2"},{"type":"text","text":"3"}]},{"role":"user","content":"and?"}]}`,
		},
		{
			"reasoning goes back under its own name, signed details as they came",
			llm.Request{Messages: []llm.Message{turnOf(llm.Assistant,
				llm.Block{Kind: llm.Thinking, Type: "reasoning", Text: "a"},
				llm.Block{Kind: llm.Thinking, Type: "reasoning.text", Text: "a", Signature: "S", Raw: json.RawMessage(`{"type":"reasoning.text","text":"a","signature":"S"}`)},
				llm.Block{Kind: llm.Refusal, Text: "no"})}},
			`{"model":"m","messages":[{"role":"assistant","content":null,"reasoning":"a","reasoning_details":[{"type":"reasoning.text","text":"a","signature":"S"}],"refusal":"no"}]}`,
		},
		{
			"thinking of another vendor is gone as a whole",
			llm.Request{Messages: []llm.Message{turnOf(llm.Assistant, llm.Block{Kind: llm.Thinking, Type: "thinking", Text: "a", Signature: "S"}, saidBlock("x"))}},
			`{"model":"m","messages":[{"role":"assistant","content":"x"}]}`,
		},
		{
			"the signature of a call stays with it",
			llm.Request{Messages: []llm.Message{turnOf(llm.Assistant, llm.Block{Kind: llm.ToolCall, Type: "function", ID: "a", Name: "f", Arguments: "{}", Signature: "G"})}},
			`{"model":"m","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"G"}}}]}]}`,
		},
		{
			"images, free-form calls and tools keep their form",
			llm.Request{
				Messages: []llm.Message{
					turnOf(llm.User, saidBlock("look"), llm.Block{Kind: llm.Opaque, Type: "image_url", Raw: json.RawMessage(`{"type":"image_url","image_url":{"url":"x"}}`)}),
					turnOf(llm.Assistant, llm.Block{Kind: llm.ToolCall, Type: "custom", ID: "c", Name: "patch", Arguments: "*** x"}),
				},
				Tools: []llm.Tool{{Name: "patch", Type: "custom"}, {Name: "f", Description: "d", Schema: []byte(`{}`)}},
			},
			`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"x"}}]},` +
				`{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"custom","custom":{"name":"patch","input":"*** x"}}]}],` +
				`"tools":[{"type":"custom","custom":{"name":"patch"}},{"type":"function","function":{"name":"f","description":"d","parameters":{}}}]}`,
		},
		{
			"long ids are mapped alike in calls and results",
			llm.Request{Messages: []llm.Message{turnOf(llm.Assistant, callBlock(strings.Repeat("x", 41), "f", "{}")), turnOf(llm.ToolRole, resultBlock(strings.Repeat("x", 41), "r"))}},
			`{"model":"m","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"call_sluice32_GFSFS3PU7XIBRMWFM7WIYA7HTP","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_sluice32_GFSFS3PU7XIBRMWFM7WIYA7HTP","content":"r"}]}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.req.Model = "m"
			got, err := openaichat.AppendRequest(nil, &c.req)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if _, err := openaichat.ReadRequest(got); err != nil {
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
		"a call without a name":     {message(llm.Assistant, llm.Block{Kind: llm.ToolCall, Type: "local_shell_call"}), "call"},
		"a call of the user":        {message(llm.User, callBlock("a", "f", "{}")), "only the assistant"},
		"an unknown role":           {message("critic", saidBlock("x")), `unknown role "critic"`},
		"a kind that is none":       {message(llm.Assistant, llm.Block{}), "kind"},
		"a field twice":             {llm.Request{Extra: map[string]json.RawMessage{"tools": []byte(`[]`)}}, "field of its own"},
		"an extra that is no JSON":  {llm.Request{Extra: map[string]json.RawMessage{"x": []byte(`{`)}}, "not JSON"},
		"a schema that is no JSON":  {llm.Request{Tools: []llm.Tool{{Name: "f", Schema: []byte(`{`)}}}, "schema"},
		"an image of others":        {message(llm.User, llm.Block{Kind: llm.Opaque, Type: "image", Raw: json.RawMessage(`{"type":"image","source":{}}`)}), "image"},
		"a server tool of others":   {message(llm.Assistant, llm.Block{Kind: llm.ServerTool, Type: "server_tool_use", Name: "web", Raw: json.RawMessage(`{"type":"server_tool_use","name":"web"}`)}), ""},
		"a tool of others":          {llm.Request{Tools: []llm.Tool{{Name: "bash", Type: "bash_20250124", Raw: []byte(`{"type":"bash_20250124","name":"bash"}`)}}}, "another dialect"},
		"a result of the assistant": {message(llm.Assistant, resultBlock("a", "x")), "role tool"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out, err := openaichat.AppendRequest([]byte("dst"), &c.req)
			bad := new(llm.RequestError)
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.want) || string(out) != "dst" {
				t.Errorf("%q, %v", out, err)
			}
		})
	}
}
