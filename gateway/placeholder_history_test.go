package gateway_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/wire"
)

// A secret that was put back for a tool is in the history that the client sends from
// then on. The provider, which was not shown it in the result, is not shown it there.
func TestSecretsInCallsOfTheHistoryAreConcealed(t *testing.T) {
	t.Parallel()
	const token = "ghp_R7kQ2mXv9LtZ4pWn8YcB1sHj6Dg3EuA0oQiZ" // made up
	call := map[wire.Format]string{
		wire.Gemini:          `{"role":"model","parts":[{"functionCall":{"name":"NAME","args":{"content":"SAID"}}}]},{"role":"user","parts":[{"functionResponse":{"name":"NAME","response":{"output":"BACK"}}}]}`,
		wire.Anthropic:       `{"role":"assistant","content":[{"type":"tool_use","id":"ID","name":"NAME","input":{"content":"SAID"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"ID","content":"BACK"}]}`,
		wire.OpenAIResponses: `{"type":"function_call","call_id":"ID","name":"NAME","arguments":"{\"content\":\"SAID\"}"},{"type":"function_call_output","call_id":"ID","output":"BACK"}`,
		wire.OpenAIChat:      `{"role":"assistant","tool_calls":[{"id":"ID","type":"function","function":{"name":"NAME","arguments":"{\"content\":\"SAID\"}"}}]},{"role":"tool","tool_call_id":"ID","content":"BACK"}`,
	}
	for _, format := range wire.Formats() {
		turn := func(id, name, said, back string) string {
			return strings.NewReplacer("ID", id, "NAME", name, "SAID", said, "BACK", back).Replace(call[format])
		}
		b := newBench(t, nil, reply(format, true, said("ok")))
		read, write := turn("a", "Read", "x", "TOKEN="+token), turn("b", "Write", "T="+token, "written")
		if got := b.do(http.MethodPost, target(format, true), nil, inHistory(format, read+","+write)); got.status != http.StatusOK {
			t.Fatalf("%s: status %d %s", format, got.status, got.body)
		}
		if sent := string(b.lastAsked().Body); strings.Contains(sent, token) || strings.Count(sent, "[secret:") != 2 {
			t.Errorf("%s: the provider gets %s", format, sent)
		}
		// What no result has is what the model or the user has said.
		own := inHistory(format, turn("a", "Read", "x", "nothing")+","+write)
		if got := b.do(http.MethodPost, target(format, true), nil, own); got.status != http.StatusOK || !bytes.Equal(b.lastAsked().Body, own) {
			t.Errorf("%s: the provider gets %s", format, b.lastAsked().Body)
		}
	}
}

// A policy in shadow mode has put nothing into calls, and takes nothing out of them.
func TestShadowConcealsNothing(t *testing.T) {
	t.Parallel()
	const token = "ghp_R7kQ2mXv9LtZ4pWn8YcB1sHj6Dg3EuA0oQiZ" // made up
	rules := `preset: none
policies:
  - {name: redact, applies_to: [tool_result], find: {secret: true}, then: redact}
  - {name: restore, mode: MODE, when: call.kind == "write", find: {placeholder: true}, then: restore, on_unknown: block}
`
	body := inHistory(wire.Anthropic, `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Write","input":{"content":"`+token+`"}}]},`+
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"TOKEN=`+token+`"}]}`)
	for mode, left := range map[string]int{"shadow": 1, "enforce": 0} {
		b := newBench(t, func(c *gateway.Config) { c.Policies = policies(t, strings.ReplaceAll(rules, "MODE", mode)) }, reply(wire.Anthropic, true, said("ok")))
		if got := b.do(http.MethodPost, target(wire.Anthropic, true), nil, body); got.status != http.StatusOK {
			t.Fatalf("status %d %s", got.status, got.body)
		}
		if sent := string(b.lastAsked().Body); strings.Count(sent, token) != left {
			t.Errorf("%s: the provider gets %s", mode, sent)
		}
	}
}

// Where a policy about prompts changes the same text of a call, both changes are made.
func TestConcealedCallsAreJudgedAsPromptsToo(t *testing.T) {
	t.Parallel()
	const token = "ghp_R7kQ2mXv9LtZ4pWn8YcB1sHj6Dg3EuA0oQiZ" // made up
	rules := `preset: none
policies:
  - {name: redact, applies_to: [tool_result], find: {secret: true}, then: redact}
  - {name: restore, when: call.kind == "write", find: {placeholder: true}, then: restore, on_unknown: block}
  - {name: people, applies_to: [prompt], find: {pattern: '[a-z]+@example\.com'}, then: {redact: "[person]"}}
`
	body := inHistory(wire.Anthropic, `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Write","input":{"content":"ada@example.com has `+token+`","path":"`+token+`"}}]},`+
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"TOKEN=`+token+`"}]}`)
	b := newBench(t, func(c *gateway.Config) { c.Policies = policies(t, rules) }, reply(wire.Anthropic, true, said("ok")))
	if got := b.do(http.MethodPost, target(wire.Anthropic, true), nil, body); got.status != http.StatusOK {
		t.Fatalf("status %d %s", got.status, got.body)
	}
	sent := string(b.lastAsked().Body)
	if strings.Contains(sent, token) || !strings.Contains(sent, `"content":"[person] has [secret:`) || strings.Count(sent, "[secret:") != 3 {
		t.Errorf("the provider gets %s", sent)
	}
}
