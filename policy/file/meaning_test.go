package file_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

// must loads a file that has no problems.
func must(t *testing.T, o file.Options, source string) *file.Loaded {
	t.Helper()
	loaded, err := file.Parse(o, "f", []byte(source), alone(source)...)
	if err != nil {
		t.Fatalf("%s\n%v", source, err)
	}
	return loaded
}

func shell(command string) llm.Block {
	return call("Bash", `{"command":`+quoted(command)+`}`)
}

func call(name, arguments string) llm.Block {
	return llm.Block{Kind: llm.ToolCall, ID: "c1", Type: "tool_use", Name: name, Arguments: arguments, Status: llm.Complete}
}

func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}

func say(kind llm.Kind, text string) llm.Block {
	return llm.Block{Kind: kind, Text: text, Status: llm.Complete}
}

// Each case is a policy, a block, and what the engine does with it.
func TestWhatPoliciesDo(t *testing.T) {
	t.Parallel()
	known := &policy.Exchange{
		Session: policy.Session{Cwd: "/home/x", Home: "/home/x"},
		Key:     policy.Key{Name: "k", Groups: []string{"admins"}},
	}
	for _, tc := range []struct {
		name     string
		policy   string
		exchange *policy.Exchange
		block    llm.Block
		action   policy.Action // as the set's host, which offers nothing, carries it out
		cause    policy.Cause
		reason   string // contained
		out      string // what is delivered, if it is not what came
	}{
		// when
		{"a condition that holds", `{when: 'call.name == "shell"', then: block}`, nil, shell("ls"), policy.Allow, "", "", ""},
		{"a condition that holds, with a reason", `{when: 'call.raw_name == "Bash"', then: block, reason: use Read}`, nil, shell("ls"), policy.BlockEndTurn, "", "use Read", ""},
		{"no reason", `{when: 'call.raw_name == "Bash"', then: block}`, nil, shell("ls"), policy.BlockEndTurn, "", "the policy forbids it", ""},
		{"no reason for what is added", `{find: {added: {x: EVIL}}, then: block}`, nil, shell("echo EVIL > /r/a.py"), policy.BlockEndTurn, "", "the policy forbids what the call adds: x in /r/a.py", ""},
		{"no reason to note it", `{when: 'call.raw_name == "Bash"', then: annotate}`, nil, shell("ls"), policy.Annotate, "", "the condition of the policy p holds", ""},
		{"no condition at all", `{then: block}`, nil, shell("ls"), policy.BlockEndTurn, "", "", ""},
		{"a condition that is true", `{when: true, then: block}`, nil, shell("ls"), policy.BlockEndTurn, "", "", ""},
		{"a block it does not apply to", `{then: block}`, nil, say(llm.Content, "x"), policy.Allow, "", "", ""},
		{"content as a whole", `{applies_to: [content], when: 'text.contains("x")', then: block}`, nil, say(llm.Content, "a x"), policy.BlockEndTurn, "", "", ""},
		{"thinking as a whole", `{applies_to: thinking, then: block}`, nil, say(llm.Thinking, "a x"), policy.BlockEndTurn, "", "", ""},
		{"a result", `{applies_to: [tool_result], when: 'result.text.contains("x")', then: block}`, nil, say(llm.ToolResult, "a x"), policy.Block, "", "", ""},
		{"a condition about the exchange", `{when: '"admins" in key.groups', then: block}`, known, shell("ls"), policy.BlockEndTurn, "", "", ""},
		{"a condition about the exchange that fails to hold", `{when: '"users" in key.groups', then: block}`, known, shell("ls"), policy.Allow, "", "", ""},
		{"a parameter", `{params: {names: [Bash]}, when: 'call.raw_name in params.names', then: block}`, nil, shell("ls"), policy.BlockEndTurn, "", "", ""},

		// then
		{"annotate", `{then: annotate, reason: seen}`, nil, shell("ls"), policy.Annotate, "", "seen", ""},
		{"ask where nobody can be asked", `{then: ask}`, nil, shell("ls"), policy.BlockEndTurn, policy.CauseNoAnswer, "", ""},
		{"abort", `{then: abort}`, nil, shell("ls"), policy.Abort, "", "", ""},
		{"allow", `{then: allow}`, nil, shell("ls"), policy.Allow, "", "", ""},

		// on_unknown
		{"the unknown blocks", `{when: 'session.cwd == "/"', then: block}`, nil, shell("ls"), policy.BlockEndTurn, policy.CauseUnknown, "because the working directory is not known", ""},
		{"the unknown is allowed and annotated", `{when: 'session.cwd == "/"', then: block, on_unknown: allow}`, nil, shell("ls"), policy.Annotate, policy.CauseUnknown, "", ""},
		{"the unknown to one who only watches", `{when: 'session.cwd == "/"', then: annotate}`, nil, shell("ls"), policy.Annotate, policy.CauseUnknown, "cannot tell", ""},
		{"the unknown is asked", `{when: 'session.cwd == "/"', then: block, on_unknown: ask}`, nil, shell("ls"), policy.BlockEndTurn, policy.CauseNoAnswer, "", ""},
		{"what is known", `{when: 'session.cwd == "/"', then: block}`, known, shell("ls"), policy.Allow, "", "", ""},

		// on_error
		{"a failure blocks", `{when: 'call.args.command > 1', then: block}`, nil, shell("ls"), policy.BlockEndTurn, policy.CauseError, "", ""},
		{"a failure is allowed and annotated", `{when: 'call.args.command > 1', then: block, on_error: allow}`, nil, shell("ls"), policy.Annotate, policy.CauseError, "", ""},
		{"a failure of one who only watches", `{when: 'call.args.command > 1', then: annotate}`, nil, shell("ls"), policy.Annotate, policy.CauseError, "", ""},

		// find
		{"a pattern that is found blocks", `{find: {pattern: 'rm -rf'}, then: block}`, nil, shell("rm -rf /"), policy.BlockEndTurn, "", "", ""},
		{"a pattern that is not found", `{find: {pattern: 'rm -rf'}, then: block}`, nil, shell("ls"), policy.Allow, "", "", ""},
		{"one of several patterns", `{find: {pattern: [a1, b2]}, then: block}`, nil, shell("echo b2"), policy.BlockEndTurn, "", "", ""},
		{"a pattern behind escapes", `{find: {pattern: 'äb'}, then: block}`, nil, call("Bash", `{"command":"\u00e4b"}`), policy.BlockEndTurn, "", "", ""},
		{"a pattern in a key", `{find: {pattern: command}, then: block}`, nil, shell("ls"), policy.Allow, "", "", ""},
		{"a pattern and a condition that does not hold", `{find: {pattern: ls}, when: 'call.raw_name == "Other"', then: block}`, nil, shell("ls"), policy.Allow, "", "", ""},
		{"a pattern that is not found though the condition is unknown", `{find: {pattern: rm}, when: 'session.cwd == "/"', then: block}`, nil, shell("ls"), policy.Allow, "", "", ""},
		{"a pattern in a text", `{applies_to: [content], find: {pattern: bad}, then: block}`, nil, say(llm.Content, "a bad word"), policy.BlockEndTurn, "", "", ""},
		{"a pattern in free text", `{find: {pattern: bad}, then: block}`, nil, llm.Block{Kind: llm.ToolCall, ID: "c", Name: "apply_patch", Type: "custom_tool_call", Arguments: "*** bad", Status: llm.Complete}, policy.BlockEndTurn, "", "", ""},

		// redact
		{"redacted content", `{applies_to: [content], find: {pattern: 'sk-\d+'}, then: redact}`, nil, say(llm.Content, "a sk-12 b"), policy.Redact, "", "", "a [redacted] b"},
		{"redacted content with a placeholder", `{applies_to: [content], find: {pattern: 'sk-\d+'}, then: {redact: "$1"}}`, nil, say(llm.Content, "a sk-12 b"), policy.Redact, "", "", "a $1 b"},
		{"redacted arguments", `{find: {pattern: 'sk-\d+'}, then: {redact: "\"k\""}}`, nil, call("Bash", `{ "sk-1" : 1, "command" : "a\u0020sk-12 \"b\"", "x":["sk-3",true] }`), policy.Redact, "", "", `{ "sk-1" : 1, "command" : "a \"k\" \"b\"", "x":["\"k\"",true] }`},
		{"redacted free text", `{find: {pattern: 'sk-\d+'}, then: redact}`, nil, llm.Block{Kind: llm.ToolCall, ID: "c", Name: "apply_patch", Type: "custom_tool_call", Arguments: `*** "sk-1"`, Status: llm.Complete}, policy.Redact, "", "", `*** "[redacted]"`},
		{"a redacted result", `{applies_to: [tool_result], find: {pattern: 'sk-\d+'}, then: redact}`, nil, say(llm.ToolResult, "a sk-12"), policy.Redact, "", "", "a [redacted]"},
		{"content of a policy that is also about calls", `{applies_to: [content, tool_call], find: {pattern: 'sk-\d+'}, then: redact}`, nil, say(llm.Content, "a sk-12 b"), policy.Redact, "", "", "a [redacted] b"},
		{"calls of a policy that is also about content", `{applies_to: [content, tool_call], find: {pattern: 'sk-\d+'}, then: redact}`, nil, shell("a sk-12 b"), policy.Redact, "", "", `{"command":"a [redacted] b"}`},
		{"a refusal", `{applies_to: [refusal], find: {pattern: 'sk-\d+'}, then: redact}`, nil, say(llm.Refusal, "a sk-12 b"), policy.Redact, "", "", "a [redacted] b"},
		{"content under a condition about the text", `{applies_to: [content], when: 'text.startsWith("a")', find: {pattern: 'sk-\d+'}, then: redact}`, nil, say(llm.Content, "a sk-12 b"), policy.Redact, "", "", "a [redacted] b"},
		{"content under a condition about the text that does not hold", `{applies_to: [content], when: 'text.startsWith("b")', find: {pattern: 'sk-\d+'}, then: redact}`, nil, say(llm.Content, "a sk-12 b"), policy.Allow, "", "", ""},
		{"content under a condition about the exchange", `{applies_to: [content], when: '"admins" in key.groups', find: {pattern: 'sk-\d+'}, then: redact}`, known, say(llm.Content, "a sk-12 b"), policy.Redact, "", "", "a [redacted] b"},
		{"content under a condition about the exchange that does not hold", `{applies_to: [content], when: '"users" in key.groups', find: {pattern: 'sk-\d+'}, then: redact}`, known, say(llm.Content, "a sk-12 b"), policy.Allow, "", "", ""},
		{"content under a condition that is unknown", `{applies_to: [content], when: 'session.cwd == "/"', find: {pattern: 'sk-\d+'}, then: redact}`, nil, say(llm.Content, "a sk-12 b"), policy.Redact, "", "", "a [redacted] b"},
		{"content under a condition that is unknown and may pass", `{applies_to: [content], when: 'session.cwd == "/"', find: {pattern: 'sk-\d+'}, then: redact, on_unknown: allow}`, nil, say(llm.Content, "a sk-12 b"), policy.Allow, "", "", ""},
		{"arguments under a condition that is unknown", `{when: 'session.cwd == "/"', find: {pattern: 'sk-\d+'}, then: redact}`, nil, shell("a sk-12"), policy.Redact, "", "", `{"command":"a [redacted]"}`},
		{"content under a condition that is unknown, which blocks", `{applies_to: [content], when: 'session.cwd == "/"', find: {pattern: 'sk-\d+'}, then: redact, on_unknown: block}`, nil, say(llm.Content, "a sk-12 b"), policy.BlockEndTurn, policy.CauseUnknown, "session.cwd", ""},
		{"content in which nothing is found, where unknown blocks", `{applies_to: [content], when: 'session.cwd == "/"', find: {pattern: 'sk-\d+'}, then: redact, on_unknown: block}`, nil, say(llm.Content, "a b"), policy.Allow, "", "", ""},
		{"arguments under a condition that is unknown, which blocks", `{when: 'session.cwd == "/"', find: {pattern: 'sk-\d+'}, then: redact, on_unknown: block}`, nil, shell("a sk-12"), policy.BlockEndTurn, policy.CauseUnknown, "cannot be ruled out", ""},
		{"a result under a condition that is unknown, which blocks", `{applies_to: [tool_result], when: 'session.cwd == "/"', find: {pattern: 'sk-\d+'}, then: {rewrite: key}, on_unknown: block}`, nil, say(llm.ToolResult, "a sk-12"), policy.Block, policy.CauseUnknown, "cannot be ruled out", ""},
		{"arguments under a condition that fails", `{when: 'call.args.command > 1', find: {pattern: 'sk-\d+'}, then: redact}`, nil, shell("a sk-12"), policy.BlockEndTurn, "", "could not decide", ""},

		// rewrite
		{"rewritten content", `{applies_to: [content], find: {pattern: '(\w+)@example'}, then: {rewrite: "$1 at example"}}`, nil, say(llm.Content, "mail joe@example"), policy.Rewrite, "", "", "mail joe at example"},
		{"rewritten to nothing", `{applies_to: [content], find: {pattern: ' x'}, then: {rewrite: ""}}`, nil, say(llm.Content, "a x b"), policy.Rewrite, "", "", "a b"},
		{"an argument that is set if the server is unknown", `{when: 'call.server == "slack"', then: {rewrite: {set: {text: "'x'"}}}}`, nil, call("post_message", `{"text":"a"}`), policy.BlockEndTurn, policy.CauseUnknown, "cannot be ruled out", ""},
		{"an argument that has the value already, if the server is unknown", `{when: 'call.server == "slack"', then: {rewrite: {set: {text: "'a'"}}}, on_unknown: block}`, nil, call("post_message", `{"text":"a"}`), policy.Allow, "", "", ""},
		{"an argument that is not set if the server is unknown", `{when: 'call.server == "slack"', then: {rewrite: {set: {text: "'x'"}}}, on_unknown: allow}`, nil, call("post_message", `{"text":"a"}`), policy.Annotate, policy.CauseUnknown, "", ""},
		{"an argument of a call inside, if its server is unknown", `{when: 'call.server == "slack"', then: {rewrite: {set: {text: "'x'"}}}}`, nil, call("batch", `{"invocations":[{"tool_name":"mcp__slack__post","input":{"text":"a"}},{"tool_name":"post_message","input":{"text":"a"}}]}`), policy.BlockEndTurn, policy.CauseUnknown, "cannot be ruled out", ""},
		{"an argument that is set", `{then: {rewrite: {set: {timeout: "10 * 100"}}}}`, nil, call("Bash", `{"command": "ls" , "timeout": 7, "z": 1.0}`), policy.Rewrite, "", "", `{"command": "ls" , "timeout": 1000, "z": 1.0}`},
		{"an argument that is added", `{then: {rewrite: {add: {dry: "true"}}}}`, nil, call("Bash", `{"command": "ls" }`), policy.Rewrite, "", "", `{"command": "ls","dry":true }`},
		{"an argument that is added to none", `{then: {rewrite: {add: {dry: "call.raw_name + '<'"}}}}`, nil, call("Bash", ``), policy.Rewrite, "", "", `{"dry":"Bash<"}`},
		{"two arguments that are set", `{then: {rewrite: {add: {b: "2", a: "[1]"}}}}`, nil, call("Bash", `{"a":0}`), policy.Rewrite, "", "", `{"a":[1],"b":2}`},
		{"an argument that has its value already", `{then: {rewrite: {set: {a: "1"}}}}`, nil, call("Bash", `{"a":1}`), policy.Allow, "", "", ""},
		{"an argument whose value is not known", `{then: {rewrite: {set: {a: session.cwd}}}}`, nil, call("Bash", `{"a":1}`), policy.BlockEndTurn, "", "could not decide", ""},
		{"an argument that is not there", `{then: {rewrite: {set: {command: "'ls'"}}}}`, nil, call("exec_command", `{"cmd":"rm"}`), policy.BlockEndTurn, "", "could not decide", ""},
		{"an argument of free text", `{then: {rewrite: {set: {a: "1"}}}}`, nil, llm.Block{Kind: llm.ToolCall, ID: "c", Name: "apply_patch", Type: "custom_tool_call", Arguments: "x", Status: llm.Complete}, policy.BlockEndTurn, "", "could not decide", ""},

		// what cannot be stopped
		{"a call that the provider runs", `{applies_to: [server_tool], then: annotate, reason: seen}`, nil, llm.Block{Kind: llm.ServerTool, ID: "s", Name: "web_search", Arguments: `{}`, Status: llm.Complete}, policy.Annotate, "", "seen", ""},
		{"what nobody understands", `{applies_to: [opaque], find: {pattern: bad}, then: block}`, nil, llm.Block{Kind: llm.Opaque, ID: "o", Type: "strange", Raw: []byte(`{"type":"strange","x":"bad"}`), Status: llm.Complete}, policy.BlockEndTurn, "", "", ""},

		// tools
		{"a tool that is denied", `{tools: {deny: [Bash]}, then: block}`, nil, shell("ls"), policy.BlockEndTurn, "", "denied", ""},
		{"a tool that is not allowed", `{tools: {allow: [Read]}, then: block, reason: only reading}`, nil, shell("ls"), policy.BlockEndTurn, "", "only reading", ""},
		{"a tool that is allowed", `{tools: {allow: [Bash]}, then: block}`, nil, shell("ls"), policy.Allow, "", "", ""},
		{"a tool that is denied to others", `{tools: {deny: [Bash]}, when: '!("admins" in key.groups)', then: block}`, known, shell("ls"), policy.Allow, "", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			loaded := must(t, file.Options{}, "policies:\n  - {name: p, "+tc.policy[1:]+"\n")
			got := loaded.Set.Decide(t.Context(), tc.exchange, tc.block, policy.Options{})
			if got.Verdict.Action != tc.action || got.Verdict.Cause != tc.cause {
				t.Errorf("got %s %q (%s), want %s %q", got.Verdict.Action, got.Verdict.Cause, got.Verdict.Reason, tc.action, tc.cause)
			}
			if !strings.Contains(got.Verdict.Reason, tc.reason) {
				t.Errorf("reason %q, want %q in it", got.Verdict.Reason, tc.reason)
			}
			if tc.out != "" && got.Out != tc.out {
				t.Errorf("delivered %s, want %s", got.Out, tc.out)
			}
			if tc.action.Passes() && tc.out == "" && got.Out != got.In {
				t.Errorf("delivered %s, want what came: %s", got.Out, got.In)
			}
		})
	}
}
