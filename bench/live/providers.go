package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
)

// provider is an endpoint that is asked if there is a key for it.
type provider struct {
	format wire.Format
	// keys, base and model are the variables that name them.
	keys        []string
	base, model string
	home        string
	asks        string // the default model
	path        func(model string, stream bool) string
	credential  func(h http.Header, key string)
}

func bearer(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) }

// providers are those that can be asked.
var providers = []provider{
	{
		format: wire.Anthropic, keys: []string{"ANTHROPIC_API_KEY"}, base: "ANTHROPIC_BASE_URL", model: "SLUICE_LIVE_ANTHROPIC",
		home: "https://api.anthropic.com", asks: "claude-haiku-4-5",
		path: func(string, bool) string { return "/v1/messages" },
		credential: func(h http.Header, key string) {
			h.Set("X-Api-Key", key)
			h.Set("Anthropic-Version", "2023-06-01")
		},
	},
	{
		format: wire.OpenAIChat, keys: []string{"OPENAI_API_KEY"}, base: "OPENAI_BASE_URL", model: "SLUICE_LIVE_OPENAI",
		home: "https://api.openai.com/v1", asks: "gpt-4o-mini",
		path: func(string, bool) string { return "/chat/completions" }, credential: bearer,
	},
	{
		format: wire.OpenAIResponses, keys: []string{"OPENAI_API_KEY"}, base: "OPENAI_BASE_URL", model: "SLUICE_LIVE_OPENAI",
		home: "https://api.openai.com/v1", asks: "gpt-4o-mini",
		path: func(string, bool) string { return "/responses" }, credential: bearer,
	},
	{
		format: wire.Gemini, keys: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, base: "GEMINI_BASE_URL", model: "SLUICE_LIVE_GEMINI",
		home: "https://generativelanguage.googleapis.com", asks: "gemini-2.5-flash",
		path: func(model string, stream bool) string {
			if stream {
				return "/v1beta/models/" + model + ":streamGenerateContent?alt=sse"
			}
			return "/v1beta/models/" + model + ":generateContent"
		},
		credential: func(h http.Header, key string) { h.Set("X-Goog-Api-Key", key) },
	},
}

// key returns the provider's key, empty if there is none.
func (p *provider) key(env func(string) string) string {
	for _, name := range p.keys {
		if key := env(name); key != "" {
			return key
		}
	}
	return ""
}

// maxAnswer bounds what is read of one answer, and answerTime how long that may take.
const (
	maxAnswer  = 16 << 20
	answerTime = 2 * time.Minute
)

// ask asks for one answer and returns its body.
func (p *provider) ask(ctx context.Context, env func(string) string, req *llm.Request) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	req.Model = p.asks
	if name := env(p.model); name != "" {
		req.Model = name
	}
	body, err := p.format.AppendRequest(nil, req)
	if err != nil {
		return nil, err
	}
	base := p.home
	if other := env(p.base); other != "" {
		base = strings.TrimSuffix(other, "/")
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+p.path(req.Model, req.Stream), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s is not a URL that can be asked: %w", p.base, err)
	}
	key := p.key(env)
	r.Header.Set("Content-Type", "application/json")
	p.credential(r.Header, key)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be reached: %s", r.URL.Host, strings.ReplaceAll(err.Error(), key, "[key]"))
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return nil, fmt.Errorf("the answer of %s was cut: %w", r.URL.Host, err)
	}
	if res.StatusCode != http.StatusOK {
		said := strings.Join(strings.Fields(strings.ReplaceAll(string(answer), key, "[key]")), " ")
		return nil, fmt.Errorf("%s answered %s: %.300s", r.URL.Host, res.Status, said)
	}
	return answer, nil
}
