package lexer

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// comment skips a comment.
func (l *lexer) comment(c byte) bool {
	rest := l.src[l.pos:]
	switch {
	case c == '#' && l.language != library.Lua && !(l.language == library.PHP && l.at(1) == '['):
		l.line()
	case c == '/' && l.language == library.PHP && l.at(1) == '/':
		l.line()
	case c == '/' && l.language == library.PHP && l.at(1) == '*':
		l.until("*/", 2)
	case c == '-' && l.language == library.Lua && l.at(1) == '-':
		if level := longBracket(rest[2:]); level >= 0 {
			l.until("]"+strings.Repeat("=", level)+"]", 4+level)
		} else {
			l.line()
		}
	case c == '=' && l.language == library.Ruby && l.first && l.column == 0 && strings.HasPrefix(rest, "=begin"):
		l.until("\n=end", 6)
		l.line()
	case c == '=' && l.language == library.Perl && l.first && l.column == 0 && IsWordStart(l.at(1)):
		l.until("\n=cut", 1)
		l.line()
	case c == '_' && l.first && l.column == 0 && (l.language == library.Perl || l.language == library.Ruby) && (strings.HasPrefix(rest, "__END__") || strings.HasPrefix(rest, "__DATA__")):
		l.pos = len(l.src)
	case c == '?' && l.language == library.PHP && l.at(1) == '>':
		l.emit(Operator, ";")
		l.html()
	default:
		return false
	}
	return true
}

// line skips to the end of the line. In PHP a comment ends before ?>.
func (l *lexer) line() {
	line, _, _ := strings.Cut(l.src[l.pos:], "\n")
	if l.language == library.PHP {
		line, _, _ = strings.Cut(line, "?>")
	}
	l.pos += len(line)
}

// until skips to behind a mark, which is looked for after the first bytes.
func (l *lexer) until(mark string, after int) {
	_, rest, _ := strings.Cut(l.src[min(l.pos+after, len(l.src)):], mark)
	l.pos = len(l.src) - len(rest)
	l.space = true
}

// longBracket returns the level of Lua's [==[ that text begins with, or -1.
func longBracket(text string) int {
	if len(text) < 2 || text[0] != '[' {
		return -1
	}
	rest := strings.TrimLeft(text[1:], "=")
	if level := len(text) - 1 - len(rest); strings.HasPrefix(rest, "[") {
		return level
	}
	return -1
}

// html skips what stands outside of PHP's tags.
func (l *lexer) html() {
	_, inside, _ := strings.Cut(l.src[l.pos:], "<?")
	for _, tag := range []string{"php", "PHP", "="} {
		inside = strings.TrimPrefix(inside, tag)
	}
	l.pos = len(l.src) - len(inside)
}
