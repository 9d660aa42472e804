package decisions

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneLine turns foreign text into one line that is safe in a terminal, a log or
// a message to a model: white space of any kind becomes one space, invisible
// characters are removed, and text longer than most characters is cut and
// marked with an ellipsis.
func OneLine(text string, most int) string {
	var b strings.Builder
	space, n := false, 0
	for i, r := range text {
		switch {
		case unicode.IsSpace(r):
			space = n > 0
			continue
		case !unicode.IsPrint(r) || r == utf8.RuneError:
			continue
		}
		if space {
			if n++; n < most {
				b.WriteByte(' ')
			}
			space = false
		}
		if n++; n > most {
			return cut(b.String(), most)
		}
		b.WriteString(text[i : i+utf8.RuneLen(r)])
	}
	return b.String()
}

// cut makes room for the ellipsis.
func cut(line string, most int) string {
	for utf8.RuneCountInString(line) >= most && line != "" {
		_, size := utf8.DecodeLastRuneInString(line)
		line = line[:len(line)-size]
	}
	return strings.TrimRight(line, " ") + "…"
}
