package syntax

import (
	"math"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/program/decode"
)

// str reads a string at its quote.
func (l *lexer) str(quote byte) string {
	l.pos++
	start, stop := l.pos, "\\\n\r"+string(quote)
	for {
		n := strings.IndexAny(l.src[min(l.pos, len(l.src)):], stop)
		if n < 0 {
			l.broken = true
			l.pos = len(l.src)
			return decode.Escapes(l.src[start:], decode.JavaScript)
		}
		l.pos += n
		switch l.src[l.pos] {
		case quote:
			l.pos++
			return decode.Escapes(l.src[start:l.pos-1], decode.JavaScript)
		case '\\':
			if l.pos += 2; strings.HasPrefix(l.src[l.pos-1:], "\r\n") {
				l.pos++
			}
		default: // a line's end ends no string
			l.broken = true
			return decode.Escapes(l.src[start:l.pos], decode.JavaScript)
		}
	}
}

// chunk reads the text of a template up to its end or the next ${, in both
// readings. more says that an expression follows.
func (l *lexer) chunk() (cooked, raw string, more bool) {
	start, end := l.pos, len(l.src)
	for l.pos < len(l.src) && end == len(l.src) {
		switch rest := l.src[l.pos:]; {
		case rest[0] == '`':
			end = l.pos
			l.pos++
		case strings.HasPrefix(rest, "${"):
			end, more = l.pos, true
			l.pos += 2
		case rest[0] == '\\':
			l.pos += 2
		default:
			l.pos++
		}
	}
	l.pos = min(l.pos, len(l.src))
	l.broken = l.broken || end == len(l.src)
	raw = l.src[start:end]
	cooked = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(raw) // every end of a line is one sign
	return decode.Escapes(cooked, decode.JavaScript), raw, more
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
