package file_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/file"
)

// An example that passes only where no client says where it works is warned of: it says
// nothing about most calls.
func TestExamplesAreTriedWhereTheDirectoriesAreKnown(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct{ when, example, want string }{
		{`e.object.endsWith("x") && !e.object.startsWith("/")`, `shell: cat a/x, want: block`, "wants block, but gets allow where the client reports its directories"},
		{`e.object.matches("^~/")`, `shell: cat ~/x, want: block`, "with cwd /home/user/project and home /home/user"},
		{`e.object.matches("^~/")`, `shell: cat ~/x, want: block, session: {cwd: /work}`, "with cwd /work and home /home/user"},
		{`e.object.matches("^~/")`, `tool: Read, arguments: {file_path: ~/x}, want: block, session: {home: ""}`, ""},
		{`e.object.matches("^~/")`, `shell: cat ~/x, want: block, session: {cwd: /work, home: ""}`, ""},
		{`e.object.matches("^~/")`, `shell: cat ~/x, want: allow, session: {home: /root}`, ""},
		{`e.object.startsWith("~/.aliases")`, `shell: cat ~/.aliases, want: block`, ""},
		{`e.touches(["**/x"])`, `shell: cat x, want: block`, ""},
	} {
		loaded := must(t, file.Options{}, fmt.Sprintf("policies:\n- name: p\n  when: 'call.effects.exists(e, e.verb == \"read\" && %s)'\n  then: block\n  examples: [{%s}]\n", tc.when, tc.example))
		got := ""
		for _, w := range loaded.Warnings {
			if strings.Contains(w.Message, "the example") {
				got += w.String()
			}
		}
		if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
			t.Errorf("%s for %s: got %q, want %q", tc.when, tc.example, got, tc.want)
		}
	}
}
