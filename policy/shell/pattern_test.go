package shell

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/invocation"
)

func TestPatternsStandForPaths(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"/tmp/x/*.sh", "/tmp/x/a.sh", true},
		{"/tmp/x/*.sh", "/tmp/x/y/a.sh", false},
		{"/tmp/x/*.sh", "/tmp/x/a.py", false},
		{"/p/**/test_*.py", "/p/test_a.py", true},
		{"/p/**/test_*.py", "/p/a/b/test_a.py", true},
		{"/p/**/test_*.py", "/q/test_a.py", false},
		{"/p/a/**", "/p/a/b/c", true},
		{"**/*_test.go", "/p/a/x_test.go", true},
		{"tests/?.sh", "/p/tests/a.sh", true},
		{"tests/?.sh", "/p/a.sh", false},
		{"/p/[", "/p/[", false},
		{"/p/**/a.sh|**/b.sh", "/p/x/b.sh", true},
		{"/p/**/a.sh|**/b.sh", "/q/b.sh", false},
		{"s/**/a.sh|**/b.sh", "/p/s/b.sh", true},
		{"s/**/a.sh|**/b.sh", "/p/b.sh", false},
		{"**/a.sh|**/b.sh", "b.sh", true},
		{"/p/a.sh", "/p/a.sh", true},
	} {
		p := invocation.NewPattern(c.pattern)
		if got := p.Matches(c.path); got != c.want {
			t.Errorf("%s for %s: %v", c.pattern, c.path, got)
		}
	}
	if slow := invocation.NewPattern("/" + strings.Repeat("**/", 50) + "x*"); slow.Matches(strings.Repeat("/a", 50)) {
		t.Error("a pattern that is made to be slow matches")
	}
}
