package sqlite_test

import (
	"context"
	"fmt"

	"github.com/sluice-project/sluice/agent/memory/sqlite"
	"github.com/sluice-project/sluice/llm"
)

func Example() {
	ctx := context.Background()
	repo, err := sqlite.Open(ctx, ":memory:") // or the path of a file
	if err != nil {
		fmt.Println(err)
		return
	}
	defer repo.Close()

	version, err := repo.Append(ctx, "anna", 0, []llm.Message{
		{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: "My name is Anna."}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	// Somebody who does not know of it writes nothing.
	_, err = repo.Append(ctx, "anna", version-1, nil)
	fmt.Println(err != nil)
	conversation, err := repo.Load(ctx, "anna")
	fmt.Println(conversation.Messages[0].Blocks[0].Text, err)
	// Output:
	// true
	// My name is Anna. <nil>
}
