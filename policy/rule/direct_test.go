package rule

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// Whatever the expression and the call, evaluating without CEL changes nothing:
// neither the outcome nor what is unknown nor the error.
func TestDirectEvaluationChangesNoOutcome(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	outcomes := map[Outcome]int{}
	direct := 0
	for range 600 {
		source := randomCondition(random, 3)
		p, err := Compile(source, Options{Applies: callKinds})
		if err != nil {
			continue // it can never match
		}
		for range 4 {
			block := randomBlock(random)
			direct += sameAsCEL(t, p, source, randomExchange(random), block, outcomes)
		}
	}
	if outcomes[True] < 100 || outcomes[False] < 100 || outcomes[Unknown] < 100 || direct < 500 {
		t.Errorf("the cases say little: %v, %d decided without CEL", outcomes, direct)
	}
}

func sameAsCEL(t *testing.T, p *Program, source string, x *policy.Exchange, block llm.Block, outcomes map[Outcome]int) (decided int) {
	t.Helper()
	s := policy.NewSubject(x, block)
	got, gotUnknown, gotErr := p.Match(s)
	want, wantUnknown, wantErr := p.matchByCEL(viewOf(s, nil))
	if got != want || gotUnknown != wantUnknown || fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
		t.Fatalf("%s\nfor %+v: got %v, %q, %v; CEL says %v, %q, %v",
			source, block, got, gotUnknown, gotErr, want, wantUnknown, wantErr)
	}
	outcomes[got]++
	if direct(p.direct, viewOf(s, nil), false) != open {
		return 1
	}
	return 0
}

func randomExchange(r *rand.Rand) *policy.Exchange {
	x := &policy.Exchange{}
	if r.IntN(2) == 0 {
		x.Session.Cwd = "/x"
	}
	if r.IntN(2) == 0 {
		x.Session.Home = "/home/ada"
	}
	return x
}

// Patterns that are made of a constant of a list are the ones that CEL makes.
func TestPatternsInPiecesChangeNoOutcome(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	outcomes := map[Outcome]int{}
	decided := 0
	for _, source := range []string{
		`call.commands.exists(c, ["r", "g"].exists(v, c.name.matches("^" + v)))`,
		`call.commands.exists(c, ["m", "it"].exists(v, c.name.matches("^." + v + "$")))`,
		`call.commands.exists(c, ["x", "y"].exists(v, c.args.exists(a, a.matches(v + "." + "?"))))`,
		`call.commands.all(c, ["a", "e"].exists(v, c.text.matches("[" + v + "-z]")))`,
	} {
		p, err := Compile(source, Options{Applies: callKinds})
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			decided += sameAsCEL(t, p, source, randomExchange(random), randomBlock(random), outcomes)
		}
	}
	if outcomes[True] < 20 || outcomes[False] < 20 || decided < 200 {
		t.Errorf("the cases say little: %v, %d decided without CEL", outcomes, decided)
	}
}

// An evaluation that is given up says so, or what it would have said.
func TestDirectEvaluationIsLimited(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 17))
	gaveUp := 0
	for range 300 {
		source := randomCondition(random, 3)
		p, err := Compile(source, Options{Applies: callKinds})
		if err != nil {
			continue
		}
		v := viewOf(policy.NewSubject(nil, randomBlock(random)), nil)
		f := frame{view: v, steps: mostSteps}
		want := p.direct.holds(&f)
		exact := mostSteps - f.steps
		for _, steps := range []int{exact, exact - 1, exact / 2, 1, 0} {
			f := frame{view: v, steps: steps}
			got := p.direct.holds(&f)
			if got != want && got != open || steps == exact && got != want {
				t.Fatalf("%s: %v with %d of %d steps, %v with all", source, got, steps, exact, want)
			}
			if got != want {
				gaveUp++
			}
		}
	}
	if gaveUp < 100 {
		t.Errorf("only %d evaluations were given up", gaveUp)
	}
}

