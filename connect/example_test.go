package connect_test

import (
	"fmt"

	"github.com/sluice-project/sluice/connect"
)

// A user who runs Codex through a gateway of their own machine.
func Example() {
	codex, _ := connect.Find("codex")
	launch, err := connect.Prepare(codex, connect.Options{
		BaseURL: "http://127.0.0.1:8484",
		Env:     []string{"HOME=/home/ada", "PATH=/usr/bin"},
		Args:    []string{"exec", "tidy up"},
		Dir:     "/",
		Root:    "/nowhere",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, arg := range launch.Args {
		fmt.Println(arg)
	}
	// Output:
	// -c
	// openai_base_url="http://127.0.0.1:8484/v1"
	// -c
	// features.enable_request_compression=false
	// exec
	// tidy up
}

func ExampleSettings() {
	claude, _ := connect.Find("claude")
	settings, _ := connect.Settings(claude, connect.Options{BaseURL: "http://127.0.0.1:8484"}, true)
	fmt.Println(settings[0].Places[0].Path)
	fmt.Print(settings[0].Content)
	// Output:
	// /etc/claude-code/managed-settings.json
	// {
	//   "env": {
	//     "ANTHROPIC_BASE_URL": "http://127.0.0.1:8484",
	//     "_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL": "1"
	//   }
	// }
}
