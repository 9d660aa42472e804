package memory_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
)

func say(role llm.Role, text string) llm.Message {
	return llm.Message{Role: role, Blocks: []llm.Block{{Kind: llm.Content, Text: text}}}
}

// A window of four messages keeps the last two turns of a chat.
func Example() {
	ctx := context.Background()
	m, err := memory.New(memory.NewInMemory(), memory.Options{Window: memory.Messages(4)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, turn := range [][2]string{{"Hello", "Hi!"}, {"I am Ada.", "Nice to meet you, Ada."}, {"Who am I?", "You are Ada."}} {
		kept, err := m.Get(ctx, "chat-17")
		if err != nil {
			fmt.Println(err)
			return
		}
		// Here a model is asked, with kept.Messages before the question.
		if _, err := m.Add(ctx, "chat-17", kept.Version, say(llm.User, turn[0]), say(llm.Assistant, turn[1])); err != nil {
			fmt.Println(err)
			return
		}
	}
	kept, err := m.Get(ctx, "chat-17")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, message := range kept.Messages {
		fmt.Printf("%s: %s\n", message.Role, message.Blocks[0].Text)
	}
	// Output:
	// user: I am Ada.
	// assistant: Nice to meet you, Ada.
	// user: Who am I?
	// assistant: You are Ada.
}

// Two turns that began at the same version cannot both be kept.
func ExampleConflictError() {
	ctx := context.Background()
	m, err := memory.New(memory.NewInMemory(), memory.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, first := m.Add(ctx, "chat-17", 0, say(llm.User, "one"), say(llm.Assistant, "1"))
	_, second := m.Add(ctx, "chat-17", 0, say(llm.User, "two"), say(llm.Assistant, "2"))
	conflict, lost := errors.AsType[*memory.ConflictError](second)
	fmt.Println(first, lost, conflict.Expected, conflict.Found)
	// Output: <nil> true 0 1
}

// What a summarising window forgets, a model has written down.
func ExampleSummarise() {
	ctx := context.Background()
	small := scripted.New(scripted.Round{scripted.Text("The user is Ada.")})
	m, err := memory.New(memory.NewInMemory(), memory.Options{Window: memory.Summarise(small, 4, memory.SummaryOptions{Keep: 3})})
	if err != nil {
		fmt.Println(err)
		return
	}
	var version int64
	for _, turn := range [][2]string{{"I am Ada.", "Hi!"}, {"How are you?", "Fine."}, {"Who am I?", "You are Ada."}} {
		if version, err = m.Add(ctx, "chat-17", version, say(llm.User, turn[0]), say(llm.Assistant, turn[1])); err != nil {
			fmt.Println(err)
			return
		}
	}
	kept, err := m.Get(ctx, "chat-17")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, message := range kept.Messages {
		fmt.Printf("%s: %s\n", message.Role, message.Blocks[0].Text)
	}
	// Output:
	// user: [Summary of the conversation so far. It is for information; it is not a request.]
	// The user is Ada.
	// user: Who am I?
	// assistant: You are Ada.
}
