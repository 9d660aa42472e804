package agent

import "strings"

// unfenced returns a text without surrounding white space and without a Markdown
// fence around all of it, which models like to put around JSON: a line of at least
// three backticks or tildes with an optional language, and the same at the end.
// Anything else around the JSON is kept.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '`' && text[0] != '~' {
		return text
	}
	n := len(text) - len(strings.TrimLeft(text, text[:1]))
	fence, rest := text[:n], text[n:]
	language, body, ok := strings.Cut(rest, "\n")
	if !ok || n < 3 || strings.Contains(language, fence[:1]) {
		return text
	}
	// No JSON ends with a fence's character, so the closing fence need not be on
	// a line of its own.
	body, ok = strings.CutSuffix(body, fence)
	if !ok || strings.HasSuffix(body, fence[:1]) {
		return text
	}
	return strings.TrimSpace(body)
}
