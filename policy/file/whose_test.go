package file_test

import (
	"testing"

	"github.com/sluice-project/sluice/policy/file"
)

// Where it matters whose tool it is, a command in an example is one of a client's own shell.
// The tools that may be a server's are named by examples of their own.
func TestShellExamplesOfPoliciesOnToolsAreTheClientsOwn(t *testing.T) {
	t.Parallel()

	for _, policy := range []string{
		`when: 'call.server != "" && !(call.server in ["github"])', then: block, examples: [{shell: ls, want: allow}, {tool: mcp__evil__x, arguments: {}, want: block}, {tool: do_it, arguments: {command: ls}, want: block}]`,
		`tools: {allow: ["kind:shell"]}, then: block, examples: [{shell: ls, want: allow}, {tool: do_it, arguments: {command: ls}, want: block}, {tool: mcp__evil__x, arguments: {}, want: block}]`,
		`tools: {deny: [do_it]}, then: block, examples: [{shell: ls, want: allow}, {tool: do_it, arguments: {command: ls}, want: block}]`,
		`tools: {deny: ["kind:shell"]}, then: block, examples: [{shell: ls, want: block}]`,
	} {
		loaded := must(t, file.Options{}, `policies: [{preset: none}, {name: p, `+policy+`}]`)
		if !loaded.AsksWhose() {
			t.Errorf("%s: it does not matter whose tool it is", policy)
		}
	}
	if must(t, file.Options{}, `policies: [{preset: none}, {name: p, when: 'call.kind == "shell"', then: block, examples: [{shell: ls, want: block}]}]`).AsksWhose() {
		t.Error("it matters whose tool a policy on all shells is about")
	}
}
