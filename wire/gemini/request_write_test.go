package gemini_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/gemini"
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
			"the model is not in the body, the limits are in the configuration",
			llm.Request{Stream: true, MaxTokens: 9, System: []llm.Block{saidBlock("be brief")}, Messages: []llm.Message{turnOf(llm.User, saidBlock("hi"))},
				Extra: map[string]json.RawMessage{"generationConfig": []byte(`{"maxOutputTokens":1,"topK":2}`), "toolConfig": []byte(`{}`)}},
			`{"systemInstruction":{"parts":[{"text":"be brief"}]},"contents":[{"role":"user","parts":[{"text":"hi"}]}],"generationConfig":{"maxOutputTokens":9,"topK":2},"toolConfig":{}}`,
		},
		{
			"results are objects that name their tool, before any text",
			llm.Request{Messages: []llm.Message{
				turnOf(llm.Assistant, llm.Block{Kind: llm.ToolCall, Type: "functionCall", ID: "1", Name: "f", Signature: "S"}, callBlock("", "g", `{"x":1}`)),
				turnOf(llm.User, saidBlock("so?"), resultBlock("1", "r"), llm.Block{Kind: llm.ToolResult, Text: "bad", Failed: true}),
			}},
			`{"contents":[{"role":"model","parts":[{"functionCall":{"id":"1","name":"f","args":{}},"thoughtSignature":"S"},{"functionCall":{"name":"g","args":{"x":1}}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"id":"1","name":"f","response":{"output":"r"}}},{"functionResponse":{"name":"g","response":{"error":"bad"}}},{"text":"so?"}]}]}`,
		},
		{
			"thoughts keep their proof, those of others are gone",
			llm.Request{Messages: []llm.Message{turnOf(llm.Assistant,
				llm.Block{Kind: llm.Thinking, Type: "text", Text: "hm", Signature: "S"}, llm.Block{Kind: llm.Thinking, Type: "thinking", Text: "x", Signature: "A"},
				llm.Block{Kind: llm.ToolCall, Type: "tool_use", ID: "a", Name: "f", Signature: "X"}, llm.Block{Kind: llm.Refusal, Text: "no"})}},
			`{"contents":[{"role":"model","parts":[{"text":"hm","thought":true,"thoughtSignature":"S"},{"functionCall":{"id":"a","name":"f","args":{}}},{"text":"no"}]}]}`,
		},
		{
			"parts and tools leave as they came when nobody changed them",
			llm.Request{
				Messages: []llm.Message{turnOf(llm.User, llm.Block{Kind: llm.Opaque, Type: "inlineData", Raw: json.RawMessage(`{"inlineData":{"mimeType":"image/png","data":""}}`)})},
				Tools: []llm.Tool{{Name: "f", Schema: []byte(`{"type":"object"}`)}, {Name: "g", Description: "d"},
					{Name: "googleSearch", Type: "googleSearch", Server: true, Raw: []byte(`{"google_search":{}}`)},
					{Name: "h", Type: "function", Schema: []byte(`{"type":"OBJECT"}`), Raw: []byte(`{"name":"h","parameters":{"type":"OBJECT"}}`)}},
			},
			`{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":""}}]}],` +
				`"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":{"type":"object"}},{"name":"g","description":"d"}]},{"google_search":{}},{"functionDeclarations":[{"name":"h","parameters":{"type":"OBJECT"}}]}]}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.req.Model = "m"
			got, err := gemini.AppendRequest(nil, &c.req)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if _, err := gemini.ReadRequest(got); err != nil {
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
		"a call without a name":         {message(llm.Assistant, llm.Block{Kind: llm.ToolCall, Type: "local_shell_call"}), "call"},
		"a call of the user":            {message(llm.User, callBlock("a", "f", "{}")), "only the assistant"},
		"an unknown role":               {message("critic", saidBlock("x")), `unknown role "critic"`},
		"a kind that is none":           {message(llm.Assistant, llm.Block{}), "kind"},
		"a field twice":                 {llm.Request{Extra: map[string]json.RawMessage{"tools": []byte(`[]`)}}, "field of its own"},
		"an extra that is no JSON":      {llm.Request{Extra: map[string]json.RawMessage{"x": []byte(`{`)}}, "not JSON"},
		"a schema that is no JSON":      {llm.Request{Tools: []llm.Tool{{Name: "f", Schema: []byte(`{`)}}}, "schema"},
		"an image of others":            {message(llm.User, llm.Block{Kind: llm.Opaque, Type: "image", Raw: json.RawMessage(`{"type":"image","source":{}}`)}), "image"},
		"a server tool of others":       {message(llm.Assistant, llm.Block{Kind: llm.ServerTool, Type: "server_tool_use", Name: "web", Raw: json.RawMessage(`{"type":"server_tool_use","name":"web"}`)}), ""},
		"a tool of others":              {llm.Request{Tools: []llm.Tool{{Name: "bash", Type: "bash_20250124", Raw: []byte(`{"type":"bash_20250124","name":"bash"}`)}}}, "another dialect"},
		"a result that names no tool":   {message(llm.User, resultBlock("nobody", "x")), "set Name"},
		"arguments that are no object":  {message(llm.Assistant, callBlock("a", "f", `{"a":`)), "not a JSON object"},
		"a system message in the midst": {message(llm.System, saidBlock("x")), "middle of the history"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out, err := gemini.AppendRequest([]byte("dst"), &c.req)
			bad := new(llm.RequestError)
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.want) || string(out) != "dst" {
				t.Errorf("%q, %v", out, err)
			}
		})
	}
}
