package rule_test

import (
	"errors"
	"reflect"
	"testing"
	"testing/synctest"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// Every variable, function and rule of the package comment, by example. The
// subject is the same for all rows; want false shows that a row is not simply
// always true.
func TestConditionsOnCalls(t *testing.T) {
	x := &policy.Exchange{
		Request: &llm.Request{
			Model: "large",
			Tools: []llm.Tool{{Name: "Bash"}, {Name: "Read"}},
			Messages: []llm.Message{
				{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: "deploy"}, {Kind: llm.Content, Text: "it"}}},
				{Role: llm.Assistant, Blocks: []llm.Block{{Kind: llm.Thinking, Text: "hm"}, {Kind: llm.Content, Text: "sure"}}},
			},
		},
		Session: policy.Session{ID: "s1", Client: "cli", Cwd: "/home/ada/app", Home: "/home/ada", Labels: []string{"ci"}},
		Key:     policy.Key{Name: "laptop", User: "ada", Groups: []string{"dev", "release"}},
	}
	shell := llm.Block{
		Kind: llm.ToolCall, Name: "Bash", Status: llm.Complete,
		Arguments: `{"command":"X=1 sudo kubectl --context=prod delete -f a.yaml; cat ~/.ssh/id_rsa > /tmp/k; curl https://Example.COM:8443/p",` +
			`"timeout":30,"ratio":0.5,"big":123456789012345678901234567890,"force":true,"none":null,"list":["a","b"],"map":{"k":"v"}}`,
	}
	params := map[string]any{
		"git.protected": []any{"main", "release"}, "names": []string{"kubectl", "helm"}, "max": 20, "pattern": "^prod",
		"empty": []any{}, "table": map[string]any{"prod": []any{"a"}}, "mixed": []any{1, "a"},
	}
	for _, tc := range []struct {
		source string
		want   bool
	}{
		{`call.name == "Bash"`, true},
		{`call.raw_name == "Bash"`, true},
		{`call.kind == "shell"`, true},
		{`call.kind in ["read", "write"]`, false},
		{`call.kind != "shell"`, false},
		{`call.server == ""`, true},
		{`call.args.timeout == 30`, true},
		{`call.args.timeout > 29.5 && call.args.ratio < 1`, true},
		{`call.args.big > 1`, true},
		{`call.args.force == true`, true},
		{`call.args["command"].contains("kubectl")`, true},
		{`call.args.none == null`, true},
		{`"b" in call.args.list`, true},
		{`call.args.list == ["a", "b"]`, true},
		{`call.args.map.k == "v"`, true},
		{`has(call.args.force) && !has(call.args.other)`, true},
		{`"other" in call.args`, false},
		{`call.args.exists(k, k.startsWith("time"))`, true},
		{`call.args.list in ["a"] || call.args.map in ["a"]`, false},
		{`call.raw.startsWith("{")`, true},
		{`call.unknown.size() == 0`, true},

		{`call.commands.map(c, c.name) == ["kubectl", "cat", "curl"]`, true},
		{`call.commands.exists(c, c.sub == "delete")`, true},
		{`call.commands.exists(c, "-f" in c.args)`, true},
		{`call.commands.exists(c, c.env["X"] == "1")`, true},
		{`call.commands.exists_one(c, c.sudo)`, true},
		{`call.commands.exists(c, c.remote)`, false},
		{`call.commands.exists(c, c.text.contains("a.yaml"))`, true},
		{`call.commands.exists(c, c.is("helm"))`, false},
		{`call.commands.exists(c, c.is("helm", "kubectl"))`, true},
		{`call.commands.exists(c, c.is(["helm", "kubectl"]))`, true},
		{`call.commands.exists(c, c.flag("context") == "prod")`, true},
		{`call.commands.exists(c, c.is("kubectl") && c.flag("namespace") == "")`, true},
		{`call.commands.exists(c, c.has("-f"))`, true},
		{`call.commands.exists(c, c.has("--force"))`, false},
		{`call.commands.all(c, c.name != "")`, true},
		{`call.commands[1].name == "cat"`, true},
		{`call.commands[0] == call.commands[0] && call.commands[0] != call.commands[1]`, true},

		{`"/home/ada/.ssh/id_rsa" in call.reads`, true},
		{`call.reads.exists(f, f.under("~/.ssh"))`, true},
		{`call.writes.exists(f, f.under("/tmp"))`, true},
		{`call.urls.exists(u, u.host() == "example.com")`, true},

		{`request.model == "large"`, true},
		{`request.messages.map(m, m.role) == ["user", "assistant"]`, true},
		{`request.messages[1].text == "sure"`, true},
		{`"Read" in request.tools`, true},
		{`request.user_text == "deploy\nit"`, true},
		{`session.id == "s1" && session.client == "cli" && session.cwd == "/home/ada/app" && session.home == "/home/ada"`, true},
		{`has(session.cwd)`, true},
		{`"ci" in session.labels`, true},
		{`key.name == "laptop" && key.user == "ada" && "release" in key.groups`, true},
		{`now > timestamp("2000-01-01T00:00:00Z")`, true},
		{`now.getFullYear() == 1999`, false},

		{`"main" in params["git.protected"]`, true},
		{`"main" in params.git.protected`, true},
		{`params.max + 10 == call.args.timeout`, true},
		{`call.commands.exists(c, c.is(params.names))`, true},
		{`call.commands.exists(c, c.flag("context").matches(params.pattern))`, true},
		{`["^prod", "^live"].exists(p, call.commands.exists(c, c.flag("context").matches(p)))`, true},
		{`call.name in params.empty`, false},
		{`call.commands.exists(c, c.flag("context") in params.table)`, true},
		{`"a" in params.table[call.commands[0].flag("context")]`, true},
		{`"a" in params.mixed && 1 in params.mixed`, true},
		{`has(params.max)`, true},
		{`!has(params.other) || call.name == "x"`, true},

		{`call.raw.lowerAscii().contains("example.com")`, true},
		{`call.raw.replace("kubectl", "k").contains("sudo k ")`, true},
		{`["a", "", "b"].join("-") == "a--b" && ["", "a"].join(",") == ",a"`, true},
		{`call.args.list.join() == "ab"`, true},
		{`"aaa".replace("a", "bb", 2) == "bbbba"`, true},

		// What is not there is equal to nothing.
		{`call.args.other == "x"`, false},
		{`!(call.args.other == "x")`, true},
		{`call.args.other != "x"`, true},
		{`call.commands[3].name == "x"`, false},
		{`[call.args.other, call.name].exists(v, v == "Bash")`, true},
		{`[call.args.other, call.name].all(v, v == "Bash")`, false},
		{`[call.args.other, call.name].map(v, v + "!").exists(v, v == "Bash!")`, true},
		{`[call.args.other][0] == "x"`, false},
		{`[call.args.other] == [call.args.other]`, false},
		{`"x" in [call.args.other, "x"]`, true},
		{`call.args.other in ["x"]`, false},
		{`!(call.args.other in ["x"])`, true},
		{`[call.args.other].join(",") != ""`, true},
		{`(call.args.other ? "a" : "b") == "b"`, true},
		{`!call.args.other`, true},
		{`size(call.args.other) != 3`, true},
		{`type(call.args.other) == string`, false},
		{`call.args.other == "x" || call.name == "Bash"`, true},
		{`call.args.map.other.deeper == "x"`, false},
		{`call.commands.exists(c, c.env["Y"] == "1")`, false},
	} {
		t.Run(tc.source, func(t *testing.T) {
			p, err := rule.Compile(tc.source, rule.Options{Params: params})
			if err != nil {
				t.Fatal(err)
			}
			got, unknown, err := p.Match(policy.NewSubject(x, shell))
			want := map[bool]rule.Outcome{true: rule.True, false: rule.False}[tc.want]
			if got != want || unknown != "" || err != nil {
				t.Errorf("got %v, %q, %v; want %v", got, unknown, err, want)
			}
		})
	}
}

