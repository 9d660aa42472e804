package connect_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/connect"
	"github.com/sluice-project/sluice/wire"
)

const word = `[Sluice blocked the tool call Bash: it deletes [everything] (policy destructive-commands)]`

// answers are what a gateway sends in each dialect: with a text, or with a call.
var answers = map[wire.Format]struct{ wholeText, wholeCall, streamText, streamCall string }{
	wire.Anthropic: {
		`{"id":"m","type":"message","role":"assistant","model":"x","content":[{"type":"text","text":%q}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`,
		`{"id":"m","type":"message","role":"assistant","model":"x","content":[{"type":"text","text":%q},{"type":"tool_use","id":"t","name":"Bash","input":{"command":"rm -rf /"}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`,
		"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"x\",\"content\":[],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\nevent: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\nevent: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":%q}}\n\nevent: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":1}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
		"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"x\",\"content\":[],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\nevent: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"Bash\",\"input\":{}}}\n\nevent: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":%q}}\n\nevent: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":1}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
	},
	wire.OpenAIChat: {
		`{"id":"c","object":"chat.completion","created":1,"model":"x","choices":[{"index":0,"message":{"role":"assistant","content":%q},"finish_reason":"stop"}]}`,
		`{"id":"c","object":"chat.completion","created":1,"model":"x","choices":[{"index":0,"message":{"role":"assistant","content":%q,"tool_calls":[{"id":"t","type":"function","function":{"name":"Bash","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
		"data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":%q}}]}\n\ndata: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"x\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
		"data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"tool_calls\":[{\"index\":0,\"id\":\"t\",\"type\":\"function\",\"function\":{\"name\":\"Bash\",\"arguments\":%q}}]}}]}\n\ndata: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"x\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
	},
	wire.OpenAIResponses: {
		`{"id":"r","object":"response","created_at":1,"status":"completed","model":"x","output":[{"id":"m","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":%q,"annotations":[]}]}]}`,
		`{"id":"r","object":"response","created_at":1,"status":"completed","model":"x","output":[{"id":"m","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":%q,"annotations":[]}]},{"id":"f","type":"custom_tool_call","status":"completed","call_id":"t","name":"exec","input":"rm"}]}`,
		"event: response.created\ndata: {\"type\":\"response.created\",\"sequence_number\":0,\"response\":{\"id\":\"r\",\"object\":\"response\",\"status\":\"in_progress\",\"output\":[]}}\n\nevent: response.output_item.added\ndata: {\"type\":\"response.output_item.added\",\"sequence_number\":1,\"output_index\":0,\"item\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"status\":\"in_progress\",\"content\":[]}}\n\nevent: response.output_item.done\ndata: {\"type\":\"response.output_item.done\",\"sequence_number\":2,\"output_index\":0,\"item\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"status\":\"completed\",\"content\":[{\"type\":\"output_text\",\"text\":%[1]q,\"annotations\":[]}]}}\n\nevent: response.completed\ndata: {\"type\":\"response.completed\",\"sequence_number\":3,\"response\":{\"id\":\"r\",\"object\":\"response\",\"status\":\"completed\",\"output\":[{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"status\":\"completed\",\"content\":[{\"type\":\"output_text\",\"text\":%[1]q,\"annotations\":[]}]}]}}\n\n",
		"event: response.created\ndata: {\"type\":\"response.created\",\"sequence_number\":0,\"response\":{\"id\":\"r\",\"object\":\"response\",\"status\":\"in_progress\",\"output\":[]}}\n\nevent: response.output_item.added\ndata: {\"type\":\"response.output_item.added\",\"sequence_number\":1,\"output_index\":0,\"item\":{\"id\":\"f\",\"type\":\"function_call\",\"status\":\"in_progress\",\"call_id\":\"t\",\"name\":\"Bash\",\"arguments\":\"\"}}\n\nevent: response.output_item.done\ndata: {\"type\":\"response.output_item.done\",\"sequence_number\":2,\"output_index\":0,\"item\":{\"id\":\"f\",\"type\":\"function_call\",\"status\":\"completed\",\"call_id\":\"t\",\"name\":\"Bash\",\"arguments\":%[1]q}}\n\nevent: response.completed\ndata: {\"type\":\"response.completed\",\"sequence_number\":3,\"response\":{\"id\":\"r\",\"object\":\"response\",\"status\":\"completed\",\"output\":[{\"id\":\"f\",\"type\":\"function_call\",\"status\":\"completed\",\"call_id\":\"t\",\"name\":\"Bash\",\"arguments\":%[1]q}]}}\n\n",
	},
	wire.Gemini: {
		`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":%q}]},"finishReason":"STOP"}]}`,
		`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":%q},{"functionCall":{"name":"Bash","args":{}}}]},"finishReason":"STOP"}]}`,
		"data: {\"candidates\":[{\"index\":0,\"content\":{\"role\":\"model\",\"parts\":[{\"text\":%q}]},\"finishReason\":\"STOP\"}]}\n\n",
		"data: {\"candidates\":[{\"index\":0,\"content\":{\"role\":\"model\",\"parts\":[{\"text\":%q},{\"functionCall\":{\"name\":\"Bash\",\"args\":{}}}]},\"finishReason\":\"STOP\"}]}\n\n",
	},
}

