package code

import "strings"

type kind uint8

const (
	isEnd kind = iota
	isName
	isNumber
	isText
	isCommand // backticks and what else gives its text to a shell
	isOp
	isLine
)

type token struct {
	kind kind
	// space: blanks stand before it.
	space bool
	// first: it is the first of its line; column is then its indentation.
	first  bool
	column int32
	// match is the place of the closing bracket, for an opening one.
	match int32
	text  string
	// parts are set for a text with expressions in it.
	parts []part
}

type part struct {
	text string
	code bool
}

func (t *token) is(op string) bool  { return t.kind == isOp && t.text == op }
func (t *token) word(w string) bool { return t.kind == isName && t.text == w }
func (t *token) value() bool {
	return t.kind == isName || t.kind == isNumber || t.kind == isText || t.kind == isCommand
}
func (t *token) closing() bool {
	return t.is(")") || t.is("]") || t.is("}")
}
func (t *token) ends() bool { return t.kind == isEnd || t.kind == isLine || t.is(";") }

// lexer cuts a program into tokens.
type lexer struct {
	language Language
	src      string
	pos      int
	tokens   []token
	open     []int32
	// after is where the lines begin that follow the bodies of
	// here-documents, 0 if the current line has none.
	after  int
	space  bool
	first  bool
	column int32
	full   bool
}

// tokenize returns the tokens, ending with one of kind isEnd, and whether there
// were more than MaxTokens.
func tokenize(language Language, src string) ([]token, bool) {
	l := lexer{language: language, src: src, first: true, tokens: make([]token, 0, min(len(src)/4+8, MaxTokens+1))}
	if language == PHP {
		if start := strings.TrimSpace(src); strings.HasPrefix(start, "<") || strings.HasPrefix(start, "#!") {
			l.html()
		}
	}
	for l.pos < len(l.src) {
		if len(l.tokens) >= MaxTokens {
			l.full = true
			break
		}
		l.next()
	}
	l.tokens = append(l.tokens, token{kind: isEnd})
	for _, at := range l.open {
		l.tokens[at].match = int32(len(l.tokens) - 1)
	}
	return l.tokens, l.full
}

func (l *lexer) emit(t token) {
	t.space, t.first, t.column = l.space, l.first, l.column
	l.space, l.first = false, false
	l.tokens = append(l.tokens, t)
}

func (l *lexer) last() *token {
	if len(l.tokens) == 0 {
		return &token{}
	}
	return &l.tokens[len(l.tokens)-1]
}

// operand reports whether a value comes next, so that a slash begins a regular
// expression and a percent sign a text or a hash.
func (l *lexer) operand() bool {
	t := l.last()
	switch t.kind {
	case isEnd, isLine:
		return true
	case isOp:
		return !t.closing()
	case isName:
		return l.language != PHP && beforeOperand[t.text]
	default:
		return false
	}
}

// beforeOperand are words after which a value comes.
var beforeOperand = map[string]bool{
	"if": true, "unless": true, "while": true, "until": true, "and": true, "or": true, "not": true, "return": true, "when": true, "in": true, "split": true, "grep": true,
	"map": true, "join": true, "puts": true, "print": true, "x": true, "elsif": true, "push": true, "foreach": true, "for": true, "then": true, "do": true, "else": true, "unlink": true, "keys": true, "values": true,
}

func (l *lexer) next() {
	c := l.src[l.pos]
	switch {
	case c == '\n':
		l.newline()
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		l.pos++
		l.space = true
		if l.first {
			l.column++
		}
	case c == '\\' && l.at(1) == '\n':
		l.pos += 2
		l.space = true
	case c == '\\' && l.at(1) == '\r' && l.at(2) == '\n':
		l.pos += 3
		l.space = true
	case l.comment(c), l.literal(c):
	case isDigit(c) || c == '.' && isDigit(l.at(1)) && !l.last().value() && !l.last().closing():
		l.number()
	case isWordStart(c):
		l.name(l.pos)
	default:
		l.operator(c)
	}
}

