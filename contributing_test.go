package sluice_test

import (
	"os"
	"path/filepath"
	"regexp"
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

// What the documents name as a part of the repository is one.
func TestDocumentsNameWhatThereIs(t *testing.T) {
	t.Parallel()
	documents, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile("`([^`]+)`")
	path := regexp.MustCompile(`^(agent|bench|cmd|connect|evasion|examples|firsthour|gateway|internal|llm|model|policy|service|sluicetest|store|stream|wire)/[a-z0-9_./-]+$`)
	found := 0
	for _, document := range append(documents, "README.md", "CONTRIBUTING.md") {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, m := range quoted.FindAllStringSubmatch(line, -1) {
				name := strings.TrimSuffix(m[1], "/...")
				below, isPolicies := "", strings.HasPrefix(line, "| `policy/...` |")
				if isPolicies && m[1] != "policy/..." {
					below = "policy"
				} else if !path.MatchString(name) {
					continue
				}
				found++
				if _, err := os.Stat(filepath.Join(below, filepath.FromSlash(name))); err != nil {
					t.Errorf("%s:%d: there is no %s", document, i+1, m[1])
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d names were found", found)
	}
}
