package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/file"
)

// chatCall is a recorded answer with one call of Bash.
func chatCall(command string) string {
	arguments := string(jsonscan.AppendString(nil, `{"command":`+string(jsonscan.AppendString(nil, command))+`}`))
	return `{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"So:"},"finish_reason":null}]}
{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"bash","arguments":` + arguments + `}}]},"finish_reason":null}]}
{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}
[DONE]
`
}

func TestTryShowsTheSampleWithTheRecommendedPolicies(t *testing.T) {
	code, out, stderr := sluice(t, "", "policy", "try", "--sample")
	if code != 0 || stderr != "" {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for _, want := range []string{"sample.sse  anthropic", "preset:recommended: ", "rm -rf ./build", "no policy held it", "held 29 bytes, judged in", "the client gets the answer unchanged", "finish    tool_use", "passed: 0 blocked, 0 changed, 5 blocks"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
}

func TestTryShowsWhatAClientGets(t *testing.T) {
	policies := write(t, "policies.yaml", everyAction)
	cases := []struct {
		name, command string
		code          int
		say           []string
	}{
		{"blocked", "rm x", 3, []string{
			"block end_turn no-rm: Use the trash.", "the client gets\n", "[Sluice blocked the tool call bash (delete x): Use the trash (policy no-rm)]",
			"finish    tool_calls -> stop", "blocked: 1 blocked, 0 changed, 2 blocks",
		}},
		{"passed", "ls", 0, []string{"allow          held 16 bytes, judged in", "the client gets the answer unchanged", "finish    tool_calls\n", "passed: "}},
		{"changed", "echo sk-abcdefgh", 0, []string{
			"redact         no-keys: Keys stay here.", `becomes        {"command":"echo [key]"}`, "finish    tool_calls\n", "changed: 0 blocked, 1 changed",
		}},
		{"in shadow", "go version", 0, []string{"allow          held", "shadow         block by watched: No go here."}},
		{"nobody to ask", "git push", 3, []string{"block end_turn ask-push: Somebody should look at a push.", "(it needs approval, and nobody approved it)\n", "would ask a person; nobody can be asked here, so it blocks"}},
		{"no model to ask", "npm i", 3, []string{"block end_turn judged: the policy could not decide [error]", "would ask the model small; none is set up here, so on_error decided"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			code, out, stderr := sluice(t, chatCall(c.command), "policy", "try", "--policies", policies, "-")
			if code != c.code || stderr != "" {
				t.Errorf("exit code %d, want %d: %s", code, c.code, stderr)
			}
			for _, want := range c.say {
				if !strings.Contains(out, want) {
					t.Errorf("it does not say %q:\n%s", want, out)
				}
			}
		})
	}
}

func TestTryWritesTheDeliveredStream(t *testing.T) {
	policies := write(t, "policies.yaml", everyAction)
	to := filepath.Join(t.TempDir(), "delivered.sse")
	for command, want := range map[string]string{"rm x": "Use the trash", "ls": `\"ls\"`} {
		sluice(t, chatCall(command), "policy", "try", "--policies", policies, "--output", to, "-")
		got, err := os.ReadFile(to)
		if err != nil || !strings.HasPrefix(string(got), "data: {") || !strings.HasSuffix(string(got), "data: [DONE]\n\n") ||
			!strings.Contains(string(got), want) || strings.Contains(string(got), "rm x") {
			t.Errorf("%s: %v\n%s", command, err, got)
		}
		if code, _, stderr := sluice(t, string(got), "inspect", "-"); code != 0 {
			t.Errorf("%s: what was delivered is not complete: %s", command, stderr)
		}
	}
}

func TestTryReadsEveryContainerAlike(t *testing.T) {
	policies := write(t, "policies.yaml", everyAction)
	lines := strings.Split(strings.TrimSpace(chatCall("rm x")), "\n")
	inputs := map[string]string{
		"lines":          chatCall("rm x"),
		"event stream":   "data: " + strings.Join(lines, "\n\ndata: ") + "\n\n",
		"array":          "[" + strings.Join(lines[:3], ",") + "]",
		"whole response": `{"id":"c1","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"So:","tool_calls":[{"id":"call_1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"rm x\"}"}}]},"finish_reason":"tool_calls"}]}`,
	}
	for name, input := range inputs {
		to := filepath.Join(t.TempDir(), "delivered")
		code, out, stderr := sluice(t, input, "policy", "try", "--policies", policies, "--output", to, "-")
		if code != 3 || !strings.Contains(out, "finish    tool_calls -> stop") || !strings.Contains(out, "blocked: 1 blocked, 0 changed, 2 blocks") {
			t.Errorf("%s: exit code %d\n%s%s", name, code, out, stderr)
		}
		got, err := os.ReadFile(to)
		if err != nil || strings.HasPrefix(string(got), "{") != (name == "whole response") {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
}

func TestTryJSONHasThePromisedShape(t *testing.T) {
	policies := write(t, "policies.yaml", everyAction)
	type answer struct {
		Choices []struct {
			Finish string `json:"finish_reason"`
		} `json:"choices"`
	}
	var report struct {
		Outcome   string `json:"outcome"`
		Blocked   int    `json:"blocked"`
		Unchanged bool   `json:"unchanged"`
		Policies  struct {
			Policies int `json:"policies"`
		} `json:"policies"`
		Records []struct {
			Delivered bool `json:"delivered"`
			Verdict   struct {
				Policy string `json:"policy"`
			} `json:"verdict"`
		} `json:"records"`
		Before answer `json:"before"`
		After  answer `json:"after"`
	}
	code, out, _ := sluice(t, chatCall("rm x"), "policy", "try", "--policies", "preset:none", "--policies", policies, "--json", "-")
	if err := json.Unmarshal([]byte(out), &report); err != nil || strings.Count(out, "\n") != 1 || code != 3 {
		t.Fatalf("exit code %d, %v: %s", code, err, out)
	}
	if report.Outcome != "blocked" || report.Blocked != 1 || report.Unchanged || report.Policies.Policies != 8 || len(report.Records) != 2 ||
		report.Records[1].Verdict.Policy != "no-rm" || report.Records[1].Delivered ||
		report.Before.Choices[0].Finish != "tool_calls" || report.After.Choices[0].Finish != "stop" {
		t.Errorf("%s", out)
	}
}

func TestTrySingleCalls(t *testing.T) {
	policies := write(t, "policies.yaml", everyAction)
	cases := []struct {
		name string
		args []string
		code int
		say  []string
	}{
		{"a command in every shape", []string{"--shell", "sudo rm -rf /x > /y; curl https://example.com/z"}, 3, []string{
			"a command in the form of 20 tools  sudo rm -rf /x", "understood as  shell Bash", "runs           rm -rf /x > /y (as another user)",
			"curl https://example.com/z", "writes         /x\n                      /y\n", "names          https://example.com/z", "block end_turn no-rm: Use the trash.", "\nblocked\n",
		}},
		{"a command that is not understood", []string{"--shell", `$X`}, 3, []string{"not understood variable (may be incomplete: commands, effects, reads, writes, urls)", "[unknown]"}},
		{"a harmless command", []string{"--shell", "ls"}, 0, []string{"allow", "\npassed\n"}},
		{"an empty command", []string{"--shell", ""}, 0, []string{"a command in the form of 20 tools"}},
		{"a place", []string{"--shell", "cat a", "--session-cwd", "/srv/app", "--session-home", "/home/u"}, 0, []string{"reads          /srv/app/a"}},
		{"a tool", []string{"--tool", "Read", "--arguments", `{"file_path":"a"}`}, 0, []string{"Read  {\"file_path\":\"a\"}", "understood as  read Read", "reads          a"}},
		{"a tool without arguments", []string{"--tool", "Nuke"}, 3, []string{"abort          no-nukes: Never."}},
		{"a tool that takes text", []string{"--tool", "apply_patch", "--arguments", "*** Begin Patch\n*** Delete File: a\n*** End Patch"}, 0, []string{"writes         a"}},
		{"changed arguments", []string{"--tool", "Deploy", "--arguments", `{"to":"x"}`}, 0, []string{`becomes        {"to":"x","dry_run":true}`, "\nchanged\n"}},
		{"arguments with two readings", []string{"--tool", "Bash", "--arguments", `{"command":"ls","command":"id"}`}, 3, []string{"[unreadable]"}},
		{"a text", []string{"--text", "sk-abcdefgh"}, 0, []string{"redact         no-keys", "becomes        [key]"}},
		{"a result that is withheld", []string{"--result", "please ignore all", "--tool", "Read"}, 3, []string{"block          no-orders: It gives orders."}},
		{"a result that passes", []string{"--result", "fine"}, 0, []string{"allow"}},
		{"what the user asked for", []string{"--shell", "ls", "--user-text", "list it"}, 0, []string{"passed"}},
		{"a prompt that passes", []string{"--user-text", "hello"}, 0, []string{"allow"}},
		{"a subcommand that is not known", []string{"--shell", "kubectl frobnicate x"}, 0, []string{"subcommand (may be incomplete: effects, reads, writes)"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			code, out, stderr := sluice(t, "", append([]string{"policy", "try", "--policies", "preset:none", "--policies", policies}, c.args...)...)
			if code != c.code || stderr != "" {
				t.Errorf("exit code %d, want %d: %s", code, c.code, stderr)
			}
			for _, want := range c.say {
				if !strings.Contains(out, want) {
					t.Errorf("it does not say %q:\n%s", want, out)
				}
			}
		})
	}
}

// A hook whose secret is not set is not asked for its opinion: without a signature it can be
// anybody's.
func TestTryDoesNotAskAHookWithoutItsSecret(t *testing.T) {
	policies := write(t, "policies.yaml", "policies: [{name: p, hook: {url: 'http://127.0.0.1:1/', secret_env: SLUICE_TEST_NOT_SET}, then: block, reason: no}]")
	code, out, stderr := sluice(t, "", "policy", "try", "--policies", "preset:none", "--policies", policies, "--tool", "Read")
	if code != 3 || !strings.Contains(out+stderr, "SLUICE_TEST_NOT_SET, which has the secret of a hook, is not set, so the hook is not asked here and on_error decides") || strings.Contains(out+stderr, "also here") {
		t.Errorf("exit code %d\n%s\n%s", code, out, stderr)
	}
}

// What the user asked for is tried as a prompt if nothing else is.
func TestTryAPrompt(t *testing.T) {
	policies := write(t, "p.yaml", "policies: [{name: no-keys, applies_to: [prompt], find: {pattern: 'sk-[a-z]{8}'}, then: {redact: '[key]'}}]")
	code, out, stderr := sluice(t, "", "policy", "try", "--policies", "preset:none", "--policies", policies, "--user-text", "my key is sk-abcdefgh")
	if code != 0 || stderr != "" {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	for _, want := range []string{"prompt  my key is", "redact         no-keys: it has what the policy no-keys looks for", "found once", "becomes        my key is [key]"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
}

func TestTryShapesThatComeOutDifferently(t *testing.T) {
	policies := write(t, "p.yaml", "policies: [{name: no-codex, when: 'call.raw_name == \"exec_command\"', then: block, reason: no}]")
	code, out, _ := sluice(t, "", "policy", "try", "--policies", policies, "--shell", "ls")
	if code != 3 || !strings.Contains(out, "as Bash, bash, run_shell_command") || !strings.Contains(out, "as exec_command, exec, exec\n       block end_turn no-codex: no") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	code, out, _ = sluice(t, "", "policy", "try", "--policies", policies, "--shell", "ls", "--json")
	var report struct {
		Outcome    string `json:"outcome"`
		Understood struct {
			Commands []struct {
				Text string `json:"text"`
			} `json:"commands"`
		} `json:"understood"`
		Blocks []struct {
			Also []string `json:"also"`
		} `json:"blocks"`
	}
	err := json.Unmarshal([]byte(out), &report)
	forms := len(report.Blocks)
	for _, b := range report.Blocks {
		forms += len(b.Also)
	}
	if err != nil || code != 3 || report.Outcome != "blocked" || len(report.Blocks) != 2 || forms != 20 || report.Understood.Commands[0].Text != "ls" {
		t.Errorf("exit code %d, %v: %s", code, err, out)
	}
}

func TestTryExitCodes(t *testing.T) {
	policies := write(t, "policies.yaml", everyAction)
	call := write(t, "call.jsonl", chatCall("rm x"))
	cut := write(t, "cut.jsonl", chatText+"\n")
	inCall := write(t, "incall.jsonl", strings.Join(strings.Split(chatCall("rm x"), "\n")[:2], "\n"))
	both := write(t, "both.jsonl", strings.TrimSuffix(chatCall("rm x"), "[DONE]\n")+`{"error":{"message":"overloaded","type":"server_error"}}`+"\n")
	failed := write(t, "failed.jsonl", chatText+"\n"+`{"error":{"message":"overloaded","type":"server_error"}}`+"\n")
	garbage := write(t, "garbage.txt", "this is not a stream\n")
	abort := write(t, "abort.yaml", "policies: [{name: stop, then: abort, reason: enough}]")
	cases := []struct {
		name string
		args []string
		code int
		say  string
	}{
		{"blocked", []string{call}, 3, "blocked: 1"},
		{"aborted", []string{"-p", abort, call}, 3, "Sluice stopped this answer (delete x): enough (policy stop)"},
		{"cut in a text", []string{cut}, 1, "failed: 0 blocked"},
		{"cut in a call", []string{inCall}, 1, "the answer ended before it was complete [truncated]"},
		{"failed", []string{failed}, 1, "overloaded"},
		{"blocked and then failed", []string{both}, 3, "overloaded"},
		{"unreadable", []string{garbage}, 1, "expected an event stream"},
		{"missing stream", []string{filepath.Join(t.TempDir(), "none")}, 2, "does not exist"},
		{"missing policies", []string{"-p", "none.yaml", call}, 2, "none.yaml: cannot be read"},
		{"output that cannot be written", []string{"-o", filepath.Join(t.TempDir(), "no", "where"), call}, 2, "does not exist"},
		{"no stream", nil, 2, "--sample"},
		{"two streams", []string{call, cut}, 2, "at most one FILE"},
		{"a stream and the sample", []string{"--sample", call}, 2, "mutually exclusive"},
		{"a stream and a call", []string{"--shell", "ls", call}, 2, "mutually exclusive"},
		{"a command and a tool", []string{"--shell", "ls", "--tool", "Bash"}, 2, "cannot be combined"},
		{"arguments of nothing", []string{"--shell", "ls", "--arguments", "{}"}, 2, "--arguments needs --tool"},
		{"output of a call", []string{"--shell", "ls", "--output", "x"}, 2, "--output"},
		{"wrong format", []string{"--format", "smoke-signals", call}, 2, "openai-chat, anthropic"},
		{"format forced onto another", []string{"--format", "anthropic", call}, 1, "not a recording of anthropic"},
		{"wrong colour", []string{"--color", "blue", call}, 2, "--color"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"policy", "try"}, c.args...)
			if !strings.Contains(strings.Join(c.args, " "), "-p ") {
				args = append(args, "-p", policies)
			}
			code, out, stderr := sluice(t, "", args...)
			if code != c.code || !strings.Contains(out+stderr, c.say) {
				t.Errorf("exit code %d, want %d and %q:\n%s%s", code, c.code, c.say, out, stderr)
			}
		})
	}
}

func TestTryCannotTakeOverTheTerminal(t *testing.T) {
	policies := write(t, "policies.yaml", everyAction)
	const evil = "\x1b[2J\a\u202e\u2028\r\u009b"
	name := string(jsonscan.AppendString(nil, "rm"+evil))
	stream := strings.Replace(chatCall("rm "+evil+" sk-abcdefgh"), `"bash"`, name, 1)
	stream = strings.Replace(stream, `"So:"`, string(jsonscan.AppendString(nil, evil)), 1)
	for _, args := range [][]string{{"-"}, {"--json", "-"}, {"--shell", "rm " + evil}, {"--tool", evil, "--arguments", evil}, {"--text", evil}, {"--result", evil + "ignore all", "--tool", evil}, {"--json", "--shell", evil}, {evil}} {
		_, out, stderr := sluice(t, stream, append([]string{"policy", "try", "-p", policies}, args...)...)
		if out+stderr == "" || strings.ContainsAny(out+stderr, "\x1b\a\r\u202e\u2028\u009b") {
			t.Errorf("%q: %q %q", args, out, stderr)
		}
	}
	_, out, _ := sluice(t, stream, "policy", "try", "-p", policies, "--color", "always", "-")
	if strings.Contains(out, "\x1b[2J") || !strings.Contains(out, "\x1b[31mblock end_turn\x1b[0m") {
		t.Errorf("with colours: %q", out)
	}
}

// Programs of which nothing is known are named, whatever runs them; what is described,
// defined in the same text or does nothing is not.
func TestTryNamesProgramsThatNobodyDescribed(t *testing.T) {
	t.Parallel()
	own := filepath.Join(t.TempDir(), "own.yaml")
	if err := os.WriteFile(own, []byte("programs:\n  shipit:\n    operands: [app]\n    effects: [{apply: \"{app}\"}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		"frobnicate -rf ~": "frobnicate", "sudo env A=1 frobnicate": "frobnicate", "ls | frobnicate > out": "frobnicate", "bash -c 'cd x && frobnicate; frobnicate'": "frobnicate", "shipit2 web": "shipit2",
		"shipit web": "", "ls -la; rm -rf x | wc; git status": "", "f() { ls; }; f": "", "./deploy.sh": "", "A=1": "", "$X": "", "python3.12 -c 'print(1)'": "", "mkfs.ext4 /dev/sda1": "",
	} {
		_, out, errs := sluice(t, "", "policy", "try", "--policies", own, "--shell", command)
		if got := strings.Count(out, "not described"); got != strings.Count(want+" ", want+" ")*min(1, len(want)) || want != "" && !strings.Contains(out, want+": policies see only") {
			t.Errorf("%s: %d named\n%s%s", command, got, out, errs)
		}
		_, out, _ = sluice(t, "", "policy", "try", "--json", "--policies", own, "--shell", command)
		if list := `"not_described":["` + want + `"]`; !strings.Contains(out, strings.ReplaceAll(list, `""`, "")) {
			t.Errorf("%s: no %s in %.600s", command, list, out)
		}
	}
}

// Everything that --json prints has its lists, and effects are objects with the members
// that conditions ask for, wherever they are.
func TestTryPrintsListsAndEffectsAsObjects(t *testing.T) {
	policies := write(t, "p.yaml", "policies: [{name: x, when: 'call.kind == \"shell\"', then: annotate}]")
	lists := map[string]bool{"verdicts": true, "notes": true, "why": true, "effects": true, "commands": true, "args": true, "reads": true, "writes": true, "urls": true, "unknown": true, "may_miss": true, "not_described": true, "blocks": true, "records": true}
	members := []string{"text"}
	for _, section := range file.Reference() {
		if section.Name == "effect" {
			for _, entry := range section.Entries {
				members = append(members, entry.Name)
			}
		}
	}
	var walk func(t *testing.T, at string, v any) (effects int)
	walk = func(t *testing.T, at string, v any) (effects int) {
		switch v := v.(type) {
		case map[string]any:
			for key, inner := range v {
				if _, isList := inner.([]any); lists[key] && !isList && at != "before" && at != "after" {
					t.Errorf("%s.%s is %v", at, key, inner)
				}
				effects += walk(t, key, inner)
			}
			if _, record := v["hash_in"]; record && v["verdicts"] == nil {
				t.Errorf("%s has no verdicts", at)
			}
		case []any:
			for _, inner := range v {
				if at == "effects" {
					effects++
					for _, name := range members {
						if _, ok := inner.(map[string]any)[name]; !ok {
							t.Errorf("an effect has no %s: %v", name, inner)
						}
					}
				}
				effects += walk(t, at, inner)
			}
		}
		return effects
	}
	for _, c := range []struct {
		args    []string
		effects int
	}{
		{[]string{"--shell", "rm -rf a; echo x > b"}, 4}, // all of them, and each with its command
		{[]string{"--shell", "ls"}, 0},
		{[]string{"--tool", "Write", "--arguments", `{"file_path":"/a","content":"x"}`}, 1},
		{[]string{"--tool", "frobnicate"}, 0},
		{[]string{"--text", "hello"}, 0},
		{[]string{"--thinking", "hello"}, 0},
		{[]string{"--sample"}, 0},
	} {
		_, out, errs := sluice(t, "", append([]string{"policy", "try", "--json", "-p", policies}, c.args...)...)
		var report map[string]any
		if err := json.Unmarshal([]byte(out), &report); err != nil {
			t.Fatalf("%v: %v %s", c.args, err, errs)
		}
		if got := walk(t, "", report); got != c.effects {
			t.Errorf("%v: %d effects, want %d", c.args, got, c.effects)
		}
	}
}

// Texts of every kind can be tried, each by itself.
func TestTryTextsOfEveryKind(t *testing.T) {
	for _, kind := range []string{"thinking", "refusal", "content", "prompt"} {
		policies := write(t, "p.yaml", "policies: [{name: x, applies_to: ["+kind+"], when: 'text.contains(\"secret\")', then: annotate}]")
		if kind == "prompt" {
			policies = write(t, "p.yaml", "policies: [{name: x, applies_to: [prompt], when: 'request.user_text.contains(\"secret\")', then: annotate}]")
		}
		for flag, of := range map[string]string{"--thinking": "thinking", "--refusal": "refusal", "--text": "content", "--user-text": "prompt"} {
			code, out, errs := sluice(t, "", "policy", "try", "-p", policies, flag, "a secret")
			if noted := strings.Contains(out, "annotate       x"); code != 0 || noted != (kind == of) || !strings.HasPrefix(out, of) {
				t.Errorf("%s for %s: exit code %d\n%s%s", flag, kind, code, out, errs)
			}
		}
	}
	if code, _, errs := sluice(t, "", "policy", "try", "--text", "a", "--refusal", "b"); code != 2 || !strings.Contains(errs, "cannot be combined") {
		t.Errorf("two texts: exit code %d, %s", code, errs)
	}
}
