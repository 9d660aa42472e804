package lexer

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// operators of more than one byte by their first one, the longest first. Those
// that assign and those that lead to a member matter; the others only keep them
// apart.
var operators = [128][]string{
	'*': {"**=", "*=", "**"}, '/': {"//=", "/=", "//"}, '>': {">>=", ">=", ">>"}, '<': {"<<=", "<=>", "<<-", "<=", "<<", "<-"},
	'|': {"||=", "|=", "||", "|>"}, '&': {"&&=", "&=", "&&", "&."}, '.': {"...", ".=", ".."}, '=': {"===", "=>", "==", "=~"}, '!': {"!==", "!=", "!~"},
	'?': {"?->", "??=", "??", "?:"}, '-': {"->>", "->", "-=", "--"}, '+': {"+=", "++"}, '%': {"%="}, '^': {"^="}, ':': {"::", ":="}, '~': {"~/"},
}

func (l *lexer) operator(c byte) {
	size := 1
	for _, op := range operators[c&0x7f] {
		if op[1] == l.at(1) && strings.HasPrefix(l.src[l.pos:], op) && l.speaks(op) {
			size = len(op)
			break
		}
	}
	op := l.src[l.pos : l.pos+size]
	t := l.emit(Operator, op)
	if operators[c&0x7f] != nil {
		t.Level, t.Assigns = LevelOf(op), assigns(op)
	}
	l.pos += size
	at := int32(len(l.tokens) - 1)
	switch c {
	case '(', '[', '{':
		l.open = append(l.open, at)
	case ')', ']', '}':
		if n := len(l.open); n > 0 {
			l.tokens[l.open[n-1]].Match = at
			l.open = l.open[:n-1]
		}
	}
}

// speaks reports whether the language has the operator.
func (l *lexer) speaks(op string) bool {
	switch op {
	case "<-", "<<-", "->>":
		return l.language == library.R
	case "//":
		return l.language != library.PHP
	case "&.":
		return l.language == library.Ruby
	case "->":
		return l.language != library.R
	default:
		return true
	}
}

// LevelOf is how tightly a binary operator binds, 0 if it is none.
func LevelOf(op string) int8 {
	switch op {
	case "=", "+=", ".=", "-=", "*=", "/=", "%=", "|=", "&=", "||=", "??=", "&&=", "<-", "<<-":
		return 1
	case "or", "and", "||", "&&", "??", "?:", "xor":
		return 2
	case "==", "!=", "<", ">", "<=", ">=", "=~", "!~", "===", "!==", "<=>", "in", "is", "eq", "ne", "lt", "gt", "le", "ge", "cmp", "instanceof":
		return 3
	case "|", "&", "^", "|>":
		return 4
	case "<<", ">>", "..", "...":
		return 5
	case "+", "-":
		return 6
	case "*", "/", "%", "//", "x":
		return 7
	case "**":
		return 8
	}
	return 0
}

// assigns reports whether an operator gives what is before it a value.
func assigns(op string) bool {
	switch op {
	case "=", ":=", "+=", ".=", "||=", "??=", "<-", "<<-":
		return true
	}
	return false
}

// IsPrefix reports whether an operator can stand before its only operand.
func IsPrefix(op string) bool {
	switch op {
	case "-", "+", "!", "~", "*", "**", "&", "\\", "++", "--", "?":
		return true
	}
	return false
}
