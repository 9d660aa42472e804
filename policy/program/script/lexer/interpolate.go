package lexer

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sluice-project/sluice/policy/program/library"
)

// interpolate emits a text between double quotes, cut into what stands as it is
// and what is computed.
func (l *lexer) interpolate(kind kind, raw string) {
	var parts []Part
	start := 0
	for i := 0; i < len(raw); {
		from, to, next := 0, 0, 0
		switch c := raw[i]; {
		case c == '\\':
			i += 2
			continue
		case c == '#' && l.language == library.Ruby && i+1 < len(raw) && raw[i+1] == '{':
			from = i + 2
			to, next = closing(raw, from)
		case (c == '$' || c == '@') && l.language == library.Perl:
			from, to, next = perlVariable(raw, i)
		case c == '$' && l.language == library.PHP && i+1 < len(raw) && IsWordStart(raw[i+1]):
			from, to = i, member(raw, i+1)
			next = to
		case (c == '{' && i+1 < len(raw) && raw[i+1] == '$' || c == '$' && i+1 < len(raw) && raw[i+1] == '{') && l.language == library.PHP:
			from = i + 1
			if c == '$' {
				from++
			}
			to, next = closing(raw, from)
		}
		if next == 0 {
			i++
			continue
		}
		parts = appendText(parts, unescape(raw[start:i], escapes))
		code := raw[from:to]
		if l.language == library.PHP && code != "" && code[0] != '$' { // "${name}"
			code = "$" + code
		}
		parts = append(parts, Part{Text: code, Code: true})
		i, start = next, next
	}
	l.texts(kind, parts, unescape(raw[start:], escapes))
}

// closing finds the brace that ends an expression.
func closing(raw string, from int) (to, next int) {
	l := lexer{src: raw, pos: from}
	l.braces()
	if l.pos > from && raw[min(l.pos, len(raw))-1] == '}' {
		return l.pos - 1, l.pos
	}
	return len(raw), len(raw)
}

// perlVariable finds the variable that begins at i. next is 0 if there is none.
func perlVariable(raw string, i int) (from, to, next int) {
	at := i + 1
	switch {
	case at >= len(raw):
	case raw[at] == '{':
		to, next = closing(raw, at+1)
		return at + 1, to, next
	case IsWordStart(raw[at]) || raw[i] == '$' && IsDigit(raw[at]):
		to = member(raw, at)
		return i, to, to
	}
	return 0, 0, 0
}

// member finds the end of a variable with the elements and members after it.
func member(raw string, at int) int {
	for at < len(raw) && (IsWord(raw[at]) || raw[at] == ':' && at+2 < len(raw) && raw[at+1] == ':' && IsWordStart(raw[at+2]) || raw[at] == ':' && raw[at-1] == ':') {
		at++
	}
	for at < len(raw) {
		rest := raw[at:]
		if strings.HasPrefix(rest, "->") && len(rest) > 2 && (IsWordStart(rest[2]) || rest[2] == '{' || rest[2] == '[') {
			at += 2
			for at < len(raw) && IsWord(raw[at]) {
				at++
			}
			continue
		}
		if rest[0] == '[' || rest[0] == '{' {
			end := strings.IndexByte(rest[:min(len(rest), 65)], "]}"[strings.IndexByte("[{", rest[0])])
			if end < 0 || strings.ContainsAny(rest[1:end], " \n") {
				return at
			}
			at += end + 1
			continue
		}
		return at
	}
	return at
}

// How a backslash is read.
type escaping uint8

const (
	escapes    escaping = iota // what it escapes stands without it
	keeping                    // it stays before what it does not escape
	onlyQuotes                 // it escapes only quotes and itself
)

// unescape reads the escapes of a text. A byte that is zero is left out: within
// the reader it marks what is not known.
func unescape(text string, how escaping) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
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
		if how == onlyQuotes {
			if c != '\\' && c != '\'' {
				out = append(out, '\\')
			}
			out = append(out, c)
			continue
		}
		var code rune
		var size int
		switch {
		case strings.IndexByte("ntrabfve", c) >= 0:
			out = append(out, "\n\t\r\a\b\f\v\x1b"[strings.IndexByte("ntrabfve", c)])
			continue
		case c == '\n':
			continue
		case c == 'x', c == 'u', c == 'U':
			digits := text[i+1:]
			if strings.HasPrefix(digits, "{") {
				code, size = number(digits[1:], 16, 8)
				if size > 0 {
					if size++; size < len(digits) && digits[size] == '}' {
						size++
					}
				}
			} else {
				code, size = number(digits, 16, 2<<strings.IndexByte("xuU", c))
			}
			if size == 0 {
				out = append(out, '\\', c)
			}
			i += size
		case '0' <= c && c <= '7':
			code, size = number(text[i:], 8, 3)
			i += size - 1
		default:
			if how == keeping && !IsOneOf(c, "\\\"'$@`#{}") {
				out = append(out, '\\')
			}
			out = append(out, c)
		}
		if code != 0 {
			out = utf8.AppendRune(out, code)
		}
	}
	return string(out)
}

func number(text string, base, most int) (code rune, size int) {
	for size < len(text) && size < most && IsOneOf(text[size]|0x20, "0123456789abcdef"[:base]) {
		size++
	}
	n, err := strconv.ParseUint(text[:size], base, 32)
	if err != nil {
		return 0, 0
	}
	return rune(n), size
}
