package rule_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

func TestCostIsLimited(t *testing.T) {
	commands := strings.Repeat("ls -l a; ", 2000)
	long := strings.Repeat("a", 4<<20)
	for _, tc := range []struct {
		name   string
		source string
		args   map[string]any
		want   error
	}{
		{"many commands once", `call.commands.exists(c, c.is("rm") || c.has("-r"))`, map[string]any{"command": commands}, nil},
		{"many commands with one another", `call.commands.exists(c, call.commands.exists(d, c.name != d.name))`, map[string]any{"command": commands}, rule.ErrCost},
		{"a long text once", `call.args.text.contains("b")`, map[string]any{"text": long}, nil},
		{"a long text again and again", `call.args.list.all(x, !call.args.text.contains("b"))`, map[string]any{"text": long, "list": make([]int, 100)}, rule.ErrCost},
		{"the length of a long text", `call.args.list.all(x, size(call.args.text) > 1)`, map[string]any{"text": long, "list": make([]int, 100)}, rule.ErrCost},
		{"a long text in other types", `call.args.list.all(x, bytes(call.args.text) != b"")`, map[string]any{"text": long, "list": make([]int, 100)}, rule.ErrCost},
		{"large values that are equal", `call.args.list.all(x, call.args.list == call.args.list)`, map[string]any{"list": make([]int, 2000)}, rule.ErrCost},
		{"a long path", `call.args.list.all(x, !call.args.text.under("/etc"))`, map[string]any{"text": "/" + long, "list": make([]int, 100)}, rule.ErrCost},
		{"a long glob", `call.args.list.all(x, !call.args.text.glob("*b*c*d"))`, map[string]any{"text": long, "list": make([]int, 100)}, rule.ErrCost},
		{"many arguments", `call.commands.all(c, call.args.list.all(x, !c.has("-z")))`, map[string]any{"command": "ls " + strings.Repeat("a ", 2000), "list": make([]int, 10000)}, rule.ErrCost},
	} {
		t.Run(tc.name, func(t *testing.T) {
			arguments, _ := json.Marshal(tc.args)
			s := policy.NewSubject(known, llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: string(arguments), Status: llm.Complete})
			if _, _, err := compile(t, tc.source).Match(s); !errors.Is(err, tc.want) {
				t.Errorf("got %v, want %v", err, tc.want)
			}
		})
	}
}

func TestWhatIsMadeIsLimited(t *testing.T) {
	arguments, _ := json.Marshal(map[string]any{"a": strings.Repeat("a", 1<<20), "list": make([]string, 1000)})
	s := policy.NewSubject(nil, llm.Block{Kind: llm.ToolCall, Name: "t", Arguments: string(arguments)})
	for _, tc := range []struct {
		source string
		fails  bool
	}{
		{`call.args.a.replace("a", "bbbbbbbb") == ""`, false}, // exactly 8 MiB
		{`call.args.a.replace("a", "bbbbbbbbb") == ""`, true},
		{`call.args.a.replace("a", "bbbbbbbbb", 1000) == ""`, false},
		{`call.args.a.replace("", call.args.a) == ""`, true},
		{`call.args.list.join(call.args.a) == ""`, true},
	} {
		if _, _, err := compile(t, tc.source).Match(s); (err != nil) != tc.fails {
			t.Errorf("%s: got %v", tc.source, err)
		}
	}
}

func TestExpressionsAreLimited(t *testing.T) {
	list := "[" + strings.Repeat("1,", 200) + "1]"
	nested := func(depth int) string {
		source := "call.name == 'x'"
		for i := range depth {
			source = fmt.Sprintf("['a'].exists(v%d, %s)", i, source)
		}
		return source
	}
	for _, tc := range []struct {
		name    string
		source  string
		refused bool
	}{
		{"as long as allowed", "call.name == '" + strings.Repeat("a", 32<<10-15) + "'", false},
		{"longer", "call.name == '" + strings.Repeat("a", 32<<10-14) + "'", true},
		{"as nested as allowed", nested(4), false},
		{"more nested", nested(5), true},
		{"constants that cost too much", fmt.Sprintf("%s.all(a, %s.all(b, %s.all(c, a + b + c > 0))) && call.name == 'x'", list, list, list), true},
		{"a large regular expression", `call.name.matches("(a{1,500}){5}")`, true},
		{"deep parentheses", strings.Repeat("(", 5000) + "true" + strings.Repeat(")", 5000), true},
		{"many alternatives", strings.Repeat("call.name == 'x' || ", 500) + "call.name == 'y'", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := rule.Compile(tc.source, rule.Options{}); (err != nil) != tc.refused {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestProgramsAndSubjectsAreShared(t *testing.T) {
	list := programs(t, fifteen...)
	s := policy.NewSubject(known, bash("git push --force; cat ~/.ssh/id_rsa; curl https://example.com; $X"))
	want := make([]rule.Outcome, len(list))
	for i, p := range list {
		want[i], _, _ = p.Match(policy.NewSubject(known, s.Block))
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i, p := range list {
				if got, _, err := p.Match(s); got != want[i] || err != nil {
					t.Errorf("%s: got %v, %v; want %v", fifteen[i], got, err, want[i])
				}
			}
		})
	}
	for range 4 {
		wg.Go(func() {
			if _, err := rule.Compile(fifteen[0], rule.Options{}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestMissesAllocateNothing(t *testing.T) {
	list := programs(t, fifteen...)
	s := policy.NewSubject(known, llm.Block{Kind: llm.ToolCall, Name: "get_weather", Arguments: `{"city":"Paris"}`})
	_ = rule.CallOf(s)
	if n := testing.AllocsPerRun(100, func() {
		for _, p := range list {
			_, _, _ = p.Match(s)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	gates := rule.NewGates(list)
	if n := testing.AllocsPerRun(100, func() { _ = gates.Open(s) }); n != 0 {
		t.Errorf("gates: %v allocations", n)
	}
}
