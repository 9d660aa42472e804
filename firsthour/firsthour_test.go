//go:build unix

package firsthour_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestMain(m *testing.M) {
	if os.Getenv("FIRSTHOUR_CLIENT") != "" {
		os.Exit(client())
	}
	os.Exit(m.Run())
}

// documents returns the snippets of README.md and docs.
func documents(t *testing.T) []snippet {
	t.Helper()
	files := []string{"../README.md"}
	for _, pattern := range []string{"../docs/*.md", "../docs/policies/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	var all []snippet
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, snippetsOf(strings.TrimPrefix(file, "../"), string(text))...)
	}
	return all
}

// isPage reports whether a document is the generated page of a policy. Its examples are
// run when the policy is loaded; what is left are the commands of the program.
func isPage(file string) bool { return strings.HasPrefix(file, "docs/policies/") }

// Without a clean home only what needs no program is checked: that each command and
// each skipped snippet of the documents is one that somebody has thought of.
func TestEveryDocumentedCommandHasAnExpectation(t *testing.T) {
	t.Parallel()
	known := expectations(t)
	for _, s := range documents(t) {
		if s.lang != "sh" || isPage(s.file) {
			continue
		}
		for _, command := range commandsOf(s.text) {
			if known[command] == nil {
				t.Errorf("%s: nobody says what this should print; add it to firsthour/testdata/expect.txt:\n$ %s", s.where, strings.ReplaceAll(command, "\n", `\n`))
			}
		}
	}
}

// TestFirstHour installs the program into a clean home and runs everything.
func TestFirstHour(t *testing.T) {
	if os.Getenv("SLUICE_FIRSTHOUR") == "" {
		t.Skip("it installs the program and takes a minute or two: make firsthour")
	}
	s := newSandbox(t)
	h := &hour{sandbox: s, known: expectations(t), seen: map[string]bool{}}
	install := s.start(t, s.repo, "go install ./cmd/sluice")
	if code := install.ended(t); code != 0 {
		t.Fatalf("the program cannot be installed:\n%s", install.out)
	}
	for _, snip := range documents(t) {
		h.do(t, snip)
	}
	h.help(t, "")
	for key, e := range h.known {
		if !e.used {
			t.Errorf("testdata/expect.txt:%d: no document and no help shows this any more: %s", e.line, key)
		}
	}
	t.Logf("%d commands, %d files of YAML, %d pieces of Go; %d commands were not run:\n%s", h.commands, h.yaml, h.goes, len(h.skipped), strings.Join(h.skipped, "\n"))
}

// hour runs snippets in a sandbox and counts them.
type hour struct {
	*sandbox

	known                map[string]*expectation
	seen                 map[string]bool // commands that were run
	commands, yaml, goes int
	skipped              []string
}

// do runs one snippet.
func (h *hour) do(t *testing.T, s snippet) {
	t.Helper()
	switch s.lang {
	case "sh", "bash", "console":
		for _, command := range commandsOf(s.text) {
			h.command(t, s, command)
		}
	case "yaml":
		h.loads(t, s)
	case "go":
		h.goes++
		t.Run(s.where, func(t *testing.T) { typeChecks(t, h.repo, s, h.known) })
	}
}

// command runs a command as its expectation says.
func (h *hour) command(t *testing.T, s snippet, command string) {
	t.Helper()
	e := h.known[command]
	if e == nil && isPage(s.file) {
		if strings.HasPrefix(command, "sluice ") {
			h.page(t, s, command)
		}
		return
	}
	if e == nil {
		t.Errorf("%s: nobody says what this should print; add it to firsthour/testdata/expect.txt:\n$ %s", s.where, strings.ReplaceAll(command, "\n", `\n`))
		return
	}
	e.used = true
	if h.seen[command] {
		return
	}
	h.seen[command] = true
	if e.skip {
		h.skipped = append(h.skipped, "\t"+command+": "+e.because)
		return
	}
	h.commands++
	t.Run(command, func(t *testing.T) { h.run(t, s, e) })
}

