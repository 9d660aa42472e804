package file_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	clients "github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/file"
)

func preset(t testing.TB, name string) *policy.Set {
	t.Helper()
	loaded, err := file.Load(file.Options{Approver: true}, "preset:"+name)
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Set
}

// blocks returns the calls of a line: a call as JSON, or a shell command in
// every client's form.
func blocks(t testing.TB, line string) []llm.Block {
	t.Helper()
	switch line[0] {
	case '{':
		var c struct {
			Tool      string          `json:"tool"`
			Type      string          `json:"type"`
			Input     string          `json:"input"`
			Arguments json.RawMessage `json:"arguments"`
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		b := llm.Block{Kind: llm.ToolCall, ID: "call_1", Name: c.Tool, Type: "tool_use", Arguments: string(c.Arguments), Status: llm.Complete}
		if c.Type != "" {
			b.Type = c.Type
		}
		if c.Input != "" {
			b.Arguments = c.Input
		}
		return []llm.Block{b}
	case '"':
		command, err := strconv.Unquote(line)
		if err == nil {
			return clients.Shapes(command)
		}
	}
	return clients.Shapes(line)
}

// places are sessions about which more or less is known.
var places = []*policy.Exchange{
	nil,
	{Session: policy.Session{Cwd: "/home/alice/project", Home: "/home/alice"}},
}

func TestRecommendedAsksNobody(t *testing.T) {
	t.Parallel()
	loaded, err := file.Load(file.Options{}, "preset:recommended")
	if err != nil {
		t.Fatal(err)
	}
	if len(loaded.Warnings) > 0 {
		t.Errorf("warnings: %v", loaded.Warnings)
	}
	for _, p := range loaded.Policies {
		for _, word := range []string{p.Then, p.OnUnknown, p.OnError} {
			if word == "ask" || word == "judge" {
				t.Errorf("%s has %q", p.Name, word)
			}
		}
		if p.Reason == "" {
			t.Errorf("%s gives no reason", p.Name)
		}
	}
}

func TestRecommendedTakesParameters(t *testing.T) {
	t.Parallel()
	loaded, err := file.Parse(file.Options{}, "test", []byte(`
policies:
  - preset: recommended
    params: {egress.allow: [github.com], git.protected: [release]}
`))
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]policy.Action{
		"curl https://x.example":             policy.Annotate,
		"curl https://api.github.com/zen":    policy.Allow,
		"curl https://evilgithub.com":        policy.Annotate,
		"curl http://localhost:3000":         policy.Allow,
		"git push --force origin release":    policy.BlockEndTurn,
		"git push --force origin main":       policy.Annotate,
		"git push --force origin release-x1": policy.Annotate,
	} {
		if r := loaded.Set.Decide(t.Context(), nil, clients.Shapes(command)[0], policy.Options{}); r.Verdict.Action != want {
			t.Errorf("%s: %s by %s, want %s", command, r.Verdict.Action, r.Verdict.Policy, want)
		}
	}
}

func TestParanoidStopsAtWhatIsUnknownOrOutside(t *testing.T) {
	t.Parallel()
	set := preset(t, "paranoid")
	for _, tc := range []struct{ line, policy string }{
		{"go test ./...", ""},
		{"git status && git diff", ""},
		{"npm install left-pad", ""},
		{"curl http://localhost:3000/health", ""},
		{`{"tool":"Read","arguments":{"file_path":"/home/alice/project/a.go"}}`, ""},
		{`{"tool":"Write","arguments":{"file_path":"/home/alice/project/a.go","content":"x"}}`, ""},
		{`{"tool":"get_weather","arguments":{"city":"Oslo"}}`, ""},
		{"make $(cat targets.txt)", "unreadable-calls"},
		{"source ./env.sh", "unreadable-calls"},
		{"echo x > /home/alice/other/file", "workspace-boundary"},
		{`{"tool":"Write","arguments":{"file_path":"/home/alice/other.txt","content":"x"}}`, "workspace-boundary"},
		{"curl https://x.example", "egress-ask"},
		{"ssh host uptime", "egress-ask"},
		{"cat .env", "secret-reads-ask"},
		{"pip install git+https://x.example/a.git", "supply-chain-ask"},
	} {
		for _, b := range blocks(t, tc.line) {
			r := set.Decide(t.Context(), places[1], b, policy.Options{})
			said := slices.ContainsFunc(r.Verdicts, func(v policy.Verdict) bool { return v.Policy == tc.policy })
			if r.Delivered != (tc.policy == "") || tc.policy != "" && !said {
				t.Errorf("%s\n\tas %s: %s by %s, want %q", tc.line, b.Name, r.Verdict.Action, r.Verdict.Policy, tc.policy)
			}
		}
	}
}

