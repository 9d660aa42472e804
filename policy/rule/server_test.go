package rule_test

import (
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// A condition on the server is true or false where the server is sure, and unknown where a
// tool may be a server's: it never takes such a tool for the client's own.
func TestConditionsOnServersAreUnknownWhereTheServerIs(t *testing.T) {
	t.Parallel()

	others := compile(t, `call.server != "" && !(call.server in ["github", "files"])`)
	for name, want := range map[string]rule.Outcome{
		"mcp__github__x": rule.False, "files__x": rule.False, "github/x": rule.False, "Bash": rule.False, "read_file": rule.False,
		"mcp__evil__x": rule.True, "evil__x": rule.True, "evil.x": rule.True, "evil/x": rule.True, "mcp.evil.x": rule.True, "mcp-evil-x": rule.True,
		"evil_x": rule.Unknown, "evil-x": rule.Unknown, "github-create_issue": rule.Unknown, "mcp__evil": rule.Unknown, "mcp____x": rule.Unknown,
		"mcp_github_x_y": rule.Unknown, "ListMcpResourcesTool": rule.Unknown, "frobnicate": rule.Unknown,
	} {
		if got, what, err := others.Match(called(name, `{}`)); got != want || err != nil {
			t.Errorf("%s: %s (%s, %v), want %s", name, got, what, err, want)
		}
	}
	for _, name := range []string{"ReadMcpResourceTool", "read_mcp_resource", "access_mcp_resource", "fetch_mcp_resource", "use_mcp_tool"} {
		if got, _, err := others.Match(called(name, `{"server":"evil"}`)); got != rule.True || err != nil {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
	block := llm.Block{Kind: llm.ToolCall, Name: "evil_x", Arguments: `{}`, Status: llm.Complete}
	for client, want := range map[string]rule.Outcome{"claude-code": rule.False, "opencode": rule.True, "other": rule.Unknown} {
		s := policy.NewSubject(&policy.Exchange{Session: policy.Session{Client: client}}, block)
		if got, _, err := others.Match(s); got != want || err != nil {
			t.Errorf("%s: %s %v", client, got, err)
		}
	}
}

// What an unknown server does not decide is decided.
func TestAnUnknownServerMakesOnlyWhatDependsOnItUnknown(t *testing.T) {
	t.Parallel()

	for source, want := range map[string]rule.Outcome{
		`call.kind == "mcp" && call.server != "github"`:        rule.False, // it is of kind other
		`call.raw_name == "evil_x" || call.server == "x"`:      rule.True,
		`call.server == "x" || call.server != "x"`:             rule.Unknown,
		`call.name == "y" && call.server.startsWith("github")`: rule.False,
	} {
		if got, _, err := compile(t, source).Match(called("evil_x", `{}`)); got != want || err != nil {
			t.Errorf("%s: %s %v", source, got, err)
		}
	}
}

// No form of a numeric address evades a condition on the host.
func TestConditionsOnHostsKnowNumericAddresses(t *testing.T) {
	t.Parallel()

	p := compile(t, `call.effects.exists(e, e.object.host() == "169.254.169.254")`)
	for _, address := range []string{"http://2852039166/", "http://0xA9FEA9FE/x", "http://0251.0376.0251.0376/", "http://[::ffff:a9fe:a9fe]/", "169.254.43518/x", "http://2852039166/$X"} {
		if got, what, err := p.Match(policy.NewSubject(nil, bash("curl "+address))); got != rule.True || err != nil {
			t.Errorf("%s: %s (%s, %v)", address, got, what, err)
		}
	}
}
