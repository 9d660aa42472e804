package file_test

import (
	"bufio"
	"encoding/json"
	"os"
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

// lines returns the lines of a file that are neither empty nor comments.
func lines(t testing.TB, name string) []string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var list []string
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := strings.TrimSpace(s.Text()); line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	return list
}

// blocks returns a line as the calls it stands for: a call as JSON, or a shell
// command in every client's form.
func blocks(t testing.TB, line string) []llm.Block {
	t.Helper()
	switch line[0] {
	case '{':
		var c struct {
			Tool, Type, Input string
			Arguments         json.RawMessage
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

// places are sessions of which more and less is known.
var places = []*policy.Exchange{
	nil,
	{Session: policy.Session{Cwd: "/home/alice/project", Home: "/home/alice"}},
}

func TestEverydayWorkPassesTheRecommendedPolicies(t *testing.T) {
	t.Parallel()
	set := preset(t, "recommended")
	everyday := lines(t, "testdata/everyday.txt")
	if len(everyday) < 120 {
		t.Errorf("only %d lines", len(everyday))
	}
	for _, line := range everyday {
		for _, b := range blocks(t, line) {
			for _, place := range places {
				r := set.Decide(t.Context(), place, b, policy.Options{})
				if !r.Verdict.Action.Passes() || !r.Delivered {
					t.Errorf("%s\n\tas %s: %s by %s (%s)", line, b.Name, r.Verdict.Action, r.Verdict.Policy, r.Verdict.Cause)
				}
			}
		}
	}
	t.Logf("%d lines", len(everyday))
}

func TestDangerousCallsAreBlockedByTheRecommendedPolicies(t *testing.T) {
	t.Parallel()
	set := preset(t, "recommended")
	dangerous := lines(t, "testdata/dangerous.txt")
	if len(dangerous) < 120 {
		t.Errorf("only %d lines", len(dangerous))
	}
	for _, line := range dangerous {
		want, line, _ := strings.Cut(line, " ")
		for _, b := range blocks(t, line) {
			for _, place := range places {
				r := set.Decide(t.Context(), place, b, policy.Options{})
				said := slices.ContainsFunc(r.Verdicts, func(v policy.Verdict) bool { return v.Policy == want && v.Action.Blocks() })
				if !r.Verdict.Action.Blocks() || r.Delivered || !said {
					t.Errorf("%s\n\tas %s: %s by %s, want %s", line, b.Name, r.Verdict.Action, r.Verdict.Policy, want)
				}
			}
		}
	}
	t.Logf("%d lines", len(dangerous))
}
