package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
)

// afford cuts a text to what may still be read of it: reading takes no longer
// than its units allow, whatever is in it.
func (r *reader) afford(src string) string {
	if n := r.affordable(src); n < len(src) {
		r.Mark(invocation.Long)
		return src[:n]
	}
	return src
}

// What signs cost that may open something deep in others, and from which depth on
// they do: each level is one of the parser's too.
const (
	levelUnits     = 8
	expansionUnits = 3
	usualDepth     = 16
)

// affordable takes what a text costs from the units that are left and returns how
// much of it can be read.
func (r *reader) affordable(src string) int {
	opened, depth, deepest := 0, 0, 0
	starts := true // a word may start here
	counts := strings.Contains(src, "let")
	body, end := literalBody(src)
	for i := 0; i < len(src); i++ {
		if i == body && end > body { // a parser reads over it
			r.Units -= (end - body) / 64
			i = end - 1
			continue
		}
		if !starts && inWords[src[i]] {
			continue
		}
		units := 1
		switch src[i] {
		case '(', '{', '[':
			opened++
			depth++
			if deepest = max(deepest, depth); deepest > invocation.MaxNested && opened > invocation.MaxOpen {
				return i
			}
			if depth > usualDepth || i+1 < len(src) && src[i+1] == ')' {
				units = levelUnits
			}
			starts = true
		case ')', '}', ']':
			depth = max(depth-1, 0)
			units, starts = 0, true
		case '|', '&':
			units, starts = levelUnits, true
		case ' ', '\n', '\t', ';', '`':
			starts = true
		case '$':
			units, starts = expansionUnits, false
		case '"', '\'', '<', '>', '\\':
			starts = false
		case '+', '-', '*', '/', '%', ',', '?', ':', '=', '^', '!', '~': // arithmetic, perhaps
			if starts = false; depth == 0 && !counts {
				units = 0
			}
		default:
			if units = 0; starts && keyword(src[i:]) {
				units = levelUnits
			}
			starts = false
		}
		if r.Units -= units; r.Units < 0 {
			r.Units = 0
			return i
		}
	}
	return len(src)
}

// inWords are bytes that cost nothing within a word.
var inWords = func() (list [256]bool) {
	for c := range list {
		list[c] = strings.IndexByte("(){}[]|& \n\t;`$\"'<>\\+-*/%,?:=^!~", byte(c)) < 0
	}
	return list
}()

// literalBody is where the body of a here-document lies in which nothing is
// expanded, if the text begins with a line that has one and nothing else that could
// make it something else. Most long texts are written so.
func literalBody(src string) (body, end int) {
	head, rest, ok := strings.Cut(src, "\n")
	if !ok || len(head) > 4096 || strings.ContainsAny(head, "#\\`(){}") || strings.Count(head, "<<") != 1 {
		return 0, 0
	}
	before, word, _ := strings.Cut(head, "<<")
	if strings.Count(before, "'")%2 != 0 || strings.Count(before, `"`)%2 != 0 {
		return 0, 0
	}
	word = strings.TrimPrefix(word, "-")
	if word == "" || word[0] != '\'' && word[0] != '"' {
		return 0, 0
	}
	word, _, ok = strings.Cut(word[1:], word[:1])
	if !ok || word == "" || strings.ContainsAny(word, " \t'\"$") {
		return 0, 0
	}
	at := len(head) + 1
	for line := range strings.Lines(rest) {
		if strings.TrimLeft(strings.TrimRight(line, "\n"), "\t") == word {
			return len(head) + 1, at
		}
		at += len(line)
	}
	return 0, 0
}

// keyword reports whether a text begins with a word behind which further
// commands lie one level deeper.
func keyword(src string) bool {
	var word string
	switch src[0] {
	case 'i':
		word = "if"
	case 'w':
		word = "while"
	case 'u':
		word = "until"
	case 'f':
		word = "for"
	case 'c':
		if word = "case"; strings.HasPrefix(src, "co") {
			word = "coproc"
		}
	case 's':
		word = "select"
	case 't':
		word = "time"
	default:
		return false
	}
	rest, ok := strings.CutPrefix(src, word)
	return ok && rest != "" && strings.IndexByte(" \t\n(", rest[0]) >= 0
}
