package scan

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Unescape reads the backslash escapes that most languages share: \n, \x41, \u0041,
// \101. Escapes that it does not know stay as they are.
func Unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		c := s[i]
		if n := strings.IndexByte("abeEfnrtv", c); n >= 0 {
			b = append(b, "\a\b\x1b\x1b\f\n\r\t\v"[n])
			continue
		}
		var digits int
		base := 16
		switch {
		case '0' <= c && c <= '7':
			digits, base = 3, 8
			if c == '0' {
				digits = 4
			}
			i--
		case c == 'x':
			digits = 2
		case c == 'u':
			digits = 4
		case c == 'U':
			digits = 8
		case c == 'c' && i+1 < len(s):
			i++
			b = append(b, s[i]&0x1f)
			continue
		case strings.IndexByte(`\'"?`, c) >= 0:
			b = append(b, c)
			continue
		default:
			b = append(b, '\\', c)
			continue
		}
		end := i + 1
		for end < len(s) && end <= i+digits {
			if _, err := strconv.ParseUint(s[end:end+1], base, 8); err != nil {
				break
			}
			end++
		}
		v, _ := strconv.ParseUint(s[i+1:end], base, 32) // no digits mean 0
		if c == 'u' || c == 'U' {
			b = utf8.AppendRune(b, rune(v))
		} else {
			b = append(b, byte(v))
		}
		i = end - 1
	}
	return string(b)
}
