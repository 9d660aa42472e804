package file_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/file"
)

// In each file the expression has one wrong word, WRONG, which must be found
// where it stands, however YAML wraps it.
func TestProblemsInExpressionsAreFoundInEveryStyleOfYAML(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, when string }{
		{"plain", `when: call.name == WRONG`},
		{"plain after letters of several bytes", `when: call.name != "äöü😀" && WRONG`},
		{"plain on several lines", "when: call.name == \"a\" &&\n      call.kind == \"b\"\n\n      && WRONG"},
		{"single quotes", `when: 'call.name == "it''s" && WRONG'`},
		{"single quotes on several lines", "when: 'call.name == \"it''s\"\n\n      && WRONG'"},
		{"double quotes", `when: "call.name == \"x\" && WRONG"`},
		{"double quotes with escapes", `when: "call.name == \"\x41\u00e4\U0001F600\t\\n\"\n && \"\u0020\" == WRONG"`},
		{"double quotes on several lines", "when: \"call.name == \\\"x\\\" \\\n      && \\\n      WRONG\""},
		{"a literal block", "when: |\n      call.name == \"a\"\n        && WRONG"},
		{"a literal block after a comment", "when: | # why\n\n\n      call.name == \"a\"\n      && WRONG"},
		{"a literal block with an indentation", "when: |2\n        call.name == \"a\" # not a comment of YAML\n        && WRONG"},
		{"a literal block without an end", "when: |-\n      call.name == \"a\" ||\n\n      WRONG"},
		{"a folded block", "when: >\n      call.name == \"a\"\n      && call.kind == \"b\"\n\n         && WRONG"},
		{"a folded block without an end", "when: >-\n      call.name == \"a\" &&\n      WRONG"},
		{"an anchor before it", `when: &here call.name == WRONG`},
		{"an anchor and a tag before it", `when: &here !!str 'call.name == WRONG'`},
		{"in a flow mapping", `{when: 'call.name == "x" && WRONG'}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			when := tc.when
			source := "policies:\n  - name: a\n    then: block\n    " + when + "\n"
			if strings.HasPrefix(when, "{") {
				source = "policies:\n  - {name: a, then: block, " + when[1:] + "\n"
			}
			source = strings.ReplaceAll(source, `# not a comment of YAML`, `// not a comment of YAML`)
			line, column := placeOf(source, "WRONG")
			want := fmt.Sprintf(`f:%d:%d: policy a: "WRONG" is not known`, line, column)
			for _, source := range []string{source, strings.ReplaceAll(source, "\n", "\r\n")} {
				if got := problemsOf(t, file.Options{}, source); !strings.HasPrefix(got, want) {
					t.Errorf("file:\n%s\ngot  %s\nwant %s", source, got, want)
				}
			}
		})
	}
}

// placeOf returns where a word stands, lines and characters counted from 1.
func placeOf(source, word string) (line, column int) {
	before, _, _ := strings.Cut(source, word)
	last := before[strings.LastIndexByte(before, '\n')+1:]
	return strings.Count(before, "\n") + 1, len([]rune(last)) + 1
}

func TestAnExpressionThatEndsTooEarlyIsFoundAtItsEnd(t *testing.T) {
	t.Parallel()
	source := "policies:\n  - name: a\n    when: |\n      call.name ==\n    then: block\n"
	got := problemsOf(t, file.Options{}, source)
	if !strings.HasPrefix(got, "f:4:19: policy a: ") && !strings.HasPrefix(got, "f:4:18: policy a: ") {
		t.Errorf("got %s, want a problem at the end of line 4", got)
	}
}

// A file that stops being YAML is wrong where it stops, and not where the list or
// mapping begins that could not be read.
func TestFilesAreWrongWhereTheyStopBeingYAML(t *testing.T) {
	t.Parallel()
	const good = "policies:\n  - name: a\n    when: |\n      call.name == \"x\"\n    then: block\n    examples: [\n      {shell: \"x\",\n       want: block}]\n"
	for name, wrong := range map[string]string{
		"too far left":        "   reason: x\n",
		"too far right":       "      reason: x\n",
		"no colon":            "    reason\n",
		"two colons":          "    reason: a: b\n",
		"a quote":             "    reason: \"a\n",
		"a bracket":           "    doc: {a: b\n",
		"a strange character": "    doc: @x\n",
		"a tab":               "\tdoc: x\n",
		"a list in a mapping": "    - x\n",
		"text at the margin":  "doc\n",
	} {
		for _, before := range []string{good, good + "\n# comment\n\n", good + strings.Replace(good[len("policies:\n"):], "name: a", "name: b", 1)} {
			source := before + wrong
			line := strings.Count(before, "\n") + 1
			column := len(wrong) - len(strings.TrimLeft(wrong, " ")) + 1
			want := fmt.Sprintf("f:%d:%d: the file is not YAML: ", line, column)
			if got := problemsOf(t, file.Options{}, source); !strings.HasPrefix(got, want) {
				t.Errorf("%s: got %s, want %s", name, got, want)
			}
		}
	}
}
