package call

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/llm"
)

// arguments are a tool's arguments by their folded names.
type arguments map[string]any

// maxArguments is how many members are considered.
const maxArguments = 500

// maxArgumentText is the maximum length of arguments that are considered. A
// filter in longer ones is not seen.
const maxArgumentText = 64 << 10

func argumentsOf(text string) arguments {
	if len(text) > maxArgumentText {
		return nil
	}
	return parsed(text)
}

// parsed is argumentsOf for texts of any length.
func parsed(text string) arguments {
	given, err := llm.ParseArguments(text)
	if err != nil {
		return nil
	}
	args := make(arguments, len(given))
	args.take(given)
	for _, name := range tables().Roles["envelopes"] {
		if inner, ok := args[name].(map[string]any); ok {
			args.take(inner)
		}
	}
	return args
}

// take adds members that are missing.
func (a arguments) take(given map[string]any) {
	for key, v := range given {
		if len(a) >= maxArguments {
			return
		}
		if name := foldedKey(key); name != "" && a[name] == nil {
			a[name] = v
		}
	}
}

// first is the first of the members that is a text.
func (a arguments) first(folded ...string) string {
	for _, name := range folded {
		if text, ok := a[name].(string); ok && text != "" {
			return text
		}
	}
	return ""
}

// role is the first text among the members that have a role.
func (a arguments) role(role string) string { return a.first(tables().Roles[role]...) }

func (a arguments) has(folded ...string) bool { return a.first(folded...) != "" }

// set reports whether a member is true.
func (a arguments) set(folded string) bool {
	text, _ := a[folded].(string)
	return a[folded] == true || text != "" && text != "false" && text != "none" && text != "no"
}

// emptyFilter reports whether no filter selects what is deleted.
func (a arguments) emptyFilter() bool {
	return !slices.ContainsFunc(tables().Roles["filters"], func(name string) bool {
		switch v := a[name].(type) {
		case map[string]any:
			_, all := v["match_all"]
			return len(v) > 0 && !all
		case []any:
			return len(v) > 0
		case string:
			return strings.Trim(v, " {}\t\n") != "" && v != "*" && v != "1=1"
		}
		return false
	})
}

// everyKey reports whether a pattern matches everything in a store.
func (a arguments) everyKey() bool {
	return slices.ContainsFunc(tables().Roles["keys"], func(name string) bool {
		return slices.ContainsFunc(textsOf(a[name]), func(text string) bool { return text != "" && strings.Trim(text, "*?") == "" })
	})
}

// flags are the members that are true, as flags of a program.
func (a arguments) flags() []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if a[name] == true {
			list = append(list, "--"+name)
		}
	}
	if a.first("mode") == "hard" {
		list = append(list, "--hard")
	}
	return list
}

// operandsOf are the members that are positional arguments of a program.
func (a arguments) operandsOf(program string) []string {
	var list []string
	for _, key := range tables().Operands["any"] {
		if v := a.first(key); v != "" && v[0] != '-' {
			list = append(list, v)
		}
	}
	own := program
	if says([]string{program}, "package-managers") {
		own = "packages"
	}
	for _, key := range tables().Operands[own] {
		for _, v := range textsOf(a[key]) {
			if v != "" && v[0] != '-' {
				list = append(list, v)
			}
		}
	}
	// Tools return a secret whole.
	if output := a.role("output"); program == "kubectl" && strings.HasPrefix(strings.ToLower(a.first("resourcetype", "kind", "resource")), "secret") && (output == "" || output == "yaml" || output == "json") {
		list = append(list, "-o", "yaml")
	}
	return list
}

// textsOf are a text, or the texts in a list.
func textsOf(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var list []string
		for _, e := range v {
			if text, ok := e.(string); ok && len(list) < maxMounts {
				list = append(list, text)
			}
		}
		return list
	}
	return nil
}
