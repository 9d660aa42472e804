package file_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/file"
)

// Whatever a file says, reading it ends with a set or with problems that have
// their places in the file.
func FuzzParse(f *testing.F) {
	for _, tc := range problemCases {
		f.Add(tc.file)
	}
	f.Add(versioned)
	f.Add("policies:\n  - {name: a, applies_to: [content, tool_call], find: {pattern: 'a(b)'}, then: {rewrite: $1}, examples: [{text: ab, want: rewrite, gives: b}]}\n")
	f.Add("policies:\n  - {name: a, when: >-\n      call.name ==\n\n      x, then: block}\n")
	f.Add("%YAML 1.1\n%TAG ! tag:x,2000:\n--- !x\npolicies: ? [a] : b\n")
	f.Fuzz(func(t *testing.T, source string) {
		loaded, err := file.Parse(testPresets(), "f", []byte(source))
		if err == nil {
			if loaded.Set == nil || len(loaded.Policies) == 0 {
				t.Fatalf("no problem and no policies")
			}
			again, err := file.Parse(testPresets(), "f", []byte(source))
			if err != nil || again.Set.Version() != loaded.Set.Version() {
				t.Fatalf("a second time it is another set")
			}
			return
		}
		problems, ok := errors.AsType[file.Problems](err)
		if !ok || len(problems) == 0 {
			t.Fatalf("the error is %T %v", err, err)
		}
		lines := 2 // YAML counts more than the usual breaks
		for _, r := range source {
			if strings.ContainsRune("\n\r\u0085\u2028\u2029", r) {
				lines++
			}
		}
		for i, p := range problems {
			if p.Message == "" {
				t.Errorf("problem %d says nothing: %v", i, p)
			}
			if p.File == "f" && (p.Line < 1 || p.Line > lines || p.Column < 1) {
				t.Errorf("problem %d is nowhere: %v", i, p)
			}
		}
	})
}
