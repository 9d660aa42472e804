package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/model/scripted"
)

// The text of the answer, piece by piece.
func ExampleRun_Text() {
	client, err := agent.New(agent.Config{Model: scripted.New(scripted.Round{scripted.Text("Rayleigh scattering, mostly.")})})
	if err != nil {
		fmt.Println(err)
		return
	}
	run := client.Run(context.Background(), &agent.Request{Text: "Why is the sky blue?"})
	for text, err := range run.Text() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(text)
	}
	fmt.Println("\nended:", run.Result().Reason)
	// Output:
	// Rayleigh scattering, mostly.
	// ended: done
}

// Errors are reported to the model; Fatal stops the run.
func ExampleFatal() {
	full := errors.New("the disk is full")
	save := agent.NewTool("save", "Saves a note.", func(_ context.Context, _ struct {
		Note string `json:"note"`
	}) (string, error) {
		return "", agent.Fatal(full)
	})
	m := scripted.New(scripted.Round{scripted.Call("save", `{"note":"milk"}`)})
	client, err := agent.New(agent.Config{Model: m, Tools: []*agent.Tool{save}})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := client.Call(context.Background(), &agent.Request{Text: "Note: milk."})
	fmt.Println(err)
	fmt.Println(errors.Is(err, full), result.Reason)
	// Output:
	// agent: tool save stopped the run: the disk is full
	// true failed
}

// A tool asks a person. The run ends with a state, and goes on with the answer: here
// at once, and as well next week in another process.
func ExampleInterrupt() {
	ctx := context.Background()
	deploy := &agent.Tool{Name: "deploy", Description: "Deploys the service.", Run: func(_ context.Context, call agent.Call) (agent.Output, error) {
		if call.Answer == nil {
			return agent.Output{}, agent.Interrupt("Deploy to production?")
		}
		return agent.Output{Text: "the person said " + string(call.Answer)}, nil
	}}
	m := scripted.New(scripted.Round{scripted.Call("deploy", `{}`)}, scripted.Round{scripted.Text("It is deployed.")})
	client, err := agent.New(agent.Config{Model: m, Tools: []*agent.Tool{deploy}})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := client.Call(ctx, &agent.Request{Text: "Deploy it."})
	if err != nil {
		fmt.Println(err)
		return
	}
	key := []byte("a secret of at least thirty-two bytes")
	stored, err := result.State.Sign(key)
	if err != nil {
		fmt.Println(err)
		return
	}

	state, err := agent.ReadState(stored, key)
	if err != nil {
		fmt.Println(err)
		return
	}
	answers := agent.Answers{}
	for _, p := range state.Pending {
		fmt.Println(p.Name, "asks", string(p.Question))
		answers[p.ID] = json.RawMessage(`"yes"`)
	}
	for text, err := range client.Resume(ctx, state, answers, nil).Text() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(text)
	}
	// Output:
	// deploy asks "Deploy to production?"
	// It is deployed.
}

// A memory between advisors that are put together by hand.
func ExampleNewMemory() {
	conversations, err := memory.New(memory.NewInMemory(), memory.Options{Window: memory.Messages(40)})
	if err != nil {
		fmt.Println(err)
		return
	}
	remember, err := agent.NewMemory(conversations, agent.MemoryConfig{Serialise: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	m := scripted.New(scripted.Round{scripted.Text("Hello Ada!")}, scripted.Round{scripted.Text("You are Ada.")})
	client, err := agent.NewClient(m, remember)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, question := range []string{"I am Ada.", "Who am I?"} {
		if _, err := client.Call(context.Background(), &agent.Request{Conversation: "ada", Text: question}); err != nil {
			fmt.Println(err)
			return
		}
	}
	for _, message := range m.Requests()[1].Messages {
		fmt.Printf("%s: %s\n", message.Role, message.Blocks[0].Text)
	}
	// Output:
	// user: I am Ada.
	// assistant: Hello Ada!
	// user: Who am I?
}

// An advisor that tells the model something in every round.
func ExampleAdvisorFunc() {
	brief := agent.AdvisorFunc("brief", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
		req = req.Clone()
		req.System += "\nAnswer in one sentence."
		return next(ctx, req)
	})
	m := scripted.New(scripted.Round{scripted.Text("Because.")})
	client, err := agent.New(agent.Config{Model: m, System: "You explain things.", Advisors: []agent.Advisor{brief}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := client.Call(context.Background(), &agent.Request{Text: "Why?"}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Requests()[0].System[0].Text)
	// Output:
	// You explain things.
	// Answer in one sentence.
}

// A model that does not come to an end is stopped, with a result.
func ExampleLimits() {
	look := agent.NewTool("look", "Looks again.", func(context.Context, struct{}) (string, error) { return "nothing new", nil })
	m := scripted.New(
		scripted.Round{scripted.Call("look", `{}`)},
		scripted.Round{scripted.Call("look", `{}`)},
		scripted.Round{scripted.Call("look", `{}`)},
	)
	client, err := agent.New(agent.Config{
		Model: m, Tools: []*agent.Tool{look},
		Loop: agent.LoopConfig{Limits: agent.Limits{Identical: 2}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := client.Call(context.Background(), &agent.Request{Text: "Is there news?"})
	fmt.Println(result.Reason, err)
	fmt.Println(result.Limit)
	// Output:
	// limit_identical <nil>
	// look was called with the same arguments 2 times
}
