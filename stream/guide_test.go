package stream_test

import (
	"os"
	"strings"
	"testing"
)

// What the guide shows is what the example runs.
func TestTheGuideShowsTheExampleThatRuns(t *testing.T) {
	guide, err := os.ReadFile("../docs/coming-from.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_process_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, code, found := strings.Cut(string(guide), "```go\n")
	if code, _, _ = strings.Cut(code, "```"); !found {
		t.Fatal("the guide has no example")
	}
	var indented strings.Builder
	for line := range strings.Lines(code) {
		indented.WriteString("\t" + line)
	}
	if !strings.Contains(string(example), indented.String()) {
		t.Errorf("the example does not have\n%s", indented.String())
	}
}
