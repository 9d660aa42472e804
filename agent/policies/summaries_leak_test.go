package policies_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/model/scripted"
)

// A secret that the guard redacts in results is nowhere in what models are sent: not
// in a result, not in a call into whose arguments it was put back for the tool, not in
// what that tool said of it, and not in a summary of all that.
func TestASecretIsInNoRequest(t *testing.T) {
	t.Parallel()
	guard, placeholder := keeper(t)
	small := scripted.New(slices.Repeat([]scripted.Round{{scripted.Text("A token was read and written.")}}, 20)...)
	guarded, err := agent.NewClient(small, guard)
	if err != nil {
		t.Fatal(err)
	}
	conversations, err := memory.New(memory.NewInMemory(), memory.Options{
		Window: memory.Summarise(guarded.Model(), 4, memory.SummaryOptions{Keep: 3, Input: 200}),
	})
	if err != nil {
		t.Fatal(err)
	}
	var written []string
	main := scripted.New(
		scripted.Round{scripted.Call("Read", `{"file_path":"/repo/a"}`)},
		scripted.Round{scripted.Text("Writing."), scripted.Call("Write", `{"file_path":"/repo/.env","content":"T=`+placeholder+`"}`)},
		scripted.Round{scripted.Text("Done with " + placeholder)},
		scripted.Round{scripted.Text("You are welcome.")},
		scripted.Round{scripted.Text("Bye.")},
	)
	tool := func(name string) *agent.Tool {
		return &agent.Tool{Name: name, Run: func(_ context.Context, c agent.Call) (agent.Output, error) {
			if name == "Write" {
				written = append(written, string(c.Arguments))
				return agent.Output{Text: "wrote " + string(c.Arguments)}, nil
			}
			return agent.Output{Text: "TOKEN=" + token}, nil
		}}
	}
	client, err := agent.New(agent.Config{Model: main, Tools: []*agent.Tool{tool("Read"), tool("Write")}, Memory: conversations, Advisors: []agent.Advisor{guard}})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"Copy the token.", "Thanks!", "Bye!"} {
		if _, err := client.Call(t.Context(), &agent.Request{Conversation: "ada", Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	if len(written) != 1 || !strings.Contains(written[0], token) {
		t.Errorf("the tool gets %q", written)
	}
	for name, model := range map[string]*scripted.Model{"the model": main, "the model of the summaries": small} {
		if len(model.Requests()) < 2 {
			t.Errorf("%s is asked %d times", name, len(model.Requests()))
		}
		for i, request := range model.Requests() {
			raw, err := json.Marshal(request) //nolint:musttag // whatever its form
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(raw), token) {
				t.Errorf("%s gets the secret in request %d: %s", name, i, raw)
			}
		}
	}
}
