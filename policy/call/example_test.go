package call_test

import (
	"fmt"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/call"
)

func ExampleRead() {
	at := call.Place{Cwd: "/srv/app"}
	for _, b := range []llm.Block{
		{Kind: llm.ToolCall, Type: "tool_use", Name: "Bash", Arguments: `{"command": "sudo rm -rf build ~/.cache"}`},
		{Kind: llm.ToolCall, Type: "custom_tool_call", Name: "exec", Arguments: `await tools.exec_command({cmd: "rm -rf build ~/.cache"})`},
		{Kind: llm.ToolCall, Type: "tool_use", Name: "Bash", Arguments: `{"command": "rm -rf $DIR"}`},
	} {
		c := call.Read(&b, at)
		fmt.Println(c.Kind, c.Commands[0].Name, c.Writes, c.Incomplete.Writes)
	}
	// Output:
	// shell rm [/srv/app/build ~/.cache] false
	// shell rm [/srv/app/build ~/.cache] false
	// shell rm [$DIR] true
}
