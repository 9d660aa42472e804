package contradict_test

import (
	"fmt"

	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/sluicetest/contradict"
)

// An answer that is planned by hand: an item that begins as a harmless call and
// changes its name.
func Example() {
	plan := contradict.Plan{
		Dialect: sluicetest.Gemini,
		Blocks:  []contradict.Block{{Kind: contradict.ToolCall, Type: "functionCall", Number: 1}},
		Steps:   []contradict.Step{{Name: "call in snake case", Seed: 3}},
	}
	answer := plan.Answer()
	fmt.Println(answer.Applied, answer.Calls[0].Token, answer.Calls[0].Forbidden)
	// Output: [call in snake case] allowed-1 false
}
