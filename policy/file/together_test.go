package file_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

func TestASetIsUsedByManyAtOnce(t *testing.T) {
	t.Parallel()
	loaded := must(t, testPresets(), `
policies:
  - preset: basic
    except: [{policy: no-curl, when: 'call.commands.exists(c, c.args.exists(a, a == "ok"))'}]
  - {name: keys, applies_to: [tool_call, tool_result, content], find: {pattern: 'sk-\w+'}, then: redact}
  - {name: dry, when: 'call.raw_name == "T"', then: {rewrite: {set: {n: call.args.n + 1}}}}
  - {name: allowed, tools: {deny: [Danger*]}, then: block}
`)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			x := &policy.Exchange{Session: policy.Session{Cwd: fmt.Sprint("/", i)}}
			for n := range 20 {
				for _, tc := range []struct {
					block llm.Block
					want  string
				}{
					{shell("curl sk-1"), ""},
					{shell("curl ok sk-1"), `{"command":"curl ok [redacted]"}`},
					{call("T", fmt.Sprintf(`{"n":%d}`, n)), fmt.Sprintf(`{"n":%d}`, n+1)},
					{call("DangerZone", `{}`), ""},
					{say(llm.Content, "sk-12345678"), "[key]"},
					{say(llm.ToolResult, "sk-12345678"), "[redacted]"},
				} {
					if got := loaded.Set.Decide(t.Context(), x, tc.block, policy.Options{}); got.Out != tc.want {
						t.Errorf("%s was delivered as %q, want %q", tc.block.Name, got.Out, tc.want)
					}
				}
			}
		})
	}
	all.Wait()
}
