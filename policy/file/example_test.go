package file_test

import (
	"context"
	"fmt"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

func Example() {
	loaded, err := file.Parse(file.Options{}, "policies.yaml", []byte(`
policies:
  - name: no-prod-kubectl
    when: call.commands.exists(c, c.is("kubectl") && c.flag("context").matches("prod"))
    then: block
    reason: Use --context staging, or open a PR in deploy/.
    examples:
      - {shell: "env X=1 kubectl --context=prod delete ns a", want: block}
      - {tool: Bash, arguments: {command: "kubectl get pods"}, want: allow}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	record := loaded.Set.Decide(context.Background(), nil, llm.Block{
		Kind: llm.ToolCall, ID: "1", Name: "Bash", Status: llm.Complete,
		Arguments: `{"command":"sudo kubectl --context prod-eu apply -f x.yaml"}`,
	}, policy.Options{})
	fmt.Println(record.Verdict.Policy, "says", record.Verdict.Action)
	fmt.Println(record.Verdict.Reason)
	// Output:
	// no-prod-kubectl says block end_turn
	// Use --context staging, or open a PR in deploy/.
}

// Every problem of a file is reported at once, with its position and what to do.
func ExampleProblems() {
	_, err := file.Parse(file.Options{}, "policies.yaml", []byte(`
policies:
  - name: no-push
    when: call.comands.exists(c, c.is("git") && c.sub == "push")
    then: blok
  - name: no-rm
    when: |
      call.commands.exists(c,
        c.is("rm") && c.arg == "-rf")
    then: block
    timeout: 5
`))
	fmt.Println(err)
	// Output:
	// policies.yaml:4:16: policy no-push: there is no field "comands": did you mean "commands"?
	// policies.yaml:5:11: policy no-push: then is "blok", which is not a valid value: did you mean block?
	// policies.yaml:9:25: policy no-rm: there is no field "arg": did you mean "args"?
	// policies.yaml:11:14: policy no-rm: timeout has no unit: write 5s for seconds
}
