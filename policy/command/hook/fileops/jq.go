package fileops

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// JqEnvironment notes variables that an expression shows.
func JqEnvironment(a *invocation.Act, in *command.Reading) {
	for _, expression := range in.Values("expression") {
		jqReadsEnvironment(a, expression)
	}
}

func jqReadsEnvironment(a *invocation.Act, expression string) {
	for _, name := range []string{"$ENV", "env"} {
		for rest, more := expression, true; more; {
			before, after, found := strings.Cut(rest, name)
			more, rest = found, after
			if !found || name == "env" && before != "" && (invocation.IsNameByte(before[len(before)-1]) || strings.HasSuffix(before, ".") || strings.HasSuffix(before, "$")) {
				continue
			}
			if after != "" && invocation.IsNameByte(after[0]) {
				continue
			}
			if field, ok := strings.CutPrefix(after, "."); ok && field != "" && invocation.IsNameByte(field[0]) {
				RevealsVariable(a, output.LeadingName(field))
				continue
			}
			guard.Reveals(a, "environment")
		}
	}
}

// AsksLittle reports whether every expression only asks for names, or for one value whose
// name is not that of a secret.
func AsksLittle(_ *invocation.Act, in *command.Reading) bool {
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
		if c := expression[i]; !invocation.IsNameByte(c) && c != '.' && c != '"' && c != '-' {
			return false
		}
	}
	return !output.IsCredentialWord(expression)
}
