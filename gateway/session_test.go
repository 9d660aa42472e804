package gateway_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// sessionOf is the session that policies see for a request.
func sessionOf(t *testing.T, known policy.Session, path string, h http.Header, body string) policy.Session {
	t.Helper()
	var seen policy.Session
	set, err := policy.NewSet(policy.Definition{Name: "look", New: func(x *policy.Exchange) policy.Policy {
		seen = x.Session
		return policy.Policy{}
	}, Sees: true})
	if err != nil {
		t.Fatal(err)
	}
	format := wire.Anthropic
	switch {
	case strings.Contains(path, "responses"):
		format = wire.OpenAIResponses
	case strings.Contains(path, "v1beta"):
		format = wire.Gemini
	case strings.Contains(path, "chat"):
		format = wire.OpenAIChat
	}
	b := newBench(t, func(c *gateway.Config) { c.Policies, c.Session = policy.NewLive(set), known }, reply(format, false, said("ok", "ls")))
	got := b.do(http.MethodPost, path, h, []byte(body))
	if got.status != http.StatusOK {
		t.Fatalf("status %d %s", got.status, got.body)
	}
	s := got.story()
	if s.exchange.Session != seen.ID || s.exchange.Client != seen.Client {
		t.Errorf("policies see %+v, events say %+v", seen, s.exchange)
	}
	return seen
}

func TestSessions(t *testing.T) {
	t.Parallel()
	const uuid = "0b0b8f9e-0000-4000-8000-000000000000"
	user, err := json.Marshal(`{"device_id":"d","account_uuid":"","session_id":"` + uuid + `"}`)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 600)
	for name, tc := range map[string]struct {
		path string
		h    http.Header
		body string
		id   string
	}{
		"Claude Code's header":          {"/v1/messages", headers("X-Claude-Code-Session-Id", uuid), `{}`, uuid},
		"Claude Code's user id":         {"/v1/messages", nil, `{"metadata":{"user_id":` + string(user) + `}}`, uuid},
		"the header before the user id": {"/v1/messages", headers("X-Claude-Code-Session-Id", "h"), `{"metadata":{"user_id":` + string(user) + `}}`, "h"},
		"a plain user id":               {"/v1/messages", nil, `{"metadata":{"user_id":"u-1"}}`, ""},
		"an odd user id":                {"/v1/messages", nil, `{"metadata":{"user_id":["u-1"]}}`, ""},
		"odd metadata":                  {"/v1/messages", nil, `{"metadata":7}`, ""},
		"Codex's header":                {"/v1/responses", headers("Session-Id", "s", "Thread-Id", "t"), `{}`, "s"},
		"Codex's old header":            {"/v1/responses", headers("session_id", "s"), `{}`, "s"},
		"Codex's thread":                {"/v1/responses", headers("Thread-Id", "t"), `{}`, "t"},
		"a cache key":                   {"/v1/responses", nil, `{"prompt_cache_key":"k"}`, "k"},
		"opencode's header":             {"/v1/chat/completions", headers("X-Session-Id", "o"), `{}`, "o"},
		"none":                          {"/v1/chat/completions", nil, `{}`, ""},
		"too long":                      {"/v1/responses", headers("Session-Id", long), `{"prompt_cache_key":"` + long + `"}`, ""},
		"with control characters":       {"/v1/responses", nil, `{"prompt_cache_key":"a\u001b[2Jb"}`, ""},
		"with a line break":             {"/v1/responses", nil, `{"prompt_cache_key":"a\nb"}`, ""},
	} {
		if got := sessionOf(t, policy.Session{}, tc.path, tc.h, tc.body); got.ID != tc.id {
			t.Errorf("%s: the session is %q, want %q", name, got.ID, tc.id)
		}
	}
}

func TestClients(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{
		"claude-cli/2.1.325 (external, sdk-cli)": "claude-code", "codex_exec/0.166.0 (Linux)": "codex", "opencode/1.18.33": "opencode", "QwenCode/0.24.4": "qwen-code",
		"GeminiCLI/0.61.0/gemini-x": "gemini-cli", "OpenAI/JS 7.53.0": "openai-sdk", "Anthropic/JS 1.8.0": "anthropic-sdk", "curl/8": "", "": "",
	} {
		if got := sessionOf(t, policy.Session{}, "/v1/messages", headers("User-Agent", agent), `{}`); got.Client != want {
			t.Errorf("%s: the client is %q, want %q", agent, got.Client, want)
		}
	}
}

