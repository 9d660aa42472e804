package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/wire"
)

// A server that speaks the dialect of a provider is as good as the provider.
func TestProviders(t *testing.T) {
	t.Setenv("CHAT_API_KEY", "key-of-the-server")
	for provider, format := range map[string]wire.Format{
		"anthropic": wire.Anthropic, "openai": wire.OpenAIChat, "openai-responses": wire.OpenAIResponses, "gemini": wire.Gemini,
	} {
		t.Run(provider, func(t *testing.T) {
			script := scripted.New(
				scripted.Round{scripted.Call("list_files", `{}`)},
				scripted.Round{scripted.Text("One file.")},
			).Handler(format)
			authorised := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				for _, values := range r.Header {
					if values[0] == "key-of-the-server" || values[0] == "Bearer key-of-the-server" {
						authorised++
					}
				}
				script.ServeHTTP(w, r)
			}))
			defer server.Close()
			defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
			dir := files(t, map[string]string{"a": ""})
			out, code := play(t, "", "-dir", dir, "-model", provider+":m", "-base-url", server.URL, "-ask", "Which files?")
			if code != 0 || authorised != 2 {
				t.Error("the exit code is", code, "requests with the key:", authorised)
			}
			has(t, out, "→ list_files {}", "← list_files: a", "One file.", "(2 rounds")
		})
	}
}
