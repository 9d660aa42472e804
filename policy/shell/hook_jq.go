package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
)

// jqEnvironment notes variables that an expression shows.
func jqEnvironment(a *act, in *command.Reading) {
	for _, expression := range in.Values("expression") {
		a.jqEnvironment(expression)
	}
}

func (a *act) jqEnvironment(expression string) {
	for _, name := range []string{"$ENV", "env"} {
		for rest, more := expression, true; more; {
			before, after, found := strings.Cut(rest, name)
			more, rest = found, after
			if !found || name == "env" && before != "" && (isNameByte(before[len(before)-1]) || strings.HasSuffix(before, ".") || strings.HasSuffix(before, "$")) {
				continue
			}
			if after != "" && isNameByte(after[0]) {
				continue
			}
			if field, ok := strings.CutPrefix(after, "."); ok && field != "" && isNameByte(field[0]) {
				a.revealsVariable(leadingName(field))
				continue
			}
			a.reveals("environment")
		}
	}
}

func leadingName(s string) string {
	n := 0
	for n < len(s) && isNameByte(s[n]) {
		n++
	}
	return s[:n]
}

// asksLittle reports whether all that an expression can be asks for names, or for one
// thing that is no secret by its name.
func asksLittle(_ *act, in *command.Reading) bool {
	expressions := in.Values("expression")
	for _, expression := range expressions {
		if !isLittle(expression) {
			return false
		}
	}
	return len(expressions) > 0
}

func isLittle(expression string) bool {
	expression = strings.TrimSpace(expression)
	for _, end := range []string{"keys", "keys[]", "keys_unsorted", "length", "type", "has(", ".key"} {
		if strings.HasSuffix(expression, end) && !strings.HasSuffix(expression, "_key") && !strings.HasSuffix(expression, "private.key") || end == "has(" && strings.Contains(expression, end) {
			return expression != end || end[0] != '.'
		}
	}
	if len(expression) < 3 || expression[0] != '.' {
		return false
	}
	for i := range len(expression) {
		if c := expression[i]; !isNameByte(c) && c != '.' && c != '"' && c != '-' {
			return false
		}
	}
	return !isCredentialWord(expression)
}
