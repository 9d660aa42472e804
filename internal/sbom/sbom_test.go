package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A test is a built program as well: its bill names the program, the standard
// library and every module once, and is the same each time.
func TestTheBillNamesWhatIsLinked(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var texts [2]string
	for i := range texts {
		out := filepath.Join(t.TempDir(), "bill.json")
		if err := run(program, "1.2.3", out); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	if texts[0] != texts[1] {
		t.Error("the bill of the same program is not the same")
	}
	var got bill
	if err := json.Unmarshal([]byte(texts[0]), &got); err != nil {
		t.Fatal(err)
	}
	if got.Format != "CycloneDX" || got.Metadata.Component.Version != "1.2.3" || !strings.HasPrefix(got.Serial, "urn:uuid:") || len(got.Serial) != len("urn:uuid:")+36 {
		t.Errorf("got %+v", got)
	}
	if len(got.Components) == 0 || got.Components[0].Name != "std" || got.Components[0].Version == "" {
		t.Errorf("the standard library is missing: %+v", got.Components)
	}
	seen := map[string]bool{}
	for _, c := range got.Components {
		if seen[c.Ref] || !strings.HasPrefix(c.PURL, "pkg:golang/") {
			t.Errorf("%+v", c)
		}
		seen[c.Ref] = true
	}
	if len(got.Dependencies) != 1 || len(got.Dependencies[0].DependsOn) != len(got.Components) {
		t.Errorf("%+v", got.Dependencies)
	}
}

func TestNoBillOfWhatIsNoGoProgram(t *testing.T) {
	t.Parallel()
	if err := run("main.go", "", filepath.Join(t.TempDir(), "bill.json")); err == nil || !strings.Contains(err.Error(), "main.go") {
		t.Errorf("got %v", err)
	}
}
