package scan

import (
	"slices"
	"testing"
)

func TestQuoted(t *testing.T) {
	t.Parallel()

	for text, want := range map[string][]string{
		`run("rm", '-rf', "a\tb")`: {"rm", "-rf", "a\tb"},
		"`a\nb`":                   {"a\nb"},
		`"open`:                    nil,
		`""`:                       nil,
	} {
		if got := Quoted(text); !slices.Equal(got, want) {
			t.Errorf("Quoted(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestLiteral(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]string{`("a\"b")`: `a"b`, "'x' y": "x"} {
		if got, ok := Literal(text); !ok || got != want {
			t.Errorf("Literal(%q) = %q, %v, want %q", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "x", `"open`} {
		if got, ok := Literal(text); ok {
			t.Errorf("Literal(%q) = %q, want none", text, got)
		}
	}
}

func TestNamesAndWords(t *testing.T) {
	t.Parallel()

	var names []string
	Names("a.b($c, 'd')", 1, func(name, before, after string) bool {
		names = append(names, before[max(0, len(before)-1):]+name+after)
		return true
	})
	if want := []string{"a.", ".b(", "($c,", "'d'"}; !slices.Equal(names, want) {
		t.Errorf("Names found %q, want %q", names, want)
	}
	var after []string
	After("run x run y", "run ", func(_, rest string) { after = append(after, rest) })
	if want := []string{"x run y", "y"}; !slices.Equal(after, want) {
		t.Errorf("After found %q, want %q", after, want)
	}
}

func TestUnescape(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]string{`a`: "a", `\x41\102C\n`: "ABC\n", `\q`: `\q`, `\`: `\`, `\cA`: "\x01"} {
		if got := Unescape(text); got != want {
			t.Errorf("Unescape(%q) = %q, want %q", text, got, want)
		}
	}
}
