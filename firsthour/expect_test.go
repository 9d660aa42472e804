package firsthour_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// expectation is an entry of testdata/expect.txt, whose first lines explain it.
type expectation struct {
	line    int
	command string   // what the documents show
	run     string   // what is run instead, with the reason in because
	because string   // why it is not run, or not as it is shown
	skip    bool     // it is not run
	repo    bool     // in the checkout, not in the user's project
	with    string   // what runs meanwhile
	listens bool     // it listens where the gateway does, and ends by itself
	until   string   // it stays up: once it has printed this it is stopped
	exit    int      // its exit code
	says    []string // what it prints, to standard output or error
	given   []string // declarations that a snippet of Go relies on
	used    bool
}

func place(file string, line int) string { return fmt.Sprintf("%s:%d", file, line) }

// expectations reads testdata/expect.txt.
func expectations(t *testing.T) map[string]*expectation {
	t.Helper()
	const name = "testdata/expect.txt"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*expectation{}
	var e *expectation
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimRight(line, "\n")
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || word == "#":
		case word == "$" || word == "go" || word == "yaml":
			e = &expectation{line: n, command: strings.ReplaceAll(rest, `\n`, "\n")}
			key := e.command
			if word != "$" {
				key = line
			}
			if all[key] != nil {
				t.Errorf("%s: %q stands in line %d already", place(name, n), key, all[key].line)
			}
			all[key] = e
		case e == nil:
			t.Fatalf("%s: %q stands before any command", place(name, n), line)
		case word == "run":
			e.run = rest
		case word == "because":
			e.because = rest
		case word == "skip":
			e.skip, e.because = true, rest
		case word == "repo":
			e.repo = true
		case word == "listens":
			e.listens = true
		case word == "with":
			e.with = rest
		case word == "until":
			e.until = rest
		case word == "says":
			e.says = append(e.says, rest)
		case word == "given":
			e.given = append(e.given, rest)
		case word == "exit":
			if e.exit, err = strconv.Atoi(rest); err != nil {
				t.Fatalf("%s: %v", place(name, n), err)
			}
		default:
			t.Fatalf("%s: %q is none of $, go, yaml, run, because, skip, repo, listens, with, until, says, given, exit", place(name, n), word)
		}
	}
	for _, e := range all {
		if (e.skip || e.run != "") && e.because == "" {
			t.Errorf("%s: say why %q is not run as it stands", place(name, e.line), e.command)
		}
	}
	return all
}
