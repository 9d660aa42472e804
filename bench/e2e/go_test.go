package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
)

// goVariant asks a model with an SDK of Go and runs its tool calls until it has no more. It returns all texts.
type goVariant func(ctx context.Context, base, prompt string, tool func(command string) string) (string, error)

var goVariants = map[string]goVariant{
	"openai, chat, streamed":      openaiChat(true),
	"openai, chat, whole":         openaiChat(false),
	"openai, responses, streamed": openaiResponses(true),
	"openai, responses, whole":    openaiResponses(false),
	"anthropic, streamed":         anthropicMessages(true),
	"anthropic, whole":            anthropicMessages(false),
}

// TestE2EGo asks of the SDKs of Go what TestE2EJavaScript asks of those of JavaScript.
func TestE2EGo(t *testing.T) {
	t.Parallel()
	clients(t)
	up := newUpstream(t)
	guarded, open := startGateway(t, up, recommended), startGateway(t, up, nothing)
	for name, variant := range goVariants {
		for _, command := range []string{safeCommand, destructiveCommand, bothCommands} {
			t.Run(name+"/"+titles[command], func(t *testing.T) { variant.ask(t, guarded.URL, command).check(t, up) })
		}
		t.Run(name+"/it runs without policies", func(t *testing.T) {
			variant.ask(t, open.URL, destructiveCommand).checkRan(t, destructiveCommand)
		})
	}
}

func (v goVariant) ask(t *testing.T, base, command string) outcome {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	got := outcome{Prompt: command}
	text, err := v(ctx, base, task(command), func(command string) string {
		got.Calls = append(got.Calls, command)
		return "tool-output of " + command
	})
	if got.Text = text; err != nil {
		got.Error = err.Error()
	}
	return got
}

var toolParameters = map[string]any{
	"type":       "object",
	"properties": map[string]any{"command": map[string]any{"type": "string"}},
	"required":   []string{"command"},
}

// commandIn reads the arguments of a call.
func commandIn(arguments string) (string, error) {
	var input struct {
		Command string `json:"command"`
	}
	if err := json.Unmarshal([]byte(arguments), &input); err != nil {
		return "", fmt.Errorf("the tool's arguments %q: %w", arguments, err)
	}
	return input.Command, nil
}

// rounds calls turn until it wants no other, and returns all texts.
func rounds(turn func() (text string, again bool, err error)) (string, error) {
	var said strings.Builder
	for range 5 {
		text, again, err := turn()
		if err != nil {
			return said.String(), err
		}
		said.WriteString(text + "\n")
		if !again {
			return said.String(), nil
		}
	}
	return said.String(), errors.New("the model calls tools for ever")
}

func openaiChat(stream bool) goVariant {
	return func(ctx context.Context, base, prompt string, tool func(string) string) (string, error) {
		client := openai.NewClient(openaioption.WithBaseURL(base+"/v1"), openaioption.WithAPIKey("dummy"), openaioption.WithMaxRetries(0))
		request := openai.ChatCompletionNewParams{
			Model:    "gpt-5.1",
			Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(prompt)},
			Tools: []openai.ChatCompletionToolUnionParam{
				openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{Name: "run_command", Parameters: toolParameters}),
			},
		}
		return rounds(func() (string, bool, error) {
			answer, err := chatCompletion(ctx, client, request, stream)
			if err != nil {
				return "", false, err
			}
			message := answer.Choices[0].Message
			request.Messages = append(request.Messages, message.ToParam())
			for _, call := range message.ToolCalls {
				command, err := commandIn(call.Function.Arguments)
				if err != nil {
					return "", false, err
				}
				request.Messages = append(request.Messages, openai.ToolMessage(tool(command), call.ID))
			}
			return message.Content, answer.Choices[0].FinishReason == "tool_calls", nil
		})
	}
}

func chatCompletion(ctx context.Context, client openai.Client, request openai.ChatCompletionNewParams, stream bool) (*openai.ChatCompletion, error) {
	if !stream {
		return client.Chat.Completions.New(ctx, request)
	}
	events := client.Chat.Completions.NewStreaming(ctx, request)
	var whole openai.ChatCompletionAccumulator
	for events.Next() {
		if !whole.AddChunk(events.Current()) {
			return nil, errors.New("the accumulator refuses a chunk")
		}
	}
	return &whole.ChatCompletion, events.Err()
}

