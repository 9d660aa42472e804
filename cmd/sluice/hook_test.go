package main

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

// preToolUseInput is what Claude Code sends.
func preToolUseInput(tool, input string) string {
	name, err := json.Marshal(tool)
	if err != nil {
		panic(err)
	}
	return `{"session_id":"s1","transcript_path":"/home/u/t.jsonl","cwd":"/home/u/project","permission_mode":"default",` +
		`"hook_event_name":"PreToolUse","tool_name":` + string(name) + `,"tool_input":` + input + `,"tool_use_id":"toolu_1"}`
}

func TestHookDecides(t *testing.T) {
	policies := write(t, "policies.yaml", everyAction)
	cases := []struct {
		name, tool, input string
		decision, reason  string
		updated           string
	}{
		{"what may pass is left to the user's own permissions", "Bash", `{"command":"ls"}`, "", "", ""},
		{"what is in shadow, too", "Bash", `{"command":"go build"}`, "", "", ""},
		{"blocked", "Bash", `{"command":"rm x"}`, "deny", "Sluice blocked Bash (delete /home/u/project/x): Use the trash (policy no-rm). Do not repeat it; find another way or ask the user.", ""},
		{"aborted", "Nuke", `{}`, "deny", "Never", ""},
		{"asked", "Bash", `{"command":"git push"}`, "ask", "Sluice wants you to decide about Bash (push the current branch): Somebody should look at a push (policy ask-push)", ""},
		{"changed calls are shown to the user", "Deploy", `{"to":"x"}`, "ask", "Sluice changed this call of Deploy: Only dry runs (policy dry)", `{"to":"x","dry_run":true}`},
		{"asked about a changed call", "Bash", `{"command":"git push sk-abcdefgh"}`, "ask", "Somebody should look at a push", `{"command":"git push [key]"}`},
		{"a judge without a model", "Bash", `{"command":"npm i"}`, "deny", `the model "small" would have to be asked`, ""},
		{"what cannot be known", "Bash", `{"command":"$X"}`, "deny", "policy no-rm", ""},
		{"input that is no object", "Bash", `"rm x"`, "deny", "not a JSON object", ""},
		{"no input", "Bash", `null`, "deny", "not a JSON object", ""},
		{"a name that acts on terminals", "\x1b[2J", `{"command":"rm x"}`, "deny", `\u001b[2J`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			code, out, stderr := sluice(t, preToolUseInput(c.tool, c.input), "hook", "claude-code", "--policies", policies)
			if code != 0 || stderr != "" {
				t.Fatalf("exit code %d: %s", code, stderr)
			}
			if c.decision == "" {
				if out != "" {
					t.Errorf("it decides for the user: %s", out)
				}
				return
			}
			var answer struct {
				Output struct {
					Event    string          `json:"hookEventName"`
					Decision string          `json:"permissionDecision"`
					Reason   string          `json:"permissionDecisionReason"`
					Updated  json.RawMessage `json:"updatedInput"`
				} `json:"hookSpecificOutput"`
			}
			if err := json.Unmarshal([]byte(out), &answer); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			got := answer.Output
			if got.Event != "PreToolUse" || got.Decision != c.decision || !strings.Contains(got.Reason, c.reason) || string(got.Updated) != c.updated {
				t.Errorf("%s\nwant %s, %q and %s", out, c.decision, c.reason, c.updated)
			}
		})
	}
}

func TestHookKnowsWhereItRuns(t *testing.T) {
	t.Setenv("HOME", "/home/u")
	policies := write(t, "p.yaml", `policies:
  - name: where
    when: session.id == "s1" && session.client == "claude-code" && session.cwd == "/home/u/project" && session.home == "/home/u" && call.writes.exists(w, w == "/home/u/project/a")
    then: block
    reason: known
`)
	_, out, stderr := sluice(t, preToolUseInput("Write", `{"file_path":"a","content":""}`), "hook", "claude-code", "-p", policies)
	if !strings.Contains(out, `"deny"`) || !strings.Contains(out, "known (policy where)") {
		t.Errorf("%s%s", out, stderr)
	}
}

