package sdk

import (
	"context"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// readChat lets openai-go read a Chat Completions stream as its documentation
// shows it: every chunk goes to a ChatCompletionAccumulator. If AddChunk
// refuses a chunk, that is the fact "refused".
func readChat(ctx context.Context, sse []byte) Facts {
	client := openai.NewClient(
		option.WithAPIKey("none"), option.WithBaseURL("http://upstream.invalid/v1"),
		option.WithMaxRetries(0), option.WithHTTPClient(served(sse).client()),
	)
	s := client.Chat.Completions.NewStreaming(ctx, openai.ChatCompletionNewParams{Model: "any"})
	facts := Facts{}
	var acc openai.ChatCompletionAccumulator
	for s.Next() {
		if !acc.AddChunk(s.Current()) {
			facts["refused"] = "yes"
		}
	}
	if s.Err() != nil {
		facts["error"] = ErrorSaid
	}
	facts.setf(acc.ID, "id")
	facts.setf(acc.Model, "model")
	facts.setNumberf(acc.Usage.PromptTokens, "usage/input")
	facts.setNumberf(acc.Usage.CompletionTokens, "usage/output")
	for i, choice := range acc.Choices {
		facts.setf(choice.FinishReason, "choice/%d/finish", i)
		facts.setf(choice.Message.Content, "choice/%d/text", i)
		facts.setf(choice.Message.Refusal, "choice/%d/refusal", i)
		for j, call := range choice.Message.ToolCalls {
			facts.setf(call.ID, "choice/%d/call/%d/id", i, j)
			facts.setf(call.Function.Name+call.Custom.Name, "choice/%d/call/%d/name", i, j)
			facts.setf(call.Function.Arguments+call.Custom.Input, "choice/%d/call/%d/arguments", i, j)
		}
		if n := len(choice.Message.ToolCalls); n > 0 {
			facts.setNumberf(int64(n), "choice/%d/calls", i)
		}
	}
	return facts
}
