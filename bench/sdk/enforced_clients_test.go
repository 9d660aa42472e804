package sdk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"google.golang.org/genai"

	"github.com/sluice-project/sluice/wire"
)

// answered is what a program on an official client has in its hands when the
// answer is over.
type answered struct {
	// parts are the texts and calls in the order in which the client has them,
	// where it has one.
	parts  []part
	finish string
	// input and output are the tokens that were reported to the client.
	input, output int64
	// replay is the message as the client sends it back in its next request.
	replay string
	err    error
}

// part is a text, or a call that the program would execute.
type part struct {
	text                string
	id, name, arguments string
}

func (p part) isCall() bool { return p.name != "" }

func (a *answered) calls() []part {
	return slices.DeleteFunc(slices.Clone(a.parts), func(p part) bool { return !p.isCall() })
}

func (a *answered) texts() []string {
	var texts []string
	for _, p := range a.parts {
		if !p.isCall() && p.text != "" {
			texts = append(texts, p.text)
		}
	}
	return texts
}

// response is what a host sends: an event stream or a body, and its status.
type response struct {
	whole  bool
	status int
	body   []byte
}

// ServeHTTP sends the response, each event by itself.
func (r response) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	if r.whole {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(r.status)
	for event := range bytes.SplitAfterSeq(r.body, []byte("\n\n")) {
		if _, err := w.Write(event); err != nil {
			return
		}
		if flusher, ok := w.(http.Flusher); ok && !r.whole {
			flusher.Flush()
		}
	}
}

// host is a server whose answer to every request is the response that was put
// there last.
type host struct {
	*httptest.Server
	current atomic.Pointer[response]
}

