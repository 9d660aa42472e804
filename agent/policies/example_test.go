package policies_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
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

// A file with a judge needs a model, and conditions on places need to know where the agent
// works.
func ExampleConfig_Load() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	file := filepath.Join(dir, "policies.yaml")
	err = os.WriteFile(file, []byte(`preset: none
policies:
  - name: prices
    when: call.effects.exists(e, e.verb == "write" && e.within(["./prices"]))
    judge: {model: small, instructions: Block what lowers a price.}
    then: block
`), 0o600)
	if err != nil {
		log.Fatal(err)
	}
	if _, err = policies.Load(file); err != nil {
		_, text, _ := strings.Cut(err.Error(), "policies.yaml:")
		fmt.Println(text)
	}
	guard, err := policies.Config{
		Session: policy.Session{Cwd: "/srv/shop"},
		Models:  func(name string) (model.Model, error) { fmt.Println("the judge is", name); return scripted.New(), nil },
	}.Load(file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the advisor is", guard.Name())
	if err = os.RemoveAll(dir); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 5:5: policy prices: a judge needs a model, and no models are set up here: set one up (in Go with Models of policies.Config or file.Options), or use on_unknown with ask, block or allow instead of a judge
	// the judge is small
	// the advisor is policies
}
