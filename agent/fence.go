package agent

import "strings"

// unfenced returns a text without the white space around it and without one
// Markdown fence around all of it, which models like to put around JSON: a line of
// at least three backticks or tildes and perhaps a language, and the same at the
// end. Whatever else a text has around its JSON stays.
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
	// No JSON ends with a fence's character, so the end need not be on a line of
	// its own.
	body, ok = strings.CutSuffix(body, fence)
	if !ok || strings.HasSuffix(body, fence[:1]) {
		return text
	}
	return strings.TrimSpace(body)
}
