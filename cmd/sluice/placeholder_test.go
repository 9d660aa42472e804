package main

import (
	"strings"
	"testing"
)

// Hosts that see a call without the conversation know no secrets: a placeholder
// stays what it is, and the call is blocked.
func TestPlaceholdersWithoutAConversationAreNotPutBack(t *testing.T) {
	const input = `{"file_path":"/repo/.env","content":"T=[secret:github-token:5f0c9a3d11e2b7c4]"}`
	const reason = "does not belong to a secret of this conversation"
	code, out, stderr := sluice(t, preToolUseInput("Write", input), "hook", "claude-code")
	if code != 0 || stderr != "" || !strings.Contains(out, `"permissionDecision":"deny"`) || !strings.Contains(out, reason) {
		t.Errorf("the hook: exit code %d, %s%s", code, out, stderr)
	}
	code, out, stderr = sluice(t, "", "policy", "try", "--tool", "Write", "--arguments", input)
	if code != 3 || stderr != "" || !strings.Contains(out, reason) {
		t.Errorf("a call that is tried: exit code %d, %s%s", code, out, stderr)
	}
	answer := strings.ReplaceAll(chatCall("x"), `"bash"`, `"Write"`)
	answer = strings.ReplaceAll(answer, `"{\"command\":\"x\"}"`, `"`+strings.ReplaceAll(input, `"`, `\"`)+`"`)
	code, out, stderr = sluice(t, answer, "policy", "try", "-")
	if code != 3 || stderr != "" || !strings.Contains(out, reason) {
		t.Errorf("a recorded answer that is tried: exit code %d, %s%s", code, out, stderr)
	}
}
