package rule_test

import (
	"errors"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// Whatever the source, it is compiled or refused with a position in it.
func FuzzCompile(f *testing.F) {
	for _, source := range fifteen {
		f.Add(source)
	}
	for _, source := range []string{
		`params.a.b["c.d"] == 1`, `has(params.a) || has(call.args.x)`, "`call`.name", `call.args.x.?y.orValue(1) == 1`, `{1: 2}[1] == 2`,
		`[1, 2].map(x, x > 1, x + 1).exists_one(y, y == 3)`, `"%d %s".format([1, call.name]) == ""`, `.call.name == "x"`, `call.commands.exists(@c, true)`,
	} {
		f.Add(source)
	}
	s := policy.NewSubject(known, bash("git push; $X | xargs rm"))
	f.Fuzz(func(t *testing.T, source string) {
		o := rule.Options{Params: map[string]any{"a.b": []any{"x", 1}, "a": "x", "c": map[string]any{"d": 1}}}
		p, err := rule.Compile(source, o)
		if err == nil {
			_, _, _ = p.Match(s)
			return
		}
		var refused *rule.Error
		if !errors.As(err, &refused) || refused.Line < 1 || refused.Column < 1 || refused.Message == "" {
			t.Errorf("%q: %#v", source, err)
		}
		if p, err := rule.CompileValue(source, o); err == nil {
			_, _ = p.Value(s)
		}
	})
}

// Whatever the call, every expression decides, and the same way twice.
func FuzzMatch(f *testing.F) {
	f.Add("Bash", `{"command":"git push -f; rm -rf /"}`)
	f.Add("Read", `{"file_path":"~/.ssh/id_rsa","list":[1,{"a":null}],"n":1e400}`)
	f.Add("mcp__db__query", `{"sql":"drop table x"}`)
	f.Add("x", `{"a":`)
	list := programs(f, append([]string{
		`call.args.exists(k, k == "a")`, `has(call.args.list)`, `call.args.a.b.c == 1`, `call.args.n > 3`, `call.args.list.exists(x, x == 1)`,
		`call.args == {"a": 1}`, `call.args.path.under("~")`, `call.args.path.glob("~/**/x*/*.p?m")`, `call.args.url.host() == "a"`,
		`call.commands.exists(c, c.env.exists(k, k == "X") || c.sub.size() > 3 || c.remote)`,
	}, fifteen...)...)
	f.Fuzz(func(t *testing.T, name, arguments string) {
		block := llm.Block{Kind: llm.ToolCall, Name: name, Arguments: arguments, Status: llm.Complete}
		for _, x := range []*policy.Exchange{known, nil} {
			s := policy.NewSubject(x, block)
			for i, p := range list {
				first, _, err := p.Match(s)
				again, _, errAgain := p.Match(policy.NewSubject(x, block))
				if first != again || (err == nil) != (errAgain == nil) {
					t.Errorf("%d: %v %v, then %v %v", i, first, err, again, errAgain)
				}
			}
		}
	})
}
