package gateway_test

import (
	"slices"
	"strings"
	"testing"
)

// namedTwice returns the name that a line of the log has twice: readers of JSON would see
// one of the two values.
func namedTwice(line string) string {
	var names []string
	quoted := false
	word := strings.FieldsFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
	for _, w := range word {
		name, _, ok := strings.Cut(w, "=")
		if !ok || strings.Contains(name, `"`) {
			continue
		}
		if slices.Contains(names, name) {
			return name
		}
		names = append(names, name)
	}
	return ""
}

// checkNames fails a test in whose log a line has a name twice.
func checkNames(t testing.TB, log string) {
	t.Helper()
	for line := range strings.Lines(strings.ReplaceAll(log, `\"`, "'")) {
		if name := namedTwice(line); name != "" {
			t.Errorf("a line of the log has %s twice: %s", name, line)
		}
	}
}

func TestNamesThatALineHasTwiceAreFound(t *testing.T) {
	for line, want := range map[string]string{
		`time=1 level=INFO msg=exchange time=12ms`: "time", `time=1 msg="took time=3" a=1`: "", `a=1 b="x y" a=2`: "a", `a="x=1 y=2" x=3`: "",
	} {
		if got := namedTwice(line); got != want {
			t.Errorf("%s: %q", line, got)
		}
	}
}