func TestMostConditionsNeedNoCEL(t *testing.T) {
	for _, tc := range []struct {
		source string
		want   bool
	}{
		{`call.kind == "shell" && call.commands.exists(c, c.is("rm") && c.has("-r") && !c.sudo)`, true},
		{`call.commands.all(c, c.args.exists(a, a.matches("^x$") || a.startsWith(c.sub)))`, true},
		{`call.commands.exists(c, c.args.size() > 1 && c.args[c.args.size() - 1] == "x" && c.args[0] != "y")`, true},
		{`call.commands.exists(c, ["a", "b"].exists(v, v in c.env || c.flag("f").matches(v)))`, true},
		{`call.writes.exists(w, !w.under(session.cwd) && !w.glob("/tmp/**"))`, true},
		{`call.urls.exists(u, u.host() in ["a.example"]) || "pipe" in call.unknown || size(call.raw) > 9`, true},
		{`call.commands.exists(c, ["a", "b"].exists(v, c.flag("f").matches("^x" + v + "(y|$)")))`, true},
		{`call.commands.exists(c, ["a"].exists(v, ["b"].exists(w, c.flag("f").matches(v + w))))`, false},
		{`call.commands.exists(c, ["a"].exists(v, c.flag("f").matches("(" + v)))`, false}, // an error
		{`call.args.x == 1`, false},
		{`call.commands.map(c, c.name).exists(n, n == "rm")`, false},
		{`call.raw.lowerAscii() == "x"`, false},
		{`call.kind == "shell" ? true : call.name == "x"`, false},
		{`now > timestamp("2020-01-01T00:00:00Z")`, false},
		{`call.commands.exists(c, ["(", "b"].exists(v, c.flag("f").matches(v)))`, false}, // an error
	} {
		p, err := Compile(tc.source, Options{Applies: callKinds})
		if err != nil {
			t.Errorf("%s: %v", tc.source, err)
			continue
		}
		complete := true
		var visit func(n *node)
		visit = func(n *node) {
			complete = complete && n.op != opOpen
			for _, kid := range n.kids {
				visit(kid)
			}
		}
		if visit(p.direct); complete != tc.want {
			t.Errorf("%s: got %v, want %v", tc.source, complete, tc.want)
		}
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
		`call.commands.exists(c, c.is("ls") || c.sudo || c.remote)`, `call.commands.exists(c, c.sub in ["push", "pull"])`,
		`call.commands.exists(c, c.args.exists(a, a.startsWith("/") || a.matches("^-[a-z]$")))`, `call.commands.all(c, c.args.all(a, a != "x"))`,
		`call.commands.exists(c, c.args[0].endsWith("h"))`, `call.commands.exists(c, c.args.size() == 0)`, `call.commands.exists(c, c.flag("f") == "a")`,
		`call.commands.exists(c, !c.is("rm") && c.text.matches("(?i)LS|GIT"))`, `call.reads.exists(f, f.glob("~/*") || f.glob("/etc/*"))`,
		`call.writes.all(w, w.under(session.cwd))`, `has(session.cwd) && session.cwd.under("/x")`, `session.home + "/a" == "/home/ada/a"`,
		`"pipe" in call.unknown`, `call.unknown.size() > 0`, `size(call.raw) > 30`, `call.urls.exists(u, u.host().endsWith("." + "com"))`,
		`["git", "ls"].exists(n, call.commands.exists(c, c.name == n && c.sub != n))`, `call.commands.exists(c, c.sub in c.args)`,
		`call.commands.exists(c, c.args.exists(a, a in c.args && a == c.sub))`, `call.commands.exists(c, c.sub + c.flag("f") == c.name)`,
		`call.commands.exists(c, c.is("curl") && call.commands.exists(d, d.is("rm", "git") && d.args.exists(a, a.contains(c.name))))`,
		`call.commands.exists(c, "X" in c.env)`, `["^g", "s$"].exists(p, call.commands.exists(c, c.name.matches(p) && c.sub.matches(p)))`,
		`["(", "^g"].exists(p, call.commands.exists(c, c.name.matches(p)))`, `call.commands.exists(c, c.sub in c.env && size(c.env) > 0)`, `call.commands.exists(c, c.args.size() > 1 && c.args[c.args.size() - 1] == "a")`, `call.commands.exists(c, c.env.exists(k, k == "X"))`, `call.commands.exists(c, c.sub == "push" ? c.has("-f") : c.sudo)`, `call.server == "" && call.raw_name != "x"`,
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
	some := []string{"ls", "rm -f a", "git push", "git push -f", "cat /etc/passwd", "echo > /tmp/x", "curl https://example.com/", "sudo rm x", "X=1 ls", "push=1 git push a",
		`git "$X"`, `rm -f $Y x`, `echo > "/tmp/$Z"`, `curl "https://$H/"`, `ls "a$V" -f a`}
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
