package lexer

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/decode"
	"github.com/sluice-project/sluice/policy/program/library"
)

// literal reads a text in any of the forms the language has, and the names that
// begin with a sign.
func (l *lexer) literal(c byte) bool {
	if (c == '\'' || c == '"' || c == '`') && (l.language == library.Perl || l.language == library.Ruby || l.language == library.PHP) {
		l.pos++
		l.quoted(c, l.delimited(c, 0))
		if c != '`' && l.language == library.Ruby && l.at(0) == ':' && IsOneOf(l.at(1), " \t\n") { // "key": value
			l.pos++
			l.emit(Operator, "=>")
		}
		return true
	}
	switch l.language {
	case library.Python:
		return l.pythonText()
	case library.Perl:
		return l.perlText(c)
	case library.Ruby:
		return l.rubyText(c)
	case library.PHP:
		return l.phpText(c)
	case library.Lua:
		if level := longBracket(l.src[l.pos:]); level >= 0 {
			start := l.pos + 2 + level
			l.until("]"+strings.Repeat("=", level)+"]", 2+level)
			l.emit(Text, l.src[start:max(start, l.pos-2-level)])
			return true
		}
	case library.R:
		if (c == 'r' || c == 'R') && (l.at(1) == '"' || l.at(1) == '\'') && l.at(2) == '(' {
			start := l.pos + 3
			l.until(")"+string(l.at(1)), 3)
			l.emit(Text, l.src[start:max(start, l.pos-2)])
			return true
		}
	default:
	}
	if c == '"' || c == '\'' {
		l.pos++
		l.emit(Text, decode.Escapes(l.delimited(c, 0), decode.Usual))
		return true
	}
	return false
}

// delimited returns what stands before the next unescaped end and goes behind
// it. With open, brackets of the same kind nest.
func (l *lexer) delimited(end, open byte) string {
	start, depth := l.pos, 0
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '\\':
			l.pos++
		case c == end && depth == 0:
			text := l.src[start:l.pos]
			l.pos++
			return text
		case c == end:
			depth--
		case open != 0 && c == open:
			depth++
		case c == '#' && l.language == library.Ruby && l.at(1) == '{' && end != '\'':
			l.pos += 2
			l.braces()
			continue
		}
		l.pos++
	}
	l.pos = len(l.src)
	return l.src[min(start, len(l.src)):]
}

// braces goes behind the brace that ends an expression in a text, over the
// texts in it.
func (l *lexer) braces() {
	depth := 0
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; c {
		case '{', '(', '[':
			depth++
		case ')', ']':
			depth--
		case '}':
			if depth <= 0 {
				l.pos++
				return
			}
			depth--
		case '"', '\'':
			l.pos++
			for l.pos < len(l.src) && l.src[l.pos] != c {
				if l.src[l.pos] == '\\' {
					l.pos++
				}
				l.pos++
			}
		}
		l.pos++
	}
	l.pos = len(l.src)
}

func (l *lexer) pythonText() bool {
	at := l.pos
	for at < len(l.src) && at < l.pos+2 && IsOneOf(l.src[at]|0x20, "rftbu") {
		at++
	}
	if at >= len(l.src) || l.src[at] != '"' && l.src[at] != '\'' {
		return false
	}
	signs := strings.ToLower(l.src[l.pos:at])
	raw, format := strings.Contains(signs, "r"), strings.ContainsAny(signs, "ft")
	quote := l.src[at : at+1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(l.src[at:], long) {
		quote = long
	}
	l.pos = at + len(quote)
	start := l.pos
	plain := func() string {
		text := l.src[start:l.pos]
		if format {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "{{", "{"), "}}", "}")
		}
		if raw {
			return text
		}
		return decode.Escapes(text, decode.Keeping)
	}
	var parts []Part
	for l.pos < len(l.src) && !strings.HasPrefix(l.src[l.pos:], quote) {
		switch c := l.src[l.pos]; {
		case c == '\n' && len(quote) == 1: // has no end: the line is all there is
			quote = ""
			continue
		case c == '\\' || c == '{' && format && l.at(1) == '{':
			l.pos++
		case c == '{' && format:
			parts = appendText(parts, plain())
			l.pos++
			from := l.pos
			l.braces()
			parts = append(parts, Part{Text: strings.TrimSuffix(l.src[from:l.pos], "}"), Code: true})
			start = l.pos
			continue
		}
		l.pos++
	}
	l.pos = min(l.pos, len(l.src))
	l.texts(Text, parts, plain())
	l.pos = min(l.pos+len(quote), len(l.src))
	return true
}

// texts emits one token for the parts of a text and what stands after them.
func (l *lexer) texts(kind kind, parts []Part, rest string) {
	if parts == nil {
		l.emit(kind, rest)
		return
	}
	all := appendText(parts, rest)
	l.emit(kind, "").Parts = &all
}

// appendText adds a text to the parts, if it is one.
func appendText(parts []Part, text string) []Part {
	if text == "" {
		return parts
	}
	return append(parts, Part{Text: text})
}

// heredoc reads <<NAME and its relatives; the mark has been seen. The body
// begins on the next line. It reports false if this is no here-document.
func (l *lexer) heredoc(mark int) bool {
	at, php := l.pos+mark, l.language == library.PHP
	indented := !php && at < len(l.src) && IsOneOf(l.src[at], "~-")
	if indented {
		at++
	}
	for php && at < len(l.src) && l.src[at] == ' ' {
		at++
	}
	quote := byte(0)
	if at < len(l.src) && IsOneOf(l.src[at], "\"'`") {
		quote = l.src[at]
		at++
	}
	end := at
	for end < len(l.src) && IsWord(l.src[end]) {
		end++
	}
	if end == at || IsDigit(l.src[at]) || quote == 0 && !indented && l.language == library.Ruby && l.src[at] >= 'a' || quote != 0 && (end >= len(l.src) || l.src[end] != quote) {
		return false
	}
	name := l.src[at:end]
	if quote != 0 {
		end++
	}
	body := l.after
	if body == 0 {
		line := -1
		if !l.lastLine {
			line = strings.IndexByte(l.src[end:], '\n')
		}
		if l.lastLine = line < 0; l.lastLine {
			return false
		}
		body = end + line + 1
	}
	stop, after := len(l.src), len(l.src)
	for from := body; from < len(l.src); {
		line, rest, more := strings.Cut(l.src[from:], "\n")
		trimmed := strings.TrimSpace(line)
		if trimmed == name || php && strings.HasPrefix(trimmed, name) && !IsWord(trimmed[len(name)]) {
			stop, after = from, len(l.src)-len(rest)
			if php {
				after = from + strings.Index(line, name) + len(name)
			}
			break
		}
		if from = len(l.src) - len(rest); !more {
			break
		}
	}
	text := l.src[min(body, stop):stop]
	switch quote {
	case '\'':
		l.emit(Text, text)
	case '`':
		l.interpolate(Command, text)
	default:
		l.interpolate(Text, text)
	}
	l.after, l.pos = after, end
	return true
}
