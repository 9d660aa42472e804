package file_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy/file"
)

// withModels is a host whose models must not be asked: examples never do.
func withModels() file.Options {
	return file.Options{Models: func(string) (model.Model, error) { return scripted.New(), nil }}
}

// Each case is a policy with one example. An example with the expected outcome
// loads; any other is a problem at its position that says why.
func TestExamplesAreTried(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, policy, example, want string }{
		{"a command that is blocked", `{when: 'call.commands.exists(c, c.is("rm"))', then: block}`, `{shell: rm x, want: block}`, ""},
		{"a command that is allowed", `{when: 'call.commands.exists(c, c.is("rm"))', then: block}`, `{shell: ls x, want: allow}`, ""},
		{"every way to block is block", `{then: {block: end_turn}}`, `{shell: ls, want: block}`, ""},
		{"a call", `{when: 'call.args.n == 3', then: ask}`, `{tool: T, arguments: {n: 3, x: [1.5, null, true, "y"]}, want: ask}`, ""},
		{"a call without arguments", `{when: 'call.raw_name == "T"', then: abort}`, `{tool: T, want: abort}`, ""},
		{"a call of a tool that takes text", `{find: {pattern: bad}, then: block}`, `{tool: apply_patch, arguments: "*** bad", want: block}`, ""},
		{"a call with arguments as text", `{when: 'call.args.n == 3', then: block}`, `{tool: T, arguments: '{"n": 3}', want: block}`, ""},
		{"a text", `{applies_to: [content], find: {pattern: x}, then: redact}`, `{text: a x, want: redact, gives: "a [redacted]"}`, ""},
		{"a text of thinking", `{applies_to: [thinking], when: 'text == "x"', then: block}`, `{text: x, want: block}`, ""},
		{"a result", `{applies_to: [tool_result], when: 'result.tool == "Read"', find: {pattern: x}, then: {rewrite: y}}`, `{result: {tool: Read, text: x}, want: rewrite, gives: y}`, ""},
		{"arguments that are rewritten", `{then: {rewrite: {add: {n: "1"}}}}`, `{tool: T, arguments: {a: 1}, want: rewrite, gives: {n: 1, a: 1}}`, ""},
		{"arguments that are rewritten, to the letter", `{then: {rewrite: {add: {n: "1"}}}}`, `{tool: T, arguments: {a: 1}, want: rewrite, gives: '{"a":1,"n":1}'}`, ""},
		{"a session", `{when: 'session.cwd == "/x"', then: annotate}`, `{shell: ls, session: {cwd: /x}, want: annotate}`, ""},
		{"a key", `{when: '"a" in key.groups', then: annotate}`, `{shell: ls, key: {groups: [a]}, want: annotate}`, ""},
		{"a request", `{when: 'request.model == "m" && request.user_text == "do it" && "T" in request.tools', then: annotate}`, `{shell: ls, request: {model: m, user_text: do it, tools: [T]}, want: annotate}`, ""},
		{"what is unknown", `{when: 'session.cwd == "/x"', then: block}`, `{shell: ls, want: block}`, ""},
		{"what is unknown and allowed", `{when: 'session.cwd == "/x"', then: block, on_unknown: allow}`, `{shell: ls, want: allow}`, ""},
		{"a policy in shadow", `{then: block, mode: shadow}`, `{shell: ls, want: block}`, ""},
		{"a policy that is disabled", `{then: block, mode: disabled}`, `{shell: ls, want: block}`, ""},
		{"a judge that would be asked", `{judge: {model: m}, then: block}`, `{shell: ls, want: judge}`, ""},
		{"a judge that would not be asked", `{judge: {model: m}, when: 'call.raw_name == "T"', then: block}`, `{shell: ls, want: allow}`, ""},
		{"a judge that would be asked about the unknown", `{judge: {model: m}, when: 'session.cwd == "/"', then: block}`, `{shell: ls, want: judge}`, ""},
		{"an unknown that is not the judge's", `{judge: {model: m}, when: 'session.cwd == "/"', then: block, on_unknown: block}`, `{shell: ls, want: block}`, ""},
		{"a hook that would be asked", `{hook: {url: "https://example.com/"}, then: block}`, `{shell: ls, want: judge}`, ""},
		{"a block that the policy is not about", `{then: block}`, `{text: x, want: allow}`, ""},
		{"tools", `{tools: {deny: [T*]}, then: block}`, `{tool: Tool, want: block}`, ""},

		{
			"a condition that is false", `{when: 'call.commands.exists(c, c.is("rm"))', then: block}`, `{shell: ls, want: block}`,
			`the example Bash {"command":"ls"}: wants block, but gets allow: its condition is false`,
		},
		{
			"a condition that is true", `{when: 'call.commands.exists(c, c.is("ls"))', then: block}`, `{shell: ls, want: allow}`,
			`the example Bash {"command":"ls"}: wants allow, but gets block: its condition is true`,
		},
		{
			"only one client's form", `{when: 'call.raw_name == "Bash"', then: block}`, `{shell: ls, want: block}`,
			`the example bash {"command":"ls","description":"runs a command"}: wants block, but gets allow: its condition is false`,
		},
		{
			"an unknown condition", `{when: 'session.cwd == "/x"', then: block}`, `{shell: ls, want: allow}`,
			`the example Bash {"command":"ls"}: wants allow, but gets block: its condition is unknown, because session.cwd is not known`,
		},
		{
			"a block of another kind", `{then: block}`, `{text: x, want: block}`,
			`the example content "x": wants block, but gets allow: the policy does not apply to content`,
		},
		{
			"another text", `{applies_to: [content], find: {pattern: x}, then: redact}`, `{text: x, want: redact, gives: y}`,
			`the example content "x": should give "y", but gives "[redacted]": find: {pattern: ...} was found once`,
		},
		{
			"nothing found", `{applies_to: [content], find: {pattern: x}, then: redact}`, `{text: z, want: redact}`,
			`the example content "z": wants redact, but gets allow: find: {pattern: ...} found nothing in it`,
		},
		{
			"a tool under another name", `{tools: {deny: [Bash]}, then: block}`, `{tool: mcp__evil__bash, arguments: {command: ls}, want: allow}`,
			`the example mcp__evil__bash {"command":"ls"}: wants allow, but gets block: "mcp__evil__bash" is on the list deny as Bash`,
		},
		{
			"a tool that is on no list", `{tools: {deny: ["mcp__*"], allow: [Read, Bash]}, then: block}`, `{tool: Read, arguments: {}, want: block}`,
			`the example Read {}: wants block, but gets allow: "Read" is on the list allow, and "Read" is not on the list deny`,
		},
		{
			"a tool that is not allowed", `{tools: {allow: [Read]}, then: block}`, `{tool: T, arguments: {}, want: allow}`,
			`the example T {}: wants allow, but gets block: "T" is not on the list allow`,
		},
		{
			"no secret", `{find: {secret: true}, then: block}`, `{tool: T, arguments: {a: hello}, want: block}`,
			`the example T {"a":"hello"}: wants block, but gets allow: find: {secret: true} found nothing in it`,
		},
		{
			"a condition and no secret", `{when: 'call.name == "T"', find: {secret: true}, then: block}`, `{tool: T, arguments: {a: hello}, want: block}`,
			`the example T {"a":"hello"}: wants block, but gets allow: its condition is true, and find: {secret: true} found nothing in it`,
		},
		{
			"an argument that is not there", `{then: {rewrite: {set: {n: "1"}}}}`, `{tool: T, arguments: {}, want: rewrite}`,
			`the example T {}: wants rewrite, but the change cannot be made: the call has no argument n: use add instead of set, which adds it`,
		},
		{
			"a tool alone", `{then: block}`, `{tool: T, want: allow}`,
			`the example T: wants allow, but gets block: it has no condition, so it always applies`,
		},
		{"a key without groups", `{when: '"a" in key.groups', then: block}`, `{shell: ls, key: {groups: []}, session: {labels: []}, request: {tools: []}, want: allow}`, ""},
		{
			"other arguments", `{then: {rewrite: {add: {n: "1"}}}}`, `{tool: T, arguments: {}, want: rewrite, gives: {n: 2}}`,
			`the example T {}: should give {"n":2}, but gives {"n":1}: it has no condition, so it always applies`,
		},
		{
			"a judge that is not asked at load", `{judge: {model: m}, then: block}`, `{shell: ls, want: block}`,
			`the example Bash {"command":"ls"}: wants block, but gets judge: it has no condition, so it always applies`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			source := "policies:\n  - {name: p, " + strings.TrimSuffix(tc.policy[1:], "}") + ",\n     examples: [" + tc.example + "]}\n"
			want := ""
			if tc.want != "" {
				want = "f:3:17: policy p: " + tc.want
			}
			if got := problemsOf(t, withModels(), source); got != want {
				t.Errorf("%s\ngot  %s\nwant %s", source, got, want)
			}
		})
	}
}

func TestExamplesOfCommandsAreTriedInEveryClientsForm(t *testing.T) {
	t.Parallel()
	loaded := must(t, file.Options{}, `
policies:
  - name: no-rm
    when: call.commands.exists(c, c.is("rm"))
    then: block
    examples:
      - {shell: rm x, want: block}
      - {tool: Read, arguments: {path: x}, want: allow}
`)
	if loaded.Forms < 6 {
		t.Errorf("%d examples were tried, want one for every client's form and one more", loaded.Forms)
	}
}

func TestAFailingExampleDoesNotHideTheOthers(t *testing.T) {
	t.Parallel()
	got := problemsOf(t, file.Options{}, `policies:
  - name: p
    then: block
    examples:
      - {shell: a, want: allow}
      - {shell: b, want: block}
      - {text: c, want: block}
`)
	want := `f:5:9: policy p: the example Bash {"command":"a"}: wants allow, but gets block: it has no condition, so it always applies
f:7:9: policy p: the example content "c": wants block, but gets allow: the policy does not apply to content`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
