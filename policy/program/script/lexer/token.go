package lexer

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// MaxTokens is how many tokens of a program are read.
const MaxTokens = 50_000

// EndToken is what stands behind the last one.
var EndToken = Token{Kind: End}

type kind uint8

const (
	End kind = iota
	Name
	Number
	Text
	Command // backticks and what else gives its text to a shell
	Operator
	Line
)

// Token is a name, a number, an operator or a text of a program.
type Token struct {
	Kind kind
	// space: blanks stand before it.
	Space bool
	// first: it is the first of its line; column is then its indentation.
	First bool
	// level is how tightly an operator binds; assigns: it gives what is before
	// it a value.
	Level   int8
	Assigns bool
	Column  int32
	// match is the place of the closing bracket, for an opening one.
	Match int32
	Text  string
	// parts are set for a text with expressions in it.
	Parts *[]Part
}

// Part is a piece of a text: as it stands, or code that is computed.
type Part struct {
	Text string
	Code bool
	// tokens are those of the code, once it was read.
	Tokens []Token
}

// Is reports whether it is an operator.
func (t *Token) Is(op string) bool { return t.Kind == Operator && t.Text == op }

// Word reports whether it is a name.
func (t *Token) Word(w string) bool { return t.Kind == Name && t.Text == w }

// Value reports whether it can begin or be a value.
func (t *Token) Value() bool {
	return t.Kind == Name || t.Kind == Number || t.Kind == Text || t.Kind == Command
}

// Closing reports whether it is a bracket that closes.
func (t *Token) Closing() bool {
	return t.Is(")") || t.Is("]") || t.Is("}")
}

// Ends reports whether a statement ends here.
func (t *Token) Ends() bool { return t.Kind == End || t.Kind == Line || t.Is(";") }

// Sign is the first byte of a name, which says in some languages what it is.
func (t *Token) Sign() byte {
	if t.Text == "" {
		return 0
	}
	return t.Text[0]
}

// lexer cuts a program into tokens.
type lexer struct {
	language library.Language
	src      string
	pos      int
	tokens   []Token
	open     []int32
	// after is where the lines begin that follow the bodies of
	// here-documents, 0 if the current line has none.
	after int
	// lastLine: no line follows the current one, as far as it was asked.
	lastLine bool
	space    bool
	first    bool
	column   int32
	full     bool
}

// Tokenize returns the tokens, ending with one of kind End, and whether there
// were more than MaxTokens.
func Tokenize(language library.Language, src string) ([]Token, bool) {
	l := lexer{language: language, src: src, first: true, tokens: make([]Token, 0, min(len(src)/4+2, MaxTokens+1))}
	if language == library.PHP {
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
	l.tokens = append(l.tokens, Token{Kind: End})
	for _, at := range l.open {
		l.tokens[at].Match = int32(len(l.tokens) - 1)
	}
	l.words()
	return l.tokens, l.full
}

// emit adds a token, which is made where it stays.
func (l *lexer) emit(kind kind, text string) *Token {
	l.tokens = append(l.tokens, Token{Kind: kind, Text: text, Space: l.space, First: l.first, Column: l.column})
	l.space, l.first = false, false
	return l.last()
}

func (l *lexer) last() *Token {
	if len(l.tokens) == 0 {
		return &EndToken
	}
	return &l.tokens[len(l.tokens)-1]
}

// operand reports whether a value comes next, so that a slash begins a regular
// expression and a percent sign a text or a hash.
func (l *lexer) operand() bool {
	switch t := l.last(); t.Kind {
	case End, Line:
		return true
	case Operator:
		return !t.Closing()
	case Name:
		return l.language != library.PHP && slices.Contains(beforeOperand, t.Text)
	default:
		return false
	}
}

func (l *lexer) next() {
	c := l.src[l.pos]
	switch {
	case c == '\n':
		l.newline()
	case isBlank(c):
		start := l.pos
		for l.pos++; l.pos < len(l.src) && isBlank(l.src[l.pos]); {
			l.pos++
		}
		l.space = true
		if l.first {
			l.column += int32(l.pos - start)
		}
	case c == '\\' && (l.at(1) == '\n' || l.at(1) == '\r' && l.at(2) == '\n'):
		l.pos += strings.IndexByte(l.src[l.pos:], '\n') + 1
		l.space = true
	case l.comment(c) || l.literal(c):
	case IsDigit(c) || c == '.' && IsDigit(l.at(1)) && !l.last().Value() && !l.last().Closing():
		l.number()
	case IsWordStart(c):
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
	if (l.language == library.Python || l.language == library.Ruby || l.language == library.R || l.language == library.Lua) && l.inBlock() && l.last().Kind != Line {
		l.emit(Line, "")
	}
	l.first, l.space, l.column = true, true, 0
}

// inBlock reports whether a line ends a statement here: not within brackets,
// other than those that hold statements.
func (l *lexer) inBlock() bool {
	if len(l.open) == 0 {
		return true
	}
	return l.language != library.Python && l.tokens[l.open[len(l.open)-1]].Text == "{"
}

func (l *lexer) number() {
	start := l.pos
	for l.pos < len(l.src) && (IsWord(l.src[l.pos]) || l.src[l.pos] == '.' && IsDigit(l.at(1))) {
		l.pos++
	}
	l.emit(Number, strings.ReplaceAll(l.src[start:l.pos], "_", ""))
}

// name reads a name, which began at start with the sigils of the language.
func (l *lexer) name(start int) {
	for {
		for l.pos < len(l.src) && IsWord(l.src[l.pos]) {
			l.pos++
		}
		next := IsWordStart(l.at(1))
		switch c := l.at(0); {
		case c == ':' && l.at(1) == ':' && l.language == library.Perl && IsWordStart(l.at(2)):
			l.pos += 2
			continue
		case c == '.' && l.language == library.R && next:
			l.pos++
			continue
		case c == '\\' && l.language == library.PHP && next: // namespaces
			l.pos++
			start = l.pos
			continue
		case (c == '?' || c == '!') && l.language == library.Ruby && l.at(1) != '=' && l.src[start] >= 'a' && !l.last().Word("defined") && (c == '!' || IsOneOf(l.at(1), " \t\n().,;&|}")):
			l.pos++
		}
		l.emit(Name, l.src[start:l.pos])
		return
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' }

// IsDigit reports whether a byte is a digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsWordStart reports whether a byte can begin a name.
func IsWordStart(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80 }

// IsWord reports whether a byte can stand in a name.
func IsWord(c byte) bool { return IsWordStart(c) || IsDigit(c) }

// IsOneOf reports whether a byte is in a set.
func IsOneOf(c byte, set string) bool { return strings.IndexByte(set, c) >= 0 }
