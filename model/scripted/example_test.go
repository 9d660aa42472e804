package scripted_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/wire"
)

// A model for a tool loop: it calls a tool, sees the result and answers.
func Example() {
	m := scripted.New(
		scripted.Round{scripted.Text("Let me look."), scripted.Call("list", `{"path":"."}`)},
		scripted.Round{scripted.Text("There are three files."), scripted.Usage(20, 6)},
	)
	req := &llm.Request{Messages: []llm.Message{{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: "How many files?"}}}}}
	for {
		answer, err := model.Collect(context.Background(), m, req)
		if err != nil {
			fmt.Println(err)
			return
		}
		said := llm.Message{Role: llm.Assistant, Blocks: answer.Choices[0].Blocks}
		results := llm.Message{Role: llm.ToolRole}
		for _, b := range said.Blocks {
			fmt.Println(b.Kind, b.Name, b.Text+b.Arguments)
			if b.Kind == llm.ToolCall {
				results.Blocks = append(results.Blocks, llm.Block{Kind: llm.ToolResult, ToolUseID: b.ID, Text: "a b c"})
			}
		}
		if len(results.Blocks) == 0 {
			return
		}
		req.Messages = append(req.Messages, said, results)
	}
	// Output:
	// content  Let me look.
	// tool_call list {"path":"."}
	// content  There are three files.
}

// The same script behind HTTP, for programs that know nothing of Sluice.
func ExampleModel_Handler() {
	script := scripted.New(scripted.Round{scripted.Text("Hello from a server.")})
	server := httptest.NewServer(script.Handler(wire.Anthropic))
	defer server.Close()

	m, err := model.New(model.Config{Format: wire.Anthropic, BaseURL: server.URL, Model: "claude"})
	if err != nil {
		fmt.Println(err)
		return
	}
	req := &llm.Request{Messages: []llm.Message{{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: "Hi"}}}}}
	answer, err := model.Collect(context.Background(), m, req)
	fmt.Println(answer.Choices[0].Blocks[0].Text, err)
	fmt.Println(script.Requests()[0].UserText())
	// Output:
	// Hello from a server. <nil>
	// Hi
}
