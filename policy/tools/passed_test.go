package tools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/tools"
)

// The lists decide about the tools that a call reaches, whoever calls them.
func TestListsDecideAboutCallsThatArePassedOn(t *testing.T) {
	program := func(text string) string {
		code, _ := json.Marshal(map[string]string{"code": text})
		return string(code)
	}
	denied := tools.Config{Deny: []string{"mcp__github__merge_pull_request"}}
	only := tools.Config{Allow: []string{"exec", "call_tool", "read_file"}}
	for _, c := range []struct {
		name      string
		config    tools.Config
		tool, arg string
		want      policy.Action
	}{
		{"a program calls a denied tool", denied, "exec", program("await tools.mcp__github__merge_pull_request({pullNumber: 4})"), policy.Block},
		{"by a computed name", denied, "exec", program("await tools['mcp__github__' + 'merge_pull_request']({})"), policy.Block},
		{"by a name that is not known", denied, "exec", program("await tools[process.argv[2]]({})"), policy.Block},
		{"another tool", denied, "exec", program("await tools.mcp__github__get_pull_request({pullNumber: 4})"), policy.Allow},
		{"no tool", denied, "exec", program("console.log(1 + 2)"), policy.Allow},
		{"text in which tools are named", denied, "exec", program("ls tools/ # (all of them)"), policy.Allow},
		{"a dispatcher", denied, "call_tool", `{"name":"mcp__github__merge_pull_request","arguments":{}}`, policy.Block},
		{"a list of calls", denied, "multi_tool_use.parallel", `{"tool_uses":[{"recipient_name":"functions.Read","parameters":{}},{"recipient_name":"functions.mcp__github__merge_pull_request","parameters":{}}]}`, policy.Block},
		{"a tool that is not allowed", only, "exec", program("await tools.write_file({path: 'x'})"), policy.Block},
		{"a tool that is allowed", only, "exec", program("await tools.read_file({path: 'x'})"), policy.Allow},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := judge(t, c.config, llm.Block{Name: c.tool, Type: "tool_use", Arguments: c.arg})
			if v.Action != c.want {
				t.Errorf("%s: %s", v.Action, v.Reason)
			}
			if v.Action != policy.Allow && !strings.Contains(v.Reason, c.tool) {
				t.Errorf("the reason does not say which tool makes the call: %s", v.Reason)
			}
		})
	}
}
