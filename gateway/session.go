package gateway

import (
	"bytes"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/sluice-project/sluice/policy"
)

// sessionHeaders are where clients name their conversation.
var sessionHeaders = [...]string{"X-Claude-Code-Session-Id", "Session-Id", "Session_id", "Thread-Id", "X-Session-Id"}

// clientNames are how clients name themselves in the user agent.
var clientNames = [...][2]string{
	{"claude-cli", "claude-code"}, {"codex", "codex"}, {"opencode", "opencode"}, {"QwenCode", "qwen-code"},
	{"GeminiCLI", "gemini-cli"}, {"OpenAI", "openai-sdk"}, {"Anthropic", "anthropic-sdk"}, {"google-genai-sdk", "google-genai"},
}

// maxLabel bounds what a client may say of itself.
const maxLabel = 512

// session is what is known of a request's conversation. It belongs to the
// client, which may say of itself what it wants: policies that trust it must have
// a reason to.
func (g *Gateway) session(h http.Header, in *received) policy.Session {
	s := g.config.Session
	for _, name := range sessionHeaders {
		if s.ID == "" {
			s.ID = label(h.Get(name))
		}
	}
	if s.ID == "" && in != nil {
		s.ID = label(in.session)
	}
	agent := h.Get("User-Agent")
	for _, client := range clientNames {
		if s.Client == "" && strings.Contains(agent, client[0]) {
			s.Client = client[1]
		}
	}
	if s.Cwd == "" {
		s.Cwd = label(h.Get("X-Sluice-Cwd"))
	}
	if s.Cwd == "" && in != nil {
		s.Cwd = in.cwd
	}
	if s.Home == "" {
		s.Home = label(h.Get("X-Sluice-Home"))
	}
	return s
}

// label is a text of a client in a form that can be shown and kept.
func label(text string) string {
	if len(text) > maxLabel || !utf8.ValidString(text) {
		return ""
	}
	for _, r := range text {
		if r < ' ' || r == 0x7f {
			return ""
		}
	}
	return text
}

// environments are how agents begin to tell the model their working directory.
var environments = [...][]byte{[]byte("orking directory: /"), []byte("<cwd>/")}

// environment finds the working directory in a piece of a request's JSON that
// the client itself wrote, empty if it is not there.
func environment(raw []byte) string {
	for _, begin := range environments {
		_, after, found := bytes.Cut(raw, begin)
		if !found {
			continue
		}
		end := bytes.IndexAny(after, `"\\<`)
		if end < 0 || after[end] == '\\' && !bytes.HasPrefix(after[end:], []byte(`\n`)) {
			continue // an escape in the path: better unknown than half
		}
		return label("/" + strings.TrimSpace(string(after[:end])))
	}
	return ""
}
