package file_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// everydayCalls are calls as they come by the thousand: of several tools, and
// none of them stopped.
var everydayCalls = []struct{ name, tool, arguments string }{
	{"shell", "Bash", `{"command":"go test ./... 2>&1 | tail -20","description":"run tests"}`},
	{"shell, several", "Bash", `{"command":"cd /home/alice/project && git status && git diff --stat | head -50","timeout":120000}`},
	{"shell, search", "Bash", `{"command":"grep -rn \"func New\" --include='*.go' internal | sort | uniq -c"}`},
	{"shell, list", "shell", `{"command":["bash","-lc","sed -n '1,120p' src/main.rs"],"workdir":"/home/alice/project"}`},
	{"read", "Read", `{"file_path":"/home/alice/project/internal/server.go","offset":10,"limit":200}`},
	{"edit", "Edit", `{"file_path":"/home/alice/project/internal/server.go","old_string":"a := 1","new_string":"a := 2"}`},
	{"search", "Grep", `{"pattern":"func New","path":"internal","output_mode":"content"}`},
	{"fetch", "WebFetch", `{"url":"https://pkg.go.dev/net/http","prompt":"how are timeouts set?"}`},
	{"mcp", "mcp__github__get_issue", `{"owner":"acme","repo":"app","issue_number":12}`},
	{"other", "get_weather", `{"city":"Oslo"}`},
}

// nothing is a set of one policy that has nothing to say.
func nothing(tb testing.TB) *policy.Set {
	tb.Helper()
	set, err := policy.NewSet(policy.Func("nothing", func(*policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.Allow} }))
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

func toolUse(tool, arguments string) llm.Block {
	return llm.Block{Kind: llm.ToolCall, ID: "call_1", Name: tool, Type: "tool_use", Arguments: arguments, Status: llm.Complete}
}

// All policies together need little more memory for a call than one that has
// nothing to say: the view of the call, its arguments and effects. A shell's text
// also needs its tree, and an address the history, in case it was copied.
//
// With the race detector the count depends on chance, so there is nothing to hold it to.
func TestJudgingAllocatesLittle(t *testing.T) {
	if racing {
		t.Skip("the race detector makes sync.Pool drop values at random, so allocations vary from run to run")
	}
	recommended, nothing := preset(t, "recommended"), nothing(t)
	for _, c := range everydayCalls {
		cost := func(set *policy.Set) float64 {
			return testing.AllocsPerRun(200, func() {
				set.Decide(t.Context(), places[1], toolUse(c.tool, c.arguments), policy.Options{})
			})
		}
		most := 30.0
		switch {
		case c.name == "shell, search": // which files it names is read from its options, and where they came from
			most = 120
		case strings.HasPrefix(c.name, "shell"):
			most = 90
		case c.name == "fetch":
			most = 220
		}
		if all, engine := cost(recommended), cost(nothing); all > engine+most {
			t.Errorf("%s: %v allocations, and %v without rules", c.name, all, engine)
		}
	}
}

// What it costs to judge one whole call with the recommended policies. The
// first line is what the engine costs where a policy has nothing to say.
func BenchmarkDecide(b *testing.B) {
	recommended := preset(b, "recommended")
	decide := func(name string, set *policy.Set, tool, arguments string) {
		block := toolUse(tool, arguments)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if r := set.Decide(b.Context(), places[1], block, policy.Options{}); !r.Verdict.Action.Passes() {
					b.Fatal(r.Verdict)
				}
			}
		})
	}
	decide("no rule", nothing(b), everydayCalls[0].tool, everydayCalls[0].arguments)
	for _, c := range everydayCalls {
		decide(c.name, recommended, c.tool, c.arguments)
	}
}
