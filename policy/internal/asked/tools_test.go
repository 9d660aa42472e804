package asked_test

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/internal/asked"
	"github.com/sluice-project/sluice/wire"
)

// Every tool of a request has a name to ask for, whoever runs it and whatever the dialect.
func TestToolsOfProvidersHaveNames(t *testing.T) {
	for _, c := range []struct {
		name   string
		format wire.Format
		body   string
		want   []string
	}{
		{"functions", wire.OpenAIResponses, `"tools":[{"type":"function","name":"f"},{"type":"custom","name":"g"}]`, []string{"f", "g"}},
		{"built-in tools", wire.OpenAIResponses, `"tools":[{"type":"web_search"},{"type":"web_search_preview"},{"type":"code_interpreter","container":{}},{"type":"file_search"},{"type":"local_shell"},{"type":"brand_new"}]`,
			[]string{"web_search", "web_search_preview", "code_interpreter", "file_search", "local_shell", "brand_new"}},
		{"a version", wire.OpenAIResponses, `"tools":[{"type":"web_search_2025_08_26"},{"type":"web_search_preview_2025_03_11"},{"type":"brand_20270101"},{"type":"gpt_4"}]`,
			[]string{"web_search_2025_08_26", "web_search", "web_search_preview_2025_03_11", "web_search_preview", "brand_20270101", "brand", "gpt_4"}},
		{"servers", wire.OpenAIResponses, `"tools":[{"type":"mcp","server_label":"evil","server_url":"https://x"},{"type":"mcp"},{"type":"mcp","server_label":"b"}]`, []string{"mcp", "mcp__evil", "mcp__b"}},
		{"tools with a version and a name", wire.Anthropic, `"tools":[{"type":"web_search_20250305","name":"web_search"},{"name":"f","input_schema":{}}]`, []string{"web_search", "f"}},
		{"servers beside the tools", wire.Anthropic, `"mcp_servers":[{"type":"url","url":"https://x","name":"evil"},{"type":"url"},7]`, []string{"mcp", "mcp__evil"}},
		{"a set of tools", wire.Anthropic, `"tools":[{"type":"mcp_toolset","mcp_server_name":"evil"}]`, []string{"mcp", "mcp__evil"}},
		{"one search", wire.Gemini, `"tools":[{"googleSearch":{}},{"codeExecution":{}},{"functionDeclarations":[{"name":"f"}]}]`, []string{"googleSearch", "codeExecution", "f"}},
		{"another spelling", wire.Gemini, `"tools":[{"google_search":{},"url_context":{}}]`, []string{"googleSearch", "urlContext"}},
		{"servers of one provider", wire.Gemini, `"tools":[{"mcpServers":[{"name":"evil"}]},{"googleSearch":{},"mcp_servers":[{"name":"b"}]}]`, []string{"mcp", "mcp__evil", "googleSearch", "mcp__b"}},
		{"a search without a tool", wire.OpenAIChat, `"web_search_options":{}`, []string{"web_search"}},
		{"no search", wire.OpenAIChat, `"web_search_options":null`, nil},
		{"a tool of a compatible server", wire.OpenAIChat, `"tools":[{"type":"function","function":{"name":"f"}},{"type":"openrouter:web_search"}]`, []string{"f", "openrouter:web_search"}},
	} {
		start := map[wire.Format]string{
			wire.OpenAIChat: `{"model":"m","messages":[],`, wire.Anthropic: `{"model":"m","max_tokens":1,"messages":[],`,
			wire.OpenAIResponses: `{"model":"m","input":"x",`, wire.Gemini: `{"contents":[],`,
		}[c.format]
		req, err := c.format.ReadRequest([]byte(start + c.body + "}"))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := asked.ToolNames(req); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
