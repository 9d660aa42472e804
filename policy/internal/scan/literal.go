package scan

import "strings"

// Bracketed returns the string literals within the bracket that s begins with, and how
// many bytes it looked at.
func Bracketed(s string) (list []string, looked int) {
	depth := 0
	i := 0
	for ; i < len(s) && len(list) < MaxQuoted; i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth <= 0 {
				return list, i
			}
		case '"', '\'', '`':
			text, end := literal(s[i:])
			if end == 0 {
				return list, len(s)
			}
			list = append(list, text)
			i += end - 1
		}
	}
	return list, i
}

// Row returns the literals that s begins with, one after the other: "a", "b". Those
// without a comma between them are parts of one.
func Row(s string) []string {
	var list []string
	joins := false
	for len(list) < MaxQuoted {
		text, end := literal(s)
		if end == 0 {
			break
		}
		if joins {
			list[len(list)-1] += text
		} else {
			list = append(list, text)
		}
		s = strings.TrimLeft(s[end:], " \t\r\n")
		rest, comma := strings.CutPrefix(s, ",")
		if s = strings.TrimLeft(rest, " \t\r\n["); s == "" || strings.IndexByte(`"'`, s[0]) < 0 {
			break
		}
		joins = !comma
	}
	return list
}

// literal returns the literal that s begins with and where it ends, 0 if it begins with
// none: "x", 'x', `x`, """x""", ”x”.
func literal(s string) (text string, end int) {
	if s == "" || strings.IndexByte("\"'`", s[0]) < 0 {
		return "", 0
	}
	quote := s[:1]
	for _, long := range [...]string{`"""`, "'''", "''"} {
		if strings.HasPrefix(s, long) && (len(long) == 3 || len(s) > 2 && strings.Contains(s[2:], long)) {
			quote = long
			break
		}
	}
	if len(quote) > 1 {
		at := strings.Index(s[len(quote):], quote)
		if at < 0 {
			return "", 0
		}
		return s[len(quote) : len(quote)+at], 2*len(quote) + at
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote[0]:
			return Unescape(s[1:i]), i + 1
		}
	}
	return "", 0
}
