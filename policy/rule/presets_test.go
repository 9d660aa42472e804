package rule_test

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// presets are the conditions of the policies that come with the program, and
// the calls of their examples.
func presets(tb testing.TB) (conditions map[string]*rule.Program, calls []llm.Block) {
	tb.Helper()
	type parameters map[string]struct{ Default any }
	conditions = map[string]*rule.Program{}
	params := map[string]any{}
	for _, name := range []string{"recommended", "paranoid"} {
		data, err := os.ReadFile("../file/presets/" + name + ".yaml")
		if err != nil {
			tb.Fatal(err)
		}
		var file struct {
			Params   parameters
			Policies []struct {
				Name, When string
				Applies    []string `yaml:"applies_to"`
				Params     parameters
				Examples   []struct {
					Shell, Tool string
					Arguments   map[string]any
				}
			}
		}
		if err := yaml.Unmarshal(data, &file); err != nil {
			tb.Fatal(err)
		}
		add := func(some parameters) {
			for key, p := range some {
				params[key] = p.Default
			}
		}
		add(file.Params)
		for _, p := range file.Policies {
			add(p.Params)
			for _, e := range p.Examples {
				if e.Shell != "" {
					calls = append(calls, bash(e.Shell), bash(e.Shell+"; $X a"), bash("ls | xargs "+e.Shell))
				} else if e.Tool != "" {
					arguments, _ := json.Marshal(e.Arguments)
					calls = append(calls, llm.Block{Kind: llm.ToolCall, Name: e.Tool, Arguments: string(arguments), Status: llm.Complete})
				}
			}
			if p.When == "" || p.When == "true" || len(p.Applies) > 0 { // only those about calls
				continue
			}
			program, err := rule.Compile(p.When, rule.Options{Params: maps.Clone(params)})
			if err != nil {
				tb.Fatalf("%s: %v", p.Name, err)
			}
			conditions[p.Name] = program
		}
	}
	return conditions, calls
}

// The gates of the presets are shut only where a condition does not hold, for
// what people do all day and for what they must not do; and mostly they are.
func TestGatesOfPresetsChangeNoOutcome(t *testing.T) {
	conditions, calls := presets(t)
	for _, name := range []string{"harmless/git", "harmless/files", "harmless/network", "hostile/files", "hostile/git"} {
		data, err := os.ReadFile("../../evasion/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' || strings.Contains(line, "{\"tool\"") {
				continue
			}
			if strings.HasPrefix(name, "hostile/") {
				_, line, _ = strings.Cut(line, " ")
			}
			calls = append(calls, bash(line), bash("cd /srv && "+line+" | tail"), bash(line+"; $X a"))
		}
	}
	names := slices.Sorted(maps.Keys(conditions))
	list := make([]*rule.Program, len(names))
	for i, name := range names {
		list[i] = conditions[name]
	}
	gates := rule.NewGates(list)
	shut, does := 0, 0
	for _, block := range calls {
		for _, x := range []*policy.Exchange{known, nil} {
			s := policy.NewSubject(x, block)
			open := gates.Open(s)
			for i, p := range list {
				outcome, what, err := p.Match(s)
				if outcome == rule.False && err == nil {
					does++
				}
				if !rule.Shut(open, i) {
					continue
				}
				if shut++; outcome != rule.False || what != "" || err != nil {
					t.Errorf("%s, %s: the gate is shut, and the condition is %v, %q, %v", names[i], block.Arguments, outcome, what, err)
				}
			}
		}
	}
	if does < 10_000 || shut < does*7/10 {
		t.Errorf("of %d that do not hold, gates tell of %d", does, shut)
	}
	t.Logf("of %d that do not hold, gates tell of %d", does, shut)
}

// The patterns of the presets match in the examples as package regexp says.
func TestPatternsOfPresets(t *testing.T) {
	conditions, calls := presets(t)
	var texts []string
	for i := range calls {
		texts = append(texts, calls[i].Arguments, strings.ToUpper(calls[i].Arguments))
		c := rule.CallOf(policy.NewSubject(known, calls[i]))
		texts = slices.Concat(texts, c.Reads, c.Writes, c.URLs)
		for _, command := range c.Commands {
			texts = append(append(texts, command.Name, command.Text), command.Args...)
		}
	}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	matched := 0
	for name, p := range conditions {
		p.Patterns(func(source string, matches func(string) bool) {
			re := regexp.MustCompile(source)
			for _, text := range texts {
				want := re.MatchString(text)
				if got := matches(text); got != want {
					t.Errorf("%s: %s in %q: got %v, want %v", name, source, text, got, want)
				}
				if want {
					matched++
				}
			}
		})
	}
	if matched < 200 {
		t.Errorf("the cases say little: %d matches", matched)
	}
}

// Calls with 4 KB of arguments, as they are read and judged by all conditions
// of the presets.
func BenchmarkPresets4KB(b *testing.B) {
	conditions, _ := presets(b)
	list := slices.Collect(maps.Values(conditions))
	code := strings.Repeat("func (s *Set) add(x int) { if s.m[x] == nil || x > 3 { s.m[x] = &item{name: \"a | b\"} } } // https://example.com\n", 35)
	content, _ := json.Marshal(map[string]string{"file_path": "/home/ada/app/main.go", "content": code})
	for _, tc := range []struct {
		name  string
		block llm.Block
	}{
		{"other", llm.Block{Kind: llm.ToolCall, Name: "get_weather", Arguments: `{"location":"` + strings.Repeat("x", 4000) + `"}`, Status: llm.Complete}},
		{"write", llm.Block{Kind: llm.ToolCall, Name: "Write", Arguments: string(content), Status: llm.Complete}},
		{"bash comment", bash("go test ./... && git status # " + strings.Repeat("x", 4000))},
		{"bash document", bash("cat > a.go <<'EOF'\n" + code + "EOF\n")},
		{"bash argument", bash("curl -s -d '" + code + "' http://localhost:8080/")},
		{"bash commands", bash(strings.Repeat("rm -rf build/a && ls -la src | grep foo; ", 100))},
		{"bash unknown", bash("make $(cat targets) && " + strings.Repeat("echo $X one two three four five; ", 120))},
	} {
		b.Run(tc.name, func(b *testing.B) { measure(b, known, tc.block, list, false) })
	}
}
