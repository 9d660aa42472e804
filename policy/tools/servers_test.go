package tools_test

import (
	"fmt"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/tools"
)

// spellings are the ways in which clients write the tool of a server.
var spellings = []string{
	"mcp__%s__%s", "mcp_%s_%s", "mcp--%s--%s", "mcp-%s-%s", "mcp.%s.%s", "mcp/%s/%s", "mcp:%s:%s", "%s__%s", "%s--%s", "%s:%s", "%s.%s", "%s/%s",
	"functions.mcp__%s__%s", " MCP__%s__%s", "mcp__%s__%s_2", "mcp__%s__%s:3",
}

// A list of names allows the client's own tools, however a server spells one of its own;
// the same list denies them all.
func TestANameAllowsNoServersTool(t *testing.T) {
	for _, own := range []string{"Read", "Bash", "Glob", "Grep", "WebFetch", "frobnicate", "read_file"} {
		for _, server := range []string{"evil", "my-evil", "my_evil", "x.y"} {
			for _, form := range spellings {
				name := fmt.Sprintf(form, server, own)
				if v := judge(t, tools.Config{Allow: []string{own, "kind:read", "kind:shell", "kind:fetch", "kind:other"}}, llm.Block{Name: name, Type: "tool_use"}); v.Action != policy.Block {
					t.Errorf("%s is allowed by %s", name, own)
				}
			}
			for _, block := range []llm.Block{
				{Name: own, Type: "mcp_approval_request", Raw: fmt.Appendf(nil, `{"server_label":%q}`, server)},
				{Name: own, Type: "mcp_approval_request"},
				{Name: "use_mcp_tool", Arguments: fmt.Sprintf(`{"server_name":%q,"tool_name":%q,"arguments":{}}`, server, own)},
				{Name: "call_mcp_tool", Arguments: fmt.Sprintf(`{"tool_name":%q,"arguments":{}}`, own)},
				{Name: "call_tool", Arguments: fmt.Sprintf(`{"server":%q,"name":%q,"arguments":{}}`, server, own)},
				{Name: "mcp__" + server + "__run_tool", Arguments: fmt.Sprintf(`{"name":%q,"arguments":{}}`, own)},
				{Name: "x_y", Arguments: `{"name":"Read","arguments":{}}`},
				{Name: "x_y", Arguments: `{"command":"ls"}`},
			} {
				if v := judge(t, tools.Config{Allow: []string{own, "Read", "kind:read", "kind:shell", "call_tool", "use_mcp_tool"}}, block); v.Action != policy.Block {
					t.Errorf("%s %s %s is allowed by %s", block.Type, block.Name, block.Arguments, own)
				}
			}
		}
		if v := judge(t, tools.Config{Allow: []string{own}}, llm.Block{Name: own}); v.Action != policy.Allow {
			t.Errorf("%s: %s", own, v.Reason)
		}
		if v := judge(t, tools.Config{Allow: []string{own}}, llm.Block{Name: "functions." + own}); v.Action != policy.Allow {
			t.Errorf("functions.%s: %s", own, v.Reason)
		}
	}
}

// What is denied by its name is denied however a server spells a tool of that name.
func TestANameDeniesServersToolsToo(t *testing.T) {
	for _, own := range []string{"Read", "Bash", "frobnicate"} {
		for _, form := range spellings {
			name := fmt.Sprintf(form, "evil", own)
			if v := judge(t, tools.Config{Deny: []string{own}}, llm.Block{Name: name}); v.Action != policy.Block && form != "mcp__%s__%s_2" && form != "mcp__%s__%s:3" {
				t.Errorf("%s is not denied by %s", name, own)
			}
		}
		for _, block := range []llm.Block{
			{Name: own, Type: "mcp_approval_request", Raw: []byte(`{"server_label":"evil"}`)},
			{Name: "use_mcp_tool", Arguments: fmt.Sprintf(`{"server_name":"evil","tool_name":%q,"arguments":{}}`, own)},
			{Name: "x_y", Arguments: fmt.Sprintf(`{"name":%q,"arguments":{}}`, "Bash")},
		} {
			if v := judge(t, tools.Config{Deny: []string{own, "Bash"}}, block); v.Action != policy.Block {
				t.Errorf("%s %s is not denied by %s", block.Name, block.Arguments, own)
			}
		}
	}
}

