package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a call is part of can be said on the command line.
func TestTryIsToldWhenAndForWhom(t *testing.T) {
	file := write(t, "p.yaml", `policies:
  - preset: none
  - name: office-hours
    when: '!("release" in key.groups) && key.user != "ada" && session.client != "codex" && now.getHours() >= 18'
    then: block
`)
	late := []string{"policy", "try", "-p", file, "--shell", "ls", "--session-client", "claude-code", "--now", "2026-01-30T22:15:00Z"}
	for _, tc := range []struct {
		more []string
		want int
	}{
		{nil, exitBlocked},
		{[]string{"--key-name", "ci", "--key-group", "dev", "--session-id", "1", "--session-label", "x"}, exitBlocked},
		{[]string{"--key-group", "dev", "--key-group", "release"}, exitOK},
		{[]string{"--key-user", "ada"}, exitOK},
		{[]string{"--session-client", "codex"}, exitOK},
		{[]string{"--now", "2026-01-30T10:15:00Z"}, exitOK},
	} {
		if code, out, errs := sluice(t, "", append(late, tc.more...)...); code != tc.want {
			t.Errorf("%v: exit code %d, want %d\n%s%s", tc.more, code, tc.want, out, errs)
		}
	}
}

// A script that an earlier call of the conversation wrote is followed, whether the call
// is in the request, which lies beside a recording, or in the same answer.
func TestTryKnowsTheConversation(t *testing.T) {
	file := write(t, "p.yaml", `policies:
  - preset: none
  - name: no-deletes
    when: call.effects.exists(e, e.verb == "delete")
    then: block
`)
	wrote := `{"type":"tool_use","id":"t1","name":"Write","input":{"file_path":"/w/a.sh","content":"rm -rf /srv/data"}}`
	runs := `{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"sh /w/a.sh"}}`
	answer := func(blocks ...string) string {
		return `{"id":"m","type":"message","role":"assistant","model":"x","content":[` + strings.Join(blocks, ",") + `],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`
	}
	request := `{"model":"x","max_tokens":9,"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[` + wrote + `]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}]}`
	dir := t.TempDir()
	name := filepath.Join(dir, "a.json")
	for _, tc := range []struct {
		what, answer, request string
		want                  string
	}{
		{"nothing is known of the script", answer(runs), "", "no-deletes: false"},
		{"it is in the same answer", answer(wrote, runs), "", "no-deletes: true"},
		{"it is in the request", answer(runs), request, "no-deletes: true"},
	} {
		if err := os.WriteFile(name, []byte(tc.answer), 0o600); err != nil {
			t.Fatal(err)
		}
		if tc.request != "" {
			if err := os.WriteFile(filepath.Join(dir, "a.request.json"), []byte(tc.request), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, out, errs := sluice(t, "", "policy", "try", "-p", file, "--color", "never", name)
		if !strings.Contains(out, tc.want) {
			t.Errorf("%s: want %q\n%s%s", tc.what, tc.want, out, errs)
		}
		if blocks := strings.Contains(tc.want, "true"); strings.Contains(out, "block end_turn") != blocks {
			t.Errorf("%s: blocked is not %t\n%s", tc.what, blocks, out)
		}
	}
	if code, _, errs := sluice(t, "", "policy", "try", "-p", file, "--shell", "sh /w/a.sh", "--request", filepath.Join(dir, "a.request.json")); code != exitBlocked {
		t.Errorf("a single call with a request: exit code %d\n%s", code, errs)
	}
	for request, unseen := range map[string]bool{filepath.Join(dir, "a.request.json"): false, "": true} {
		args := []string{"policy", "try", "--shell", "sh /w/a.sh"}
		if request != "" {
			args = append(args, "--request", request)
		}
		if _, out, _ := sluice(t, "", args...); strings.Contains(out, "unseen") != unseen || strings.Contains(out, "→ delete /srv/data") == unseen {
			t.Errorf("with the request %q:\n%s", request, out)
		}
	}
}

// A check says what hosts make of what policies want.
func TestPolicyCheckSaysWhatHostsDo(t *testing.T) {
	file := write(t, "p.yaml", `policies:
  - {name: a, when: 'call.name == "x"', then: {block: feedback}}
  - {name: b, when: 'call.name == "x"', then: ask}
  - {name: c, when: 'call.name == "x"', then: block, on_unknown: ask}
  - {name: d, when: 'call.name == "x"', then: ask, mode: disabled}
`)
	_, out, _ := sluice(t, "", "policy", "check", file)
	for _, want := range []string{"so ask blocks there; the hook for Claude Code asks its user: b, c\n", "block: feedback acts as end_turn at the gateway, which does not ask the model again; agents do: a\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("want %q\n%s", want, out)
		}
	}
}
