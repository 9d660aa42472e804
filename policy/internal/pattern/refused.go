package pattern

import (
	"regexp"
	"strings"
)

// foreign is what other engines for regular expressions have and RE2 does not.
var foreign = []struct{ begins, name, instead string }{
	{"(?=", "lookahead (?=...)", "match what you mean together with what follows it"},
	{"(?!", "lookahead (?!...)", "match more than you mean, and leave out the rest in the condition: x.matches(\"PATTERN\") && !x.matches(\"EXCEPTION\")"},
	{"(?<=", "lookbehind (?<=...)", "match what you mean together with what precedes it"},
	{"(?<!", "lookbehind (?<!...)", "match more than you mean, and leave out the rest in the condition: x.matches(\"PATTERN\") && !x.matches(\"EXCEPTION\")"},
	{"(?>", "atomic groups (?>...)", "write (?:...)"},
	{"(?|", "branch resets (?|...)", "write (?:...)"},
	{"(?#", "comments (?#...)", "leave it out"},
	{"(?(", "conditions (?(...)...)", "write two patterns"},
}

var backReference = regexp.MustCompile(`^\\[1-9k]`)

// Refused says why an expression cannot be compiled, and what to write instead; both
// are empty if it can.
func Refused(expression string) (message, suggestion string) {
	_, err := regexp.Compile(expression)
	if err == nil {
		return "", ""
	}
	reason := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	_, part, _ := strings.Cut(reason, "`")
	part = strings.TrimSuffix(part, "`")
	for _, f := range foreign {
		if strings.HasPrefix(part, f.begins) {
			return "patterns are RE2, which has no " + f.name, f.instead
		}
	}
	switch {
	case backReference.MatchString(part):
		return "patterns are RE2, which has no references to groups such as " + part, "write the text out"
	case strings.HasPrefix(reason, "invalid nested repetition operator"):
		return "patterns are RE2, which has no repetition " + part, "write one of *, + and ?, or (?:...)* around it"
	}
	return "not a regular expression: " + reason, `see the syntax of RE2, and write \( for a parenthesis and \. for a dot`
}
