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
// each skipped snippet of the documents has an expectation.
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

// installs is the command that the others need.
const installs = "go install ./cmd/sluice"

// TestFirstHour installs the program and runs everything, each command as a new user.
func TestFirstHour(t *testing.T) {
	if os.Getenv("SLUICE_FIRSTHOUR") == "" {
		t.Skip("it installs the program and takes a minute or two: make firsthour")
	}
	h := &hour{sandbox: newSandbox(t), known: expectations(t), seen: map[string]bool{installs: true}}
	newcomer := h.newUser(t)
	install := newcomer.start(t, h.repo, installs)
	if code := install.ended(t); code != 0 {
		t.Fatalf("the program cannot be installed:\n%s", install.out)
	}
	t.Run("shown", func(t *testing.T) { // it ends when all that it runs side by side has ended
		for _, snip := range documents(t) {
			h.do(t, snip)
		}
		h.help(t, newcomer, "")
	})
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

// expected is what is written about a command or snippet, nil if nothing is.
func (h *hour) expected(key string) *expectation {
	e := h.known[key]
	if e != nil {
		e.used = true
	}
	return e
}

// beside runs a part of the hour beside the others.
func beside(t *testing.T, name string, part func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		part(t)
	})
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
		key := "go " + s.file + ": " + firstLine(s.text)
		anywhere, here := h.expected("go anywhere"), h.expected(key)
		if here != nil && here.skip {
			h.skipped = append(h.skipped, "\t"+key+": "+here.because)
			return
		}
		h.goes++
		beside(t, s.where, func(t *testing.T) { typeChecks(t, s, anywhere, here) })
	}
}

// command runs a command as its expectation says.
func (h *hour) command(t *testing.T, s snippet, command string) {
	t.Helper()
	e := h.expected(command)
	if e == nil && isPage(s.file) {
		if strings.HasPrefix(command, "sluice policy ") { // others are examples of what it blocks
			h.page(t, s, command)
		}
		return
	}
	if e == nil {
		t.Errorf("%s: nobody says what this should print; add it to firsthour/testdata/expect.txt:\n$ %s", s.where, strings.ReplaceAll(command, "\n", `\n`))
		return
	}
	if h.seen[command] {
		return
	}
	h.seen[command] = true
	if e.skip {
		h.skipped = append(h.skipped, "\t"+command+": "+e.because)
		return
	}
	h.commands++
	beside(t, command, func(t *testing.T) { h.run(t, s, e) })
}

func (h *hour) run(t *testing.T, s snippet, e *expectation) {
	t.Helper()
	u := h.newUser(t)
	if e.listens || e.until != "" || e.with != "" {
		h.port.Lock()
		defer h.port.Unlock()
	}
	if e.with != "" {
		server := h.known[e.with]
		if server == nil || server.until == "" {
			t.Fatalf("testdata/expect.txt:%d: there is no command %q that stays up", e.line, e.with)
		}
		p := u.start(t, u.project, e.with)
		defer func() {
			p.signal(syscall.SIGTERM)
			if code := p.ended(t); code != server.exit {
				t.Errorf("%s, beside which it ran: exit code %d, want %d\n%s", e.with, code, server.exit, p.out)
			}
		}()
		if !p.said(server.until) {
			t.Fatalf("%s, beside which it runs, does not say %q:\n%s", e.with, server.until, p.out)
		}
	}
	dir, command := u.project, e.command
	if e.repo {
		dir = h.repo
	}
	if e.run != "" {
		command = e.run
	}
	p := u.start(t, dir, command)
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
	beside(t, command, func(t *testing.T) {
		u := h.newUser(t)
		p := u.start(t, u.project, command)
		if code := p.ended(t); code != 0 && code != 3 {
			t.Errorf("%s: exit code %d, want 0 or 3 (blocked)\n%s", s.where, code, p.out)
		}
	})
}

// loads checks a file of YAML: policies, or the configuration of the gateway. The
// pages of policies show parts of files, which are not checked.
func (h *hour) loads(t *testing.T, s snippet) {
	t.Helper()
	key := "yaml " + s.file + ": " + firstLine(s.text)
	if e := h.expected(key); e != nil && e.skip {
		h.skipped = append(h.skipped, "\t"+key+": "+e.because)
		return
	}
	check := "sluice config --config snippet.yaml"
	switch first := firstLine(s.text); {
	case strings.HasPrefix(first, "policies:"), strings.HasPrefix(first, "preset:"), strings.HasPrefix(first, "programs:"):
		check = "sluice policy check snippet.yaml"
	case isPage(s.file):
		return
	}
	h.yaml++
	beside(t, s.where, func(t *testing.T) {
		u := h.newUser(t)
		if err := os.WriteFile(filepath.Join(u.project, "snippet.yaml"), []byte(s.text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		p := u.start(t, u.project, check)
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
func (h *hour) help(t *testing.T, u *user, command string) {
	t.Helper()
	p := u.start(t, u.project, strings.TrimSpace("sluice "+command)+" --help")
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
			h.help(t, u, strings.TrimSpace(command+" "+name))
		}
	}
}
