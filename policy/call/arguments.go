package call

import (
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
	for _, name := range []string{"input", "params", "parameters", "arguments", "args", "payload", "request", "options", "flags"} {
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

func (a arguments) has(folded ...string) bool { return a.first(folded...) != "" }

// set reports whether a member is true.
func (a arguments) set(folded string) bool {
	text, _ := a[folded].(string)
	return a[folded] == true || text != "" && text != "false" && text != "none" && text != "no"
}

// emptyFilter reports whether no filter selects what is deleted.
func (a arguments) emptyFilter() bool {
	for _, name := range []string{"filter", "query", "where", "selector", "condition", "conditions", "ids", "id", "match", "keys", "key", "documentids", "recordids", "records", "documents"} {
		switch v := a[name].(type) {
		case map[string]any:
			if _, all := v["match_all"]; len(v) > 0 && !all {
				return false
			}
		case []any:
			if len(v) > 0 {
				return false
			}
		case string:
			if strings.Trim(v, " {}\t\n") != "" && v != "*" && v != "1=1" {
				return false
			}
		}
	}
	return true
}

// everyKey reports whether a pattern matches everything in a store.
func (a arguments) everyKey() bool {
	for _, name := range []string{"pattern", "keypattern", "match", "keys", "key"} {
		for _, text := range textsOf(a[name]) {
			if text != "" && strings.Trim(text, "*?") == "" {
				return true
			}
		}
	}
	return false
}

// flags are the members that are true, as flags of a program.
func (a arguments) flags() []string {
	var list []string
	for name, v := range a {
		if v == true {
			list = append(list, "--"+name)
		}
	}
	slices.Sort(list)
	if a.first("mode") == "hard" {
		list = append(list, "--hard")
	}
	return list
}

// operands are the members that are positional arguments of programs.
func (a arguments) operands() []string {
	var list []string
	for _, key := range []string{"remote", "branch", "branchname", "refspec", "resourcetype", "kind", "resource", "target", "releasename", "release", "name"} {
		if v := a.first(key); v != "" && !strings.HasPrefix(v, "-") {
			list = append(list, v)
		}
	}
	return list
}

func foldedKey(key string) string {
	var room [mostKey]byte
	return string(foldKey(room[:0], []byte(key)))
}
