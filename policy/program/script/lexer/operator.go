package lexer

import (
	"slices"
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
	op := l.src[l.pos : l.pos+1]
	for _, long := range operators[c&0x7f] {
		if long[1] == l.at(1) && strings.HasPrefix(l.src[l.pos:], long) && l.speaks(long) {
			op = long
			break
		}
	}
	t := l.emit(Operator, op)
	if operators[c&0x7f] != nil {
		t.Level, t.Assigns = levels[op], slices.Contains(assigning, op)
	}
	l.pos += len(op)
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

// levels are how tightly binary operators bind.
var levels = map[string]int8{
	"=": 1, "+=": 1, ".=": 1, "-=": 1, "*=": 1, "/=": 1, "%=": 1, "|=": 1, "&=": 1, "||=": 1, "??=": 1, "&&=": 1, "<-": 1, "<<-": 1,
	"or": 2, "and": 2, "||": 2, "&&": 2, "??": 2, "?:": 2, "xor": 2,
	"==": 3, "!=": 3, "<": 3, ">": 3, "<=": 3, ">=": 3, "=~": 3, "!~": 3, "===": 3, "!==": 3, "<=>": 3, "in": 3, "is": 3, "eq": 3, "ne": 3, "lt": 3, "gt": 3, "le": 3, "ge": 3, "cmp": 3, "instanceof": 3,
	"|": 4, "&": 4, "^": 4, "|>": 4, "<<": 5, ">>": 5, "..": 5, "...": 5, "+": 6, "-": 6, "*": 7, "/": 7, "%": 7, "//": 7, "x": 7, "**": 8,
}

// LevelOf is how tightly a binary operator binds, 0 if it is none.
func LevelOf(op string) int8 { return levels[op] }

// Operators that give what is before them a value, that can stand before their only
// operand, and words after which a value comes.
var (
	assigning     = []string{"=", ":=", "+=", ".=", "||=", "??=", "<-", "<<-"}
	prefixes      = []string{"-", "+", "!", "~", "*", "**", "&", "\\", "++", "--", "?"}
	beforeOperand = []string{"if", "unless", "while", "until", "and", "or", "not", "return", "when", "in", "split", "grep", "map", "join", "puts", "print", "x", "elsif", "push", "foreach", "for", "then", "do", "else", "unlink", "keys", "values"}
)

// IsPrefix reports whether an operator can stand before its only operand.
func IsPrefix(op string) bool { return slices.Contains(prefixes, op) }

// speaks reports whether the language has the operator.
func (l *lexer) speaks(op string) bool {
	switch op {
	case "<-", "<<-", "->>":
		return l.language == library.R
	case "//":
		return l.language != library.PHP
	case "&.":
		return l.language == library.Ruby
	}
	return op != "->" || l.language != library.R
}