// Tools of servers are allowed by the name of the server, in every spelling in which it is
// sure, and otherwise by the name as it is written.
func TestAServersToolsAreAllowedByItsName(t *testing.T) {
	for _, c := range []struct {
		allow, name, arguments string
		want                   policy.Action
	}{
		{"mcp__evil__*", "mcp__evil__x", `{}`, policy.Allow},
		{"mcp__evil__*", "evil.x", `{}`, policy.Allow},
		{"mcp__evil__read", "mcp_evil_read", `{}`, policy.Allow},
		{"evil/*", "mcp-evil-x", `{}`, policy.Allow},
		{"evil/read", "use_mcp_tool", `{"server":"evil","tool_name":"read","arguments":{}}`, policy.Allow},
		{"mcp__evil__*", "ReadMcpResourceTool", `{"server":"evil","uri":"x"}`, policy.Allow},
		{"mcp__good__*", "ReadMcpResourceTool", `{"server":"evil","uri":"x"}`, policy.Block},
		{"ReadMcpResourceTool", "ReadMcpResourceTool", `{"server":"evil","uri":"x"}`, policy.Allow},
		{"kind:mcp", "mcp__evil__x", `{}`, policy.Allow},
		{"mcp__good__*", "mcp_good_x_y", `{}`, policy.Block}, // it may be of good_x
		{"mcp_good_*", "mcp_good_x_y", `{}`, policy.Allow},
		{"mcp__good__*", "mcp__evil__call_tool", `{"name":"mcp__good__x","arguments":{}}`, policy.Block},
		{"mcp__good__*", "mcp__evil__x", `{"name":"mcp__good__x","arguments":{}}`, policy.Block},
		{"mcp__good__*", "call_tool", `{"name":"mcp__good__x","arguments":{}}`, policy.Allow},
		{"mcp__good__x", "mcp__good__x", `{"name":"Read","arguments":{}}`, policy.Block}, // it seems to call Read
		{"mcp__good__*", "mcp__good__x", `{"name":"Read","arguments":{}}`, policy.Allow}, // which is good's own
	} {
		if v := judge(t, tools.Config{Allow: []string{c.allow}}, llm.Block{Name: c.name, Arguments: c.arguments}); v.Action != c.want {
			t.Errorf("%s %s by %s: %s %s", c.name, c.arguments, c.allow, v.Action, v.Reason)
		}
	}
}

// Where the client is known, its own way to write the tools of servers counts.
func TestTheClientsWayToNameToolsCounts(t *testing.T) {
	for _, c := range []struct {
		client, allow, name string
		want                policy.Action
	}{
		{"opencode", "bash", "evil_bash", policy.Block},
		{"opencode", "kind:shell", "evil_bash", policy.Block},
		{"opencode", "evil/*", "evil_bash", policy.Allow},
		{"opencode", "github_*", "github_create_issue", policy.Allow},
		{"gemini-cli", "mcp__github__*", "mcp_github_create_issue", policy.Allow},
		{"", "mcp__github__*", "mcp_github_create_issue", policy.Block},
	} {
		p, err := tools.New(tools.Config{Allow: []string{c.allow}})
		if err != nil {
			t.Fatal(err)
		}
		b := llm.Block{Kind: llm.ToolCall, Name: c.name, Arguments: `{}`, Status: llm.Complete}
		x := &policy.Exchange{Session: policy.Session{Client: c.client}}
		if v := p.Judge(t.Context(), policy.NewSubject(x, b)); v.Action != c.want {
			t.Errorf("%s of %q by %s: %s", c.name, c.client, c.allow, v.Action)
		}
	}
}

// The tool of a server is denied in whatever way its name is written; where it is not known
// which server it is of, the verdict says so.
func TestDeniedToolsOfServers(t *testing.T) {
	use := llm.Block{Name: "use_mcp_tool", Arguments: `{"server_name":"linear","tool_name":"delete_issue","arguments":{}}`}
	for _, c := range []struct {
		deny  string
		block llm.Block
		want  policy.Action
		cause policy.Cause
		say   string
	}{
		{"mcp__linear__delete_*", llm.Block{Name: "mcp__linear__deleteissue"}, policy.Block, "", `the tool "mcp__linear__deleteissue" is on the list of denied tools`},
		{"*__delete_*", llm.Block{Name: "mcp__linear__deleteissue"}, policy.Block, "", ""},
		{"mcp__*__delete_*", llm.Block{Name: "mcp__my_server__deleteissue"}, policy.Block, "", ""},
		{"mcp__linear__delete_*", llm.Block{Name: "mcp__linear2__deleteissue"}, policy.Allow, "", ""},
		{"mcp__lin_*", llm.Block{Name: "mcp__linear__deleteissue"}, policy.Allow, "", ""},
		{"mcp__linear__delete_*", llm.Block{Name: "mcp__linear__deleted_issues"}, policy.Allow, "", ""},
		{"delete_*", llm.Block{Name: "linear_delete_issue"}, policy.Block, policy.CauseUnknown, `the tool "linear_delete_issue" may be on the list of denied tools as delete_*: it is not known which server it is of`},
		{"delete_issue", llm.Block{Name: "linear-delete_issue"}, policy.Block, policy.CauseUnknown, ""},
		{"linear/delete_*", llm.Block{Name: "linear_delete_issue"}, policy.Block, policy.CauseUnknown, ""},
		{"mcp__linear__*", llm.Block{Name: "linear_delete_issue"}, policy.Block, policy.CauseUnknown, ""},
		{"mcp__lin__*", llm.Block{Name: "linear_delete_issue"}, policy.Allow, "", ""},
		{"delete_*", llm.Block{Name: "undelete_issue"}, policy.Allow, "", ""},
		{"linear/delete_*", use, policy.Block, "", `the tool "delete_issue" is on the list of denied tools, and "use_mcp_tool" calls it`},
		{"use_mcp_tool", use, policy.Block, "", `the tool "use_mcp_tool" is on the list of denied tools`},
	} {
		v := judge(t, tools.Config{Deny: []string{c.deny}}, c.block)
		if v.Action != c.want || v.Cause != c.cause || c.say != "" && v.Reason != c.say {
			t.Errorf("deny %s, %s: %s %q: %s", c.deny, c.block.Name, v.Action, v.Cause, v.Reason)
		}
	}
}
