package decode

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Escaping is how a language reads a backslash in a text.
type Escaping uint8

// How backslashes are read.
const (
	Usual      Escaping = iota // what it escapes stands without it
	Keeping                    // it stays before what it does not escape
	Quotes                     // it escapes only quotes and itself
	JavaScript                 // as Usual, with other letters, and with bytes that are zero
)

// Escapes reads the escapes of a text. A byte that is zero is left out in all languages
// but JavaScript: within their reader it marks what is not known.
func Escapes(text string, how Escaping) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	letters := "ntrabfve"
	if how == JavaScript {
		letters = "ntr\x00bfv\x00"
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\\' || i+1 >= len(text) {
			out = append(out, c)
			continue
		}
		i++
		c = text[i]
		if how == Quotes {
			if c != '\\' && c != '\'' {
				out = append(out, '\\')
			}
			out = append(out, c)
			continue
		}
		var code rune
		var size int
		switch {
		case c != 0 && strings.IndexByte(letters, c) >= 0:
			out = append(out, "\n\t\r\a\b\f\v\x1b"[strings.IndexByte(letters, c)])
			continue
		case c == '\n', c == '\r': // the text goes on in the next line
			if strings.HasPrefix(text[i:], "\r\n") {
				i++
			}
			continue
		case c == 'x', c == 'u', c == 'U' && how != JavaScript:
			if code, size = character(text[i:]); size == 0 && how != JavaScript {
				out = append(out, '\\', c)
			} else if size == 0 {
				out = append(out, c)
			}
			i += size
		case '0' <= c && c <= '7':
			code, size = number(text[i:], 8, 3)
			i += size - 1
		default:
			if how == Keeping && strings.IndexByte("\\\"'$@`#{}", c) < 0 {
				out = append(out, '\\')
			}
			out = append(out, c)
		}
		if code != 0 || size > 0 && how == JavaScript {
			out = utf8.AppendRune(out, code)
		}
	}
	return string(out)
}

// character reads x41, u0041 or u{41}, and how many bytes of it stand behind the letter.
// What is not in Unicode's first plane can be a pair of escapes.
func character(text string) (code rune, size int) {
	digits := text[1:]
	if strings.HasPrefix(digits, "{") {
		if code, size = number(digits[1:], 16, 8); size > 0 {
			if size++; size < len(digits) && digits[size] == '}' {
				size++
			}
		}
		return code, size
	}
	code, size = number(digits, 16, 2<<strings.IndexByte("xuU", text[0]))
	if rest := digits[size:]; utf16.IsSurrogate(code) && strings.HasPrefix(rest, `\u`) {
		low, more := number(rest[2:], 16, 4)
		if pair := utf16.DecodeRune(code, low); pair != utf8.RuneError {
			return pair, size + 2 + more
		}
	}
	return code, size
}

func number(text string, base, most int) (code rune, size int) {
	for size < len(text) && size < most && strings.IndexByte("0123456789abcdef"[:base], text[size]|0x20) >= 0 {
		size++
	}
	n, err := strconv.ParseUint(text[:size], base, 32)
	if err != nil {
		return 0, 0
	}
	return rune(n), size
}
