package rule_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

func TestRefusedExpressions(t *testing.T) {
	params := map[string]any{"git.protected": []string{"main"}, "max": 3, "regexp": "("}
	content := policy.KindsOf(llm.Content)
	results := policy.KindsOf(llm.ToolResult)
	for _, tc := range []struct {
		name       string
		source     string
		applies    policy.Kinds
		line, col  int
		message    string
		suggestion string
	}{
		{"nothing", " \n", 0, 1, 1, "empty", ""},
		{"bad UTF-8", "call.name == '\xff'", 0, 1, 1, "UTF-8", ""},
		{"half an expression", `call.name ==`, 0, 1, 13, "something is missing after ==", ""},
		{"half a conjunction", `call.kind == "shell" &&`, 0, 1, 24, "something is missing after &&", ""},
		{"half a list", `call.kind in`, 0, 1, 13, "something is missing after in", ""},
		{"an open parenthesis", `call.commands.exists(c, c.is("git")`, 0, 1, 36, ") is missing at the end", ""},
		{"an open quote", `call.kind == 'shell`, 0, 1, 14, "a text in quotes has no end", "close the quotes"},
		{"two texts", `call.kind "x"`, 0, 1, 11, `"x" cannot stand here`, "&& or ||"},
		{"like", `call.name like "x"`, 0, 1, 11, "syntax", ".matches("},
		{"a pattern operator", `call.name =~ "x"`, 0, 1, 11, "syntax", ".matches("},
		{"another character", `call.name # x`, 0, 1, 11, "# means nothing here", ""},
		{"half an expression on line 2", "call.name == \"a\" &&\n  (call.kind", 0, 2, 13, "syntax", ""},

		{"a variable that does not exist", `cal.name == "x"`, 0, 1, 1, `"cal" is not known`, `"call"`},
		{"a field that does not exist", `call.comands.size() > 0`, 0, 1, 6, `no field "comands"`, `"commands"`},
		{"on a later line", "call.kind == \"shell\" &&\n  call.comands.size() > 0", 0, 2, 8, `no field "comands"`, `"commands"`},
		{"a field of a command", `call.commands.exists(c, c.naem == "x")`, 0, 1, 27, `no field "naem"`, `"name"`},
		{"a field of a message", `request.messages.exists(m, m.rol == "x")`, 0, 1, 30, `no field "rol"`, `"role"`},
		{"a field that is far from all", `session.xyzzy == "x"`, 0, 1, 9, `no field "xyzzy"`, "client, cwd, home, id, labels"},
		{"the hidden form of a list", "call.`@commands`.size() > 0", 0, 1, 6, "", ""},
		{"a method that does not exist", `call.commands.exists(c, c.hass("-f"))`, 0, 1, 27, `no function "hass"`, `"has"`},
		{"a function that does not exist", `sise(call.name) > 1`, 0, 1, 5, `no function "sise"`, `"size"`},
		{"characters are counted, not bytes", `"äöü" == call.nam`, 0, 1, 15, `no field "nam"`, `"name"`},

		{"a time compared with a text", `now > "22:00"`, 0, 1, 5, "cannot be used with", "now.getHours("},
		{"a time compared with a number", `now > 5`, 0, 1, 5, "cannot be used with", "now.getHours("},
		{"the hour of a time", `now.hour > 5`, 0, 1, 5, "now is a time", "write now.getHours()"},
		{"the day of a time", `now.dayOfWeek == 0`, 0, 1, 5, "now is a time", "write now.getDayOfWeek(), with 0 for Sunday"},
		{"anything of a time", `now.foo == 0`, 0, 1, 5, "now is a time", "now.getMonth() with 0 for January"},
		{"a member of a truth", `call.effects.exists(e, e.wide.x)`, 0, 1, 31, "true or false, which has no members", ""},
		{"a date without a time", `now > timestamp("2026-01-31")`, 0, 1, 17, "is not a time", `write timestamp("2026-01-31T00:00:00Z")`},
		{"a length in words", `now - now > duration("1 day")`, 0, 1, 22, "is not a length of time", `duration("24h")`},
		{"a flag as a truth", `call.commands.exists(c, c.flag("x") && c.is("git"))`, 0, 1, 27, "this is a text, where true or false is wanted", `write has("x")`},
		{"no flag as a truth", `call.commands.exists(c, !c.flag("x"))`, 0, 1, 25, "! is for true or false, and this is a text", `write has("x")`},
		{"a text as a truth", `call.raw && true`, 0, 1, 6, "this is a text, where true or false is wanted", "compare it"},
		{"a list as a truth", `call.commands && true`, 0, 1, 6, "this is a list, where true or false is wanted", "list.exists(x, CONDITION)"},
		{"exists without a name", `call.commands.exists(c.is("git"))`, 0, 1, 15, "exists takes two things", "list.exists(x, CONDITION)"},
		{"all without a name", `call.commands.all(c.is("git"))`, 0, 1, 15, "all takes two things", "list.all(x, CONDITION)"},
		{"filter without a name", `call.commands.filter(c.is("git")).size() > 0`, 0, 1, 15, "filter takes two things", "list.filter(x, CONDITION)"},
		{"contains as a function", `contains(call.raw, "x")`, 0, 1, 9, "contains cannot be used with (string, string)", "text.contains("},
		{"lookahead", `call.raw.matches("foo(?!bar)")`, 0, 1, 18, "RE2, which has no lookahead (?!...)", "!x.matches("},
		{"one flag as a list", `call.commands.exists(c, c.flag("env").exists(v, v == "x"))`, 0, 1, 27, "not a list", "c.flags(NAME)"},
		{"types that cannot be compared", `call.name == 3`, 0, 1, 11, "== cannot be used with (string, int)", ""},
		{"a list is no text", `call.reads.contains("x")`, 0, 1, 12, "contains is for strings", "list.exists(x, x.contains(...))"},
		{"a list is no path", `call.reads.under("/x")`, 0, 1, 12, "under is for strings", "list.exists(x, x.under(...))"},
		{"a list is no command", `call.commands.is("rm")`, 0, 1, 15, "is() is for one command", "exists(c, c.is(...))"},
		{"a list is no element", `call.reads == "x"`, 0, 1, 12, "== cannot be used with", `"a" in list`},
		{"the wrong type of parameter", `params.max == "x"`, 0, 1, 12, "== cannot be used with (int, string)", ""},
		{"no condition", `call.name`, 0, 1, 6, "must be true or false, and this is a string", "compare"},
		{"a number", `call.commands.size()`, 0, 1, 15, "must be true or false, and this is an int", "compare"},
		{"a condition of any type", `call.args.force`, 0, 1, 11, "must be true or false", "x == true"},
		{"objects are not made", `call == Call{name: "x"}`, 0, 1, 13, "cannot be made", ""},
		{"local names are new", `[1].exists(call, call == 1)`, 0, 1, 11, `"call" is already a variable`, ""},
		{"one = to compare", `call.name = "x"`, 0, 1, 11, "syntax", "write =="},
		{"and", `call.name == "x" and call.kind == "shell"`, 0, 1, 18, "syntax", "write &&"},
		{"not", `not call.name == "x"`, 0, 1, 5, "syntax", "write !"},
		{"touches wants a list", `call.effects.exists(e, e.touches("/etc"))`, 0, 1, 26, "touches cannot be used with", `it wants a list: write e.touches(["/etc/**"])`},
		{"outside wants a list", `call.effects.exists(e, e.outside("/etc"))`, 0, 1, 26, "outside cannot be used with", "it wants a list"},
		{"a function without parentheses", `call.urls.exists(u, u.host == "x")`, 0, 1, 23, "a text has no members", "write .host()"},
		{"a part of a time", `now.hour() > 3`, 0, 1, 5, `no function "hour"`, `getHours("Europe/Berlin")`},
		{"no member of a command", `call.commands.exists(c, c.foo == "")`, 0, 1, 27, `no field "foo"`, "use one of args, effects, env, name, operands, remote, sub, sudo, text"},
		{"under of an effect", `call.effects.exists(e, e.under("~/.ssh"))`, 0, 1, 26, "under cannot be used with", `under is for a path: write e.object.under("~/.ssh"), or e.within([...])`},
		{"glob of an effect", `call.effects.exists(e, e.glob("*.pem"))`, 0, 1, 26, "glob cannot be used with", `write e.object.glob(`},
		{"host of an effect", `call.effects.exists(e, e.host() == "a")`, 0, 1, 26, "host cannot be used with", `write e.object.host()`},
		{"is of an effect", `call.effects.exists(e, e.is("git"))`, 0, 1, 26, "is cannot be used with", `write call.commands.exists(c, c.is("a", "b"))`},
		{"touches of a command", `call.commands.exists(c, c.touches(["/etc"]))`, 0, 1, 27, "touches cannot be used with", `write c.effects.exists(e, e.touches(["/etc/**"]))`},
		{"within of a path", `call.reads.exists(p, p.within(["/etc"]))`, 0, 1, 24, "within cannot be used with", `within is for an effect`},
		{"a list for a path", `call.reads.exists(p, p.under(["/etc"]))`, 0, 1, 24, "under cannot be used with", `it takes one text: write .under(`},
		{"names wants a list", `call.commands.exists(c, c.names("/etc"))`, 0, 1, 27, "names cannot be used with", `it wants a list: write c.names(["/etc/app.conf"])`},
		{"touches wants one list", `call.effects.exists(e, e.touches("/a", "/b"))`, 0, 1, 26, "touches is used differently", `effect.touches(["/etc/**"])`},
		{"effects are a list", `call.effects.touches(["/x"])`, 0, 1, 14, "touches cannot be used with", "call.effects.exists(e, e.touches(...))"},
		{"a list has no members", `call.effects.verb == "delete"`, 0, 1, 14, "a list has no members", "call.effects.exists(e, "},
		{"a text is no list", `call.commands.exists(c, c.name in "rm")`, 0, 1, 30, "in cannot be used with", `in ["a", "b"]`},
		{"any", `call.effects.any(e, e.wide)`, 0, 1, 14, `no function "any"`, "list.exists(x, CONDITION)"},
		{"another name of a field", `call.effects.exists(e, e.target == "/x")`, 0, 1, 26, `no field "target"`, "write e.object"},
		{"e without a list", `e.verb == "delete"`, 0, 1, 1, `"e" is not known`, "call.effects.exists(e, ...)"},
		{"a text without quotes", `call.commands.exists(c, c.is(rm))`, 0, 1, 30, `"rm" is not known`, `put texts in quotes: "rm"`},
		{"too many names", `call.commands.exists(c, c.is("a","b","c","d","e","f","g","h","i","j","k","l","m"))`, 0, 1, 27, "is cannot be used with", ""},

		{"call without calls", `call.name == "x"`, content, 1, 1, "call is only known for tool_call, server_tool or opaque, and the policy applies to content", "use text"},
		{"call of prompts", `call.name == "x"`, policy.KindsOf(policy.Prompt), 1, 1, "the policy applies to prompt", "use text"},
		{"text of calls", `text == "x"`, 0, 1, 1, "content, thinking, refusal, tool_result or prompt, and", "use call"},
		{"text without text", `text == "x"`, 0, 1, 1, "text is only known for", "use call"},
		{"result without results", `result.tool == "x"`, 0, 1, 1, "result is only known for tool_result", "use call"},
		{"call for results", `result.tool == "x" && call.name == "x"`, results, 1, 23, "call is only known for", "use text"},

		{"a kind that does not exist", `call.kind == "shel"`, 0, 1, 14, `there is no kind of call "shel"`, `"shell"`},
		{"the other way round", `"raed" == call.kind`, 0, 1, 1, `there is no kind of call "raed"`, `"read"`},
		{"not a kind that does not exist", `call.kind != "Shell"`, 0, 1, 14, `there is no kind of call "Shell"`, `"shell"`},
		{"among others", `call.kind in ["shell", "exec"]`, 0, 1, 24, `there is no kind of call "exec"`, "use one of"},
		{"false", `false`, 0, 1, 1, "always false", ""},
		{"false in the end", `call.name == "x" && 1 > 2`, 0, 1, 18, "always false", ""},
		{"false without parameters", `"a" in [] && "x" in params.git.protected`, 0, 1, 11, "always false", ""},
		{"a failure", `1 / 0 == 1`, 0, 1, 7, "always fails", ""},
		{"an element that is not there", `[1, 2][7] == 1`, 0, 1, 11, "always false", ""},

		{"a parameter that does not exist", `call.name in params.git.protectd`, 0, 1, 25, `no parameter "protectd"`, `"protected"`},
		{"the same by key", `call.name in params["git.protectd"]`, 0, 1, 20, `no parameter "git.protectd"`, `"git.protected"`},
		{"inside of what is no map", `params.max.more == 1`, 0, 1, 12, `no parameter "more"`, ""},

		{"has() of what is always there", `has(call.commands)`, 0, 1, 4, "has() is for", "exists"},
		{"a regular expression", `call.name.matches("a(")`, 0, 1, 19, "not a regular expression", "RE2"},
		{"a regular expression in a parameter", `call.name.matches(params.regexp)`, 0, 1, 25, "not a regular expression", "RE2"},
		{"a glob", `call.reads.exists(f, f.glob("a/[b"))`, 0, 1, 29, "not a glob", "brackets"},
		{"a time", `now > timestamp("yesterday")`, 0, 1, 17, "timestamp", ""},
		{"a pattern of the model", `call.raw.matches(call.args.pattern)`, 0, 1, 28, "must not come from what is judged", "params"},
		{"a glob of the model", `call.args.globs.exists(g, "x".glob(g))`, 0, 1, 36, "must not come from what is judged", "params"},
		{"a needle of the model", `call.raw.indexOf(call.name) > 0`, 0, 1, 23, "must not come from what is judged", "params"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := rule.Compile(tc.source, rule.Options{Applies: tc.applies, Params: params})
			var refused *rule.Error
			if !errors.As(err, &refused) {
				t.Fatalf("got %v, want an *Error", err)
			}
			if !strings.Contains(refused.Message, tc.message) || !strings.Contains(refused.Suggestion, tc.suggestion) {
				t.Errorf("got %v", refused)
			}
			if refused.Line != tc.line || refused.Column != tc.col {
				t.Errorf("got %d:%d, want %d:%d: %v", refused.Line, refused.Column, tc.line, tc.col, refused)
			}
		})
	}
}