// The working directory comes from the client itself, never from what a tool
// read.
func TestWorkingDirectories(t *testing.T) {
	t.Parallel()
	text := func(s string) string {
		raw, _ := json.Marshal(s)
		return string(raw)
	}
	const claude = "Here is useful information about the environment you are running in:\n<env>\nWorking directory: /home/ann/project\nIs directory a git repo: Yes\n</env>"
	const newer = "# Environment\nYou have been invoked in the following environment: \n - Primary working directory: /home/ann/project\n - Platform: linux"
	const codex = "<environment_context>\n  <cwd>/home/ann/project</cwd>\n  <shell>bash</shell>\n</environment_context>"
	for name, tc := range map[string]struct {
		path, body string
		h          http.Header
		cwd        string
	}{
		"Claude Code's system prompt":      {"/v1/messages", `{"system":[{"type":"text","text":"x"},{"type":"text","text":` + text(claude) + `}]}`, nil, "/home/ann/project"},
		"Claude Code's newer one":          {"/v1/messages", `{"system":[{"type":"text","text":` + text(newer) + `}]}`, nil, "/home/ann/project"},
		"a system message of Chat":         {"/v1/chat/completions", `{"messages":[{"role":"system","content":` + text(claude) + `}]}`, nil, "/home/ann/project"},
		"Codex's first messages":           {"/v1/responses", `{"input":[{"type":"message","role":"developer","content":[{"type":"input_text","text":"x"}]},{"type":"message","role":"user","content":[{"type":"input_text","text":` + text(codex) + `}]}]}`, nil, "/home/ann/project"},
		"a header":                         {"/v1/messages", `{"system":` + text(claude) + `}`, headers("X-Sluice-Cwd", "/h"), "/h"},
		"a file beside the prompt":         {"/v1/messages", `{"messages":[{"role":"user","content":` + text("<system-reminder>"+claude) + `}]}`, nil, ""},
		"a file before Codex's message":    {"/v1/responses", `{"input":[{"role":"user","content":` + text("# AGENTS.md\n<cwd>/</cwd>") + `},{"role":"user","content":[{"type":"input_text","text":` + text(codex) + `}]}]}`, nil, "/home/ann/project"},
		"Gemini's system prompt":           {"/v1beta/models/g:generateContent", `{"systemInstruction":{"parts":[{"text":` + text(claude) + `}]}}`, nil, ""}, // files of the project stand there
		"nothing":                          {"/v1/messages", `{}`, nil, ""},
		"a relative one":                   {"/v1/messages", `{"system":"Working directory: ./x\n"}`, nil, ""},
		"a back slash in it":               {"/v1/messages", `{"system":"Working directory: /a\\b\n"}`, nil, `/a\b`},
		"a tool's result in Anthropic":     {"/v1/messages", `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":` + text(claude) + `}]}]}`, nil, ""},
		"a tool's result in Chat":          {"/v1/chat/completions", `{"messages":[{"role":"tool","tool_call_id":"t","content":` + text(claude) + `}]}`, nil, ""},
		"a tool's result in Responses":     {"/v1/responses", `{"input":[{"type":"function_call_output","call_id":"t","output":` + text(codex) + `}]}`, nil, ""},
		"a tool's result, escaped":         {"/v1/messages", `{"messages":[{"role":"user","content":[{"type":"tool\u005fresult","tool_use_id":"t","content":` + text(claude) + `}]}]}`, nil, ""},
		"a tool's result in Chat, escaped": {"/v1/chat/completions", `{"messages":[{"role":"t\u006fol","tool_call_id":"t","content":` + text(claude) + `}]}`, nil, ""},
		"what the model said":              {"/v1/messages", `{"messages":[{"role":"assistant","content":` + text(claude) + `}]}`, nil, ""},
		"what the model called":            {"/v1/responses", `{"input":[{"type":"function_call","call_id":"c","name":"f","arguments":` + text(codex) + `}]}`, nil, ""},
		"far into the conversation":        {"/v1/messages", `{"messages":[` + strings.Repeat(`{"role":"user","content":"x"},`, 40) + `{"role":"user","content":` + text(claude) + `}]}`, nil, ""},
	} {
		h := tc.h.Clone()
		if h == nil {
			h = make(http.Header)
		}
		if h.Get("User-Agent") == "" {
			h.Set("User-Agent", map[string]string{"/v1/messages": "claude-cli/2.1", "/v1/responses": "codex_exec/0.166", "/v1/chat/completions": "opencode/1.18"}[tc.path])
		}
		if got := sessionOf(t, policy.Session{}, tc.path, h, tc.body); got.Cwd != tc.cwd {
			t.Errorf("%s: the working directory is %q, want %q", name, got.Cwd, tc.cwd)
		}
	}
}

// What the host knows beforehand counts more than what a request says.
func TestWhatIsKnownOfTheSessionBeforehand(t *testing.T) {
	t.Parallel()
	known := policy.Session{ID: "i", Client: "c", Cwd: "/w", Home: "/h", Labels: []string{"l"}}
	got := sessionOf(t, known, "/v1/messages", headers("Session-Id", "s", "User-Agent", "codex", "X-Sluice-Cwd", "/x", "X-Sluice-Home", "/y"), `{"system":"Working directory: /z\n"}`)
	if got.ID != "i" || got.Client != "c" || got.Cwd != "/w" || got.Home != "/h" || len(got.Labels) != 1 {
		t.Errorf("the session is %+v", got)
	}
	got = sessionOf(t, policy.Session{}, "/v1/messages", headers("X-Sluice-Home", "/y"), `{}`)
	if got.Home != "/y" {
		t.Errorf("the home is %q", got.Home)
	}
}

// Gemini has the model in the path; the others in the body.
func TestModels(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, sluicetest.JSON(http.StatusOK, `{}`))
	for target, want := range map[string]string{"/v1beta/models/gemini-x:generateContent": "gemini-x", "/v1/messages": "m", "/v1/chat/completions": "m"} {
		if s := b.do(http.MethodPost, target, nil, []byte(`{"model":"m"}`)).story(); s.exchange.Model != want {
			t.Errorf("%s: the model is %q", target, s.exchange.Model)
		}
	}
	for _, odd := range []string{`7`, `null`, `["m"]`, `"a\u0000b"`, `"` + strings.Repeat("m", 600) + `"`} {
		if s := b.do(http.MethodPost, "/v1/messages", nil, []byte(`{"model":`+odd+`}`)).story(); s.exchange.Model != "" {
			t.Errorf("the model %s is %q", odd, s.exchange.Model)
		}
	}
}
