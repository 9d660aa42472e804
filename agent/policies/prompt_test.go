package policies_test

import (
	"context"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/policy/secret"
)

// A custom file does not switch recommended off.
func TestAGuardOfOnePolicyStillHasTheUsualOnes(t *testing.T) {
	t.Parallel()
	ran := false
	tool := &agent.Tool{Name: "Bash", Run: func(context.Context, agent.Call) (agent.Output, error) {
		ran = true
		return agent.Output{}, nil
	}}
	guard, err := policies.Load("testdata/one.yaml")
	if err != nil {
		t.Fatal(err)
	}
	model := scripted.New(scripted.Round{scripted.Call("Bash", `{"command":"rm -rf ~"}`)}, scripted.Round{scripted.Text("ok")})
	client, err := agent.New(agent.Config{Model: model, Tools: []*agent.Tool{tool}, Advisors: []agent.Advisor{guard}})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range client.Run(t.Context(), &agent.Request{Text: "go"}).Events() {
		if err != nil {
			t.Fatal(err)
		}
	}
	if ran {
		t.Error("rm -rf ~ was run")
	}
}

// What the user says is redacted in every round, with the same result each time;
// secrets are restored where a file is written.
func TestPromptsOfAnAgentAreRedacted(t *testing.T) {
	t.Parallel()
	const token = "ghp_R7kQ2mXv9LtZ4pWn8YcB1sHj6Dg3EuA0oQiZ" // made up
	redactor := secret.NewRedactor([]byte("a key"))
	hidden, _ := redactor.Redact(token, nil)
	const source = `
policies:
  - {name: redact, applies_to: [prompt], find: {secret: true}, then: redact}
  - {name: restore, when: call.kind == "write", find: {placeholder: true}, then: restore, on_unknown: block}
`
	loaded, err := file.Parse(file.Options{Feedback: true, Redactor: func() (*secret.Redactor, error) { return redactor, nil }}, "p.yaml", []byte(source), "preset:none")
	if err != nil {
		t.Fatal(err)
	}
	records := 0
	guard, err := policies.New(policies.Config{Set: loaded.Set, Record: func(r *policy.Record) {
		if r.Kind == policy.Prompt {
			records++
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	var written []string
	tool := &agent.Tool{Name: "Write", Run: func(_ context.Context, c agent.Call) (agent.Output, error) {
		written = append(written, string(c.Arguments))
		return agent.Output{Text: "written"}, nil
	}}
	write := scripted.Call("Write", `{"file_path":"/repo/.env","content":"T=`+hidden+`"}`)
	model := scripted.New(scripted.Round{write}, scripted.Round{write}, scripted.Round{scripted.Text("ok")})
	client, err := agent.New(agent.Config{Model: model, System: "the key is " + token, Tools: []*agent.Tool{tool}, Advisors: []agent.Advisor{guard}})
	if err != nil {
		t.Fatal(err)
	}
	run := client.Run(t.Context(), &agent.Request{Text: "write " + token})
	for _, err := range run.Events() {
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(written) != 2 || !strings.Contains(written[0], "T="+token) || written[1] != written[0] {
		t.Errorf("what is written is %q", written)
	}
	said := func(r *llm.Request) string {
		var b strings.Builder
		for _, m := range append([]llm.Message{{Blocks: r.System}}, r.Messages...) {
			for _, block := range m.Blocks {
				b.WriteString(block.Text + block.Arguments + "\n")
			}
		}
		return b.String()
	}
	requests := model.Requests()
	for i, r := range requests {
		text := said(r)
		if strings.Contains(text, token) || !strings.Contains(text, "the key is "+hidden) || !strings.Contains(text, "write "+hidden) {
			t.Errorf("the model is told %s", text)
		}
		if i > 0 && !strings.HasPrefix(text, strings.TrimSuffix(said(requests[i-1]), "\n")) {
			t.Errorf("round %d begins otherwise than the one before:\n%s", i, text)
		}
	}
	if len(requests) != 3 || records != 3 { // the system's text, the user's, and the call, each once
		t.Errorf("%d requests, %d records", len(requests), records)
	}
}
