package follow

import (
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
)

// Replacement is the text that a substitution puts in the place of another, as a line, as far
// as it is known: what stands for a part of the old text is left out.
func Replacement(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			switch c := s[i]; {
			case c == 'n':
				b.WriteByte('\n')
			case c == 't':
				b.WriteByte('\t')
			case '0' <= c && c <= '9', strings.IndexByte("ULEul", c) >= 0:
			default:
				b.WriteByte(c)
			}
		case s[i] == '&':
		default:
			b.WriteByte(s[i])
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + "\n"
}

// replacements are what the substitutions of a program of Perl or Ruby put into a file:
// s/a/b/, s{a}{b}, gsub(/a/, "b").
func replacements(program string) string {
	var b strings.Builder
	for i := 0; i+1 < len(program) && b.Len() < invocation.MostKnown; i++ {
		if i > 0 && strings.IndexByte(" \t\n;{(~&|", program[i-1]) < 0 {
			continue
		}
		sign := program[i+1]
		if program[i] != 's' || invocation.IsNameByte(sign) || strings.IndexByte(" \t\n=,;)>.", sign) >= 0 {
			continue
		}
		_, rest, ok := cutDelimited(program[i+1:])
		if ok && closes(sign) != sign {
			rest = strings.TrimLeft(rest, " \t\n")
		} else if ok {
			rest = string(rune(sign)) + rest
		}
		put, rest, done := cutDelimited(rest)
		if !ok || !done {
			continue
		}
		b.WriteString(Replacement(put))
		i = len(program) - len(rest) - 1
	}
	EachAfter(program, "sub(", func(_, after string) {
		if strings.HasPrefix(after, "/") {
			_, after, _ = cutDelimited(after)
			if text, ok := CutQuote(strings.TrimLeft(after, " ,")); ok {
				b.WriteString(Replacement(text))
			}
		}
	})
	return b.String()
}

// cutDelimited cuts a text off that stands between the sign that it begins with and the
// one that closes it.
func cutDelimited(s string) (text, rest string, ok bool) {
	if s == "" {
		return "", "", false
	}
	opens, end, depth := s[0], closes(s[0]), 0
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == end && depth == 0:
			return s[1:i], s[i+1:], true
		case s[i] == end:
			depth--
		case s[i] == opens:
			depth++
		}
	}
	return "", "", false
}

// closes is the sign that ends what another one begins.
func closes(sign byte) byte {
	if i := strings.IndexByte("{([<", sign); i >= 0 {
		return "})]>"[i]
	}
	return sign
}