func TestUnknownKindsOfBlocksPassRecommendedAndNotParanoid(t *testing.T) {
	t.Parallel()
	b := llm.Block{Kind: llm.Opaque, Type: "hologram", Raw: json.RawMessage(`{"type":"hologram","data":"x"}`), Status: llm.Complete}
	if r := preset(t, "recommended").Decide(t.Context(), nil, b, policy.Options{}); !r.Verdict.Action.Passes() {
		t.Errorf("recommended: %s", r.Verdict.Action)
	}
	if r := preset(t, "paranoid").Decide(t.Context(), nil, b, policy.Options{}); r.Verdict.Action.Passes() || r.Delivered {
		t.Errorf("paranoid: %s", r.Verdict.Action)
	}
}

func TestShadowOnlyRecords(t *testing.T) {
	t.Parallel()
	r := preset(t, "shadow").Decide(t.Context(), nil, clients.Shapes("rm -rf /")[0], policy.Options{})
	would := slices.ContainsFunc(r.Verdicts, func(v policy.Verdict) bool {
		return v.Shadow && v.Policy == "destructive-files" && v.Action >= policy.Block
	})
	if !r.Delivered || !would {
		t.Errorf("%s, delivered %v, %v", r.Verdict.Action, r.Delivered, r.Verdicts)
	}
}

// What costs too much to judge is blocked, so large calls of everyday work must
// not cost too much.
func TestLargeEverydayCallsPassTheRecommendedPolicies(t *testing.T) {
	t.Parallel()
	set := preset(t, "recommended")
	files := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(" /home/alice/project/src/components/module/file_" + strconv.Itoa(i) + ".tsx")
		}
		return b.String()
	}
	for name, command := range map[string]string{
		"a here-document of 300 KB":  "cat > big.txt <<'EOF'\n" + strings.Repeat("a line of text with words and (){ brackets\n", 7000) + "EOF",
		"a program of 100 KB":        "python3 - <<'EOF'\n" + strings.Repeat("print('hello', 1)\n", 6000) + "EOF",
		"a thousand files":           "npx prettier --write" + files(1000),
		"a thousand files to read":   "wc -l" + files(1000),
		"many files to remove":       "rm -rf" + files(300),
		"a body of 60 KB":            "curl -d '" + strings.Repeat("x", 60_000) + "' http://localhost:3000/items",
		"a long message":             "git commit -m '" + strings.Repeat("word ", 20_000) + "'",
		"a script of 600 commands":   strings.Repeat("go test ./pkg && echo ok\n", 300),
		"a script of 300 transfers":  strings.Repeat("curl -s http://localhost:3000/x | jq .a > out.json; cp a.txt b/\n", 100),
		"a script of 100 statements": strings.Repeat("psql -c 'select 1'\n", 100),
	} {
		for _, place := range places {
			r := set.Decide(t.Context(), place, clients.Shapes(command)[0], policy.Options{})
			if !r.Verdict.Action.Passes() {
				t.Errorf("%s: %s by %s: %v", name, r.Verdict.Action, r.Verdict.Policy, r.Verdict.Err)
			}
		}
	}
}
