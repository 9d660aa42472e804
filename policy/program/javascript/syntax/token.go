package syntax

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sluice-project/sluice/policy/program/decode"
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
	case IsNameByte(c) && !IsDigit(c) || c == '\\' || c == '#' || c >= utf8.RuneSelf:
		t.sort = word
		if t.text, t.escaped = l.name(); t.text == "" { // no letter
			l.broken = true
			_, n := utf8.DecodeRuneInString(l.src[l.pos:])
			l.pos += n
			t.sort, t.text = sign, "?"+l.src[t.start:l.pos]
		}
	case IsDigit(c) || c == '.' && l.pos+1 < len(l.src) && IsDigit(l.src[l.pos+1]):
		t.sort, t.text = digits, l.number()
	case c == '"' || c == '\'':
		t.sort, t.text = quoted, l.str(c)
	default:
		t.sort, t.text = sign, l.src[l.pos:l.pos+1]
		if len(l.src) < l.pos+2 || strings.IndexByte("=.*<>&|?+-", l.src[l.pos+1]) < 0 { // most are one byte
			l.pos++
			break
		}
		for _, s := range signs {
			rest, ok := strings.CutPrefix(l.src[l.pos:], s)
			if ok && (s != "?." || rest == "" || !IsDigit(rest[0])) { // a ? .5 : b
				t.text = s
				break
			}
		}
		l.pos += len(t.text)
	}
	return t
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
	n := strings.IndexAny(l.src[l.pos:], "\n\r\u2028\u2029")
	if n < 0 {
		n = len(l.src) - l.pos
	}
	l.pos += n
}

// endsLine reports whether a line ends in a text.
func endsLine(s string) bool { return strings.ContainsAny(s, "\n\r\u2028\u2029") }

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
	b := []byte(nil)
	from := start
	for l.pos < len(l.src) {
		r, n := utf8.DecodeRuneInString(l.src[l.pos:])
		switch {
		case strings.HasPrefix(l.src[l.pos:], `\u`):
			escape := unicodeEscape.FindString(l.src[l.pos:min(l.pos+40, len(l.src))])
			b = append(b, l.src[from:l.pos]+decode.Escapes(escape, decode.JavaScript)...)
			l.broken = l.broken || escape == ""
			l.pos += max(len(escape), len(`\u`))
			escaped, from = true, l.pos
			continue
		case r < utf8.RuneSelf && IsNameByte(byte(r)), r >= utf8.RuneSelf && (unicode.In(r, unicode.L, unicode.Nd, unicode.Mn, unicode.Mc) || r == '\u200c' || r == '\u200d'):
			l.pos += n
			continue
		}
		break
	}
	if text = string(b) + l.src[from:l.pos]; text == "#" {
		l.pos, text = start, ""
	}
	return text, escaped
}

// unicodeEscape is a letter in a name by its number.
var unicodeEscape = regexp.MustCompile(`^\\u(?:[0-9a-fA-F]{4}|\{[0-9a-fA-F]+\})`)

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