// fakeGateway answers canaries. lets says when the call comes through.
func fakeGateway(t *testing.T, text string, lets func(streamed bool) bool) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Stream bool `json:"stream"`
		}
		raw, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(raw, &body); err != nil || r.Header.Get(connect.CanaryHeader) != "1" || !strings.Contains(string(raw)+r.URL.Path, connect.CanaryModel) {
			http.Error(w, "not a canary", http.StatusTeapot)
			return
		}
		if r.Header.Get("X-Sluice-Key") != "slk_1" {
			http.Error(w, "no key", http.StatusUnauthorized)
			return
		}
		format, streamed := wire.Gemini, body.Stream
		switch {
		case strings.HasSuffix(r.URL.Path, "/v1/messages"):
			format = wire.Anthropic
		case strings.HasSuffix(r.URL.Path, "/v1/chat/completions"):
			format = wire.OpenAIChat
		case strings.HasSuffix(r.URL.Path, "/v1/responses"):
			format = wire.OpenAIResponses
		default:
			streamed = strings.HasSuffix(r.URL.Path, ":streamGenerateContent")
		}
		all := answers[format]
		answer := map[[2]bool]string{
			{false, false}: all.wholeText, {false, true}: all.wholeCall, {true, false}: all.streamText, {true, true}: all.streamCall,
		}[[2]bool{streamed, lets(streamed)}]
		_, _ = fmt.Fprintf(w, answer, text)
	}))
	t.Cleanup(server.Close)
	return server
}

func never(bool) bool { return false }

func TestTheCanaryProvesThatADestructiveCallIsBlocked(t *testing.T) {
	for format := range answers {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			server := fakeGateway(t, "A canary. "+word, never)
			result := connect.Canary(t.Context(), connect.Gateway{BaseURL: server.URL, Key: "slk_1"}, format)
			if !result.Protected || len(result.Checks) != 2 || !strings.Contains(result.Checks[1].Detail, word) {
				t.Errorf("%+v", result)
			}
		})
	}
}

func TestACallThatComesThroughIsNotProtected(t *testing.T) {
	for format := range answers {
		for name, lets := range map[string]func(bool) bool{
			"whole":    func(streamed bool) bool { return !streamed },
			"streamed": func(streamed bool) bool { return streamed },
		} {
			t.Run(string(format)+" "+name, func(t *testing.T) {
				t.Parallel()
				server := fakeGateway(t, word, lets)
				result := connect.Canary(t.Context(), connect.Gateway{BaseURL: server.URL, Key: "slk_1"}, format)
				failed := 0
				for _, check := range result.Checks {
					if !check.OK {
						failed++
						if !strings.Contains(check.Detail, "NOT PROTECTED") || check.Advice == "" {
							t.Errorf("%+v", check)
						}
					}
				}
				if result.Protected || failed != 1 {
					t.Errorf("%+v", result)
				}
			})
		}
	}
}

