package rule

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

func TestNeeds(t *testing.T) {
	for _, tc := range []struct {
		source string
		want   string
	}{
		{`call.kind == "shell"`, "[{kind shell}]"},
		{`"shell" == call.kind || call.kind in ["read", "edit"]`, "[{kind shell read edit}]"},
		{`call.name == "Bash" && call.kind == "shell"`, "[{name Bash} {kind shell}]"},
		{`call.name == "Bash" || call.kind == "shell"`, "[]"},
		{`call.commands.exists(c, c.sudo)`, "[{commands}]"},
		{`call.commands.exists(c, c.is("rm", "mv") && c.sudo)`, "[{commands} {program rm mv}]"},
		{`call.commands.exists(c, c.name == "rm" || c.name in ["mv"] || c.is(["cp"]))`, "[{commands} {program rm mv cp}]"},
		{`call.commands.exists(c, c.is("rm") || c.sudo)`, "[{commands}]"},
		{`call.commands.exists(c, !c.is("rm"))`, "[{commands}]"},
		{`call.commands.exists(c, c.is(c.sub))`, "[{commands}]"},
		{`call.commands.exists(c, c.is("rm")) || call.commands.exists(c, c.sudo)`, "[{commands} {commands}]"},
		{`call.commands.exists(c, call.urls.exists(u, u == c.text))`, "[{urls} {commands}]"},
		{`["a", "b"].exists(p, call.reads.exists(f, f == p))`, "[{reads}]"},
		{`"x" in call.writes`, "[{writes}]"},
		{`call.urls.size() >= 1`, "[{urls}]"},
		{`size(call.urls) > 0`, "[{urls}]"},

		// What may be an error or unknown must be evaluated.
		{`call.args.list.exists(x, call.kind == "shell")`, "[]"},
		{`request.messages.exists(m, call.kind == "shell")`, "[]"},
		{`[call.args.x].exists(x, call.kind == "shell")`, "[]"},
		{`!call.commands.exists(c, c.sudo)`, "[]"},
		{`call.commands.all(c, c.sudo)`, "[]"},
		{`call.kind != "shell"`, "[]"},
		{`call.kind == "shell" ? true : false`, "[]"},
		{`call.urls.size() >= 0`, "[]"},
		{`call.urls.size() < 1`, "[]"},
	} {
		p, err := Compile(tc.source, Options{})
		if err != nil {
			t.Errorf("%s: %v", tc.source, err)
			continue
		}
		names := []string{"kind", "name", "program", "commands", "reads", "writes", "urls"}
		got := make([]string, 0, len(p.needs))
		for _, n := range p.needs {
			got = append(got, "{"+strings.Join(append([]string{names[n.what]}, n.names...), " ")+"}")
		}
		if fmt.Sprint(got) != tc.want {
			t.Errorf("%s: got %v, want %s", tc.source, got, tc.want)
		}
	}
}

// Whatever the expression and the call, testing the needs first changes
// nothing: neither the outcome nor what is unknown nor the error.
func TestNeedsChangeNoOutcome(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	outcomes := map[Outcome]int{}
	skipped := 0
	for range 300 {
		source := randomCondition(random, 3)
		p, err := Compile(source, Options{Applies: callKinds})
		if err != nil {
			continue // it can never match
		}
		for range 4 {
			block := randomBlock(random)
			s := policy.NewSubject(nil, block)
			got, gotUnknown, gotErr := p.Match(s)
			want, wantUnknown, wantErr := p.match(viewOf(s))
			if got != want || gotUnknown != wantUnknown || fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
				t.Fatalf("%s\nfor %+v: with needs %v, %q, %v; without %v, %q, %v",
					source, block, got, gotUnknown, gotErr, want, wantUnknown, wantErr)
			}
			outcomes[got]++
			if len(p.needs) > 0 && got == False {
				skipped++
			}
		}
	}
	if outcomes[True] < 50 || outcomes[False] < 50 || outcomes[Unknown] < 50 || skipped < 50 {
		t.Errorf("the cases say little: %v, %d decided early", outcomes, skipped)
	}
}

