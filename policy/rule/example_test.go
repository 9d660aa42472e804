package rule_test

import (
	"fmt"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

func Example() {
	program, err := rule.Compile(
		`call.commands.exists(c, c.is("kubectl") && c.flag("context") in params.protected)`,
		rule.Options{Params: map[string]any{"protected": []string{"prod", "prod-eu"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, command := range []string{
		"kubectl --context=staging get pods",
		"env DEBUG=1 kubectl --context prod delete ns shop",
		"$TOOL get pods",
	} {
		call := llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: fmt.Sprintf(`{"command": %q}`, command)}
		outcome, unknown, _ := program.Match(policy.NewSubject(nil, call))
		fmt.Printf("%s %q\n", outcome, unknown)
	}
	// Output:
	// false ""
	// true ""
	// unknown "call.commands"
}

func ExampleCompile_refused() {
	for _, source := range []string{
		`call.comands.size() > 3`,
		`call.kind == "bash"`,
		`text.contains("password")`,
	} {
		_, err := rule.Compile(source, rule.Options{})
		fmt.Println(err)
	}
	// Output:
	// 1:6: there is no field "comands" (did you mean "commands"?)
	// 1:14: there is no kind of call "bash" (did you mean "shell"? use one of shell, read, write, edit, fetch, mcp, task, other)
	// 1:1: text is only known for content, thinking, refusal, tool_result or prompt, and the policy applies to tool_call (use call, or add content, thinking, refusal, tool_result or prompt to what the policy applies to)
}

func ExampleCompileValue() {
	program, err := rule.CompileValue(`call.args.command + " --dry-run"`, rule.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	call := llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: `{"command": "terraform apply"}`}
	value, err := program.Value(policy.NewSubject(nil, call))
	fmt.Println(value, err)
	// Output: terraform apply --dry-run <nil>
}
