package lexer

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/decode"
)

func (l *lexer) perlText(c byte) bool {
	switch {
	case c == '<' && l.at(1) == '<' && l.operand() && l.heredoc(2):
	case c == '<' && (l.operand() || l.space && isHandle(l.src[l.pos+1:])): // <STDIN>, <*.c>
		end := strings.IndexByte(l.src[l.pos:min(len(l.src), l.pos+256)], '>')
		if end < 0 || strings.ContainsAny(l.src[l.pos:l.pos+end], "\n;=") {
			return false
		}
		inside := l.src[l.pos+1 : l.pos+end]
		l.pos += end + 1
		if inside == "" || isHandle(inside+">") {
			l.emit(Name, "readline")
		} else {
			l.emit(Name, "glob")
		}
		l.emit(Text, inside)
	case c == '/' && l.operand():
		return l.pattern()
	case c == '$' || c == '@' || c == '%' && (l.operand() || l.space && strings.HasPrefix(l.src[l.pos:], "%ENV")) || c == '&' && l.operand():
		return l.sigil(c)
	case IsWordStart(c) && !l.last().Is("->"):
		return l.perlQuote()
	default:
		return false
	}
	return true
}

// isHandle reports whether a text begins with the name of a handle and the
// bracket behind it: F> or $in>.
func isHandle(s string) bool {
	end := 0
	if strings.HasPrefix(s, "$") {
		end++
	} else if s == "" || s[0] < 'A' || s[0] > 'Z' {
		return false
	}
	for end < len(s) && IsWord(s[end]) {
		end++
	}
	return end < len(s) && s[end] == '>'
}

// sigil reads a variable with the sign before it.
func (l *lexer) sigil(c byte) bool {
	start := l.pos
	switch next := l.at(1); {
	case IsWord(next):
		l.pos++
		if c == '&' {
			start++
		}
		l.name(start)
	case next == ':' && l.at(2) == ':':
		l.pos += 3
		l.name(l.pos)
	case c == '$' && next == '#':
		l.pos += 2
		l.emit(Name, "$#")
	case next == '{' || next == '$': // ${...}, @{...}, $$x: what is in it counts
		l.pos++
	case c == '$' && next == '^' && 'A' <= l.at(2) && l.at(2) <= 'Z': // $^X
		l.pos += 3
		l.emit(Name, l.src[start:l.pos])
	case c == '$' && IsOneOf(next, "!@/\\,;.0&&\"+^|~-"):
		l.pos += 2
		l.emit(Name, l.src[start:l.pos])
	default:
		return false
	}
	return true
}

// perlQuote reads q, qq, qw, qx, m, qr, s, tr and y with their delimiters.
func (l *lexer) perlQuote() bool {
	rest := l.src[l.pos:]
	i := slices.IndexFunc(perlQuotes, func(w string) bool {
		return strings.HasPrefix(rest, w) && len(rest) > len(w) && !IsWord(rest[len(w)])
	})
	if i < 0 {
		return false
	}
	word := perlQuotes[i]
	at := len(word)
	for at < len(rest) && rest[at] == ' ' && word[0] == 'q' {
		at++
	}
	if at >= len(rest) || IsOneOf(rest[at], ",;) \t\n\r=}") || strings.HasPrefix(rest[at:], "->") || at > len(word) && rest[at] == '#' {
		return false
	}
	l.pos += at
	first, open := l.bracketed()
	switch word {
	case "q":
		l.quoted('\'', first)
	case "qq", "qx", "qw":
		l.form(word[1], first)
	case "s", "tr", "y":
		if open != 0 {
			for l.pos < len(l.src) && IsOneOf(l.src[l.pos], " \t\n\r") {
				l.pos++
			}
			first, _ = l.bracketed()
		} else {
			first = l.delimited(l.src[l.pos-1], 0)
		}
		if flags := l.flags(); word == "s" && strings.Contains(flags, "e") { // the replacement is a program
			l.emit(Name, "eval")
			l.emit(Text, first)
			return true
		}
		l.emit(Number, "0")
	default:
		l.form('r', "")
	}
	return true
}

// form emits what stands behind a letter that says what it is: a list of words, a text of one
// of the three kinds, or a pattern.
func (l *lexer) form(letter byte, inside string) {
	switch letter {
	case 'w', 'W', 'i', 'I':
		l.list(strings.Fields(inside))
	case 'x':
		l.quoted('`', inside)
	case 'r':
		l.flags()
		l.emit(Number, "0")
	case 's':
		l.quoted('\'', inside)
	default:
		l.quoted('"', inside)
	}
}

