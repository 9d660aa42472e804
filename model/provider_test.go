package model_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

const secret = "sk-very-secret-0123456789"

// quick retries without waiting.
var quick = model.Retry{Base: time.Microsecond, Cap: time.Microsecond}

// provider serves h and returns a model that asks it.
func provider(t *testing.T, cfg model.Config, h http.Handler) *model.Provider {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	if cfg.Format == "" {
		cfg.Format = wire.OpenAIChat
	}
	if cfg.Retry == (model.Retry{}) {
		cfg.Retry = quick
	}
	cfg.BaseURL, cfg.APIKey, cfg.Model, cfg.HTTPClient = server.URL+cfg.BaseURL, secret, "default-model", server.Client()
	m, err := model.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestEveryFormatAnswersTheSame(t *testing.T) {
	for _, format := range wire.Formats() {
		t.Run(string(format), func(t *testing.T) {
			script := scripted.New(
				scripted.Round{scripted.SignedThinking("hm", "S"), scripted.Text("Let me see."), scripted.Call("f", `{"a":1}`), scripted.Call("g", `{}`), scripted.Usage(11, 7)},
				scripted.Round{scripted.Text("cut short"), scripted.Finish(llm.FinishLength)},
			)
			m := provider(t, model.Config{Format: format}, script.Handler(format))
			res, err := model.Collect(t.Context(), m, ask())
			if err != nil {
				t.Fatal(err)
			}
			blocks := res.Choices[0].Blocks
			if len(blocks) != 4 || blocks[0].Kind != llm.Thinking || blocks[1].Text != "Let me see." || blocks[2].Name != "f" ||
				blocks[2].ID != "call_1_1" || blocks[3].Arguments != "{}" || res.Usage.Input != 11 || res.Usage.Output != 7 {
				t.Errorf("%+v", res)
			}
			// What was answered can be sent back, with the results.
			req := ask()
			req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Blocks: blocks}, llm.Message{Role: llm.ToolRole, Blocks: []llm.Block{
				{Kind: llm.ToolResult, ToolUseID: blocks[2].ID, Text: "1"}, {Kind: llm.ToolResult, ToolUseID: blocks[3].ID, Text: "2"},
			}})
			state := stream.NewState(stream.Limits{})
			for _, err := range model.Track(m.Stream(t.Context(), req), state) {
				if err != nil {
					t.Fatal(err)
				}
			}
			if state.Choice(0).Finish() != llm.FinishLength {
				t.Errorf("finish %v", state.Choice(0).Finish())
			}
			seen := script.Requests()
			if len(seen) != 2 || format != wire.Gemini && !seen[0].Stream || seen[0].Model != "m" {
				t.Errorf("%+v", seen)
			}
			if want, got := facts(req), facts(seen[1]); len(want) != len(got) {
				t.Errorf("want %+v\ngot  %+v", want, got)
			}
		})
	}
}

func TestRequestsGoWhereTheDialectSays(t *testing.T) {
	type sent struct{ path, header, value string }
	cases := []struct {
		format wire.Format
		base   string
		want   sent
	}{
		{wire.OpenAIChat, "", sent{"/v1/chat/completions", "Authorization", "Bearer " + secret}},
		{wire.OpenAIChat, "/v1", sent{"/v1/chat/completions", "Authorization", "Bearer " + secret}},
		{wire.OpenAIChat, "/v1/", sent{"/v1/chat/completions", "Authorization", "Bearer " + secret}},
		{wire.OpenAIChat, "/openai/v1", sent{"/openai/v1/chat/completions", "Authorization", "Bearer " + secret}},
		{wire.OpenAIChat, "/v1beta/openai/", sent{"/v1beta/openai/chat/completions", "Authorization", "Bearer " + secret}},
		{wire.OpenAIChat, "/x/chat/completions?api-version=1", sent{"/x/chat/completions?api-version=1", "Authorization", "Bearer " + secret}},
		{wire.OpenAIResponses, "", sent{"/v1/responses", "Authorization", "Bearer " + secret}},
		{wire.Anthropic, "", sent{"/v1/messages", "X-Api-Key", secret}},
		{wire.Anthropic, "/v1", sent{"/v1/messages", "Anthropic-Version", "2023-06-01"}},
		{wire.Gemini, "", sent{"/v1beta/models/a%2Fb:streamGenerateContent?alt=sse", "X-Goog-Api-Key", secret}},
		{wire.Gemini, "/v1", sent{"/v1/models/a%2Fb:streamGenerateContent?alt=sse", "X-Custom", "yes"}},
	}
	for _, c := range cases {
		t.Run(string(c.format)+c.base, func(t *testing.T) {
			var got sent
			h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got = sent{r.URL.RequestURI(), c.want.header, r.Header.Get(c.want.header)}
				w.WriteHeader(http.StatusTeapot)
			})
			m := provider(t, model.Config{Format: c.format, BaseURL: c.base, Headers: http.Header{"x-custom": {"yes"}}}, h)
			req := ask()
			req.Model = "models/a/b"
			_, err := model.Collect(t.Context(), m, req)
			if status := new(model.StatusError); !errors.As(err, &status) || got != c.want {
				t.Errorf("got %+v, want %+v, %v", got, c.want, err)
			}
		})
	}
}

