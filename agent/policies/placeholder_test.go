package policies_test

import (
	"context"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/policy/secret"
)

const keepsSecrets = `
policies:
  - {name: redact, applies_to: [tool_result], find: {secret: true}, then: redact}
  - {name: restore, when: call.kind == "write", find: {placeholder: true}, then: restore, on_unknown: block}
`

const token = "ghp_R7kQ2mXv9LtZ4pWn8YcB1sHj6Dg3EuA0oQiZ" // made up

// keeper is a guard that keeps secrets, and its placeholder of the token.
func keeper(t *testing.T) (guard *policies.Guard, placeholder string) {
	t.Helper()
	redactor := secret.NewRedactor([]byte("a key"))
	loaded, err := file.Parse(file.Options{Feedback: true, Redactor: func() (*secret.Redactor, error) { return redactor, nil }}, "keeps.yaml", []byte(keepsSecrets), "preset:none")
	if err != nil {
		t.Fatal(err)
	}
	guard, err = policies.New(policies.Config{Set: loaded.Set})
	if err != nil {
		t.Fatal(err)
	}
	placeholder, _ = redactor.Redact(token, nil)
	return guard, placeholder
}

// One guard serves many users. A secret is put back in the run whose tool returned
// it, in every later round, and in no other run.
func TestASecretIsPutBackInItsOwnRunOnly(t *testing.T) {
	t.Parallel()
	guard, placeholder := keeper(t)
	write := scripted.Call("Write", `{"file_path":"/repo/.env","content":"T=`+placeholder+`"}`)
	// run is a conversation in which the tool Read returns something.
	run := func(returned string, said []llm.Message, rounds ...scripted.Round) (written []string, asked []*llm.Request) {
		tool := func(name string) *agent.Tool {
			return &agent.Tool{Name: name, Run: func(_ context.Context, c agent.Call) (agent.Output, error) {
				if name == "Write" {
					written = append(written, string(c.Arguments))
				}
				return agent.Output{Text: returned}, nil
			}}
		}
		model := scripted.New(rounds...)
		client, err := agent.New(agent.Config{Model: model, Tools: []*agent.Tool{tool("Read"), tool("Write")}, Advisors: []agent.Advisor{guard}})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range client.Run(t.Context(), &agent.Request{Text: "go on " + placeholder, Messages: said}).Events() {
			if err != nil {
				t.Fatal(err)
			}
		}
		return written, model.Requests()
	}
	read, done := scripted.Call("Read", `{"file_path":"/repo/a"}`), scripted.Round{scripted.Text("ok")}

	written, asked := run("TOKEN="+token, nil, scripted.Round{read}, scripted.Round{write}, scripted.Round{write}, done)
	if len(written) != 2 || !strings.Contains(written[0], "T="+token) || written[1] != written[0] {
		t.Errorf("the owner's run writes %q", written)
	}
	for _, request := range asked {
		for _, m := range request.Messages {
			for _, b := range m.Blocks {
				if b.Kind == llm.ToolResult && strings.Contains(b.Text, token) {
					t.Errorf("the model gets %q", b.Text)
				}
			}
		}
	}
	if written, _ := run("TOKEN="+placeholder, nil, scripted.Round{read}, scripted.Round{write}, done); len(written) != 0 {
		t.Errorf("another run writes %q", written)
	}
	// A run that goes on from a history has what that history holds.
	history := []llm.Message{
		{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: "read it"}}},
		{Role: llm.Assistant, Blocks: []llm.Block{{Kind: llm.ToolCall, ID: "call_1", Name: "Read", Arguments: "{}", Status: llm.Complete}}},
		{Role: llm.ToolRole, Blocks: []llm.Block{{Kind: llm.ToolResult, ToolUseID: "call_1", Text: "TOKEN=" + token}}},
		{Role: llm.Assistant, Blocks: []llm.Block{{Kind: llm.Content, Text: "it is " + placeholder}}},
	}
	if written, _ := run("nothing", history, scripted.Round{write}, done); len(written) != 1 || !strings.Contains(written[0], "T="+token) {
		t.Errorf("a run that goes on writes %q", written)
	}
}
