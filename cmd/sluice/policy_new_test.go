package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A new policy file passes the check, blocks what it says, and is never written
// over another.
func TestPolicyNew(t *testing.T) {
	t.Parallel()

	name := filepath.Join(t.TempDir(), "mine.yaml")
	for name, want := range map[string][]string{
		"how": {"Members of effect", "the program or tool that does it"}, "e.how": {"Members of effect"}, "call.name": {"Members of call"},
		"name": {"Members of call", "Members of command", "Members of key", "Keys of a policy"},
	} {
		code, out, stderr := sluice(t, "", "policy", "reference", name)
		for _, text := range want {
			if code != exitOK || !strings.Contains(out, text) {
				t.Errorf("%s: exit %d: %s%s, want %q", name, code, out, stderr, text)
			}
		}
	}
	if code, _, stderr := sluice(t, "", "policy", "new", name); code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if code, out, stderr := sluice(t, "", "policy", "check", name); code != exitOK || strings.Contains(out, "warning") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
	if code, out, _ := sluice(t, "", "policy", "try", "--policies", filepath.Dir(name), "--shell", "rm -rf /"); code != exitBlocked || !strings.Contains(out, `e.object = "/"`) {
		t.Errorf("exit %d: %s", code, out)
	}
	if err := os.WriteFile(name, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := sluice(t, "", "policy", "new", name)
	if data, _ := os.ReadFile(name); code == exitOK || string(data) != "mine" || !strings.Contains(stderr, "already exists") {
		t.Errorf("exit %d, the file has %q: %s", code, data, stderr)
	}
}

func TestPolicyReference(t *testing.T) {
	t.Parallel()

	for topic, want := range map[string]string{"verbs": "force-push", "effect": "e.object", "then": "{block: feedback}", "hook": "understood", "": "on_unknown"} {
		args := []string{"policy", "reference"}
		if topic != "" {
			args = append(args, topic)
		}
		if code, out, stderr := sluice(t, "", args...); code != exitOK || !strings.Contains(out, want) {
			t.Errorf("%v: exit %d: %s%s", args, code, out, stderr)
		}
	}
	for name, want := range map[string][]string{
		"how": {"Members of effect", "the program or tool that does it"}, "e.how": {"Members of effect"}, "call.name": {"Members of call"},
		"name": {"Members of call", "Members of command", "Members of key", "Keys of a policy"},
	} {
		code, out, stderr := sluice(t, "", "policy", "reference", name)
		for _, text := range want {
			if code != exitOK || !strings.Contains(out, text) {
				t.Errorf("%s: exit %d: %s%s, want %q", name, code, out, stderr, text)
			}
		}
	}
	if code, _, stderr := sluice(t, "", "policy", "reference", "verbz"); code != exitUnreadable || !strings.Contains(stderr, "did you mean verbs?") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
