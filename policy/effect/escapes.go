package effect

import (
	"strconv"
	"strings"
)

// Unescaped is a text in JSON with its letters as they are: \u0061 is an a. What is not
// ASCII, and what means something in JSON, stays as it is.
func Unescaped(text string) string {
	at := strings.Index(text, `\u00`)
	if at < 0 {
		return text
	}
	var b strings.Builder
	for at >= 0 {
		b.WriteString(text[:at])
		text = text[at:]
		taken := 2
		if len(text) >= 6 {
			if c, err := strconv.ParseUint(text[2:6], 16, 16); err == nil && ' ' <= c && c < 0x7f && c != '"' && c != '\\' {
				b.WriteByte(byte(c))
				text, taken = text[6:], 0
			}
		}
		b.WriteString(text[:min(taken, len(text))])
		text = text[min(taken, len(text)):]
		at = strings.Index(text, `\u00`)
	}
	b.WriteString(text)
	return b.String()
}
