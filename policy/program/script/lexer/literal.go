package lexer

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// literal reads a text in any of the forms the language has, and the names that
// begin with a sign.
func (l *lexer) literal(c byte) bool {
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
		l.emit(Text, unescape(l.delimited(c, 0), escapes))
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
	raw, format := false, false
	for at < len(l.src) && at < l.pos+2 {
		switch l.src[at] | 0x20 {
		case 'r':
			raw = true
		case 'f', 't':
			format = true
		case 'b', 'u':
		default:
			goto quote
		}
		at++
	}
quote:
	if at >= len(l.src) || l.src[at] != '"' && l.src[at] != '\'' {
		return false
	}
	quote := l.src[at : at+1]
	if at+2 < len(l.src) && l.src[at+1] == quote[0] && l.src[at+2] == quote[0] {
		quote = l.src[at : at+3]
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
		return unescape(text, keeping)
	}
	var parts []Part
scan:
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '\\':
			l.pos++
		case c == '\n' && len(quote) == 1: // has no end: the line is all there is
			quote = ""
			break scan
		case c == quote[0] && strings.HasPrefix(l.src[l.pos:], quote):
			break scan
		case c == '{' && format && l.at(1) == '{':
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
	at := l.pos + mark
	indented := false
	if at < len(l.src) && (l.src[at] == '~' || l.src[at] == '-') && l.language != library.PHP {
		indented = true
		at++
	}
	quote := byte(0)
	if l.language == library.PHP {
		for at < len(l.src) && l.src[at] == ' ' {
			at++
		}
	}
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
		if l.lastLine {
			return false
		}
		line := strings.IndexByte(l.src[end:], '\n')
		if line < 0 {
			l.lastLine = true
			return false
		}
		body = end + line + 1
	}
	stop, after := len(l.src), len(l.src)
	for from := body; from < len(l.src); {
		next := strings.IndexByte(l.src[from:], '\n')
		line := l.src[from:]
		if next >= 0 {
			line = l.src[from : from+next]
		}
		trimmed := strings.TrimSpace(line)
		if trimmed == name || l.language == library.PHP && strings.HasPrefix(trimmed, name) && (len(trimmed) == len(name) || !IsWord(trimmed[len(name)])) {
			stop = from
			after = from + len(line)
			if l.language == library.PHP {
				after = from + strings.Index(line, name) + len(name)
			} else if next >= 0 {
				after++
			}
			break
		}
		if next < 0 {
			break
		}
		from += next + 1
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
	l.after = after
	l.pos = end
	return true
}