func TestValuesMustBePlain(t *testing.T) {
	for _, source := range []string{`call`, `session`, `call.nothing`, `1 +`} {
		var refused *rule.Error
		if _, err := rule.CompileValue(source, rule.Options{}); !errors.As(err, &refused) {
			t.Errorf("%s: got %v, want an *Error", source, err)
		}
	}
}

func TestAlwaysTrueIsFine(t *testing.T) {
	for _, source := range []string{`true`, `call.name == "x" || true`, `call.name in params.none || !("a" in params.none)`} {
		p, err := rule.Compile(source, rule.Options{Params: map[string]any{"none": []any{}}})
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got, _, err := p.Match(policy.NewSubject(nil, bash("ls"))); got != rule.True || err != nil {
			t.Errorf("%s: got %v, %v", source, got, err)
		}
	}
}

func TestErrorsAreNotOutcomes(t *testing.T) {
	block := llm.Block{Kind: llm.ToolCall, Name: "t", Arguments: `{"text":"a","n":0,"huge":1e999,"long":"` + strings.Repeat("x", 5000) + `"}`}
	for _, source := range []string{
		`call.args.text > 3`,
		`call.args.text.matches("a") && call.args.n.matches("a")`,
		`10 / call.args.n == 1`,
		`call.args.huge > 1`,
		`call.args.n.under("/etc")`,
		`int(call.args.text) == 1`,
		`int(call.args.long) == 1`,
	} {
		got, _, err := compile(t, source).Match(policy.NewSubject(nil, block))
		if err == nil {
			t.Errorf("%s: got %v without an error", source, got)
		} else if len(err.Error()) > 400 {
			t.Errorf("%s: the error quotes %d bytes", source, len(err.Error()))
		}
	}
}
