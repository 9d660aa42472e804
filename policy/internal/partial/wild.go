package partial

import "strings"

// mark stands on both sides of a hole that is written as a wildcard.
const mark = "\x00"

// Wild is a text in which the wildcards of a shell are holes: of "pr*d" it is known how it
// begins and ends.
func Wild(text string) string {
	var b strings.Builder
	for text != "" {
		at := strings.IndexAny(text, "*?[")
		if at < 0 {
			break
		}
		end := at + 1
		if text[at] == '[' {
			if end = strings.IndexByte(text[at+1:], ']') + at + 2; end == at+1 { // it is not closed
				end = len(text)
			}
		}
		b.WriteString(text[:at] + mark + text[at:end] + mark)
		text = text[end:]
	}
	b.WriteString(text)
	return b.String()
}

// Plain is a text as it was written.
func Plain(text string) string { return strings.ReplaceAll(text, mark, "") }
