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

// lineEnds are the signs that end a line.
const lineEnds = "\n\r\u2028\u2029"

// blanks skips blanks and comments and reports whether a line ended in them.
func (l *lexer) blanks() (newline bool) {
	for l.pos < len(l.src) {
		rest := l.src[l.pos:]
		c, n := utf8.DecodeRuneInString(rest)
		switch {
		case c == '\ufeff' || unicode.IsSpace(c) || strings.ContainsRune(lineEnds, c):
			newline = newline || strings.ContainsRune(lineEnds, c)
		case c < utf8.RuneSelf && c != '/' && c != '<' && c != '-' && c != '#':
			return newline
		case strings.HasPrefix(rest, "<!--"), newline && strings.HasPrefix(rest, "-->"):
			l.broken = true // a comment in some programs, and in others not
			return newline
		case strings.HasPrefix(rest, "//"), l.pos == 0 && strings.HasPrefix(rest, "#!"):
			if n = strings.IndexAny(rest, lineEnds); n < 0 {
				n = len(rest)
			}
		case strings.HasPrefix(rest, "/*"):
			comment, _, ends := strings.Cut(rest[2:], "*/")
			if n = len(comment) + len("/**/"); !ends {
				l.broken, n = true, len(rest)
			}
			newline = newline || ends && strings.ContainsAny(comment, lineEnds)
		default:
			return newline
		}
		l.pos += n
	}
	return newline
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
	for l.pos < len(l.src) && IsNameByte(l.src[l.pos]) {
		l.pos++
	}
	if l.pos == len(l.src) || l.pos > start && l.src[l.pos] != '\\' && l.src[l.pos] < utf8.RuneSelf {
		return l.src[start:l.pos], false // most are of ASCII
	}
	text = names.FindString(l.src[start:])
	l.pos = start + len(text)
	if escaped = strings.Contains(text, `\`); escaped {
		text = decode.Escapes(text, decode.JavaScript)
	}
	if text == "#" {
		l.pos, text = start, ""
	}
	if strings.HasPrefix(l.src[l.pos:], `\u`) { // an escape of nothing
		l.broken, escaped = true, true
		l.pos += len(`\u`)
	}
	return text, escaped
}

// names are names, perhaps with letters by their numbers.
var names = regexp.MustCompile(`^#?(?:[\w$\pL\p{Nd}\p{Mn}\p{Mc}\x{200c}\x{200d}]|\\u[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]+\})*`)

// number reads a number as it is written.
func (l *lexer) number() string {
	start := l.pos
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		if !IsNameByte(c) && c != '.' && ((c != '+' && c != '-') || l.src[l.pos-1]|0x20 != 'e' || strings.HasPrefix(l.src[start:], "0x")) {
			break
		}
		l.pos++
	}
	return l.src[start:l.pos]
}

// until goes behind the next of some signs that no backslash stands before. It returns what
// is before it and the sign, or all and none.
func (l *lexer) until(signs string) (text string, end byte) {
	start := min(l.pos, len(l.src))
	for l.pos < len(l.src) {
		n := strings.IndexAny(l.src[l.pos:], signs+`\`)
		if n < 0 {
			break
		}
		if l.pos += n + 1; l.src[l.pos-1] != '\\' {
			return l.src[start : l.pos-1], l.src[l.pos-1]
		}
		if l.pos++; strings.HasPrefix(l.src[l.pos-1:], "\r\n") {
			l.pos++
		}
	}
	l.pos = len(l.src)
	return l.src[start:], 0
}

// str reads a string at its quote. A line's end ends none.
func (l *lexer) str(quote byte) string {
	l.pos++
	text, end := l.until("\n\r" + string(quote))
	l.broken = l.broken || end != quote
	if end == '\n' || end == '\r' {
		l.pos--
	}
	return decode.Escapes(text, decode.JavaScript)
}

// chunk reads the text of a template up to its end or the next ${, in both
// readings. more says that an expression follows.
func (l *lexer) chunk() (cooked, raw string, more bool) {
	start := min(l.pos, len(l.src))
	for end := byte('$'); end == '$' && !more; {
		_, end = l.until("`$")
		raw = l.src[start : l.pos-min(1, int(end))]
		if more = end == '$' && strings.HasPrefix(l.src[l.pos:], "{"); more {
			l.pos++
		}
		l.broken = l.broken || end == 0
	}
	cooked = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(raw) // every end of a line is one sign
	return decode.Escapes(cooked, decode.JavaScript), raw, more
}

// regexp reads a regular expression that begins at a slash.
func (l *lexer) regexp(start int) (pattern, flags string) {
	l.pos = start + 1
	_, end := l.until("/[\n\r")
	for end == '[' {
		if _, end = l.until("]\n\r"); end == ']' {
			_, end = l.until("/[\n\r")
		}
	}
	if end != '/' {
		l.broken = true
		return "", ""
	}
	pattern, flags = l.src[start+1:l.pos-1], ""
	at := l.pos
	for l.pos < len(l.src) && IsNameByte(l.src[l.pos]) {
		l.pos++
	}
	return pattern, l.src[at:l.pos]
}
