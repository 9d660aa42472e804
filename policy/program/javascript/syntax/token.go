package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sort is the sort of a token.
type sort uint8

const (
	atEnd  sort = iota
	word        // a name or a keyword
	sign        // punctuation; a backtick begins a template
	digits      // a number
	quoted      // a string
)

// token is a token of JavaScript. Whether a slash divides or begins a regular
// expression is known to the parser alone: here it is a sign.
type token struct {
	sort    sort
	text    string
	start   int
	newline bool // a line ends before it
	escaped bool // a name with an escape in it, which is no keyword
}

// lexer cuts a program into tokens.
type lexer struct {
	src    string
	pos    int
	broken bool // something was no token
}

// signs are the punctuation of more than one byte, longest first.
var signs = []string{">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**"}

// next reads the next token.
func (l *lexer) next() token {
	newline := l.blanks()
	t := token{start: l.pos, newline: newline}
	if l.pos >= len(l.src) {
		return t
	}
	c := l.src[l.pos]
	switch {
	case IsNameByte(c) && (c < '0' || c > '9') || c == '\\' || c == '#' || c >= utf8.RuneSelf:
		t.sort = word
		t.text, t.escaped = l.name()
		if t.text == "" { // no letter
			l.broken = true
			_, n := utf8.DecodeRuneInString(l.src[l.pos:])
			l.pos += n
			t.sort, t.text = sign, "?"+l.src[t.start:l.pos]
		}
	case '0' <= c && c <= '9' || c == '.' && l.pos+1 < len(l.src) && IsDigit(l.src[l.pos+1]):
		t.sort = digits
		t.text = l.number()
	case c == '"' || c == '\'':
		t.sort = quoted
		t.text = l.str(c)
	default:
		t.sort = sign
		t.text = l.sign()
	}
	return t
}

func (l *lexer) sign() string {
	rest := l.src[l.pos:]
	if len(rest) > 1 && strings.IndexByte("=.*<>&|?+!-/%^", rest[0]) >= 0 && strings.IndexByte("=.*<>&|?+-", rest[1]) >= 0 {
		for _, s := range signs {
			if strings.HasPrefix(rest, s) {
				if s == "?." && len(rest) > 2 && IsDigit(rest[2]) {
					continue // a ? .5 : b
				}
				l.pos += len(s)
				return s
			}
		}
	}
	l.pos++
	return rest[:1]
}

// blanks skips blanks and comments and reports whether a line ended in them.
func (l *lexer) blanks() (newline bool) {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		switch {
		case c == '\n' || c == '\r':
			newline = true
			l.pos++
		case c == ' ' || c == '\t' || c == '\v' || c == '\f':
			l.pos++
		case strings.HasPrefix(l.src[l.pos:], "<!--"), newline && strings.HasPrefix(l.src[l.pos:], "-->"):
			l.broken = true // a comment in some programs, and in others not
			return newline
		case strings.HasPrefix(l.src[l.pos:], "//"), l.pos == 0 && strings.HasPrefix(l.src, "#!"):
			l.skipLine()
		case strings.HasPrefix(l.src[l.pos:], "/*"):
			n := strings.Index(l.src[l.pos+2:], "*/")
			if n < 0 {
				l.broken = true
				l.pos = len(l.src)
				return newline
			}
			newline = newline || n > 0 && endsLine(l.src[l.pos:l.pos+n+2])
			l.pos += n + 4
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(l.src[l.pos:])
			if r != '\ufeff' && !unicode.IsSpace(r) && r != '\u2028' && r != '\u2029' {
				return newline
			}
			newline = newline || r == '\u2028' || r == '\u2029'
			l.pos += n
		default:
			return newline
		}
	}
	return newline
}

// skipLine moves to the end of the line, for which there are four signs.
func (l *lexer) skipLine() {
	for l.pos < len(l.src) {
		switch l.src[l.pos] {
		case '\n', '\r':
			return
		case "\u2028"[0]:
			if endsLine(l.src[l.pos:min(l.pos+3, len(l.src))]) {
				return
			}
		}
		l.pos++
	}
}

// endsLine reports whether a line ends in a text.
func endsLine(s string) bool {
	return strings.IndexByte(s, '\n') >= 0 || strings.IndexByte(s, '\r') >= 0 || strings.Contains(s, "\u2028") || strings.Contains(s, "\u2029")
}

// IsDigit reports whether a byte is a digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsNameByte reports whether a byte can stand in a name.
func IsNameByte(c byte) bool {
	return c == '_' || c == '$' || IsDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// name reads a name with the escapes in it, empty if there is none.
func (l *lexer) name() (text string, escaped bool) {
	start := l.pos
	if l.src[l.pos] == '#' {
		l.pos++
	}
	for l.pos < len(l.src) && IsNameByte(l.src[l.pos]) {
		l.pos++
	}
	if l.pos == len(l.src) || l.src[l.pos] != '\\' && l.src[l.pos] < utf8.RuneSelf {
		if l.src[start:l.pos] == "#" {
			l.pos = start
			return "", false
		}
		return l.src[start:l.pos], false
	}
	b := append([]byte(nil), l.src[start:l.pos]...)
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		if IsNameByte(c) {
			b = append(b, c)
			l.pos++
			continue
		}
		if strings.HasPrefix(l.src[l.pos:], `\u`) {
			l.pos++
			var ok bool
			if b, ok = l.escape(b); !ok {
				l.broken = true
			}
			escaped = true
			continue
		}
		r, n := utf8.DecodeRuneInString(l.src[l.pos:])
		if r < utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Mc, r) && r != '\u200c' && r != '\u200d' {
			break
		}
		b = append(b, l.src[l.pos:l.pos+n]...)
		l.pos += n
	}
	return string(b), escaped
}

// number reads a number as it is written.
func (l *lexer) number() string {
	start := l.pos
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		if IsNameByte(c) || c == '.' || (c == '+' || c == '-') && l.src[l.pos-1]|0x20 == 'e' && !strings.HasPrefix(l.src[start:], "0x") {
			l.pos++
			continue
		}
		break
	}
	return l.src[start:l.pos]
}