func TestHookUsesTheRecommendedPolicies(t *testing.T) {
	code, out, _ := sluice(t, preToolUseInput("Bash", `{"command":"rm -rf /"}`), "hook", "claude-code")
	if code != 0 || !strings.Contains(out, `"permissionDecision":"deny"`) {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// What the help prints works when it is pasted: on a machine without any file of
// Sluice's, each command that it shows lets a harmless call pass and denies a
// destructive one.
func TestTheHooksOfTheHelpWorkWhenPasted(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Chdir(t.TempDir())
	_, help, _ := sluice(t, "", "hook", "claude-code", "--help")
	begin, end := strings.Index(help, "  {\n"), strings.Index(help, "\n  }\n")
	if begin < 0 || end < begin {
		t.Fatalf("there are no settings in the help:\n%s", help)
	}
	var settings struct {
		Hooks struct {
			PreToolUse []struct {
				Hooks []struct {
					Command string `json:"command"`
				} `json:"hooks"`
			} `json:"PreToolUse"`
		} `json:"hooks"`
	}
	if err := json.Unmarshal([]byte(help[begin:end+4]), &settings); err != nil {
		t.Fatalf("the settings cannot be pasted: %v", err)
	}
	commands := []string{settings.Hooks.PreToolUse[0].Hooks[0].Command}
	for line := range strings.SplitSeq(help, "\n") {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "sluice hook claude-code") && !strings.Contains(line, "[flags]") {
			commands = append(commands, line)
		}
	}
	if len(commands) < 4 {
		t.Errorf("the help shows only %q", commands)
	}
	for _, command := range commands {
		args := strings.Fields(command)[1:]
		if code, out, errs := sluice(t, preToolUseInput("Bash", `{"command":"ls"}`), args...); code != exitOK || out != "" || errs != "" {
			t.Errorf("%s: a harmless call ends with %d, %s%s", command, code, out, errs)
		}
		if code, out, _ := sluice(t, preToolUseInput("Bash", `{"command":"rm -rf ~"}`), args...); code != exitOK || !strings.Contains(out, `"deny"`) {
			t.Errorf("%s: a destructive call ends with %d, %s", command, code, out)
		}
	}
}

// The file that the hook was given is in force, wherever it is.
func TestHookKeepsItsPolicies(t *testing.T) {
	policies := write(t, "mine.yaml", "policies:\n  - preset: recommended\n")
	for command, denied := range map[string]bool{"rm " + policies: true, "cat " + policies: false, "rm " + policies + ".bak": false} {
		input, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		code, out, stderr := sluice(t, preToolUseInput("Bash", string(input)), "hook", "claude-code", "--policies", policies)
		if code != 0 || strings.Contains(out, "protect-sluice") != denied {
			t.Errorf("%s: exit code %d, %s%s", command, code, out, stderr)
		}
	}
}

func TestHookIgnoresOtherEvents(t *testing.T) {
	for _, event := range []string{"PostToolUse", "UserPromptSubmit", "Stop"} {
		code, out, stderr := sluice(t, `{"hook_event_name":"`+event+`","tool_name":"Bash"}`, "hook", "claude-code", "-p", "none.yaml")
		if code != 0 || out+stderr != "" {
			t.Errorf("%s: exit code %d, %s%s", event, code, out, stderr)
		}
	}
}

// Claude Code runs a tool after every exit code but 2.
func TestHookFailsClosed(t *testing.T) {
	policies := write(t, "policies.yaml", everyAction)
	bad := write(t, "bad.yaml", "policies: [{name: a, then: no}]")
	fine := preToolUseInput("Bash", `{"command":"ls"}`)
	cases := []struct {
		name, input string
		args        []string
		say         string
	}{
		{"nothing", "", nil, "the input is empty"},
		{"no JSON", "rm", nil, "not one JSON object"},
		{"an array", "[" + fine + "]", nil, "not one JSON object"},
		{"two objects", fine + fine, nil, "not one JSON object"},
		{"cut", fine[:len(fine)-2], nil, "not one JSON object"},
		{"an object without an event", `{}`, nil, "no hook_event_name"},
		{"an event that is no string", `{"hook_event_name":["PreToolUse"]}`, nil, "hook_event_name is not a string"},
		{"an event in other letters", `{"HOOK_EVENT_NAME":"PostToolUse","tool_name":"Bash"}`, nil, "no hook_event_name"},
		{"two events", `{"hook_event_name":"PreToolUse","hook_event_name":"PostToolUse"}`, nil, "duplicate keys"},
		{"two inputs", preToolUseInput("Bash", `{"command":"ls","command":"rm x"}`), nil, "duplicate keys"},
		{"no tool", preToolUseInput("", `{}`), nil, "no tool_name"},
		{"a tool that is no string", `{"hook_event_name":"PreToolUse","tool_name":1,"tool_input":{}}`, nil, "tool_name is not a string"},
		{"no input of the tool", `{"hook_event_name":"PreToolUse","tool_name":"Bash"}`, nil, "no tool_input"},
		{"too deep", preToolUseInput("Bash", strings.Repeat(`{"a":`, 20000)+"1"+strings.Repeat("}", 20000)), nil, "not one JSON object"},
		{"no policies", fine, []string{"-p", "none.yaml"}, "none.yaml: cannot be read"},
		{"wrong policies", fine, []string{"-p", bad}, "bad.yaml:1:"},
		{"an unknown flag", fine, []string{"--policy", policies}, "unknown flag"},
		{"an argument", fine, []string{"x"}, "takes no arguments"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"hook", "claude-code"}, c.args...)
			if c.args == nil {
				args = append(args, "-p", policies)
			}
			code, out, stderr := sluice(t, c.input, args...)
			if code != 2 || out != "" || !strings.Contains(stderr, c.say) {
				t.Errorf("exit code %d, want 2 and %q: %q %s", code, c.say, out, stderr)
			}
		})
	}
	for _, args := range [][]string{{"hook"}, {"hook", "claude"}} {
		if code, out, _ := sluice(t, fine, args...); code != 2 || out != "" {
			t.Errorf("%v: exit code %d: %s", args, code, out)
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestHookFailsClosedWhenNobodyHearsTheDenial(t *testing.T) {
	policies := write(t, "policies.yaml", everyAction)
	in := strings.NewReader(preToolUseInput("Bash", `{"command":"rm x"}`))
	if code := run(t.Context(), []string{"hook", "claude-code", "-p", policies}, in, brokenWriter{}, io.Discard); code != 2 {
		t.Errorf("exit code %d", code)
	}
}

func TestHookInputIsBounded(t *testing.T) {
	policies := write(t, "policies.yaml", everyAction)
	frame := len(preToolUseInput("Read", `{"file_path":""}`))
	at := func(n int) string {
		return preToolUseInput("Read", `{"file_path":"`+strings.Repeat("a", n-frame)+`"}`)
	}
	if code, _, stderr := sluice(t, at(maxHookInput+1), "hook", "claude-code", "-p", policies); code != 2 || !strings.Contains(stderr, "larger than 16.0 MiB") {
		t.Errorf("over the limit: exit code %d: %s", code, stderr)
	}
	// At the limit it is read, and then larger than what policies judge.
	if code, out, stderr := sluice(t, at(maxHookInput), "hook", "claude-code", "-p", policies); code != 0 || !strings.Contains(out, `"deny"`) {
		t.Errorf("at the limit: exit code %d: %.300s%s", code, out, stderr)
	}
}

func FuzzHookInputIsReadInOneWay(f *testing.F) {
	f.Add(preToolUseInput("Bash", `{"command":"ls"}`))
	f.Add(`{"hook_event_name":"PostToolUse"}`)
	f.Add(`{"hook_event_name":"PreToolUse","tool_name":"\u0000","tool_input":[1e999]}`)
	f.Fuzz(func(t *testing.T, input string) {
		c, err := readHookInput(strings.NewReader(input))
		if err != nil {
			return
		}
		if c.event == "" || c.event == preToolUse && (c.block.Name == "" || !json.Valid([]byte(c.block.Arguments))) {
			t.Errorf("%q is read as %+v", input, c)
		}
	})
}
