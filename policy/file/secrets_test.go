package file_test

import (
	"context"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

// A secret is found in the short arguments of a call, however it is spelled there.
func TestSecretsAreFoundInShortArguments(t *testing.T) {
	t.Parallel()
	loaded, err := file.Load(file.Options{}, "preset:recommended")
	if err != nil {
		t.Fatal(err)
	}
	const token = "ghp_R7kQ2mXv9LtZ4pWn8YcB1sHj6Dg3EuA0oQiZ" // made up
	var escaped strings.Builder
	for _, c := range []byte(token) {
		const digits = "0123456789abcdef"
		escaped.WriteString(`\u00` + string(digits[c>>4]) + string(digits[c&15]))
	}
	for text, want := range map[string]bool{"echo " + token: true, "echo " + escaped.String(): true, "ls -la src": false} {
		block := llm.Block{Kind: llm.ToolCall, ID: "call_1", Name: "Bash", Arguments: `{"command":"` + text + `"}`, Status: llm.Complete}
		got := loaded.Set.Decide(context.Background(), nil, block, policy.Options{})
		if found := got.Verdict.Policy == "noted-secrets"; found != want || !got.Delivered {
			t.Errorf("%s: a secret is found: %v; %+v", text, found, got.Verdict)
		}
	}
}
