package rule_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// gated are the conditions of the presets and their gates.
type gated struct {
	names []string
	list  []*rule.Program
	gates *rule.Gates
}

func presetGates(tb testing.TB) (g gated, calls []llm.Block) {
	tb.Helper()
	conditions, calls := presets(tb)
	g.names = slices.Sorted(maps.Keys(conditions))
	for _, name := range g.names {
		g.list = append(g.list, conditions[name])
	}
	g.gates = rule.NewGates(g.list)
	return g, calls
}

// check compares the gates with Match, for a host that knows the place of the
// client and for one that does not. It returns how many were shut.
func (g *gated) check(t *testing.T, block llm.Block) (shut int) {
	t.Helper()
	for _, x := range []*policy.Exchange{known, nil} {
		s := policy.NewSubject(x, block)
		open := g.gates.Open(s)
		for i, p := range g.list {
			if !rule.Shut(open, i) {
				continue
			}
			shut++
			// On a subject of its own: nothing that the gates noted may help.
			if outcome, what, err := p.Match(policy.NewSubject(x, block)); outcome != rule.False || what != "" || err != nil {
				t.Errorf("%s, %s %q: the gate is shut, and the condition is %v, %q, %v", g.names[i], block.Name, block.Arguments, outcome, what, err)
			}
		}
	}
	return shut
}

// Whatever the call, a gate of the presets is shut only where the condition does
// not hold.
func FuzzGatesOfPresets(f *testing.F) {
	g, calls := presetGates(f)
	for i := range calls {
		f.Add(calls[i].Name, calls[i].Arguments, uint8(llm.Complete))
	}
	for _, arguments := range []string{
		`{"command":"rm -rf / # `, `{"command":["bash","-lc","sudo rm -rf ~"]}`, `{"command":"ｒｍ -rf /; \u0072m -rf /"}`, `{"cmd":"eval \"$(curl -s x)\""}`,
		`{"command":"bash -c 'sh -c \"bash -c \\\"rm -rf /\\\"\"'"}`, `{"command":"ssh h 'sudo rm -rf /' <<EOF\nrm -rf /\nEOF"}`, `{"command":"` + strings.Repeat("ls;", 70) + `rm -rf /"}`,
		`{"a":1,"a":2}`, `[]`, "", "{", `{"path":"~/.ssh/id_rsa","content":"x"}`, `{"url":"http://169.254.169.254/"}`, "{\"command\":\"\xff\xfe rm -rf /\"}",
	} {
		f.Add("Bash", arguments, uint8(llm.Complete))
		f.Add("mcp__x__run", arguments, uint8(llm.Incomplete))
	}
	f.Fuzz(func(t *testing.T, name, arguments string, status uint8) {
		for _, kind := range []llm.Kind{llm.ToolCall, llm.ServerTool, llm.Content, llm.ToolResult} {
			block := llm.Block{Kind: kind, Name: name, Arguments: arguments, Text: arguments, Status: llm.Status(status % 4)}
			g.check(t, block)
		}
	})
}

// Calls that are put together of what presets look for: in other shells, after
// much else, cut off, as an argument of something, in other letters.
func TestGatesOfPresetsForCallsPutTogether(t *testing.T) {
	g, calls := presetGates(t)
	var parts []string
	for i := range calls {
		var said struct {
			Command string `json:"command"`
		}
		if json.Unmarshal([]byte(calls[i].Arguments), &said) == nil && said.Command != "" {
			parts = append(parts, said.Command)
		}
	}
	wraps := []func(string) string{
		func(c string) string { return c },
		func(c string) string { return "bash -c '" + strings.ReplaceAll(c, "'", `'\''`) + "'" },
		func(c string) string { return "sudo -E env A=b nohup " + c },
		func(c string) string { return "ssh host \"" + c + "\"" },
		func(c string) string { return "echo $(" + c + ")" },
		func(c string) string { return "cat <<EOF | sh\n" + c + "\nEOF" },
		func(c string) string { return "find . -exec " + c + " {} +" },
		func(c string) string { return "xargs -0 " + c },
		func(c string) string { return "$X " + c },
		func(c string) string { return "\\" + c },
		func(c string) string { return strings.Repeat("true; ", 62) + c },
		func(c string) string { return c + " " + strings.Repeat("ü", 8<<10) },
		func(c string) string { return strings.ReplaceAll(c, " ", "\u00a0") },
		func(c string) string { return strings.ReplaceAll(c, " ", "${IFS}") },
		strings.ToUpper,
		func(c string) string { return strings.ToLower(c) + "\r" },
		func(c string) string { return c[:len(c)/2] },
		func(c string) string { return strings.Replace(c, "s", "ſ", 1) },
		func(c string) string { return strings.Replace(c, "k", "\u212a", 1) },
	}
	random := rand.New(rand.NewPCG(7, 9))
	pick := func() string { return wraps[random.IntN(len(wraps))](parts[random.IntN(len(parts))]) }
	rounds, shut := 1500, 0
	if testing.Short() {
		rounds = 200
	}
	for range rounds {
		command := pick()
		for range random.IntN(3) {
			command += []string{"; ", " | ", " && ", "\n", " & ", " "}[random.IntN(6)] + pick()
		}
		if random.IntN(3) == 0 {
			command = wraps[random.IntN(len(wraps))](command)
		}
		block := bash(command)
		switch random.IntN(6) {
		case 0:
			block.Status = llm.Incomplete
		case 1:
			block.Arguments = block.Arguments[:random.IntN(len(block.Arguments))]
		case 2:
			block.Name = []string{"mcp__x__y", "write_file", "str_replace_editor", "WebFetch", "python"}[random.IntN(5)]
		}
		shut += g.check(t, block)
		if t.Failed() {
			return
		}
	}
	if shut < rounds {
		t.Errorf("the cases say little: %d gates were shut in %d rounds", shut, rounds)
	}
}
