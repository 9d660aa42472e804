package decisions_test

import (
	"context"
	"fmt"

	"github.com/sluice-project/sluice/policy/internal/decisions"
)

func ExampleAsker() {
	asker := decisions.NewAsker[string](decisions.Config{})
	key := decisions.KeyOf("v1", "may-it-pass", `{"command":"ls"}`)
	for range 2 {
		answer, err := asker.Ask(context.Background(), key, func(context.Context) (string, error) {
			fmt.Println("asking")
			return "yes", nil
		})
		fmt.Println(answer.Value, answer.Source == decisions.Remembered, err)
	}
	// Output:
	// asking
	// yes false <nil>
	// yes true <nil>
}
