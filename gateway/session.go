package gateway

import (
	"bytes"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy"
)

// sessionHeaders are where clients name their conversation.
var sessionHeaders = [...]string{"X-Claude-Code-Session-Id", "Session-Id", "Session_id", "Thread-Id", "X-Session-Id"}

// clientNames are the clients' names in their user agents.
var clientNames = [...][2]string{
	{"claude-cli", "claude-code"}, {"codex", "codex"}, {"opencode", "opencode"}, {"QwenCode", "qwen-code"},
	{"GeminiCLI", "gemini-cli"}, {"OpenAI", "openai-sdk"}, {"Anthropic", "anthropic-sdk"}, {"google-genai-sdk", "google-genai"},
}

// maxLabel bounds each value that a client says about itself.
const maxLabel = 512

// session returns what is known about a request's conversation. The client can
// claim anything about itself: policies that trust it must have a reason to.
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
	switch s.Client {
	case "claude-code", "codex", "opencode":
		// Other clients put files of the project where these describe
		// themselves.
		if s.Cwd == "" && in != nil {
			s.Cwd = in.cwd
		}
	}
	if s.Home == "" {
		s.Home = label(h.Get("X-Sluice-Home"))
	}
	return s
}

// short truncates a text of a client that is shown even if it is odd.
func short(text string) string {
	if len(text) > maxLabel {
		text = text[:maxLabel] + "…"
	}
	return strings.ToValidUTF8(text, "?")
}

// label turns a text of a client into a form that can be shown and stored.
func label(text string) string {
	if len(text) > maxLabel || !utf8.ValidString(text) || keyIn(text) != "" {
		return ""
	}
	for _, r := range text {
		if r < ' ' || r == 0x7f {
			return ""
		}
	}
	return text
}

// environment finds the working directory in what the client says: a text or a
// list of parts, as JSON. Agents put it into the system prompt, except Codex,
// which sends it in a user message of its own. Files of the project can be
// next to it there, so only such a message counts.
func environment(raw []byte, byUser bool) string {
	begin, hint := "orking directory: /", "directory"
	if byUser {
		begin, hint = "<cwd>/", "cwd"
	}
	if !bytes.Contains(raw, []byte(hint)) {
		return "" // most do not mention it, and searching is cheaper than parsing
	}
	for _, text := range textsIn(raw) {
		_, after, found := strings.Cut(text, begin)
		if !found || byUser && !strings.HasPrefix(strings.TrimSpace(text), "<environment_context>") {
			continue
		}
		if end := strings.IndexAny(after, "\r\n<"); end >= 0 {
			after = after[:end]
		}
		return label("/" + strings.TrimSpace(after))
	}
	return ""
}

// textsIn returns the texts in a piece of a request: one, or those of its
// parts.
func textsIn(raw []byte) []string {
	if parts, _, ok := jsonscan.Get(raw, "parts"); ok {
		raw = parts
	}
	if text, ok := jsonscan.Unquote(nil, raw); ok {
		return []string{string(text)}
	}
	var texts []string
	var s jsonscan.Scanner
	s.Reset(raw)
	if !s.Array() {
		return nil
	}
	for s.Elem() {
		part := s.Raw()
		switch textIn(part, "type") {
		case "", "text", "input_text":
			texts = append(texts, textIn(part, "text"))
		}
	}
	return texts
}
