package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestVersionNamesTheBuild(t *testing.T) {
	code, out, _ := sluice(t, "", "version")
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	for _, want := range []string{"sluice ", "commit: ", "go:       go1.", "platform: "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// The stamp of a release wins over what the Go tool recorded.
func TestVersionOfARelease(t *testing.T) {
	releaseVersion, releaseCommit, releaseDate = "1.2.3", "0123abc", "2026-01-02T03:04:05Z"
	defer func() { releaseVersion, releaseCommit, releaseDate = "", "", "" }()
	_, out, _ := sluice(t, "", "version", "--json")
	var got build
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Version != "1.2.3" || got.Commit != "0123abc" || got.Date != "2026-01-02T03:04:05Z" || got.Platform == "" {
		t.Errorf("got %+v", got)
	}
	if _, out, _ := sluice(t, "", "--version"); !strings.Contains(out, "1.2.3") {
		t.Errorf("--version says %s", out)
	}
}

func TestCompletionOfEveryShell(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if code, out, stderr := sluice(t, "", "completion", shell); code != 0 || !strings.Contains(out, "sluice") || stderr != "" {
			t.Errorf("%s: exit code %d, %d bytes, %s", shell, code, len(out), stderr)
		}
	}
	if code, _, stderr := sluice(t, "", "completion", "tcsh"); code != exitUnreadable || !strings.Contains(stderr, "bash, zsh, fish or powershell") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// Every command that --help lists has a page, with its flags and without a line
// that troff would take for a request of its own.
func TestManPagesOfAllCommands(t *testing.T) {
	dir := t.TempDir()
	if code, _, stderr := sluice(t, "", "man", "--dir", dir); code != 0 {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	for _, want := range []string{"sluice", "sluice-run", "sluice-policy-try", "sluice-version", "sluice-hook-claude-code"} {
		if _, err := os.Stat(filepath.Join(dir, want+".1")); err != nil {
			t.Error(err)
		}
	}
	requests := map[string]bool{".TH": true, ".SH": true, ".TP": true, ".B": true, ".BR": true, ".nf": true, ".fi": true, ".br": true}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if word, _, _ := strings.Cut(strings.TrimSpace(line), " "); line[0] == '.' && !requests[word] || line[0] == '\'' {
				t.Errorf("%s: the line %q is a request", page, line)
			}
		}
	}
	if _, out, _ := sluice(t, "", "man", "serve"); !strings.Contains(out, `\-\-listen`) {
		t.Errorf("the page of serve does not tell of --listen:\n%s", out)
	}
	if code, _, stderr := sluice(t, "", "man", "nothing"); code != exitUnreadable || !strings.Contains(stderr, "sluice --help") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}