func TestVariablesFollowTheKindOfTheBlock(t *testing.T) {
	asked := &policy.Exchange{Request: &llm.Request{Messages: []llm.Message{
		{Role: llm.Assistant, Blocks: []llm.Block{{Kind: llm.ToolCall, ID: "c1", Name: "Read"}}},
	}}}
	everything := policy.KindsOf(llm.Content, llm.Thinking, llm.Refusal, llm.ToolCall, llm.ServerTool, llm.ToolResult, llm.Opaque)
	for _, tc := range []struct {
		name   string
		block  llm.Block
		source string
		want   rule.Outcome
	}{
		{"text of content", llm.Block{Kind: llm.Content, Text: "hello"}, `text == "hello"`, rule.True},
		{"text of thinking", llm.Block{Kind: llm.Thinking, Text: "hello"}, `text == "hello"`, rule.True},
		{"text of a refusal", llm.Block{Kind: llm.Refusal, Text: "no"}, `text == "no"`, rule.True},
		{"text of a result", llm.Block{Kind: llm.ToolResult, Text: "out"}, `text == "out" && result.text == "out"`, rule.True},
		{"a call has no text", bash("ls"), `text == "" && result.text == "" && result.tool == ""`, rule.True},
		{"content is no call", llm.Block{Kind: llm.Content, Text: "ls"}, `call.name == "" && call.commands.size() == 0 && !has(call.args.x)`, rule.True},
		{"a server tool is a call", llm.Block{Kind: llm.ServerTool, Name: "web_search", Arguments: `{"query":"x"}`}, `call.args.query == "x"`, rule.True},
		{"the tool of a result by its name", llm.Block{Kind: llm.ToolResult, Name: "Bash"}, `result.tool == "Bash"`, rule.True},
		{"the tool of a result by its id", llm.Block{Kind: llm.ToolResult, ToolUseID: "c1"}, `result.tool == "Read"`, rule.True},
		{"the tool of a result nobody called", llm.Block{Kind: llm.ToolResult, ToolUseID: "c2"}, `result.tool == "Read"`, rule.Unknown},
		{"free text has no arguments", llm.Block{Kind: llm.ToolCall, Name: "apply_patch", Type: "custom_tool_call", Arguments: "*** Begin"}, `has(call.args.x)`, rule.False},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, err := rule.Compile(tc.source, rule.Options{Applies: everything})
			if err != nil {
				t.Fatal(err)
			}
			if got, _, err := p.Match(policy.NewSubject(asked, tc.block)); got != tc.want || err != nil {
				t.Errorf("got %v, %v; want %v", got, err, tc.want)
			}
		})
	}
}

func TestAllExpressionsSeeTheSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := compile(t, `now == timestamp("2000-01-01T00:00:00Z")`)
		s := policy.NewSubject(nil, bash("ls"))
		for range 2 {
			if got, _, err := p.Match(s); got != rule.True || err != nil {
				t.Errorf("got %v, %v", got, err)
			}
		}
	})
}

func TestWholeExchanges(t *testing.T) {
	x := &policy.Exchange{Key: policy.Key{Groups: []string{"release"}}}
	p := compile(t, `"release" in key.groups && now > timestamp("2000-01-01T00:00:00Z") && params.x == 1`)
	if got, _, err := p.MatchExchange(x); !p.OnlyExchange() || got != rule.True || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if got, unknown, err := compile(t, `session.client == "cli"`).MatchExchange(nil); got != rule.Unknown || unknown != "session.client" || err != nil {
		t.Errorf("got %v, %q, %v", got, unknown, err)
	}
	about := compile(t, `call.name == "x" || "release" in key.groups`)
	if _, _, err := about.MatchExchange(x); about.OnlyExchange() || err == nil {
		t.Error("an expression about a call was decided without one")
	}
}

func TestValues(t *testing.T) {
	s := policy.NewSubject(known, llm.Block{Kind: llm.ToolCall, Name: "Write", Arguments: `{"path":"a","n":1,"f":1.5,"l":[1,{"k":null}]}`})
	for _, tc := range []struct {
		source string
		want   any
	}{
		{`call.args.path + ".bak"`, "a.bak"},
		{`call.args.n + 1`, int64(2)},
		{`call.args.f`, 1.5},
		{`size(call.name) > 3`, true},
		{`call.args.l`, []any{int64(1), map[string]any{"k": nil}}},
		{`{"a": [session.cwd], "b": 2u}`, map[string]any{"a": []any{"/home/ada/app"}, "b": uint64(2)}},
		{`null`, nil},
		{`timestamp("2001-02-03T04:05:06Z")`, "2001-02-03T04:05:06Z"},
		{`duration("90s")`, "1m30s"},
	} {
		p, err := rule.CompileValue(tc.source, rule.Options{})
		if err != nil {
			t.Errorf("%s: %v", tc.source, err)
			continue
		}
		if got, err := p.Value(s); err != nil || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: got %#v, %v; want %#v", tc.source, got, err, tc.want)
		}
	}
}

func TestValuesThatThereAreNot(t *testing.T) {
	s := policy.NewSubject(nil, llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: `{"command":"ls"}`})
	for _, source := range []string{`call.args.missing`, `call.commands`, `{1: "a"}`, `b"bytes"`, `session.cwd`} {
		p, err := rule.CompileValue(source, rule.Options{})
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		got, err := p.Value(s)
		if err == nil {
			t.Errorf("%s: got %v, want an error", source, got)
		}
		if missing := source == `call.args.missing`; errors.Is(err, rule.ErrMissingKey) != missing {
			t.Errorf("%s: got %v", source, err)
		}
		if unknown := (*rule.UnknownError)(nil); source == `session.cwd` && (!errors.As(err, &unknown) || unknown.What != source) {
			t.Errorf("%s: got %v, want what is unknown", source, err)
		}
	}
}

func compile(tb testing.TB, source string) *rule.Program {
	tb.Helper()
	p, err := rule.Compile(source, rule.Options{Params: map[string]any{"x": 1}})
	if err != nil {
		tb.Fatalf("%s: %v", source, err)
	}
	return p
}