func openaiResponses(stream bool) goVariant {
	return func(ctx context.Context, base, prompt string, tool func(string) string) (string, error) {
		client := openai.NewClient(openaioption.WithBaseURL(base+"/v1"), openaioption.WithAPIKey("dummy"), openaioption.WithMaxRetries(0))
		input := responses.ResponseInputParam{responses.ResponseInputItemParamOfMessage(prompt, responses.EasyInputMessageRoleUser)}
		return rounds(func() (string, bool, error) {
			answer, err := response(ctx, client, responses.ResponseNewParams{
				Model: "gpt-5.1",
				Input: responses.ResponseNewParamsInputUnion{OfInputItemList: input},
				Tools: []responses.ToolUnionParam{responses.ToolParamOfFunction("run_command", toolParameters, false)},
			}, stream)
			if err != nil {
				return "", false, err
			}
			again := false
			for _, item := range answer.Output {
				switch item := item.AsAny().(type) {
				case responses.ResponseOutputMessage:
					said := item.ToParam()
					input = append(input, responses.ResponseInputItemUnionParam{OfOutputMessage: &said})
				case responses.ResponseFunctionToolCall:
					call := item.ToParam()
					command, err := commandIn(item.Arguments)
					if err != nil {
						return "", false, err
					}
					again = true
					result := responses.ResponseInputItemParamOfFunctionCallOutput(tool(command))
					result.OfFunctionCallOutput.CallID = openai.String(item.CallID)
					input = append(input, responses.ResponseInputItemUnionParam{OfFunctionCall: &call}, result)
				}
			}
			return answer.OutputText(), again, nil
		})
	}
}

func response(ctx context.Context, client openai.Client, request responses.ResponseNewParams, stream bool) (*responses.Response, error) {
	if !stream {
		return client.Responses.New(ctx, request)
	}
	events := client.Responses.NewStreaming(ctx, request)
	var whole *responses.Response
	for events.Next() {
		if done, ok := events.Current().AsAny().(responses.ResponseCompletedEvent); ok {
			whole = &done.Response
		}
	}
	if err := events.Err(); err != nil {
		return nil, err
	}
	if whole == nil {
		return nil, errors.New("the stream has no response.completed")
	}
	return whole, nil
}

func anthropicMessages(stream bool) goVariant {
	return func(ctx context.Context, base, prompt string, tool func(string) string) (string, error) {
		client := anthropic.NewClient(anthropicoption.WithBaseURL(base), anthropicoption.WithAPIKey("dummy"), anthropicoption.WithMaxRetries(0))
		request := anthropic.MessageNewParams{
			Model: "claude-sonnet-4-5", MaxTokens: 1024,
			Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(prompt))},
			Tools: []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{
				Name:        "run_command",
				InputSchema: anthropic.ToolInputSchemaParam{Properties: toolParameters["properties"], Required: []string{"command"}},
			}}},
		}
		return rounds(func() (string, bool, error) {
			answer, err := message(ctx, client, request, stream)
			if err != nil {
				return "", false, err
			}
			request.Messages = append(request.Messages, answer.ToParam())
			var text strings.Builder
			var results []anthropic.ContentBlockParamUnion
			for _, block := range answer.Content {
				switch block := block.AsAny().(type) {
				case anthropic.TextBlock:
					text.WriteString(block.Text)
				case anthropic.ToolUseBlock:
					command, err := commandIn(string(block.Input))
					if err != nil {
						return "", false, err
					}
					results = append(results, anthropic.NewToolResultBlock(block.ID, tool(command), false))
				}
			}
			if len(results) > 0 {
				request.Messages = append(request.Messages, anthropic.NewUserMessage(results...))
			}
			return text.String(), answer.StopReason == anthropic.StopReasonToolUse, nil
		})
	}
}

func message(ctx context.Context, client anthropic.Client, request anthropic.MessageNewParams, stream bool) (*anthropic.Message, error) {
	if !stream {
		return client.Messages.New(ctx, request)
	}
	events := client.Messages.NewStreaming(ctx, request)
	var whole anthropic.Message
	for events.Next() {
		if err := whole.Accumulate(events.Current()); err != nil {
			return nil, err
		}
	}
	return &whole, events.Err()
}