func TestWhatIsNoProofIsNotProtected(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	serve := func(status int, body string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	for name, url := range map[string]string{
		"nobody answers":          closed.URL,
		"no URL":                  "gateway",
		"not found":               serve(404, `{}`),
		"a redirect":              serve(307, ``),
		"an empty answer":         serve(200, ``),
		"a page":                  serve(200, `<html>`),
		"another model's word":    fakeGateway(t, "I would never do that.", never).URL,
		"a claim without policy":  fakeGateway(t, "[Sluice blocked the tool call Bash]", never).URL,
		"a key that is not valid": serve(401, `{}`),
		"an endless answer":       serve(200, strings.Repeat(" ", 1<<20+1)),
		"a stream for a whole":    serve(200, "data: {\"candidates\":[]}\n\n"),
	} {
		t.Run(name, func(t *testing.T) {
			result := connect.Canary(t.Context(), connect.Gateway{BaseURL: url, Key: "slk_1"}, wire.OpenAIChat)
			if result.Protected {
				t.Errorf("%+v", result)
			}
			for _, check := range result.Checks {
				if check.OK || check.Detail == "" || check.Advice == "" {
					t.Errorf("%+v", check)
				}
			}
		})
	}
}

func TestTheDoctorLooksAtClientSettingsAndGateway(t *testing.T) {
	server := fakeGateway(t, word, never)
	g := connect.Gateway{BaseURL: server.URL, Key: "slk_1"}
	claude, _ := connect.Find("claude")
	program := "#!/bin/sh\necho 2.1.325 '(Claude Code)'\n"
	for _, tc := range []struct {
		name      string
		files     map[string]string
		env       []string
		protected bool
		detail    string
		private   bool
	}{
		{"it goes there with sluice run alone", map[string]string{"home/bin/claude": program}, nil, false, "sluice connect claude", false},
		{"it is not installed", nil, nil, false, "not installed", false},
		{"it is not installed, and is started with sluice run", nil, nil, false, "not installed", true},
		{"its settings lead past the gateway", map[string]string{"home/bin/claude": program}, []string{"CLAUDE_CODE_USE_BEDROCK=1"}, false, "CLAUDE_CODE_USE_BEDROCK", false},
		{"it is set up for good", map[string]string{"home/bin/claude": program, "home/.claude/settings.json": `{"env":{"ANTHROPIC_BASE_URL":"` + server.URL + `"}}`}, nil, true, "version 2.1.325 (Claude Code)", false},
		{"it does not run", map[string]string{"home/bin/claude": "#!/bin/sh\nexit 3\n"}, nil, false, "--version failed", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := newMachine(t, tc.files)
			if _, there := tc.files["home/bin/claude"]; there {
				if err := os.Chmod(filepath.Join(m.home, "bin", "claude"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			opt := m.options(nil, append([]string{"PATH=" + filepath.Join(m.home, "bin")}, tc.env...))
			g := g
			g.Private = tc.private
			result := connect.Doctor(t.Context(), claude, g, opt)
			text := fmt.Sprintf("%+v", result)
			if absent := tc.detail == "not installed"; (result.Missing == "Claude Code") != (absent && tc.private) || absent && !strings.Contains(text, "npm install -g @anthropic-ai/claude-code") {
				t.Errorf("missing is %q: %s", result.Missing, text)
			}
			if result.Protected != tc.protected || !strings.Contains(text, tc.detail) {
				t.Errorf("want protected %t and %q: %s", tc.protected, tc.detail, text)
			}
		})
	}
}
