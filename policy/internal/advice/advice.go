package advice

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/sluice-project/sluice/policy/internal/vocabulary"
)

// Advised adds a suggestion to an error that has none, for what people write who
// know other languages.
func (e *Error) Advised(source string) *Error {
	if e.Suggestion != "" && !strings.HasPrefix(e.Suggestion, "use one of call") {
		return e
	}
	rest, before := "", ""
	if lines := strings.Split(source, "\n"); e.Line <= len(lines) {
		line := []rune(lines[e.Line-1])
		at := min(e.Column-1, len(line))
		before, rest = string(line[:at]), string(line[at:])
	}
	switch {
	case strings.HasPrefix(e.Message, "syntax: "):
		e.Message, e.Suggestion = syntaxProblem(strings.TrimPrefix(e.Message, "syntax: "), source, before, rest)
	case strings.Contains(e.Message, "'string' does not support field selection"):
		member, _, _ := strings.Cut(strings.TrimLeft(rest, "."), " ")
		e.Message = "a text has no members"
		if name := leadingName(member); functionNames[name] {
			e.Suggestion = fmt.Sprintf("%s is a function: write .%s(...)", name, name)
			if name == "host" {
				e.Suggestion = "host is a function: write .host()"
			}
		}
	case strings.Contains(e.Message, "does not support field selection"):
		e.Message = "a list has no members: each of its elements has"
		e.Suggestion = "write call.effects.exists(e, e.MEMBER == ...), or call.commands.exists(c, ...)"
	case strings.HasSuffix(e.Message, "is not known"):
		if name := strings.SplitN(e.Message, `"`, 3); len(name) == 3 && len(name[1]) == 1 {
			e.Suggestion = fmt.Sprintf("write call.effects.exists(%[1]s, ...) or call.commands.exists(%[1]s, ...) around it", name[1])
		} else if len(name) == 3 {
			e.Suggestion = fmt.Sprintf("put texts in quotes: %q; or %s", name[1], e.Suggestion)
		}
	case strings.Contains(e.Message, "cannot be range of a comprehension"):
		e.Message = "this is not a list, so that nothing can be asked about its elements"
		if strings.Contains(before+rest, ".flag(") {
			e.Suggestion = "write c.flags(NAME) for all values of a flag"
		}
	case strings.Contains(e.Message, "cannot be used with"):
		e.Suggestion = usageOf(strings.Fields(e.Message)[0], e.Message)
	}
	return e
}

// leadingName is the name that a text begins with.
func leadingName(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end < 0 {
		return text
	}
	return text[:end]
}

// usageOf says how a function is used, or what the right side of "in" must be.
func usageOf(name, message string) string {
	i := slices.IndexFunc(FunctionDocs, func(d FunctionDoc) bool { return d.Name == name })
	switch {
	case name == "in":
		return `write a list: x in ["a", "b"]`
	case i < 0:
		return celUsage(name)
	case strings.Contains(message, "list(Effect)"):
		return fmt.Sprintf("ask about its elements: call.effects.exists(e, e.%s(...))", name)
	default:
		return usageOn(FunctionDocs[i], message)
	}
}

// celUsages are how CEL's own functions are used.
var celUsages = map[string]string{
	"exists": "list.exists(x, CONDITION)", "all": "list.all(x, CONDITION)", "exists_one": "list.exists_one(x, CONDITION)",
	"filter": "list.filter(x, CONDITION)", "map": "list.map(x, VALUE)",
	"contains": `text.contains("PART")`, "startsWith": `text.startsWith("BEGINNING")`, "endsWith": `text.endsWith("END")`, "matches": `text.matches("PATTERN")`,
	"split": `text.split(",")`, "join": `list.join(",")`, "replace": `text.replace("OLD", "NEW")`, "substring": "text.substring(0, 3)",
	"indexOf": `text.indexOf("PART")`, "lastIndexOf": `text.lastIndexOf("PART")`, "charAt": "text.charAt(0)",
	"lowerAscii": "text.lowerAscii()", "upperAscii": "text.upperAscii()", "trim": "text.trim()", "reverse": "text.reverse()",
	"size": "size(list), or list.size()", "timestamp": `timestamp("2026-01-31T22:15:00Z")`, "duration": `duration("24h")`,
}

// celUsage says how a function of CEL is used, empty if it is not one.
func celUsage(name string) string {
	switch usage := celUsages[name]; {
	case usage != "":
		return "write " + usage
	case strings.HasPrefix(name, "get"):
		return fmt.Sprintf(`write now.%[1]s(), or now.%[1]s("Europe/Berlin")`, name)
	default:
		return ""
	}
}

// isQuantifier reports whether a function asks about the elements of a list.
func isQuantifier(name string) bool {
	return slices.Contains([]string{"exists", "all", "exists_one", "filter", "map"}, name)
}

// otherNames are the names that other languages have for what conditions have.
var otherNames = map[string]string{
	"any": "write list.exists(x, CONDITION)", "some": "write list.exists(x, CONDITION)", "every": "write list.all(x, CONDITION)",
	"len": "write size(x)", "length": "write size(x)", "lower": "write lowerAscii()", "upper": "write upperAscii()",
	"match": `write matches("REGULAR EXPRESSION")`, "includes": "write contains(...), or x in list", "test": "write matches(...)",
	"path": "write e.object", "target": "write e.object", "file": "write e.object", "url": "write e.object", "host": "write e.object.host()",
	"hour": `write getHours("Europe/Berlin"), or without a zone for UTC`, "hours": `write getHours("Europe/Berlin"), or without a zone for UTC`,
	"minute": "write getMinutes()", "weekday": "write getDayOfWeek(), with 0 for Sunday", "day": "write getDate(), or getDayOfWeek() with 0 for Sunday",
	"month": "write getMonth(), with 0 for January", "year": "write getFullYear()",
	"recursive": `write c.has("-r")`, "flags": "write c.flags(NAME)", "env_vars": "write c.env", "cmd": "write c.name, or c.text for all of it",
	"action": "write e.verb", "subcommand": "write c.sub", "arguments": "write args",
}

// otherNamesOr suggests the name used here for a name from another language, or
// the nearest of the known names.
func otherNamesOr(name string, known []string) string {
	if near := vocabulary.Nearest(name, known); near == "" && otherNames[name] != "" {
		return otherNames[name]
	}
	return vocabulary.DidYouMean(name, known)
}

// functionNames are the functions that a mistyped name is compared with.
var functionNames = func() map[string]bool {
	set := make(map[string]bool)
	for name := range strings.FieldsSeq(`is flag has under glob host touches carries within outside suspicious copied leaks contains startsWith endsWith matches size exists all
		exists_one filter map join split replace trim lowerAscii upperAscii substring indexOf lastIndexOf charAt format
		quote reverse int uint double string bool bytes timestamp duration type dyn getHours getMinutes getSeconds
		getDayOfWeek getDayOfMonth getDayOfYear getMonth getFullYear getDate getMilliseconds`) {
		set[name] = true
	}
	return set
}()

func keys(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
