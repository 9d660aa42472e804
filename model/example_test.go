package model_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// Ask a model and read its answer while it arrives. The server here plays a
// script; with the BaseURL left out it would be OpenAI's own.
func Example() {
	server := httptest.NewServer(scripted.New(
		scripted.Round{scripted.Text("I'll check."), scripted.Call("weather", `{"city":"Rome"}`)},
	).Handler(wire.OpenAIChat))
	defer server.Close()

	m, err := model.New(model.Config{Format: wire.OpenAIChat, BaseURL: server.URL, Model: "gpt-5"})
	if err != nil {
		fmt.Println(err)
		return
	}
	req := &llm.Request{Messages: []llm.Message{{
		Role:   llm.User,
		Blocks: []llm.Block{{Kind: llm.Content, Text: "How is the weather in Rome?"}},
	}}}
	state := stream.NewState(stream.Limits{})
	for ev, err := range model.Track(m.Stream(context.Background(), req), state) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if ev.Type == stream.EventDelta && ev.Kind == llm.Content {
			fmt.Printf("%s\n", ev.Data)
		}
		for _, block := range state.Completed() {
			if block.Kind() == llm.ToolCall {
				fmt.Println("call:", block.Name(), block.Arguments())
			}
		}
	}
	// Output:
	// I'll check.
	// call: weather {"city":"Rome"}
}

// Wait for a whole answer. With the BaseURL left out, the key would come from
// ANTHROPIC_API_KEY.
func ExampleCollect() {
	server := httptest.NewServer(scripted.New(
		scripted.Round{scripted.Text("Because of the air.")},
	).Handler(wire.Anthropic))
	defer server.Close()

	m, err := model.New(model.Config{Format: wire.Anthropic, BaseURL: server.URL, Model: "claude-sonnet-4-5"})
	if err != nil {
		fmt.Println(err)
		return
	}
	req := &llm.Request{Messages: []llm.Message{{
		Role:   llm.User,
		Blocks: []llm.Block{{Kind: llm.Content, Text: "Why is the sky blue?"}},
	}}}
	answer, err := model.Collect(context.Background(), m, req)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Choices[0].Blocks[0].Text)
	// Output:
	// Because of the air.
}

// Errors are told apart by their types.
func ExampleCollect_errors() {
	m := scripted.New(scripted.Round{scripted.Fail(&model.StatusError{
		Status: 429, Host: "api.example.com", RetryAfter: time.Minute,
		Provider: &stream.ProviderError{Type: "rate_limit_error", Message: "slow down"},
	})})
	_, err := model.Collect(context.Background(), m, &llm.Request{})
	if status, ok := errors.AsType[*model.StatusError](err); ok {
		fmt.Println("again in", status.RetryAfter)
	}
	fmt.Println(err)
	// Output:
	// again in 1m0s
	// model: api.example.com answered 429 Too Many Requests: rate_limit_error: slow down
}
