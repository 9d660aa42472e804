package agent_test

import (
	"context"
	"fmt"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/agent/memory/sqlite"
	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
)

type order struct {
	ID    string  `json:"id"    jsonschema:"the number on the receipt"`
	Euros float64 `json:"euros"`
}

// support answers a customer: a model with a tool, a memory in SQLite and policies
// of a file, and all that happens as it comes.
func support(m model.Model, customer, question string) error {
	ctx := context.Background()
	refund := agent.NewTool("refund", "Pays money back for an order.", func(_ context.Context, o order) (string, error) {
		return fmt.Sprintf("%.2f euros are on their way", o.Euros), nil
	})
	repo, err := sqlite.Open(ctx, ":memory:") // or a file
	if err != nil {
		return err
	}
	defer repo.Close()
	conversations, err := memory.New(repo, memory.Options{})
	if err != nil {
		return err
	}
	guard, err := policies.Load("testdata/refunds.yaml")
	if err != nil {
		return err
	}
	client, err := agent.New(agent.Config{
		Model: m, Tools: []*agent.Tool{refund}, Memory: conversations, Advisors: []agent.Advisor{guard},
		Loop: agent.LoopConfig{Stream: agent.All},
	})
	if err != nil {
		return err
	}
	for ev, err := range client.Run(ctx, &agent.Request{Conversation: customer, Text: question}).Events() {
		switch {
		case err != nil:
			return err
		case ev.Type == agent.EventText:
			fmt.Print(ev.Text)
		case ev.Type == agent.EventToolResult:
			fmt.Printf("\n[%s %s] %s\n", ev.Name, ev.Call.Arguments, ev.Text)
		}
	}
	return nil
}

// A model, a tool, a memory, policies, and a streamed answer. The model follows a
// script here; model.New makes one that is asked over the network.
func Example() {
	m := scripted.New(
		scripted.Round{scripted.Text("I look into it."), scripted.Call("refund", `{"id":"A-17","euros":900}`)},
		scripted.Round{scripted.Text("Then the part that I may."), scripted.Call("refund", `{"id":"A-17","euros":90}`)},
		scripted.Round{scripted.Text("90 euros come now. A colleague will see to the rest.")},
	)
	if err := support(m, "ada", "Please refund order A-17, 900 euros."); err != nil {
		fmt.Println(err)
	}
	// Output:
	// I look into it.
	// [refund {"id":"A-17","euros":900}] Sluice denied this tool call before it ran: Refunds of more than 100 euros are made by a person (policy small-refunds). Do not repeat it; choose another way or ask the user.
	// Then the part that I may.
	// [refund {"id":"A-17","euros":90}] 90.00 euros are on their way
	// 90 euros come now. A colleague will see to the rest.
}
