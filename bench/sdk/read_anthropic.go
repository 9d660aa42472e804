package sdk

import (
	"context"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// readAnthropic lets anthropic-sdk-go read a Messages stream as its
// documentation shows it: every event goes to Message.Accumulate.
func readAnthropic(ctx context.Context, sse []byte) Facts {
	client := anthropic.NewClient(
		option.WithAPIKey("none"), option.WithBaseURL("http://upstream.invalid"),
		option.WithMaxRetries(0), option.WithHTTPClient(served(sse).client()),
	)
	s := client.Messages.NewStreaming(ctx, anthropic.MessageNewParams{Model: "any", MaxTokens: 1})
	facts := Facts{}
	var message anthropic.Message
	for s.Next() {
		// The first refusal is remembered; a program that follows the
		// documentation stops there.
		if err := message.Accumulate(s.Current()); err != nil {
			facts["error"] = ErrorSaid
			break
		}
	}
	if s.Err() != nil {
		facts["error"] = ErrorSaid
	}
	facts.setf(message.ID, "id")
	facts.setf(message.Model, "model")
	facts.setNumberf(message.Usage.InputTokens+message.Usage.CacheReadInputTokens+
		message.Usage.CacheCreationInputTokens, "usage/input")
	facts.setNumberf(message.Usage.OutputTokens, "usage/output")
	facts.setf(string(message.StopReason), "choice/0/finish")
	for i, block := range message.Content {
		facts.setf(block.Type, "block/%d/type", i)
		facts.setf(block.ID, "block/%d/id", i)
		facts.setf(block.Name, "block/%d/name", i)
		facts.setf(block.ToolUseID, "block/%d/tool_use_id", i)
		facts.setf(block.Signature, "block/%d/signature", i)
		facts.setf(block.Text+block.Thinking, "block/%d/text", i)
		// No input and an empty input are the same to everybody.
		if input := string(block.Input); input != "{}" && strings.HasSuffix(block.Type, "tool_use") {
			facts.setf(input, "block/%d/input", i)
		}
	}
	return facts
}
