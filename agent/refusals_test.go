package agent_test

import (
	"net/http"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// A refusal is reported as one, whatever form and finish reason the provider uses,
// and no tool is run for it.
func TestRefusalsAreTold(t *testing.T) {
	const no = "I cannot help with that."
	said := llm.Block{Kind: llm.Content, Text: "Well. "}
	refused := llm.Block{Kind: llm.Refusal, Text: no}
	call := llm.Block{Kind: llm.ToolCall, ID: "a1", Name: "look", Arguments: `{"n":1}`}
	cases := []struct {
		name    string
		format  wire.Format
		blocks  []llm.Block
		finish  string
		payload string // in the place of all that
		says    string // what the model says instead of an answer
	}{
		{name: "chat, refusal and stop", format: wire.OpenAIChat, blocks: []llm.Block{refused}, finish: "stop", says: no},
		{name: "chat, text, refusal and stop", format: wire.OpenAIChat, blocks: []llm.Block{said, refused}, finish: "stop", says: no},
		{name: "chat, refusal and a call", format: wire.OpenAIChat, blocks: []llm.Block{refused, call}, finish: "tool_calls", says: no},
		{name: "chat, refusal, a call and stop", format: wire.OpenAIChat, blocks: []llm.Block{refused, call}, finish: "stop", says: no},
		{name: "chat, filtered", format: wire.OpenAIChat, blocks: []llm.Block{said}, finish: "content_filter"},
		{name: "chat, filtered with a call", format: wire.OpenAIChat, blocks: []llm.Block{said, call}, finish: "content_filter"},
		{name: "responses, refusal", format: wire.OpenAIResponses, blocks: []llm.Block{refused}, says: no},
		{name: "responses, text and refusal", format: wire.OpenAIResponses, blocks: []llm.Block{said, refused}, says: no},
		{name: "responses, refusal and a call", format: wire.OpenAIResponses, blocks: []llm.Block{refused, call}, says: no},
		{name: "responses, a call and refusal", format: wire.OpenAIResponses, blocks: []llm.Block{call, refused}, says: no},
		{name: "anthropic, refusal", format: wire.Anthropic, blocks: []llm.Block{said}, finish: "refusal"},
		{name: "anthropic, refusal with a call", format: wire.Anthropic, blocks: []llm.Block{said, call}, finish: "refusal"},
		{name: "gemini, safety", format: wire.Gemini, blocks: []llm.Block{said}, finish: "SAFETY"},
		{name: "gemini, prohibited with a call", format: wire.Gemini, blocks: []llm.Block{said, call}, finish: "PROHIBITED_CONTENT"},
		{name: "gemini, the prompt is blocked", format: wire.Gemini, payload: `{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":8},"modelVersion":"m"}`},
		{name: "gemini, the prompt is blocked for a reason of later", format: wire.Gemini, payload: `{"promptFeedback":{"blockReason":"JAILBREAK"},"usageMetadata":{"promptTokenCount":8},"modelVersion":"m"}`},
	}
	for _, c := range cases {
		payloads, body := []string{c.payload}, c.payload
		if c.payload == "" {
			opts := sluicetest.BuildOptions{Finish: c.finish, MaxPiece: 5}
			payloads = sluicetest.Build(string(c.format), [][]llm.Block{c.blocks}, opts)
			body = sluicetest.BuildBody(string(c.format), [][]llm.Block{c.blocks}, opts)
		}
		for how, reply := range map[string]sluicetest.Reply{
			"streamed": sluicetest.Events(sluicetest.SSE(string(c.format), payloads)), "whole": sluicetest.JSON(http.StatusOK, body),
		} {
			for _, mode := range modes() {
				t.Run(c.name+", "+how+", "+mode.String(), func(t *testing.T) {
					bothPaths(t, func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
						checkRefusal(t, c.format, reply, mode, c.says, ask)
					})
					checkRefusal(t, c.format, reply, mode, c.says, func(client *agent.Client, req *agent.Request) (*agent.Result, error) {
						run := client.Run(t.Context(), req)
						events, err := eventsOf(run)
						told := ""
						for _, ev := range events {
							if ev.Type == agent.EventRefusal {
								told += ev.Text
							}
						}
						if told != c.says {
							t.Errorf("the refusal is told as %q, want %q", told, c.says)
						}
						return run.Result(), err
					})
				})
			}
		}
	}
}

// checkRefusal asks a provider that refuses.
func checkRefusal(t *testing.T, format wire.Format, reply sluicetest.Reply, mode agent.StreamMode, says string, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
	t.Helper()
	m, err := model.New(model.Config{Format: format, BaseURL: sluicetest.NewUpstream(t, reply).URL, Model: "m", APIKey: "k", Retry: model.Retry{Max: -1}})
	if err != nil {
		t.Fatal(err)
	}
	var tools ledger
	kept := newMemory(t)
	client, err := agent.New(agent.Config{
		Model: m, Memory: kept, Tools: []*agent.Tool{tools.tool("look", "sunny")}, Loop: agent.LoopConfig{Stream: mode, Limits: agent.Limits{Rounds: 2}},
	})
	if err != nil {
		t.Fatal(err)
	}
	result, err := ask(client, &agent.Request{Conversation: "c", Text: "?"})
	if err != nil {
		t.Fatal(err)
	}
	if result.Reason != agent.Filtered || tools.ran() != "" || len(result.Rounds) != 1 || result.Answer.Refusal() != says {
		t.Errorf("ended with %q and %q after %d rounds, and ran %q", result.Reason, result.Answer.Refusal(), len(result.Rounds), tools.ran())
	}
	history, err := kept.Get(t.Context(), "c")
	if err != nil {
		t.Fatal(err)
	}
	if err := sluicetest.ValidateHistories(history.Messages); err != nil {
		t.Error(err)
	}
}

// What is empty refuses nothing: some servers send the member with every answer.
func TestAnEmptyRefusalIsNone(t *testing.T) {
	body := `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Hello","refusal":""}}]}`
	m, err := model.New(model.Config{Format: wire.OpenAIChat, BaseURL: sluicetest.NewUpstream(t, sluicetest.JSON(http.StatusOK, body)).URL, Model: "m", APIKey: "k"})
	if err != nil {
		t.Fatal(err)
	}
	client, err := agent.New(agent.Config{Model: m})
	if err != nil {
		t.Fatal(err)
	}
	result, err := client.Call(t.Context(), &agent.Request{Text: "?"})
	if err != nil || result.Reason != agent.Done || result.Text() != "Hello" {
		t.Errorf("%v, %+v", err, result)
	}
}
