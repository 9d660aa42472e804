package scan

import "strings"

const (
	// MaxQuoted is how many quoted texts Quoted returns.
	MaxQuoted = 256
	// Nearby is how much of what stands before a name Names passes on.
	Nearby = 64
	// maxAfter is how many places After finds.
	maxAfter = 32
)

// IsNameByte reports whether c can be part of a name: a letter of ASCII, a digit or
// an underscore.
func IsNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// Names calls f for each name in a text, with a little of what stands before it and
// up to reach bytes of what stands after it, until f returns false. A name may begin
// with a dollar.
func Names(text string, reach int, f func(name, before, after string) bool) {
	for i := 0; i < len(text); i++ {
		if !IsNameByte(text[i]) && text[i] != '$' {
			continue
		}
		start := i
		for i++; i < len(text) && IsNameByte(text[i]); i++ {
			continue
		}
		if !f(text[start:i], text[max(0, start-Nearby):start], text[i:min(len(text), i+reach)]) {
			return
		}
	}
}

// After calls f with what stands before and behind a word, wherever it is in a text.
func After(text, word string, f func(before, after string)) {
	at := 0
	for range maxAfter {
		next := strings.Index(text[at:], word)
		if next < 0 {
			return
		}
		at += next + len(word)
		f(text[:at-len(word)], text[at:])
	}
}

// Quoted returns the texts between quotes, with their escapes read.
func Quoted(text string) []string {
	var list []string
	for i := 0; i < len(text) && len(list) < MaxQuoted; i++ {
		c := text[i]
		if c != '"' && c != '\'' && c != '`' {
			continue
		}
		end := i + 1
		for end < len(text) && text[end] != c && (text[end] != '\n' || c == '`') {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(text) && c == '`' { // m4 ends it with another sign
			if end = i + 1 + max(0, strings.IndexByte(text[i+1:], '\'')); end > i+1 {
				list = append(list, text[i+1:end])
				i = end
				continue
			}
			end = len(text)
		}
		if end >= len(text) {
			return list
		}
		if text[end] == c && end > i+1 {
			list = append(list, Unescape(text[i+1:end]))
		}
		i = end
	}
	return list
}

// Literal returns the string literal that a text begins with, behind blanks and
// parentheses.
func Literal(s string) (text string, ok bool) {
	s = strings.TrimLeft(s, " \t(")
	if s == "" || strings.IndexByte(`"'`, s[0]) < 0 {
		return "", false
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == s[0]:
			return b.String(), true
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return "", false
}
