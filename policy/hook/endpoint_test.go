package hook_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/hook"
)

// wire is a function that serves as an http.RoundTripper, for bubbles in which
// there is no network.
type wire func(*http.Request) (*http.Response, error)

func (f wire) RoundTrip(r *http.Request) (*http.Response, error) {
	defer r.Body.Close()
	return f(r)
}

// reply returns a response as an endpoint would send it.
func reply(status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)),
	}
}

const allow = `{"action":"allow"}`

// serve returns a hook that asks a server of its own.
func serve(t *testing.T, cfg hook.Config, handler http.HandlerFunc) *hook.Hook {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	cfg.URL, cfg.Transport = server.URL+"/judge?tenant=7", server.Client().Transport
	return newHook(t, cfg)
}

// answers returns a handler that always answers alike.
func answers(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func newHook(t *testing.T, cfg hook.Config) *hook.Hook {
	t.Helper()
	if cfg.Name == "" {
		cfg.Name = "control"
	}
	if cfg.URL == "" {
		cfg.URL = "https://hook.test/judge"
	}
	h, err := hook.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func call(name, arguments string) llm.Block {
	return llm.Block{Kind: llm.ToolCall, Name: name, Arguments: arguments, Type: "function", Status: llm.Complete}
}

func subject(arguments string) *policy.Subject {
	return policy.NewSubject(&policy.Exchange{
		Request: &llm.Request{
			Model:    "big-1",
			Messages: []llm.Message{{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: "list the files"}}}},
		},
		Session: policy.Session{ID: "s1", Client: "cli"},
		Key:     policy.Key{Name: "laptop", User: "ada", Groups: []string{"dev"}},
	}, call("Bash", arguments))
}
