package advice

import (
	"fmt"
	"regexp"
	"strings"
)

// applied is what CEL says that a function was called with: (Effect, string) of a function
// that is ours, Effect.(string) of another.
var applied = regexp.MustCompile(` cannot be used with \(?(Effect|Command|string)(?:\)|, |\.\()([^()]*)`)

// usageOn says what to write where a function was called on the wrong thing, or with the
// wrong one; by its documentation and a message with the types.
func usageOn(f FunctionDoc, message string) string {
	types := applied.FindStringSubmatch(message)
	of, call, _ := strings.Cut(f.Usage, ".")
	call, _, _ = strings.Cut(call, " or ")
	if types == nil {
		return "write " + f.Usage
	}
	wantsList := strings.Contains(call, "([") && types[2] == "string"
	switch on := types[1]; {
	case on == "Effect" && of == "effect" && wantsList:
		return "it wants a list: write e." + call
	case on == "Command" && of == "command" && wantsList:
		return "it wants a list: write c." + call
	case on == "Effect" && f.Name == "under":
		return fmt.Sprintf("under is for a path: write e.object.%s, or e.within([...]) for all that the effect is about", call)
	case on == "Effect" && (of == "path" || of == "address" || of == "pattern"):
		return fmt.Sprintf("%s is for text: write e.object.%s", f.Name, call)
	case on == "Effect" && of == "command":
		return fmt.Sprintf("%s is for a command: write call.commands.exists(c, c.%s)", f.Name, call)
	case on == "Command" && of == "effect":
		return fmt.Sprintf("%s is for an effect: write c.effects.exists(e, e.%s)", f.Name, call)
	case on == "Command" && (of == "path" || of == "address"):
		return fmt.Sprintf("%s is for text: write c.args.exists(a, a.%s)", f.Name, call)
	case on == "string" && of == "effect":
		return fmt.Sprintf(`%s is for an effect: write e.%s, or .glob("PATTERN") for a path`, f.Name, call)
	case on == "string" && of == "path" && strings.HasPrefix(types[2], "list"):
		return "it takes one text: write ." + call
	default:
		return "write " + f.Usage
	}
}