func (l *lexer) at(n int) byte {
	if l.pos+n < len(l.src) {
		return l.src[l.pos+n]
	}
	return 0
}

func (l *lexer) newline() {
	l.pos++
	if l.after > 0 {
		l.pos, l.after = l.after, 0
	}
	if (l.language == Python || l.language == Ruby || l.language == R || l.language == Lua) && l.inBlock() && l.last().kind != isLine {
		l.emit(token{kind: isLine})
	}
	l.first, l.space, l.column = true, true, 0
}

// inBlock reports whether a line ends a statement here: not within brackets,
// other than those that hold statements.
func (l *lexer) inBlock() bool {
	if len(l.open) == 0 {
		return true
	}
	return l.language != Python && l.tokens[l.open[len(l.open)-1]].text == "{"
}

func (l *lexer) number() {
	start := l.pos
	for l.pos < len(l.src) && (isWord(l.src[l.pos]) || l.src[l.pos] == '.' && isDigit(l.at(1))) {
		l.pos++
	}
	l.emit(token{kind: isNumber, text: strings.ReplaceAll(l.src[start:l.pos], "_", "")})
}

// name reads a name, which began at start with the sigils of the language.
func (l *lexer) name(start int) {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		switch {
		case isWord(c):
			l.pos++
			continue
		case c == ':' && l.at(1) == ':' && l.language == Perl && isWordStart(l.at(2)):
			l.pos += 2
			continue
		case (c == '?' || c == '!') && l.language == Ruby && l.at(1) != '=' && l.src[start] >= 'a' && !l.last().word("defined"):
			if c == '!' || isOneOf(l.at(1), " \t\n().,;&|}") {
				l.pos++
			}
		case c == '.' && l.language == R && isWordStart(l.at(1)):
			l.pos++
			continue
		case c == '\\' && l.language == PHP && isWordStart(l.at(1)): // namespaces
			l.pos++
			start = l.pos
			continue
		}
		break
	}
	l.emit(token{kind: isName, text: l.src[start:l.pos]})
}

// operators of more than one byte, the longest first. Those that assign and
// those that lead to a member matter; the others only keep them apart.
var operators = []string{
	"**=", "//=", ">>=", "<<=", "||=", "&&=", "...", "<=>", "===", "!==", "?->", "??=", "->>", "<<-",
	"->", "=>", "==", "!=", ">=", "<=", "+=", "-=", "*=", "/=", ".=", "%=", "|=", "&=", "^=", "x=", "::", ":=", "=~", "!~",
	"**", "//", "&&", "||", "<<", ">>", "..", "++", "--", "??", "?:", "&.", "|>", "<-", "~/",
}

func (l *lexer) operator(c byte) {
	size := 1
	if isOneOf(c, "*/><|&.=!?-+%^:~") {
		for _, op := range operators {
			if op[0] == c && strings.HasPrefix(l.src[l.pos:], op) && l.speaks(op) {
				size = len(op)
				break
			}
		}
	}
	t := token{kind: isOp, text: l.src[l.pos : l.pos+size]}
	l.pos += size
	switch t.text {
	case "(", "[", "{":
		l.emit(t)
		l.open = append(l.open, int32(len(l.tokens)-1))
		return
	case ")", "]", "}":
		l.emit(t)
		if n := len(l.open); n > 0 {
			l.tokens[l.open[n-1]].match = int32(len(l.tokens) - 1)
			l.open = l.open[:n-1]
		}
		return
	}
	l.emit(t)
}

// speaks reports whether the language has the operator.
func (l *lexer) speaks(op string) bool {
	switch op {
	case "<-", "<<-", "->>":
		return l.language == R
	case "//":
		return l.language != PHP
	case "&.":
		return l.language == Ruby
	case "->":
		return l.language != R
	default:
		return true
	}
}

func isDigit(c byte) bool     { return '0' <= c && c <= '9' }
func isWordStart(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80 }
func isWord(c byte) bool      { return isWordStart(c) || isDigit(c) }

func isOneOf(c byte, set string) bool { return strings.IndexByte(set, c) >= 0 }
