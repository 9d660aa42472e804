package wire

import (
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// Detect determines the format of an answer from one of its payloads. Some payloads
// occur in several formats (an error without a type, a ping): then ok is false and the
// caller must try another payload of the answer.
func Detect(payload []byte) (format Format, ok bool) {
	m, ok := members(payload)
	if !ok {
		return "", false
	}
	switch {
	case m.has("choices") || strings.HasPrefix(m.object, "chat.completion"):
		return OpenAIChat, true
	case strings.HasPrefix(m.typ, "response.") || m.object == "response":
		return OpenAIResponses, true
	case m.has("candidates") || m.has("promptFeedback") || m.has("usageMetadata"):
		return Gemini, true
	}
	switch m.typ {
	case "message_start", "message_delta", "message_stop",
		"content_block_start", "content_block_delta", "content_block_stop", "message":
		return Anthropic, true
	case "error":
		// Responses errors are flat or numbered, Anthropic's are nested.
		if m.has("sequence_number") || m.has("code") {
			return OpenAIResponses, true
		}
		return Anthropic, m.has("error")
	}
	return "", false
}

// Guess returns the likely format of a payload that Detect is not sure about: a lone
// error object. It is for answers that have nothing else.
func Guess(payload []byte) (Format, bool) {
	if f, ok := Detect(payload); ok {
		return f, true
	}
	m, ok := members(payload)
	if !ok || !m.has("error") {
		return "", false
	}
	if _, _, numbered := jsonscan.Get(payload, "error", "status"); numbered {
		return Gemini, true
	}
	return OpenAIChat, true
}

type topLevel struct {
	keys        map[string]bool
	typ, object string
}

func (t topLevel) has(key string) bool { return t.keys[key] }

// members reads the names of a payload's top-level members.
func members(payload []byte) (topLevel, bool) {
	var s jsonscan.Scanner
	s.Reset(payload)
	m := topLevel{keys: map[string]bool{}}
	if !s.Object() {
		return m, false
	}
	var buf []byte
	for {
		key, more := s.Key()
		if !more {
			break
		}
		name := string(key)
		m.keys[name] = !s.Null()
		if !m.keys[name] {
			continue
		}
		if text, isText := s.Str(&buf); isText {
			switch name {
			case "type":
				m.typ = string(text)
			case "object":
				m.object = string(text)
			}
			continue
		}
		s.Skip()
	}
	return m, s.End() == nil
}
