package output

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
)

// picked is what jq takes out of a text that is known, by a path alone: .a.b[0].
func picked(a *invocation.Act, in string) (string, bool) {
	words := a.Operands("f", "from-file", "indent", "L")
	if len(words) != 1 || slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "--arg") }) {
		return "", false
	}
	var v any
	if json.Unmarshal([]byte(in), &v) != nil {
		return "", false
	}
	steps := strings.NewReplacer("[", ".", "]", "", `"`, "").Replace(words[0])
	if !strings.HasPrefix(steps, ".") || strings.ContainsAny(steps, "|, ()?:") {
		return "", false
	}
	for step := range strings.SplitSeq(steps[1:], ".") {
		switch in := v.(type) {
		case map[string]any:
			if step != "" {
				v = in[step]
			}
		case []any:
			n, err := strconv.Atoi(step)
			if err != nil || n < 0 || n >= len(in) {
				return "", false
			}
			v = in[n]
		default:
			return "", false
		}
	}
	if s, ok := v.(string); ok && (a.Has("r") || a.Has("j") || a.Has("--raw-output")) {
		return s + "\n", true
	}
	out, err := json.Marshal(v)
	return string(out) + "\n", err == nil
}

// LeadingName is the name that a text begins with.
func LeadingName(s string) string {
	n := 0
	for n < len(s) && invocation.IsNameByte(s[n]) {
		n++
	}
	return s[:n]
}
