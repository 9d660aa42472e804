package advice

import (
	"fmt"
	"slices"
	"strings"
)

// syntaxProblem says in plain words what the parser says in terms of its grammar: text
// is what it said, source the expression, and before and rest are the line around the
// place.
func syntaxProblem(text, source, before, rest string) (message, suggestion string) {
	if advice := syntaxAdvice(before, rest); advice != "" {
		return "syntax", advice
	}
	source = strings.TrimSpace(source)
	switch {
	case strings.Contains(text, "'<EOF>'"):
		if last := lastOperator(source); last != "" {
			return "syntax: something is missing after " + last, ""
		}
		if missing, ok := quoted(text, "missing "); ok {
			return "syntax: " + missing + " is missing at the end", ""
		}
		return "syntax: the expression has no end", "close its parentheses and brackets"
	case strings.HasPrefix(text, "token recognition error"):
		if strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "'") {
			return "syntax: a text in quotes has no end", "close the quotes"
		}
		return fmt.Sprintf("syntax: %s means nothing here", firstWord(rest)), "put texts in quotes"
	}
	if missing, ok := quoted(text, "missing "); ok {
		return fmt.Sprintf("syntax: %s is missing before %s", missing, firstWord(rest)), ""
	}
	for _, begin := range []string{"mismatched input ", "extraneous input "} {
		if found, ok := quoted(text, begin); ok {
			return fmt.Sprintf("syntax: %s cannot stand here", found), "write && or || between conditions, and put texts in quotes"
		}
	}
	return "syntax: " + strings.ReplaceAll(text, "<EOF>", "the end"), ""
}

// operators are those that something must follow, longer ones first.
var operatorWords = []string{"&&", "||", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "!", "(", "[", "{", ",", ".", "?", ":"}

// lastOperator is the operator at the end of an expression, empty if there is none.
func lastOperator(source string) string {
	if strings.HasSuffix(source, " in") {
		return "in"
	}
	if i := slices.IndexFunc(operatorWords, func(o string) bool { return strings.HasSuffix(source, o) }); i >= 0 {
		return operatorWords[i]
	}
	return ""
}

// firstWord is the beginning of a text, up to the next space.
func firstWord(text string) string {
	if words := strings.Fields(text); len(words) > 0 {
		return Clipped(words[0])
	}
	return "this"
}

// syntaxAdvice says what to write instead of a token that CEL does not have.
func syntaxAdvice(before, rest string) string {
	words := strings.Fields(before)
	switch {
	case strings.HasPrefix(rest, "=>"):
		return "write exists(e, CONDITION), with a comma"
	case strings.HasPrefix(rest, "=~"), strings.HasPrefix(rest, "~"), strings.HasPrefix(rest, "like "):
		return `write .matches("PATTERN") for a regular expression`
	case strings.HasPrefix(rest, "="):
		return "write == to compare"
	case strings.HasPrefix(rest, "and "), strings.HasPrefix(rest, "& "):
		return "write && for and"
	case strings.HasPrefix(rest, "or "), strings.HasPrefix(rest, "| "):
		return "write || for or"
	case len(words) > 0 && words[len(words)-1] == "not":
		return "write ! for not: !(CONDITION)"
	default:
		return ""
	}
}

// mostShown is how much of a text messages show, in characters.
const mostShown = 160

// Clipped is the beginning of a text, as much of it as messages show.
func Clipped(text string) string {
	if runes := []rune(text); len(runes) > mostShown {
		return string(runes[:mostShown]) + "…"
	}
	return text
}
