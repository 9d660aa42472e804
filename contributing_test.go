package sluice_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// CONTRIBUTING.md lists the packages as packageOrder has them, and calls planned
// what has no code.
func TestContributingListsThePackages(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := make(map[string]string)
	for line := range strings.SplitSeq(string(text), "\n") {
		if name, ok := strings.CutPrefix(line, "| `"); ok {
			name, rest, _ := strings.Cut(name, "`")
			rows[name] = rest
		}
	}
	for _, r := range packageOrder {
		if r.pkg == "." {
			continue
		}
		row, listed := rows[r.pkg]
		if !listed {
			t.Errorf("%s has no row in the table of CONTRIBUTING.md", r.pkg)
			continue
		}
		_, err := os.Stat(filepath.FromSlash(strings.TrimSuffix(r.pkg, "/...")))
		if planned := strings.HasSuffix(row, "| planned |"); planned != (err != nil) {
			t.Errorf("%s: CONTRIBUTING.md says planned: %t, and its directory: %v", r.pkg, planned, err)
		}
	}
}
