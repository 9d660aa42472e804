package sdk

import (
	"context"
	"fmt"
	"strings"

	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
)

// readResponses lets openai-go read a Responses stream. The package has no
// accumulator for HTTP streams, so its users read one of three copies of the
// answer: the deltas, the finished items, or the response object of the
// terminal event. All three are read here and distinguished by the first
// element of the path, because a client may rely on any of them.
func readResponses(ctx context.Context, sse []byte) Facts {
	service := responses.NewResponseService(
		option.WithAPIKey("none"), option.WithBaseURL("http://upstream.invalid/v1"),
		option.WithMaxRetries(0), option.WithHTTPClient(served(sse).client()),
	)
	s := service.NewStreaming(ctx, responses.ResponseNewParams{Model: "any"})
	facts := Facts{}
	var items []responses.ResponseOutputItemUnion
	var final string
	for s.Next() {
		ev := s.Current()
		switch ev.Type {
		case "error":
			facts["error"] = ErrorSaid
		case "response.output_item.done":
			items = append(items, ev.Item)
		case "response.output_text.delta":
			facts.addf(ev.Delta, "deltas/text")
		case "response.refusal.delta":
			facts.addf(ev.Delta, "deltas/refusal")
		case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
			facts.addf(ev.Delta, "deltas/thinking")
		case "response.function_call_arguments.delta", "response.custom_tool_call_input.delta":
			facts.addf(ev.Delta, "deltas/arguments")
		case "response.created":
			facts.setf(ev.Response.ID, "id")
			facts.setf(ev.Response.Model, "model")
		case "response.completed", "response.incomplete", "response.failed":
			facts.setf(ev.Response.ID, "id")
			facts.setf(ev.Response.Model, "model")
			facts.setf(string(ev.Response.Status), "choice/0/finish")
			facts.setNumberf(ev.Response.Usage.InputTokens, "usage/input")
			facts.setNumberf(ev.Response.Usage.OutputTokens, "usage/output")
			final = facts.items("final", ev.Response.Output)
			if ev.Type == "response.failed" {
				facts["error"] = ErrorSaid
			}
		}
	}
	if s.Err() != nil {
		facts["error"] = ErrorSaid
	}
	if types := facts.items("items", items); types != final && facts["error"] == "" {
		facts["copies/types"] = fmt.Sprintf("items: %s; final: %s", types, final)
	}
	return facts
}

// items notes the facts of a list of output items and returns their types.
func (f Facts) items(copyOf string, items []responses.ResponseOutputItemUnion) string {
	calls := 0
	types := make([]string, 0, len(items))
	for _, item := range items {
		types = append(types, item.Type)
		for _, part := range item.Summary {
			f.addf(part.Text, "%s/thinking", copyOf)
		}
		for _, part := range item.Content {
			switch {
			case item.Type == "reasoning":
				f.addf(part.Text, "%s/thinking", copyOf)
			case part.Type == "refusal":
				f.addf(part.Refusal, "%s/refusal", copyOf)
			default:
				f.addf(part.Text, "%s/text", copyOf)
			}
		}
		switch item.Type {
		case "function_call", "custom_tool_call":
			f.setf(item.CallID, "%s/call/%d/id", copyOf, calls)
			f.setf(item.Name, "%s/call/%d/name", copyOf, calls)
			f.setf(item.Arguments.OfString+item.Input, "%s/call/%d/arguments", copyOf, calls)
			calls++
		}
	}
	return strings.Join(types, " ")
}
