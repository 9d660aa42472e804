package rule_test

import (
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// A condition is unknown if, and only if, it depends on what is not known.
func TestUnknown(t *testing.T) {
	const (
		// Of this one the first command is known, and there is another.
		half = "git push; $TOOL x"
		// This one gets more arguments when it runs.
		more = "ls | xargs rm -f"
	)
	garbled := llm.Block{Kind: llm.ToolCall, Name: "get_weather", Arguments: `{"city":`, Status: llm.Malformed}
	whole := bash("git push")
	cut := bash("git push")
	cut.Status = llm.Incomplete
	for _, tc := range []struct {
		source  string
		block   llm.Block
		want    rule.Outcome
		unknown string
	}{
		// Incomplete lists.
		{`call.commands.exists(c, c.is("git"))`, bash(half), rule.True, ""},
		{`call.commands.exists(c, c.is("rm"))`, bash(half), rule.Unknown, "call.commands"},
		{`!call.commands.exists(c, c.is("git"))`, bash(half), rule.False, ""},
		{`!call.commands.exists(c, c.is("rm"))`, bash(half), rule.Unknown, "call.commands"},
		{`call.commands.all(c, c.is("rm"))`, bash(half), rule.False, ""},
		{`call.commands.all(c, c.is("git"))`, cut, rule.Unknown, "call.commands"},
		{`call.commands.exists_one(c, c.is("git"))`, bash(half), rule.Unknown, "call.commands"},
		{`call.commands.size() > 0`, bash(half), rule.True, ""},
		{`call.commands.size() > 9`, bash(half), rule.Unknown, "call.commands"},
		{`call.commands.size() == 1`, bash(half), rule.False, ""}, // there are two
		{`call.commands.size() == 2`, bash(half), rule.Unknown, "call.commands"},
		{`call.commands.size() < 3`, bash(half), rule.Unknown, "call.commands"},
		{`call.commands.filter(c, c.is("git")).size() > 0`, bash(half), rule.True, ""},
		{`call.commands.filter(c, !c.is("git")).map(c, c.name).exists(n, n == "ls")`, bash(half), rule.Unknown, "call.commands"},
		{`call.commands.map(c, c.name).exists(n, n == "git")`, bash(half), rule.True, ""},
		{`!(call.commands.size() > 0)`, bash(half), rule.False, ""},
		{`!(call.commands.size() > 2)`, bash(half), rule.Unknown, "call.commands"},
		{`call.commands[0].name == "git"`, bash(half), rule.Unknown, "call.commands"},
		{`call.commands.exists(c, c.is("git")) && call.name == "Bash"`, bash(half), rule.True, ""},
		{`call.commands.exists(c, c.is("rm")) && call.name == "Read"`, bash(half), rule.False, ""},
		{`call.commands.exists(c, c.is("rm")) || call.name == "Bash"`, bash(half), rule.True, ""},
		{`call.commands.exists(c, c.is("rm")) ? true : true`, bash(half), rule.Unknown, "call.commands"},
		{`"x" in call.writes`, bash("echo > x; echo > $OUT"), rule.True, ""},
		{`"y" in call.writes`, bash("echo > x; echo > $OUT"), rule.Unknown, "the value of $OUT"},
		{`call.kind == "shell"`, bash(half), rule.True, ""},
		{`call.unknown.size() > 0`, bash(half), rule.True, ""},

		// Arguments that follow.
		{`call.commands.exists(c, c.is("rm") && c.has("-f"))`, bash(more), rule.True, ""},
		{`call.commands.exists(c, c.is("rm") && c.has("-r"))`, bash(more), rule.False, ""}, // what xargs adds are operands
		{`call.commands.exists(c, c.is("rm") && c.has("-r"))`, bash("rm $X"), rule.Unknown, "the value of $X"},
		{`call.commands.exists(c, c.is("rm") && "-f" in c.args)`, bash(more), rule.True, ""},
		{`call.commands.exists(c, c.is("rm") && "/" in c.args)`, bash(more), rule.Unknown, "command.args"},
		{`call.commands.exists(c, c.is("rm") && c.args.exists(a, a == "-f"))`, bash(more), rule.True, ""},
		{`call.commands.exists(c, c.is("rm") && c.args.size() > 0)`, bash(more), rule.True, ""},
		{`call.commands.exists(c, c.is("rm") && c.flag("x") == "")`, bash(more), rule.True, ""},
		{`call.commands.exists(c, c.is("rm") && c.flag("x") == "")`, bash("rm $X"), rule.Unknown, "the value of $X"},
		{`call.commands.exists(c, c.is("tool") && c.flag("x") == "")`, bash("cat list | xargs tool -x"), rule.Unknown, "the value of $xargs"},
		{`call.commands.exists(c, c.is("ls") && c.has("-r"))`, bash(more), rule.False, ""},

		// Arguments that cannot be read.
		{`call.args.city == "Paris"`, garbled, rule.Unknown, "call.args"},
		{`has(call.args.city)`, garbled, rule.Unknown, "call.args"},
		{`"city" in call.args`, garbled, rule.Unknown, "call.args"},
		{`call.args.exists(k, k == "city")`, garbled, rule.Unknown, "call.args"},
		{`call.raw.contains("city")`, garbled, rule.True, ""},

		// The session and the request.
		{`session.cwd == "/x"`, whole, rule.Unknown, "session.cwd"},
		{`session.home.startsWith("/home")`, whole, rule.Unknown, "session.home"},
		{`session.id == "" || session.client == ""`, whole, rule.Unknown, "session.id, session.client"},
		{`has(session.cwd)`, whole, rule.False, ""},
		{`has(session.cwd) && session.cwd == "/x"`, whole, rule.False, ""},
		{`session.labels.size() == 0 && key.user == ""`, whole, rule.True, ""},
		{`request.model == "x"`, whole, rule.Unknown, "request"},
		{`request.messages.exists(m, m.role == "user")`, whole, rule.Unknown, "request"},
		{`size(request.tools) == 0`, whole, rule.Unknown, "request"},

		// What is not there beside something unknown.
		{`call.args.missing == "x" && session.cwd == "/x"`, whole, rule.False, ""},
		{`call.args.missing == session.cwd`, whole, rule.False, ""},
		{`session.cwd != call.args.missing`, whole, rule.True, ""},
		{`session.cwd.startsWith(call.args.missing)`, whole, rule.False, ""},
		{`call.args.missing != "x" && session.cwd == "/x"`, whole, rule.Unknown, "session.cwd"},
	} {
		t.Run(tc.source, func(t *testing.T) {
			got, unknown, err := compile(t, tc.source).Match(policy.NewSubject(nil, tc.block))
			if got != tc.want || unknown != tc.unknown || err != nil {
				t.Errorf("got %v, %q, %v; want %v, %q", got, unknown, err, tc.want, tc.unknown)
			}
		})
	}
}

// What a request does not say is not known of it: Gemini's name no model.
func TestARequestThatNamesNoModel(t *testing.T) {
	call := llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: `{}`, Status: llm.Complete}
	for source, want := range map[string]rule.Outcome{
		`request.model == ""`: rule.Unknown, `request.model.startsWith("gpt")`: rule.Unknown, `request.user_text == ""`: rule.False, `"x" in request.tools`: rule.False,
	} {
		x := &policy.Exchange{Request: &llm.Request{Messages: []llm.Message{{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: "hi"}}}}}}
		got, what, err := compile(t, source).Match(policy.NewSubject(x, call))
		if got != want || err != nil || want == rule.Unknown && what != "request.model" {
			t.Errorf("%s: %s %q %v", source, got, what, err)
		}
	}
}
