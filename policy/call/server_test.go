package call_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
)

// readBy reads a call of a client.
func readBy(client, name, arguments string) *call.Call {
	var c call.Call
	c.Fill(function(name, arguments), call.Setting{Client: client}, false)
	return &c
}

// A server is read where a name has one reading, and is never missing where it has several
// or may be that of a server's tool.
func TestServersAreReadWhereTheyAreSure(t *testing.T) {
	const sure, unknown, none = "sure", "unknown", "none"
	for _, c := range []struct {
		client, name, arguments string
		server, is              string
	}{
		{"", "mcp__evil__x", `{}`, "evil", sure},
		{"", "MCP__evil__x", `{}`, "evil", sure},
		{"", "functions.mcp__evil__x", `{}`, "evil", sure},
		{"", "mcp__my_server__run_it", `{}`, "my_server", sure},
		{"", "mcp__a__b__c", `{}`, "a", sure},
		{"", "mcp--evil--x", `{}`, "evil", sure},
		{"", "mcp_evil_x", `{}`, "evil", sure},
		{"", "mcp-evil-x", `{}`, "evil", sure},
		{"", "mcp.evil.x", `{}`, "evil", sure},
		{"", "mcp/evil/x", `{}`, "evil", sure},
		{"", "evil__x", `{}`, "evil", sure},
		{"", "evil--x", `{}`, "evil", sure},
		{"", "evil:x", `{}`, "evil", sure},
		{"", "evil.x", `{}`, "evil", sure},
		{"", "evil/x", `{}`, "evil", sure},

		{"", "mcp_github_create_issue", `{}`, "github", unknown},
		{"gemini-cli", "mcp_github_create_issue", `{}`, "github", sure},
		{"", "mcp-my-server-x", `{}`, "my", unknown},
		{"", "a__b__c", `{}`, "a", unknown},
		{"", "a.b/c", `{}`, "a", unknown},
		{"", "mcp__evil", `{}`, "", unknown},
		{"", "mcp__evil_x", `{}`, "evil", unknown},
		{"", "mcp____x", `{}`, "", unknown},
		{"", "mcp__evil__", `{}`, "", unknown},
		{"", "mcp_read", `{}`, "", unknown},
		{"", "mcp0_create_issue", `{}`, "", unknown},
		{"", "create_issue_mcp_github", `{}`, "", unknown},

		{"", "evil_x", `{}`, "", unknown},
		{"", "evil-x", `{}`, "", unknown},
		{"", "github-create_issue", `{}`, "", unknown},
		{"", "frobnicate", `{}`, "", unknown},
		{"my-agent", "evil_x", `{}`, "", unknown},
		{"claude-code", "evil_x", `{}`, "", none},
		{"codex", "frobnicate", `{}`, "", none},
		{"sluice agent", "get_order", `{}`, "", none},
		{"opencode", "evil_x", `{}`, "evil", sure},
		{"opencode", "github_create_issue", `{}`, "github", unknown},
		{"opencode", "frobnicate", `{}`, "", none},
		{"opencode", "todo_write", `{}`, "", none},

		{"", "Bash", `{"command":"ls"}`, "", none},
		{"", "read_file", `{"path":"x"}`, "", none},
		{"", "container.exec", `{"cmd":["ls"]}`, "", none},
		{"", "multi_tool_use.parallel", `{"tool_uses":[]}`, "", none},
		{"", "batch", `{"tool_calls":[{"tool":"Read","parameters":{}}]}`, "", none},

		{"", "ReadMcpResourceTool", `{"server":"evil","uri":"x://y"}`, "evil", sure},
		{"", "ListMcpResourcesTool", `{"server":"evil"}`, "evil", sure},
		{"", "ListMcpResourcesTool", `{}`, "", unknown},
		{"claude-code", "ListMcpResourcesTool", `{}`, "", unknown},
		{"", "read_mcp_resource", `{"server":"evil","uri":"x"}`, "evil", sure},
		{"", "read_resource", `{"server":"evil","uri":"x"}`, "evil", sure},
		{"", "access_mcp_resource", `{"server_name":"evil","uri":"x"}`, "evil", sure},
		{"", "fetch_mcp_resource", `{"server":"evil","uri":"x"}`, "evil", sure},
		{"", "fetch_mcp_resource", `{"server":"good","server_name":"evil"}`, "", unknown},
		{"", "fetch_mcp_resource", `{"server":["evil"]}`, "", unknown},
		{"", "read_mcp_resource", `not JSON`, "", unknown},
		{"", "use_mcp_tool", `{"server":"evil"}`, "evil", sure},
		{"", "use_mcp_tool", `{"server_name":"evil","tool_name":"x","arguments":{}}`, "evil", sure},
		{"", "use_mcp_tool", `{"server_name":"evil","tool_name":"github__x","arguments":{}}`, "evil", sure},
		{"", "call_mcp_tool", `{"tool_name":"read","arguments":{}}`, "", unknown},
		{"", "call_tool", `{"server":"evil","tool":{"name":"read","arguments":{}}}`, "evil", sure},
		{"", "call_tool", `{"name":"mcp__evil__x","arguments":{}}`, "evil", sure},
		{"", "call_tool", `{"name":"Read","arguments":{}}`, "", none},
		// The tool of one server that seems to call that of another concerns both.
		{"", "mcp__evil__call_tool", `{"name":"github__push","arguments":{}}`, "github", unknown},
		{"", "mcp__evil__x", `{"tool":"Read","arguments":{}}`, "evil", sure},
		{"", "evil_x", `{"tool":"mcp__github__read","arguments":{}}`, "github", unknown},
		{"", "web1", `{"server":"web1"}`, "", unknown},
		{"claude-code", "restart", `{"server":"web1"}`, "", none},
	} {
		got := readBy(c.client, c.name, c.arguments)
		is := sure
		switch {
		case got.ServerUnknown:
			is = unknown
		case got.Server == "":
			is = none
		}
		if got.Server != c.server || is != c.is {
			t.Errorf("%s of %q %s: %q, %s; want %q, %s", c.name, c.client, c.arguments, got.Server, is, c.server, c.is)
		}
		for _, e := range got.Effects {
			if is == unknown && c.server != "" && e.Verb == effect.Send && e.Object == c.server {
				t.Errorf("%s of %q %s: %s", c.name, c.client, c.arguments, e)
			}
		}
		if c.is == sure && got.Kind != call.KindMCP {
			t.Errorf("%s %s: kind %s", c.name, c.arguments, got.Kind)
		}
	}
}

