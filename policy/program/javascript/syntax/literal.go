package syntax

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// str reads a string at its quote.
func (l *lexer) str(quote byte) string {
	l.pos++
	var b []byte
	for stop := "\\\n\r" + string(quote); ; {
		n := strings.IndexAny(l.src[l.pos:], stop)
		if n < 0 {
			l.broken = true
			b = append(b, l.src[l.pos:]...)
			l.pos = len(l.src)
			return string(b)
		}
		if l.src[l.pos+n] == quote && b == nil { // most have no escape
			l.pos += n + 1
			return l.src[l.pos-n-1 : l.pos-1]
		}
		b = append(b, l.src[l.pos:l.pos+n]...)
		l.pos += n
		switch l.src[l.pos] {
		case quote:
			l.pos++
			return string(b)
		case '\\':
			l.pos++
			if b, _ = l.escape(b); b == nil {
				b = []byte{}
			}
		default: // a line's end ends no string
			l.broken = true
			return string(b)
		}
	}
}

// chunk reads the text of a template up to its end or the next ${, in both
// readings. more says that an expression follows.
func (l *lexer) chunk() (cooked, raw string, more bool) {
	var b []byte
	start := l.pos
	for {
		n := strings.IndexAny(l.src[l.pos:], "`\\$\r")
		if l.broken = l.broken || n < 0; n < 0 {
			n = len(l.src) - l.pos
		}
		b = append(b, l.src[l.pos:l.pos+n]...)
		l.pos += n
		end := l.pos
		switch rest := l.src[l.pos:]; {
		case rest == "":
			return string(b), l.src[start:], false
		case rest[0] == '`':
			l.pos++
			return string(b), l.src[start:end], false
		case strings.HasPrefix(rest, "${"):
			l.pos += 2
			return string(b), l.src[start:end], true
		case rest[0] == '\\':
			l.pos++
			b, _ = l.escape(b)
		case rest[0] == '\r': // every end of a line is one sign
			l.pos += len(rest) - len(strings.TrimPrefix(rest[1:], "\n"))
			b = append(b, '\n')
		default:
			b = append(b, rest[0])
			l.pos++
		}
	}
}

// escape reads an escape after its backslash.
func (l *lexer) escape(b []byte) ([]byte, bool) {
	if l.pos >= len(l.src) {
		return b, false
	}
	c := l.src[l.pos]
	if '0' <= c && c <= '7' { // octal, of which \0 is the usual one
		v := 0
		for n := 0; n < 3 && l.pos < len(l.src) && '0' <= l.src[l.pos] && l.src[l.pos] <= '7' && v*8 < 256; n++ {
			v = v*8 + int(l.src[l.pos]-'0')
			l.pos++
		}
		return utf8.AppendRune(b, rune(v)), true
	}
	l.pos++
	if i := strings.IndexByte("bfnrtv", c); i >= 0 {
		return append(b, "\b\f\n\r\t\v"[i]), true
	}
	switch c {
	case '\n', '\r':
		if c == '\r' && strings.HasPrefix(l.src[l.pos:], "\n") {
			l.pos++
		}
		return b, true
	case 'x':
		v, ok := l.hex(2)
		return utf8.AppendRune(b, v), ok
	case 'u':
		v, ok := l.codePoint()
		return utf8.AppendRune(b, v), ok
	}
	for _, end := range []string{"\u2028", "\u2029"} {
		if strings.HasPrefix(l.src[l.pos-1:], end) {
			l.pos += len(end) - 1
			return b, true
		}
	}
	return append(b, c), true
}

func (l *lexer) hex(n int) (rune, bool) {
	if l.pos+n > len(l.src) {
		return utf8.RuneError, false
	}
	v, err := strconv.ParseUint(l.src[l.pos:l.pos+n], 16, 16)
	if err != nil {
		return utf8.RuneError, false
	}
	l.pos += n
	return rune(v), true
}

// regexp reads a regular expression that begins at a slash.
func (l *lexer) regexp(start int) (pattern, flags string) {
	class := false
	for i := start + 1; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case c == '\n' || c == '\r':
			l.broken = true
			l.pos = i
			return "", ""
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			l.pos = i + 1
			for l.pos < len(l.src) && IsNameByte(l.src[l.pos]) {
				l.pos++
			}
			return l.src[start+1 : i], l.src[i+1 : l.pos]
		}
	}
	l.broken = true
	l.pos = len(l.src)
	return "", ""
}

// ParseNumber is the value of a number as it is written.
func ParseNumber(text string) (float64, bool) {
	text = strings.TrimSuffix(strings.ReplaceAll(text, "_", ""), "n")
	if len(text) > 1 && text[0] == '0' { // in another base, unless it goes on as no such number does
		if v, err := strconv.ParseUint(text, 0, 64); err == nil {
			return float64(v), true
		}
	}
	if strings.ContainsAny(text, "xXpP") { // which only Go takes for a number
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

// NumberText writes a number as JavaScript does.
func NumberText(n float64) string {
	switch {
	case n != n:
		return "NaN"
	case math.IsInf(n, 0):
		return strings.TrimPrefix(strconv.FormatFloat(n, 'f', -1, 64)+"inity", "+")
	case n == 0:
		return "0"
	case math.Abs(n) >= 1e21 || math.Abs(n) < 1e-6:
		return strings.NewReplacer("e-0", "e-", "e+0", "e+").Replace(strconv.FormatFloat(n, 'e', -1, 64))
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// codePoint reads what stands behind \u.
func (l *lexer) codePoint() (rune, bool) {
	if strings.HasPrefix(l.src[l.pos:], "{") {
		digits, _, ok := strings.Cut(l.src[l.pos+1:min(l.pos+40, len(l.src))], "}")
		if !ok {
			return utf8.RuneError, false
		}
		v, err := strconv.ParseUint(digits, 16, 32)
		l.pos += len(digits) + 2
		return rune(v & 0x1fffff), err == nil
	}
	r, ok := l.hex(4)
	// The second half of a surrogate pair follows in an escape of its own.
	if ok && utf16.IsSurrogate(r) && strings.HasPrefix(l.src[l.pos:], `\u`) {
		back := l.pos
		l.pos += 2
		low, _ := l.hex(4)
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, true
		}
		l.pos = back
	}
	return r, ok
}
