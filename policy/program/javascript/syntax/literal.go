package syntax

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// str reads a string at its quote.
func (l *lexer) str(quote byte) string {
	l.pos++
	start := l.pos
	stop := "\\\n\r\""
	if quote == '\'' {
		stop = "\\\n\r'"
	}
	n := strings.IndexAny(l.src[start:], stop)
	if n >= 0 && l.src[start+n] == quote {
		l.pos = start + n + 1
		return l.src[start : start+n]
	}
	var b []byte
	for n >= 0 {
		b = append(b, l.src[l.pos:l.pos+n]...)
		l.pos += n
		switch l.src[l.pos] {
		case quote:
			l.pos++
			return string(b)
		case '\\':
			l.pos++
			b, _ = l.escape(b)
		default: // a line's end ends no string
			l.broken = true
			return string(b)
		}
		n = strings.IndexAny(l.src[l.pos:], stop)
	}
	l.broken = true
	b = append(b, l.src[l.pos:]...)
	l.pos = len(l.src)
	return string(b)
}

// chunk reads the text of a template up to its end or the next ${, in both
// readings. more says that an expression follows.
func (l *lexer) chunk() (cooked, raw string, more bool) {
	var b []byte
	start := l.pos
	for {
		n := strings.IndexAny(l.src[l.pos:], "`\\$\r")
		if n < 0 {
			l.broken = true
			b = append(b, l.src[l.pos:]...)
			l.pos = len(l.src)
			return string(b), l.src[start:], false
		}
		b = append(b, l.src[l.pos:l.pos+n]...)
		l.pos += n
		switch c := l.src[l.pos]; {
		case c == '`':
			l.pos++
			return string(b), l.src[start : l.pos-1], false
		case strings.HasPrefix(l.src[l.pos:], "${"):
			l.pos += 2
			return string(b), l.src[start : l.pos-2], true
		case c == '\\':
			l.pos++
			b, _ = l.escape(b)
		case c == '\r': // every end of a line is one sign
			l.pos++
			if strings.HasPrefix(l.src[l.pos:], "\n") {
				l.pos++
			}
			b = append(b, '\n')
		default:
			b = append(b, c)
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
		v, n := 0, 0
		for n < 3 && l.pos < len(l.src) && '0' <= l.src[l.pos] && l.src[l.pos] <= '7' && v*8 < 256 {
			v = v*8 + int(l.src[l.pos]-'0')
			l.pos++
			n++
		}
		return utf8.AppendRune(b, rune(v)), true
	}
	l.pos++
	if i := strings.IndexByte("bfnrtv", c); i >= 0 {
		return append(b, "\b\f\n\r\t\v"[i]), true
	}
	switch c {
	case '\r':
		if strings.HasPrefix(l.src[l.pos:], "\n") {
			l.pos++
		}
		return b, true
	case '\n':
		return b, true
	case 'x':
		v, ok := l.hex(2)
		return utf8.AppendRune(b, v), ok
	case 'u':
		return l.unicodeEscape(b)
	}
	for _, end := range []string{"\u2028", "\u2029"} {
		if strings.HasPrefix(l.src[l.pos-1:], end) {
			l.pos += len(end) - 1
			return b, true
		}
	}
	return append(b, c), true
}

func (l *lexer) unicodeEscape(b []byte) ([]byte, bool) {
	if strings.HasPrefix(l.src[l.pos:], "{") {
		end := strings.IndexByte(l.src[l.pos:min(l.pos+40, len(l.src))], '}')
		if end < 0 {
			return b, false
		}
		v, err := strconv.ParseUint(l.src[l.pos+1:l.pos+end], 16, 32)
		l.pos += end + 1
		return utf8.AppendRune(b, rune(v&0x1fffff)), err == nil
	}
	r, ok := l.hex(4)
	// The second half of a surrogate pair follows in an escape of its own.
	if ok && 0xd800 <= r && r < 0xdc00 && strings.HasPrefix(l.src[l.pos:], `\u`) {
		back := l.pos
		l.pos += 2
		if low, ok := l.hex(4); ok && 0xdc00 <= low && low < 0xe000 {
			return utf8.AppendRune(b, (r-0xd800)<<10+low-0xdc00+0x10000), true
		}
		l.pos = back
	}
	return utf8.AppendRune(b, r), ok
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
	text = strings.ReplaceAll(text, "_", "")
	text = strings.TrimSuffix(text, "n")
	if len(text) > 2 && text[0] == '0' {
		base := 0
		switch text[1] | 0x20 {
		case 'x':
			base = 16
		case 'o':
			base = 8
		case 'b':
			base = 2
		}
		if base != 0 {
			v, err := strconv.ParseUint(text[2:], base, 64)
			return float64(v), err == nil
		}
	}
	if len(text) > 1 && text[0] == '0' && strings.Trim(text, "01234567") == "" {
		v, err := strconv.ParseUint(text, 8, 64)
		return float64(v), err == nil
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

// NumberText writes a number as JavaScript does.
func NumberText(n float64) string {
	switch {
	case n != n:
		return "NaN"
	case math.IsInf(n, 1):
		return "Infinity"
	case math.IsInf(n, -1):
		return "-Infinity"
	case n == 0:
		return "0"
	case math.Abs(n) >= 1e21 || math.Abs(n) < 1e-6:
		s := strconv.FormatFloat(n, 'e', -1, 64)
		s = strings.Replace(s, "e-0", "e-", 1)
		return strings.Replace(s, "e+0", "e+", 1)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
