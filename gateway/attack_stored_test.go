package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/wire"
)

// answering are paths by which an API, this one or one that resembles it, hands out
// what a model has answered, now or earlier.
var answering = []string{
	"/v1/responses", "/v1/responses/resp_1", "/v1/responses/resp_1?stream=true", "/v1/responses/resp_1?stream=true&starting_after=3", "/v1/responses/resp_1?stre%61m=true",
	"/v1/responses/resp_1/", "/v1/responses/", "/v1/responses/resp_1/input_items", "/v1/responses/resp_1/cancel", "/v1/responses/resp_1/events", "/v1/responses/compact",
	"/v1/conversations/c/items", "/v1/conversations/c/items/i", "/v1/chat/completions", "/v1/chat/completions/id", "/v1/chat/completions/id/messages",
	"/v1/batches/b", "/v1/files/f/content", "/v1/files/f/content?x=1", "/v1/files/f?alt=media", "/v1/messages/batches/b/results", "/v1/messages", "/v1/messages/", "/v1/completions", "/v1/complete",
	"/v1/threads/t/runs", "/v1/threads/t/runs/r", "/v1/threads/t/runs/r/submit_tool_outputs", "/v1/threads/t/messages", "/v1/threads/runs", "/v1/realtime", "/v1/realtime/calls", "/v1/chatkit/threads/t/items",
	"/v1/evals/e/runs/r/output_items", "/v1/containers/c/files/f/content", "/v1/videos/v/content", "/v1/vector_stores/v/files/f/content", "/v1/fim/completions", "/v1/engines/e/completions", "/v1/agents/completions",
	"/v1beta/models/g:generateContent", "/v1beta/models/g:streamGenerateContent", "/v1beta/models/g:streamGenerateContent?alt=sse", "/v1beta/models/g:batchGenerateContent", "/v1beta/models/g:generateAnswer", "/v1beta/models/g:predict",
	"/v1beta/batches/b", "/v1beta/operations/o", "/v1beta/models/g/operations/o", "/v1beta/interactions", "/v1beta/interactions/i", "/v1beta/files/f:download", "/v1beta/files/f?alt=media", "/download/v1beta/files/f:download?alt=media",
	"/v1beta/tunedModels/t:generateContent", "/v1alpha/models/g:generateContent", "/upload/v1beta/models/g:generateContent", "/upload/v1/models/g", "/upload/v1beta/models/g", "/upload/v1/cachedContents",
	"/v1beta1/projects/p/locations/l/publishers/google/models/g:generateContent", "/v1/projects/p/locations/l/publishers/anthropic/models/c:streamRawPredict", "/v1/projects/p/locations/l/publishers/anthropic/models/c:rawPredict",
	"/v1/projects/p/locations/l/endpoints/openapi/chat/completions", "/v1beta1/projects/p/locations/l/endpoints/e:predict",
	"/openai/deployments/d/chat/completions?api-version=x", "/openai/v1/responses", "/openai/responses?api-version=x", "/v1beta/openai/chat/completions", "/anthropic/v1/messages",
	"/model/m/invoke", "/model/m/invoke-with-response-stream", "/model/m/converse", "/model/m/converse-stream", "/api/chat", "/api/generate", "/v2/chat",
	"/V1/messages", "/v1/Messages", "/v1//messages", "//v1/messages", "/v1/./messages", "/v1/models/../messages", "/v1/models/%2e%2e/messages", "/v1/models/..%2fmessages", "/v1/models/..;/messages", "/v1/%6dessages", "/v1%2fmessages",
	"/v1/messages;a=b", "/v1/messages%20", "/v1/messages%00", "/v1/v1/messages", "/v1/models/x/messages", "/v1/models/x:generateContent",
	"/backend-api/codex/responses", "/backend-api/codex/responses/r", "/backend-api/conversation", "/backend-api/wham/tasks", "/v1/sessions/s/events",
}

// Whatever is asked for by whatever method, for whichever provider, a blocked call does
// not reach the client: its answer is judged, or the request is refused with a reason.
// Deleting is left to the provider.
func TestAttackStoredAnswers(t *testing.T) {
	t.Parallel()
	bodies := map[string]string{
		"a list of items": `{"object":"list","data":[{"type":"function_call","id":"fc_1","call_id":"c","name":"Bash","arguments":"{\"command\":\"` + harmful + `\"}","status":"completed"}]}`,
		"a run": `{"id":"run_1","object":"thread.run","status":"requires_action","required_action":{"type":"submit_tool_outputs","submit_tool_outputs":{"tool_calls":[` +
			`{"id":"c","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"` + harmful + `\"}"}}]}}}`,
	}
	for _, format := range wire.Formats() {
		bodies[string(format)] = string(reply(format, false, said("x", harmful)).Body)
		bodies[string(format)+", streamed"] = string(reply(format, true, said("x", harmful)).Body)
	}
	tried := every(5)
	for name, body := range bodies {
		up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(body))
		}))
		b := newBench(t, func(c *gateway.Config) {
			u := gateway.Upstream{URL: up.URL}
			c.Upstreams = gateway.Upstreams{Anthropic: u, OpenAI: u, Gemini: u, ChatGPT: u}
		})
		for _, path := range answering {
			for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodOptions, "post", "FETCH"} {
				for _, h := range []http.Header{nil, headers("anthropic-version", "1"), headers("x-goog-api-key", "k"), headers("chatgpt-account-id", "a")} {
					if !tried() {
						continue
					}
					var asks []byte
					if method != http.MethodGet {
						asks = question(formatFor(path), strings.Contains(name, "streamed"))
					}
					got := b.do(method, path, h, asks)
					if strings.Contains(string(got.body), harmfulMark) || len(got.body) == 0 {
						t.Errorf("%s %s %v, answered with %s: status %d %.300s", method, path, h, name, got.status, got.body)
					}
				}
			}
		}
		up.Close()
	}
}

// formatFor is the dialect of a path.
func formatFor(path string) wire.Format {
	switch {
	case strings.Contains(path, "esponses"):
		return wire.OpenAIResponses
	case strings.Contains(path, "essages"):
		return wire.Anthropic
	case strings.Contains(path, "ontent"):
		return wire.Gemini
	}
	return wire.OpenAIChat
}
