package llm_test

import (
	"errors"
	"fmt"

	"github.com/sluice-project/sluice/llm"
)

func ExampleParseArguments() {
	call := llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: `{"command": "ls"}`}
	view, err := llm.ParseArguments(call.Arguments)
	fmt.Println(view["command"], err)

	// Two readers of this call could see two different commands.
	_, err = llm.ParseArguments(`{"command": "ls", "command": "rm -rf /"}`)
	fmt.Println(errors.Is(err, llm.ErrArgumentsDuplicateKeys))
	// Output:
	// ls <nil>
	// true
}