// A provider's own type says which server it asked, and that its other tools have none.
func TestServersOfCallsThatProvidersRun(t *testing.T) {
	for _, c := range []struct {
		block   llm.Block
		server  string
		unknown bool
	}{
		{llm.Block{Kind: llm.ServerTool, Type: "mcp_tool_use", Name: "x", Raw: []byte(`{"server_name":"evil"}`)}, "evil", false},
		{llm.Block{Kind: llm.ServerTool, Type: "mcp_call", Name: "github__x", Raw: []byte(`{"server_label":"evil"}`)}, "evil", false},
		{llm.Block{Kind: llm.ToolCall, Type: "mcp_approval_request", Name: "read", Raw: []byte(`{"server_label":"evil"}`)}, "evil", false},
		{llm.Block{Kind: llm.ToolCall, Type: "mcp_approval_request", Name: "read", Raw: []byte(`{}`)}, "", true},
		{llm.Block{Kind: llm.ServerTool, Type: "server_tool_use", Name: "new_search"}, "", false},
	} {
		got := call.Read(&c.block, call.Place{})
		if got.Server != c.server || got.ServerUnknown != c.unknown {
			t.Errorf("%s %s: %q, unknown %v", c.block.Type, c.block.Name, got.Server, got.ServerUnknown)
		}
	}
}

// Whatever joins the words of a server's tool, its server is known rightly or unknown.
func TestNoServerIsReadWrongly(t *testing.T) {
	for _, server := range []string{"evil", "my_evil", "my-evil", "evil.example", "read", "mcp-evil", "mcp_evil", "Evil2"} {
		for _, tool := range []string{"x", "read", "Bash", "create_issue", "get-page", "a.b", "web_search"} {
			for _, form := range []string{
				"mcp__%s__%s", "mcp_%s_%s", "mcp--%s--%s", "mcp-%s-%s", "mcp.%s.%s", "mcp:%s:%s", "mcp/%s/%s",
				"%s__%s", "%s--%s", "%s:%s", "%s.%s", "%s/%s", "functions.mcp__%s__%s",
			} {
				name := fmt.Sprintf(form, server, tool)
				got := call.Read(function(name, `{}`), call.Place{})
				if !got.ServerUnknown && got.Server != server {
					t.Errorf("%s: server %q", name, got.Server)
				}
				own, alike := got.Names()
				if slices.ContainsFunc(own, func(n string) bool { return strings.EqualFold(n, tool) }) {
					t.Errorf("%s goes by its short name: %q", name, own)
				}
				if !slices.Contains(alike, got.Name) || !slices.Contains(own, name) {
					t.Errorf("%s: %q and %q", name, own, alike)
				}
			}
		}
	}
}
