package wire_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var noted = regexp.MustCompile(`[nN]ote\([^"]*"([a-z]+(?:-[a-z]+)+)",`)

// TestEveryDeviationIsDocumented keeps docs/deviations.md from drifting: what a
// decoder can note is listed there, and nothing else is.
func TestEveryDeviationIsDocumented(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "docs", "deviations.md"))
	if err != nil {
		t.Fatal(err)
	}
	inCode := map[string]bool{}
	files, err := filepath.Glob(filepath.Join("*", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range noted.FindAllStringSubmatch(string(source), -1) {
			inCode[m[1]] = true
		}
	}
	if len(inCode) < 50 {
		t.Fatalf("only %d deviations found in the sources: has the way they are noted changed?", len(inCode))
	}
	inDoc := map[string]bool{}
	for line := range strings.SplitSeq(string(doc), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		for _, m := range regexp.MustCompile("`([a-z]+(?:-[a-z]+)+)`").FindAllStringSubmatch(cells[1], -1) {
			inDoc[m[1]] = true
		}
	}
	for code := range inCode {
		if !inDoc[code] {
			t.Errorf("%s can be noted but is not in docs/deviations.md", code)
		}
	}
	for code := range inDoc {
		if !inCode[code] {
			t.Errorf("%s is in docs/deviations.md but no decoder notes it", code)
		}
	}
}