// bracketed reads from a delimiter to its end. open is the bracket it was.
func (l *lexer) bracketed() (inside string, open byte) {
	if l.pos >= len(l.src) {
		return "", 0
	}
	c := l.src[l.pos]
	l.pos++
	if i := strings.IndexByte("([{<", c); i >= 0 {
		return l.delimited(")]}>"[i], c), c
	}
	return l.delimited(c, 0), 0
}

func (l *lexer) flags() string {
	start := l.pos
	for l.pos < len(l.src) && IsWord(l.src[l.pos]) {
		l.pos++
	}
	return l.src[start:l.pos]
}

// pattern reads a regular expression between slashes. It ends on its line.
func (l *lexer) pattern() bool {
	for at := l.pos + 1; at < len(l.src) && at < l.pos+4096 && l.src[at] != '\n'; at++ {
		switch l.src[at] {
		case '\\':
			at++
		case '/':
			l.pos = at + 1
			l.flags()
			l.emit(Number, "0")
			return true
		}
	}
	return false
}

// quoted emits a text between quotes of one of the three usual kinds.
func (l *lexer) quoted(quote byte, raw string) {
	switch quote {
	case '\'':
		l.emit(Text, decode.Escapes(raw, decode.Quotes))
	case '`':
		l.interpolate(Command, raw)
	default:
		l.interpolate(Text, raw)
	}
}

// list emits a list of texts.
func (l *lexer) list(words []string) {
	l.emit(Operator, "[")
	open := len(l.tokens) - 1
	for i, w := range words {
		if len(l.tokens) >= MaxTokens {
			l.full = true
			break
		}
		if i > 0 {
			l.emit(Operator, ",")
		}
		l.emit(Text, w)
	}
	l.emit(Operator, "]")
	l.tokens[open].Match = int32(len(l.tokens) - 1)
}

func (l *lexer) rubyText(c byte) bool {
	switch {
	case c == '<' && l.at(1) == '<' && (l.operand() || l.last().Kind == Name && l.space) && l.heredoc(2):
	case c == '/' && (l.operand() || l.last().Kind == Name && l.space && l.at(1) != ' '):
		return l.pattern()
	case c == '%' && (l.operand() || l.last().Kind == Name && l.space && l.at(1) != ' '):
		return l.rubyPercent()
	case c == ':' && (l.at(1) == '"' || IsWordStart(l.at(1))) && (l.operand() || l.space):
		l.pos++
		if l.at(0) == '"' {
			l.pos++
			l.quoted('"', l.delimited('"', 0))
			return true
		}
		start := l.pos
		for l.pos < len(l.src) && (IsWord(l.src[l.pos]) || IsOneOf(l.src[l.pos], "?!")) {
			l.pos++
		}
		l.emit(Text, l.src[start:l.pos])
	case c == '@' || c == '$':
		start := l.pos
		for l.pos < len(l.src) && IsOneOf(l.src[l.pos], "@$") {
			l.pos++
		}
		if l.pos < len(l.src) && !IsWord(l.src[l.pos]) {
			l.pos++
		}
		l.name(start)
	default:
		return false
	}
	return true
}

func (l *lexer) rubyPercent() bool {
	kind, at := byte('Q'), 1
	if IsOneOf(l.at(1), "qQwWxriIs") && !IsWord(l.at(2)) {
		kind, at = l.at(1), 2
	}
	if !IsOneOf(l.at(at), "([{<|!/-^") {
		return false
	}
	l.pos += at
	inside, _ := l.bracketed()
	if kind == 'q' {
		kind = 's'
	}
	l.form(kind, inside)
	return true
}

func (l *lexer) phpText(c byte) bool {
	switch {
	case c == '<' && strings.HasPrefix(l.src[l.pos:], "<<<") && l.heredoc(3):
	case c == '$' && IsWordStart(l.at(1)):
		start := l.pos
		l.pos++
		l.name(start)
	case c == '$' && (l.at(1) == '$' || l.at(1) == '{'): // $$name: what is in it counts
		l.pos++
	case c == '\\' && IsWordStart(l.at(1)):
		l.pos++
	case c == '@':
		l.pos++
	default:
		return false
	}
	return true
}

// perlQuotes are the words that begin a text or a pattern.
var perlQuotes = []string{"qq", "qw", "qx", "qr", "q", "m", "s", "tr", "y"}
