package rule_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// fifteen are conditions as a careful team writes them.
var fifteen = []string{
	`call.commands.exists(c, c.is("kubectl") && c.flag("context").matches("prod"))`,
	`call.commands.exists(c, c.is("git") && c.sub == "push" && (c.has("--force") || c.has("-f")))`,
	`call.commands.exists(c, c.is("rm") && c.has("-r") && c.args.exists(a, a in ["/", "~", "/*"]))`,
	`call.commands.exists(c, c.is("terraform", "tofu") && c.sub in ["apply", "destroy"])`,
	`call.commands.exists(c, c.sudo && !c.is("apt", "apt-get"))`,
	`call.commands.exists(c, c.is("curl", "wget") && c.args.exists(a, a.startsWith("http://")))`,
	`call.commands.exists(c, c.is("psql", "mysql") && c.text.matches("(?i)drop\\s+(table|database)"))`,
	`call.reads.exists(f, f.glob("**/.ssh/**") || f.glob("*.pem"))`,
	`call.writes.exists(f, f.under("/etc") || f.under("/usr"))`,
	`call.writes.exists(f, f.glob(".env*"))`,
	`call.urls.exists(u, !(u.host() in ["github.com", "api.github.com"]))`,
	`call.kind == "mcp" && call.server in ["prod-db"]`,
	`call.kind == "shell" && call.raw.contains("AKIA")`,
	`call.commands.exists(c, c.is("npm", "yarn", "pnpm") && c.sub == "publish")`,
	`call.commands.size() > 50`,
}

func programs(tb testing.TB, sources ...string) []*rule.Program {
	tb.Helper()
	list := make([]*rule.Program, 0, len(sources))
	for _, source := range sources {
		p, err := rule.Compile(source, rule.Options{})
		if err != nil {
			tb.Fatalf("%s: %v", source, err)
		}
		list = append(list, p)
	}
	return list
}

var known = &policy.Exchange{
	Request: &llm.Request{Model: "large"},
	Session: policy.Session{ID: "s1", Client: "cli", Cwd: "/home/ada/app", Home: "/home/ada"},
	Key:     policy.Key{Name: "laptop", User: "ada", Groups: []string{"dev"}},
}

func bash(command string) llm.Block {
	arguments, _ := json.Marshal(map[string]string{"command": command})
	return llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: string(arguments), Status: llm.Complete}
}

func measure(b *testing.B, x *policy.Exchange, block llm.Block, list []*rule.Program, shared bool) {
	b.Helper()
	s := policy.NewSubject(x, block)
	b.ReportAllocs()
	for b.Loop() {
		if !shared {
			s = policy.NewSubject(x, block)
		}
		for _, p := range list {
			if _, _, err := p.Match(s); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(list)), "ns/rule")
}

// A call that has nothing to do with the expression.
func BenchmarkMatchMiss(b *testing.B) {
	block := llm.Block{Kind: llm.ToolCall, Name: "get_weather", Arguments: `{"city":"Paris"}`, Status: llm.Complete}
	b.Run("one", func(b *testing.B) { measure(b, known, block, programs(b, fifteen[0]), true) })
	b.Run("fifteen", func(b *testing.B) { measure(b, known, block, programs(b, fifteen...), true) })
	b.Run("fifteen and reading the call", func(b *testing.B) { measure(b, known, block, programs(b, fifteen...), false) })
}

// A call for which the expression must be evaluated.
func BenchmarkMatchHit(b *testing.B) {
	block := bash("env X=1 kubectl --context=prod delete ns a")
	b.Run("exists", func(b *testing.B) { measure(b, known, block, programs(b, fifteen[0]), true) })
	b.Run("args", func(b *testing.B) { measure(b, known, block, programs(b, `call.args.command.contains("prod")`), true) })
	b.Run("unknown", func(b *testing.B) {
		measure(b, known, bash("$X prod; ls"), programs(b, fifteen[0]), true)
	})
}

// An allowed shell call with 4 KB of arguments, the reading of the call
// included.
func Benchmark15Rules4KB(b *testing.B) {
	command := "cd app && go test ./... && git status && cat > notes.md <<'END'\n" + strings.Repeat("a line of notes about the work\n", 125) + "END\n"
	b.Run("reading", func(b *testing.B) { measure(b, known, bash(command), programs(b, fifteen...), false) })
	b.Run("rules alone", func(b *testing.B) { measure(b, known, bash(command), programs(b, fifteen...), true) })
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Compile(fifteen[0], rule.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