func newHost(t *testing.T) *host {
	t.Helper()
	h := &host{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.current.Load().ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	return h
}

// ask lets the official client of the format get the response, as its
// documentation shows it.
func (h *host) ask(ctx context.Context, format wire.Format, r response) answered {
	h.current.Store(&r)
	switch format {
	case wire.OpenAIChat:
		return askChat(ctx, h.Server, r.whole)
	case wire.Anthropic:
		return askAnthropic(ctx, h.Server, r.whole)
	case wire.OpenAIResponses:
		return askResponses(ctx, h.Server, r.whole)
	case wire.Gemini:
		return askGemini(ctx, h.Server, r.whole)
	}
	return answered{err: fmt.Errorf("no client for %s", format)}
}

func askChat(ctx context.Context, server *httptest.Server, whole bool) answered {
	client := openai.NewClient(option.WithAPIKey("none"), option.WithBaseURL(server.URL),
		option.WithMaxRetries(0), option.WithHTTPClient(server.Client()))
	params := openai.ChatCompletionNewParams{Model: "any"}
	if whole {
		completion, err := client.Chat.Completions.New(ctx, params)
		if err != nil {
			return answered{err: saidByOpenAI(err)}
		}
		return chatAnswer(completion)
	}
	s := client.Chat.Completions.NewStreaming(ctx, params)
	var acc openai.ChatCompletionAccumulator
	for s.Next() {
		if !acc.AddChunk(s.Current()) {
			return answered{err: errors.New("the accumulator refused a chunk")}
		}
	}
	a := chatAnswer(&acc.ChatCompletion)
	a.err = s.Err()
	return a
}

// saidByOpenAI returns what openai-go leaves out of the text of its errors.
func saidByOpenAI(err error) error {
	if said, ok := errors.AsType[*openai.Error](err); ok {
		return fmt.Errorf("%w: %s", err, said.Message)
	}
	return err
}

func chatAnswer(c *openai.ChatCompletion) answered {
	a := answered{input: c.Usage.PromptTokens, output: c.Usage.CompletionTokens}
	if len(c.Choices) != 1 {
		a.err = fmt.Errorf("the client has %d choices", len(c.Choices))
		return a
	}
	choice := c.Choices[0]
	a.finish = choice.FinishReason
	a.parts = append(a.parts, part{text: choice.Message.Content})
	for _, call := range choice.Message.ToolCalls {
		a.parts = append(a.parts, part{id: call.ID, name: call.Function.Name, arguments: call.Function.Arguments})
	}
	a.replay, a.err = marshal(choice.Message.ToParam())
	return a
}

func askAnthropic(ctx context.Context, server *httptest.Server, whole bool) answered {
	client := anthropic.NewClient(anthropicoption.WithAPIKey("none"), anthropicoption.WithBaseURL(server.URL),
		anthropicoption.WithMaxRetries(0), anthropicoption.WithHTTPClient(server.Client()))
	params := anthropic.MessageNewParams{Model: "any", MaxTokens: 1}
	if whole {
		message, err := client.Messages.New(ctx, params)
		if err != nil {
			return answered{err: err}
		}
		return anthropicAnswer(message)
	}
	s := client.Messages.NewStreaming(ctx, params)
	var message anthropic.Message
	for s.Next() {
		if err := message.Accumulate(s.Current()); err != nil {
			return answered{err: err}
		}
	}
	a := anthropicAnswer(&message)
	if s.Err() != nil {
		a.err = s.Err()
	}
	return a
}

func anthropicAnswer(m *anthropic.Message) answered {
	a := answered{finish: string(m.StopReason), input: m.Usage.InputTokens, output: m.Usage.OutputTokens}
	for _, block := range m.Content {
		switch block.Type {
		case "text":
			a.parts = append(a.parts, part{text: block.Text})
		case "tool_use":
			a.parts = append(a.parts, part{id: block.ID, name: block.Name, arguments: string(block.Input)})
		default:
			a.err = fmt.Errorf("a block of the type %q", block.Type)
		}
	}
	if a.err == nil {
		a.replay, a.err = marshal(m.ToParam())
	}
	return a
}

func askResponses(ctx context.Context, server *httptest.Server, whole bool) answered {
	service := responses.NewResponseService(option.WithAPIKey("none"), option.WithBaseURL(server.URL),
		option.WithMaxRetries(0), option.WithHTTPClient(server.Client()))
	params := responses.ResponseNewParams{Model: "any"}
	if whole {
		r, err := service.New(ctx, params)
		if err != nil {
			return answered{err: saidByOpenAI(err)}
		}
		return responsesAnswer(r)
	}
	s := service.NewStreaming(ctx, params)
	a := answered{err: errors.New("the stream has no terminal event")}
	var items []responses.ResponseOutputItemUnion
	var deltas string
	for s.Next() {
		switch ev := s.Current(); ev.Type {
		case "error":
			return answered{err: errors.New(ev.Message)}
		case "response.failed":
			return answered{err: errors.New(ev.Response.Error.Message)}
		case "response.output_item.done":
			items = append(items, ev.Item)
		case "response.output_text.delta", "response.function_call_arguments.delta":
			deltas += ev.Delta
		case "response.completed", "response.incomplete":
			a = responsesAnswer(&ev.Response)
		}
	}
	if s.Err() != nil {
		a.err = s.Err()
	}
	if a.err == nil {
		a.err = sameCopies(a.parts, itemParts(items), deltas)
	}
	return a
}

// sameCopies holds the copies of an answer in a stream against each other: a
// program may rely on any of them.
func sameCopies(final, items []part, deltas string) error {
	var said string
	for _, p := range final {
		said += p.text + p.arguments
	}
	switch {
	case !slices.Equal(final, items):
		return fmt.Errorf("the items say %+v, the response %+v", items, final)
	case said != deltas:
		return fmt.Errorf("the deltas say %q, the response %q", deltas, said)
	}
	return nil
}

func responsesAnswer(r *responses.Response) answered {
	a := answered{parts: itemParts(r.Output), finish: string(r.Status), input: r.Usage.InputTokens, output: r.Usage.OutputTokens}
	if r.Error.Message != "" {
		a.err = errors.New(r.Error.Message)
	}
	var input []json.RawMessage // an item is sent back unchanged
	for _, item := range r.Output {
		input = append(input, json.RawMessage(item.RawJSON()))
	}
	if a.err == nil {
		a.replay, a.err = marshal(input)
	}
	return a
}

func itemParts(items []responses.ResponseOutputItemUnion) []part {
	var parts []part
	for _, item := range items {
		switch item.Type {
		case "message":
			for _, content := range item.Content {
				parts = append(parts, part{text: content.Text})
			}
		case "function_call":
			parts = append(parts, part{id: item.CallID, name: item.Name, arguments: item.Arguments.OfString})
		}
	}
	return parts
}

func askGemini(ctx context.Context, server *httptest.Server, whole bool) answered {
	client, err := genai.NewClient(ctx, &genai.ClientConfig{
		APIKey: "none", Backend: genai.BackendGeminiAPI, HTTPClient: server.Client(),
		HTTPOptions: genai.HTTPOptions{BaseURL: server.URL},
	})
	if err != nil {
		return answered{err: err}
	}
	if whole {
		r, err := client.Models.GenerateContent(ctx, "any", genai.Text("hello"), nil)
		if err != nil {
			return answered{err: err}
		}
		return geminiAnswer(r)
	}
	var all []*genai.GenerateContentResponse
	for r, err := range client.Models.GenerateContentStream(ctx, "any", genai.Text("hello"), nil) {
		if err != nil {
			return answered{err: err}
		}
		all = append(all, r)
	}
	return geminiAnswer(all...)
}

// geminiAnswer joins the chunks of an answer; the client leaves that to the
// program.
func geminiAnswer(chunks ...*genai.GenerateContentResponse) answered {
	var a answered
	content := genai.Content{Role: genai.RoleModel}
	for _, r := range chunks {
		if len(r.Candidates) != 1 {
			a.err = fmt.Errorf("a chunk has %d candidates", len(r.Candidates))
			return a
		}
		if u := r.UsageMetadata; u != nil {
			a.input, a.output = int64(u.PromptTokenCount), int64(u.CandidatesTokenCount)
		}
		candidate := r.Candidates[0]
		if candidate.FinishReason != "" {
			a.finish = string(candidate.FinishReason)
		}
		if candidate.Content == nil {
			continue
		}
		for _, p := range candidate.Content.Parts {
			content.Parts = append(content.Parts, p)
			if call := p.FunctionCall; call != nil {
				arguments, err := marshal(call.Args)
				a.err = errors.Join(a.err, err)
				a.parts = append(a.parts, part{id: call.ID, name: call.Name, arguments: arguments})
				continue
			}
			if n := len(a.parts); n > 0 && !a.parts[n-1].isCall() {
				a.parts[n-1].text += p.Text
			} else {
				a.parts = append(a.parts, part{text: p.Text})
			}
		}
	}
	if a.err == nil {
		a.replay, a.err = marshal(content)
	}
	return a
}

func marshal(v any) (string, error) {
	data, err := json.Marshal(v)
	return string(data), err
}