func TestTheDefaultModelIsAskedAndTheLimitIsUnderstood(t *testing.T) {
	var body string
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		body = string(data)
		w.WriteHeader(http.StatusTeapot)
	})
	req := ask()
	req.Model, req.MaxTokens = "", 5
	m := provider(t, model.Config{}, h)
	_, _ = model.Collect(t.Context(), m, req)
	if !strings.Contains(body, `"model":"default-model"`) || !strings.Contains(body, `"max_tokens":5`) || !strings.Contains(body, `"stream":true`) || req.Extra != nil {
		t.Error(body)
	}
	nameless, _ := model.New(model.Config{Format: wire.OpenAIChat, BaseURL: "http://localhost"})
	if _, err := model.Collect(t.Context(), nameless, req); !errors.As(err, new(*llm.RequestError)) {
		t.Error(err)
	}
}

func TestAWholeBodyIsAnAnswerToo(t *testing.T) {
	for _, format := range wire.Formats() {
		t.Run(string(format), func(t *testing.T) {
			script := scripted.New(scripted.Round{scripted.Text("all at once"), scripted.Call("f", `{"a":1}`), scripted.Usage(1, 2)})
			inner := script.Handler(format)
			h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				// A server that does not know how to stream.
				data, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(strings.NewReader(strings.Replace(string(data), `"stream":true`, `"stream":false`, 1)))
				r.URL.Path = strings.Replace(r.URL.Path, "streamGenerateContent", "generateContent", 1)
				inner.ServeHTTP(w, r)
			})
			res, err := model.Collect(t.Context(), provider(t, model.Config{Format: format}, h), ask())
			if err != nil {
				t.Fatal(err)
			}
			if b := res.Choices[0].Blocks; len(b) != 2 || b[0].Text != "all at once" || b[1].Arguments != `{"a":1}` || res.Usage.Output != 2 {
				t.Errorf("%+v", res)
			}
		})
	}
}

const good = "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"

func TestCompressedAnswersAreRead(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			t.Error("gzip was not asked for")
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		fmt.Fprint(z, good)
		z.Close()
	})
	res, err := model.Collect(t.Context(), provider(t, model.Config{}, h), ask())
	if err != nil || res.Choices[0].Blocks[0].Text != "ok" {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestConfigsThatCannotWorkAreRefused(t *testing.T) {
	for _, name := range []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"} {
		t.Setenv(name, "")
	}
	cases := map[string]struct {
		cfg  model.Config
		want string
	}{
		"no format":      {model.Config{}, "openai-chat, anthropic"},
		"no key":         {model.Config{Format: wire.Gemini}, "GEMINI_API_KEY or GOOGLE_API_KEY"},
		"no scheme":      {model.Config{Format: wire.Anthropic, BaseURL: "localhost:80"}, "https://"},
		"not a URL":      {model.Config{Format: wire.Anthropic, BaseURL: "http://\x7f" + secret}, "not a URL"},
		"a user":         {model.Config{Format: wire.Anthropic, BaseURL: "http://u:" + secret + "@host"}, "APIKey"},
		"a key in lines": {model.Config{Format: wire.Anthropic, APIKey: secret + "\n"}, "line break"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := model.New(c.cfg)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), secret) {
				t.Error(err)
			}
		})
	}
}

func TestKeysOfTheEnvironmentGoToTheirProviderOnly(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", secret)
	if _, err := model.New(model.Config{Format: wire.OpenAIChat}); err != nil {
		t.Error(err)
	}
	var authorization string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		authorization = r.Header.Get("Authorization")
		fmt.Fprint(w, good)
	}))
	defer server.Close()
	m, err := model.New(model.Config{Format: wire.OpenAIChat, BaseURL: server.URL, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := model.Collect(t.Context(), m, ask()); err != nil || authorization != "" {
		t.Errorf("%q, %v", authorization, err)
	}
}

func TestNothingPrintsTheKey(t *testing.T) {
	cfg := model.Config{Format: wire.Anthropic, APIKey: secret, Model: "m", Headers: http.Header{"Authorization": {secret}}}
	m, err := model.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{cfg, &cfg, m} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if text := fmt.Sprintf(verb, v); strings.Contains(text, secret) {
				t.Errorf("%s: %s", verb, text)
			}
		}
	}
}
