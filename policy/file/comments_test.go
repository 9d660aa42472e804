package file_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/file"
)

// A # behind a space ends a text without quotes, which is warned of where the text
// probably goes on.
func TestTextsThatACommentCutsAreWarnedOf(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"reason: Pin actions by their commit # v4, not by tag": `reason ends before "# v4, not by tag"`,
		"reason: Pin actions by their\n      commit # v4":      `reason ends before "# v4"`,
		"reason: See issue #123":                               `put the text into quotes if this is part of it`,
		"doc: Ask in #help. Or not.":                           "f:3:10: doc ends before",
		"blind: Ask. #help":                                    "blind ends before",

		"reason: Use staging. # said twice a week": "",
		"reason: use staging  # said twice a week": "",
		"reason: 'use issue #123'":                 "",
		"reason: 'use issue' # 123":                "",
		"reason: use issue#123":                    "",
		"reason: |\n      See issue #123":          "",
		"reason: >\n      See issue\n      #123":   "",
		"mode: shadow # for now":                   "",
		"examples: # of it\n    - {tool: T, arguments: {\n       reason: see #123\n      }, want: block}": "",
	} {
		loaded := must(t, file.Options{}, "policies:\n  - name: p\n    "+source+"\n    when: call.name == \"T\"\n    then: block\n")
		got := ""
		for _, w := range loaded.Warnings {
			got += w.String() + "\n"
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", source, got, want)
		}
	}
	got := problemsOf(t, file.Options{}, "policies:\n  - name: p\n    when: call.raw.contains(\"a #b\")\n    then: block\n")
	if want := "put the whole expression into single quotes"; !strings.Contains(got, want) {
		t.Errorf("a condition that is cut: %s, want %s", got, want)
	}
}