func (h *hour) run(t *testing.T, s snippet, e *expectation) {
	t.Helper()
	if e.with != "" {
		beside := h.known[e.with]
		if beside == nil || beside.until == "" {
			t.Fatalf("testdata/expect.txt:%d: there is no command %q that stays up", e.line, e.with)
		}
		p := h.start(t, h.project, e.with)
		defer p.ended(t)
		defer p.signal(syscall.SIGTERM)
		if !p.said(beside.until) {
			t.Fatalf("%s, beside which it runs, does not say %q:\n%s", e.with, beside.until, p.out)
		}
	}
	dir, command := h.project, e.command
	if e.repo {
		dir = h.repo
	}
	if e.run != "" {
		command = e.run
	}
	p := h.start(t, dir, command)
	if e.until != "" {
		if !p.said(e.until) {
			t.Errorf("%s: %s does not say %q", s.where, command, e.until)
		}
		p.signal(syscall.SIGTERM)
	}
	if code := p.ended(t); code != e.exit {
		t.Errorf("%s: exit code %d, want %d", s.where, code, e.exit)
	}
	for _, want := range e.says {
		if !strings.Contains(p.out.String(), want) {
			t.Errorf("%s: it does not say %q", s.where, want)
		}
	}
	if t.Failed() {
		t.Logf("%s printed\n%s", command, p.out)
	}
}

// page runs a command of a policy's page, which must judge something.
func (h *hour) page(t *testing.T, s snippet, command string) {
	t.Helper()
	if h.seen[command] {
		return
	}
	h.seen[command] = true
	h.commands++
	t.Run(command, func(t *testing.T) {
		p := h.start(t, h.project, command)
		if code := p.ended(t); code != 0 && code != 3 {
			t.Errorf("%s: exit code %d, want 0 or 3 (blocked)\n%s", s.where, code, p.out)
		}
	})
}

// loads checks a file of YAML: policies, or the configuration of the gateway. Parts of
// files, which the pages of policies show, are no files.
func (h *hour) loads(t *testing.T, s snippet) {
	t.Helper()
	key := "yaml " + s.file + ": " + firstLine(s.text)
	if e := h.known[key]; e != nil && e.skip {
		e.used = true
		h.skipped = append(h.skipped, "\t"+key+": "+e.because)
		return
	}
	check := "sluice config --config snippet.yaml"
	switch first := firstLine(s.text); {
	case strings.HasPrefix(first, "policies:") || strings.HasPrefix(first, "preset:"):
		check = "sluice policy check snippet.yaml"
	case isPage(s.file):
		return
	}
	h.yaml++
	t.Run(s.where, func(t *testing.T) {
		if err := os.WriteFile(filepath.Join(h.project, "snippet.yaml"), []byte(s.text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		p := h.start(t, h.project, check)
		if code := p.ended(t); code != 0 {
			t.Errorf("%s: %s: exit code %d\n%s", s.where, check, code, p.out)
		}
	})
}

func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return ""
}

var listed = regexp.MustCompile(`(?m)^ {2}([a-z][a-z-]*) +\S`)

// help runs the examples in the help of a command and of those below it.
func (h *hour) help(t *testing.T, command string) {
	t.Helper()
	p := h.start(t, h.project, strings.TrimSpace("sluice "+command)+" --help")
	if code := p.ended(t); code != 0 {
		t.Errorf("sluice %s --help: exit code %d\n%s", command, code, p.out)
	}
	text := p.out.String()
	h.do(t, examplesOf(command, text))
	_, below, _ := strings.Cut(text, "\nAvailable Commands:\n")
	below, _, _ = strings.Cut(below, "\n\n")
	var names []string
	for _, m := range listed.FindAllStringSubmatch(below, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	for _, name := range names {
		if name != "help" {
			h.help(t, strings.TrimSpace(command+" "+name))
		}
	}
}