// If what is known is enough to be true, more can not make it false: a call
// that was cut is never decided otherwise than the same call with the rest.
func TestMoreElementsDoNotChangeADecision(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	decided := 0
	for range 300 {
		source := randomCondition(random, 3)
		p, err := Compile(source, Options{Applies: callKinds})
		if err != nil || strings.Contains(source, "call.raw") || strings.Contains(source, "call.args") {
			continue
		}
		known := randomCommands(random)
		some := bashBlock(known + "; $X")
		all := bashBlock(known + "; $X; " + randomCommands(random))
		before, _, err := p.Match(policy.NewSubject(nil, some))
		if err != nil || before == Unknown {
			continue
		}
		decided++
		after, what, err := p.Match(policy.NewSubject(nil, all))
		if err != nil || after != before && after != Unknown {
			t.Fatalf("%s: %v for %s, but %v %s %v for %s", source, before, some.Arguments, after, what, err, all.Arguments)
		}
		if after == Unknown {
			t.Fatalf("%s: %v for %s, but more is %v (%s): %s", source, before, some.Arguments, after, what, all.Arguments)
		}
	}
	if decided < 50 {
		t.Errorf("only %d cases were decided", decided)
	}
}

func randomCondition(r *rand.Rand, depth int) string {
	leaves := []string{
		`call.kind == "shell"`, `call.kind in ["read", "fetch"]`, `call.name == "Bash"`, `call.name in ["Read", "Bash"]`,
		`call.commands.exists(c, c.is("rm"))`, `call.commands.exists(c, c.is("rm", "git") && c.has("-f"))`,
		`call.commands.exists(c, c.name == "git" && c.sub == "push")`, `call.commands.all(c, c.is("ls"))`,
		`call.commands.size() > 1`, `call.commands.size() < 2`, `call.commands.filter(c, c.is("ls")).size() > 0`,
		`call.commands.map(c, c.name).exists(n, n == "git")`, `call.commands.exists(c, "-f" in c.args)`,
		`call.reads.exists(f, f.under("/etc"))`, `"/tmp/x" in call.writes`, `call.writes.size() > 0`,
		`call.urls.exists(u, u.host() == "example.com")`, `call.args.missing == 1`, `call.args.command.contains("x")`,
		`call.args.command > 3`, `call.raw.contains("git")`, `session.cwd == "/x"`, `1 / size(call.urls) == 1`, `true`,
		`["rm", "git"].exists(p, call.commands.exists(c, c.is(p)))`, `call.args.list.exists(x, call.kind == "shell")`,
		`call.commands[0].is("git")`, `call.commands.exists(c, call.commands.exists(d, c.name == d.name && d.is("ls")))`,
	}
	if depth == 0 || r.IntN(4) == 0 {
		return leaves[r.IntN(len(leaves))]
	}
	a, b := randomCondition(r, depth-1), randomCondition(r, depth-1)
	switch r.IntN(6) {
	case 0, 1:
		return "(" + a + " && " + b + ")"
	case 2, 3:
		return "(" + a + " || " + b + ")"
	case 4:
		return "!" + "(" + a + ")"
	default:
		return "(" + a + " ? " + b + " : " + randomCondition(r, depth-1) + ")"
	}
}

func randomCommands(r *rand.Rand) string {
	some := []string{"ls", "rm -f a", "git push", "git push -f", "cat /etc/passwd", "echo > /tmp/x", "curl https://example.com/", "sudo rm x"}
	var list []string
	for range 1 + r.IntN(3) {
		list = append(list, some[r.IntN(len(some))])
	}
	return strings.Join(list, "; ")
}

func bashBlock(command string) llm.Block {
	return llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: fmt.Sprintf(`{"command":%q}`, command), Status: llm.Complete}
}

func randomBlock(r *rand.Rand) llm.Block {
	switch r.IntN(8) {
	case 0:
		return llm.Block{Kind: llm.ToolCall, Name: "get_weather", Arguments: `{"city":"Paris","list":3}`, Status: llm.Complete}
	case 1:
		return llm.Block{Kind: llm.ToolCall, Name: "Read", Arguments: `{"file_path":"/etc/passwd","list":[]}`, Status: llm.Complete}
	case 2:
		return llm.Block{Kind: llm.ToolCall, Name: "WebFetch", Arguments: `{"url":"https://example.com/x"}`, Status: llm.Complete}
	case 3:
		return llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: `{"command":`, Status: llm.Malformed}
	case 4:
		return bashBlock(randomCommands(r) + "; $X a")
	case 5:
		return bashBlock(randomCommands(r) + " | xargs rm")
	default:
		return bashBlock(randomCommands(r))
	}
}
