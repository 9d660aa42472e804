package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
)

// seen is a request as it arrived upstream.
type seen struct {
	host, method, path string
	query              url.Values
	header             http.Header
	body               []byte
}

// upstream is the provider of the tests. It speaks all four dialects, answers as the agent of agent_test.go
// would, and keeps what it was asked.
type upstream struct {
	URL string
	// breakStreams ends every stream with an error, as an overloaded provider does. It is set before the first
	// request.
	breakStreams bool

	mu       sync.Mutex
	requests []seen
	answers  int
}

// newUpstream starts a provider that lives as long as the test.
func newUpstream(t testing.TB) *upstream {
	u := &upstream{}
	server := httptest.NewServer(u)
	t.Cleanup(server.Close)
	u.URL = server.URL
	return u
}

// Requests returns what arrived so far at the routes that ask a model.
func (u *upstream) Requests() []seen {
	u.mu.Lock()
	defer u.mu.Unlock()
	var asked []seen
	for _, request := range u.requests {
		if request.method == http.MethodPost && dialectOf(request.path) != "" {
			asked = append(asked, request)
		}
	}
	return asked
}

// Log describes every request in a line, for failures.
func (u *upstream) Log() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	var out strings.Builder
	for _, r := range u.requests {
		fmt.Fprintf(&out, "%s %s%s?%s (%d bytes)\n", r.method, r.host, r.path, r.query.Encode(), len(r.body))
	}
	return out.String()
}

// ServeHTTP answers as a provider.
func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 32<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	u.mu.Lock()
	u.requests = append(u.requests, seen{r.Host, r.Method, r.URL.Path, r.URL.Query(), r.Header.Clone(), body})
	u.answers++
	number := u.answers
	u.mu.Unlock()

	dialect := dialectOf(r.URL.Path)
	switch {
	case r.Header.Get("Upgrade") != "":
		// Codex asks for a WebSocket first and posts at once after this answer.
		w.WriteHeader(http.StatusUpgradeRequired)
	case strings.HasSuffix(r.URL.Path, "/count_tokens"), strings.HasSuffix(r.URL.Path, ":countTokens"):
		writeJSON(w, `{"input_tokens":11,"totalTokens":11}`)
	case strings.HasSuffix(r.URL.Path, "/models"):
		writeJSON(w, models(r))
	case r.Method != http.MethodPost || dialect == "":
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"type":"error","error":{"type":"not_found_error","message":"no such route"}}`)
	case orphan(dialect, body) != "":
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprintf(w, `{"type":"error","error":{"type":"invalid_request_error","message":%q}}`, orphan(dialect, body))
	default:
		u.answer(w, dialect, read(dialect, r.URL.Path, body), number)
	}
}

// dialectOf returns the dialect of a path, "" if the route asks no model.
func dialectOf(path string) string {
	switch {
	case strings.HasSuffix(path, "/messages"):
		return sluicetest.Anthropic
	case strings.HasSuffix(path, "/chat/completions"):
		return sluicetest.OpenAIChat
	case strings.HasSuffix(path, "/responses"):
		return sluicetest.OpenAIResponses
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"):
		return sluicetest.Gemini
	default:
		return ""
	}
}

// answer writes what the agent says, streamed or not as the client wants it.
func (u *upstream) answer(w http.ResponseWriter, dialect string, asked *question, number int) {
	blocks := [][]llm.Block{asked.Answer(number)}
	options := sluicetest.BuildOptions{
		ID:    fmt.Sprintf("%s_e2e_%d", map[string]string{sluicetest.Anthropic: "msg", sluicetest.OpenAIResponses: "resp"}[dialect], number),
		Model: asked.model,
		// Small pieces, so that no client and no gateway ever gets a command in one.
		MaxPiece: 7,
		Usage:    asked.usage,
	}
	w.Header().Set("Request-Id", fmt.Sprintf("req_e2e_%d", number))
	if asked.stream && u.breakStreams {
		blocks, options.Error = nil, "overloaded"
	}
	if !asked.stream {
		writeJSON(w, namespaced(asked, sluicetest.BuildBody(dialect, blocks, options)))
		return
	}
	payloads := sluicetest.Build(dialect, blocks, options)
	for i := range payloads {
		payloads[i] = namespaced(asked, payloads[i])
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = w.Write(sluicetest.SSE(dialect, payloads))
}

// namespaced adds the group of the tool, which Codex declares and expects back, to the items of a call.
func namespaced(asked *question, payload string) string {
	if asked.shell == nil || asked.shell.namespace == "" {
		return payload
	}
	name := fmt.Sprintf(`"name":%q`, asked.shell.name)
	return strings.ReplaceAll(payload, name, fmt.Sprintf(`%s,"namespace":%q`, name, asked.shell.namespace))
}

func writeJSON(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, body)
}

func models(r *http.Request) string {
	if r.Header.Get("Anthropic-Version") != "" {
		return `{"data":[{"type":"model","id":"claude-e2e","display_name":"E2E","created_at":"2026-01-01T00:00:00Z"}],` +
			`"has_more":false,"first_id":"claude-e2e","last_id":"claude-e2e"}`
	}
	return `{"object":"list","data":[{"id":"gpt-e2e","object":"model","created":1767225600,"owned_by":"e2e"}]}`
}
