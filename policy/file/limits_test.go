package file_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/file"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	policies := func(n int) string {
		var b strings.Builder
		b.WriteString("policies:\n")
		for i := range n {
			fmt.Fprintf(&b, "  - {name: p%d, then: annotate}\n", i)
		}
		return b.String()
	}
	padded := func(n int) string {
		text := policies(1)
		return text + "#" + strings.Repeat("x", n-len(text)-1)
	}
	for _, tc := range []struct{ name, file, want string }{
		{"as long as a file may be", padded(1 << 20), ""},
		{"longer than a file may be", padded(1<<20 + 1), "f:1:1: the file has 1048577 bytes, more than 1048576: split it into several files"},
		{"as many policies as there may be", policies(1000), ""},
		{"more policies than there may be", policies(1001), "f:1002:5: the file has more than 1000 policies: split it into several files"},
		{"more policies than there may be, with presets", policies(999) + "  - preset: basic\n", "preset:basic:15:5: policy no-curl: there are more than 1000 policies: load fewer files, or fewer presets"},
		{"a name as long as it may be", "policies: [{name: " + strings.Repeat("n", 100) + ", then: block}]", ""},
		{"a longer name", "policies: [{name: " + strings.Repeat("n", 101) + ", then: block}]", "f:1:19: policy " + strings.Repeat("n", 60) + "…: the name is longer than 100 characters: choose a shorter one"},
		{"nested too deep", "policies: " + strings.Repeat("[", 80) + strings.Repeat("]", 80), "f:1:75: the file nests deeper than 64 levels"},
		{"a bomb of aliases", bomb(), "f:2:10: the file has more than 200000 values, aliases included: write less, or use fewer aliases"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := problemsOf(t, testPresets(), tc.file); got != tc.want {
				t.Errorf("got %.300s, want %s", got, tc.want)
			}
		})
	}
}

// bomb is a small file that expands to a billion values.
func bomb() string {
	var b strings.Builder
	b.WriteString("doc: x\n")
	b.WriteString("a0: &a0 [x]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), i-1)
	}
	b.WriteString("policies: *a9\n")
	return b.String()
}

func TestNoMoreProblemsAreToldThanAnybodyReads(t *testing.T) {
	t.Parallel()
	got := problemsOf(t, file.Options{}, "policies:\n"+strings.Repeat("  - {name: a, then: blok, x: y}\n", 900))
	if n := strings.Count(got, "\n") + 1; n != 200 {
		t.Errorf("%d problems, want 200", n)
	}
}
