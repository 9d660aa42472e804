package policies_test

import (
	"context"
	"fmt"
	"log"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/model/scripted"
)

func Example() {
	guard, err := policies.Load("testdata/policies.yaml")
	if err != nil {
		log.Fatal(err)
	}
	shell := &agent.Tool{Name: "Bash", Run: func(_ context.Context, c agent.Call) (agent.Output, error) {
		return agent.Output{Text: "ran " + string(c.Arguments)}, nil
	}}
	client, err := agent.New(agent.Config{
		Model: scripted.New(
			scripted.Round{scripted.Text("I restart it."), scripted.Call("Bash", `{"command":"kubectl --context=prod rollout restart deploy/shop"}`)},
			scripted.Round{scripted.Text("Then in staging, with the key sk-1234567890."), scripted.Call("Bash", `{"command":"kubectl --context=staging rollout restart deploy/shop"}`)},
			scripted.Round{scripted.Text("Done.")},
		),
		Tools:    []*agent.Tool{shell},
		Advisors: []agent.Advisor{guard},
		Loop:     agent.LoopConfig{Stream: agent.All},
	})
	if err != nil {
		log.Fatal(err)
	}
	run := client.Run(context.Background(), &agent.Request{Text: "Restart the shop."})
	line := ""
	for ev, err := range run.Events() {
		if err != nil {
			log.Fatal(err)
		}
		switch ev.Type {
		case agent.EventText:
			line += ev.Text
		case agent.EventToolResult:
			fmt.Println("  result:", ev.Result.Text)
		case agent.EventRoundEnd:
			fmt.Println(line)
			line = ""
		default:
		}
	}
	// Output:
	// I restart it.
	//   result: Sluice denied this tool call before it ran (apply restart deploy/shop): Use --context staging, or open a PR in deploy/ (policy no-prod-kubectl). Do not repeat it; choose another way or ask the user.
	// Then in staging, with the key [key].
	//   result: ran {"command":"kubectl --context=staging rollout restart deploy/shop"}
	// Done.
}
