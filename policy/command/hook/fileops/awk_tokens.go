package fileops

import (
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
)

// awkToken is a word, a literal or a sign of an awk program.
type awkToken struct {
	text    string
	literal bool
}

// awkTokens splits a program into tokens. Comments and regular expressions, which begin
// where a value could, are left out.
func awkTokens(program string) []awkToken {
	var tokens []awkToken
	value := true // a value may begin here, so that / begins a regular expression
	for i := 0; i < len(program) && len(tokens) < mostAwk; {
		c := program[i]
		start := i
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case c == '#':
			if end := strings.IndexByte(program[i:], '\n'); end >= 0 {
				i += end
				continue
			}
			return tokens
		case c == '"':
			text, end := awkString(program, i+1)
			tokens = append(tokens, awkToken{text, true})
			i, value = end, false
			continue
		case c == '/' && value:
			for i++; i < len(program) && program[i] != '/' && program[i] != '\n'; i++ {
				if program[i] == '\\' {
					i++
				}
			}
			i = min(i+1, len(program))
			tokens = append(tokens, awkToken{"//", false})
			value = false
			continue
		case invocation.IsNameByte(c):
			for i < len(program) && invocation.IsNameByte(program[i]) {
				i++
			}
			value = false
		default:
			i++
			if i < len(program) && isPair(c, program[i]) {
				i++
			}
			value = c != ')' && c != ']'
		}
		tokens = append(tokens, awkToken{program[start:i], false})
	}
	return tokens
}

// isPair reports whether two bytes are one sign.
func isPair(c, next byte) bool {
	switch c {
	case '|':
		return next == '&' || next == '|'
	case '>':
		return next == '>' || next == '='
	case '<', '=', '!':
		return next == '='
	}
	return false
}

// mostAwk is how much of an awk program is read. It is more than anybody
// writes on a command line.
// mostAwkText is how many of them are one text, and mostAwkValue how long the text
// of a variable is.
const (
	mostAwk      = 1 << 14
	mostAwkText  = 64
	mostAwkValue = 4 << 10
)

// awkString reads the rest of a string literal, after its opening quote.
func awkString(program string, i int) (text string, end int) {
	var b strings.Builder
	for ; i < len(program); i++ {
		switch c := program[i]; c {
		case '"':
			return b.String(), i + 1
		case '\\':
			if i++; i < len(program) {
				i += escaped(&b, program[i:]) - 1
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), i
}

// escaped writes what stands for itself behind a backslash, and returns how many
// bytes it was.
func escaped(b *strings.Builder, s string) int {
	digits, base := s[:min(3, len(s))], 8
	if s[0] == 'x' {
		digits, base = s[1:min(3, len(s))], 16
	}
	for n := len(digits); n > 0; n-- {
		if code, err := strconv.ParseUint(digits[:n], base, 8); err == nil {
			b.WriteByte(byte(code))
			return n + (base-8)/8
		}
	}
	switch s[0] {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	default:
		b.WriteByte(s[0])
	}
	return 1
}
