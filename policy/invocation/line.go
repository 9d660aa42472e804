package invocation

import (
	"strings"
)

// Line is the text of the command as a shell understands it: one blank between
// words and no quotes around what needs none, so that a pattern cannot be evaded by
// writing r""m or "rm". A word with blanks in it stands in single quotes. What it
// substitutes stays as written.
func (c *Command) Line() string {
	if !strings.ContainsAny(c.Text, "'\"\\\t\n") && !strings.Contains(c.Text, "  ") {
		return c.Text
	}
	var b, word strings.Builder
	b.Grow(len(c.Text))
	inWord := false
	end := func() {
		if !inWord {
			return
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if s := word.String(); s == "" || strings.ContainsAny(s, " \t\n") {
			b.WriteString("'" + s + "'")
		} else {
			b.WriteString(s)
		}
		word.Reset()
		inWord = false
	}
	for i := 0; i < len(c.Text); i++ {
		switch ch := c.Text[i]; ch {
		case ' ', '\t', '\n':
			end()
			continue
		case '\\':
			if i++; i < len(c.Text) && c.Text[i] == '\n' {
				continue // the line goes on
			}
			if inWord = true; i < len(c.Text) {
				word.WriteByte(c.Text[i])
			}
			continue
		case '\'', '"':
			inWord = true
			i = quotedPart(&word, c.Text, i)
			continue
		case '$':
			if strings.HasPrefix(c.Text[i:], "$'") || strings.HasPrefix(c.Text[i:], `$"`) {
				continue // the quote behind it is read next
			}
			fallthrough
		default:
			inWord = true
			word.WriteByte(ch)
		}
	}
	end()
	return b.String()
}

// quotedPart writes what stands between the quote at i and the next one, and returns
// where that is.
func quotedPart(word *strings.Builder, text string, i int) int {
	quote := text[i]
	for i++; i < len(text) && text[i] != quote; i++ {
		if quote == '"' && text[i] == '\\' && i+1 < len(text) && strings.IndexByte("$`\"\\", text[i+1]) >= 0 {
			i++
		}
		word.WriteByte(text[i])
	}
	return i
}
