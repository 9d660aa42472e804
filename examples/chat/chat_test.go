package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// play runs the program without a terminal, and returns what it wrote.
func play(t *testing.T, input string, arguments ...string) (out string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	w := world{in: strings.NewReader(input), out: &stdout, errors: &stderr, interrupts: make(chan os.Signal)}
	code = run(t.Context(), w, arguments)
	return stdout.String() + stderr.String(), code
}

// files makes a directory with files.
func files(t *testing.T, contents map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range contents {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func has(t *testing.T, out string, wants ...string) {
	t.Helper()
	rest := out
	for _, want := range wants {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("%q is missing, or not behind the words before it, in:\n%s", want, out)
		}
		rest = after
	}
}

func TestConversation(t *testing.T) {
	dir := files(t, map[string]string{"README.md": "# Hello\nworld\n", "b.txt": "b"})
	free := []string{"-policies", "preset:none"} // to load the others takes its time
	for _, tc := range []struct {
		name      string
		input     string
		arguments []string
		wants     []string
	}{
		{"it says that it is scripted", "hm\n", nil, []string{"This model follows a script", "you> hm\n", "I follow a script and understand nothing", "1 round"}},
		{"any number of turns", strings.Repeat("Which files are here?\n", 30), free, []string{"README.md b.txt", "I see 2 entries"}},
		{"calls and results have a line each", "Which files are here?\n", free, []string{
			"Let me look.\n→ list_files {}\n← list_files: README.md b.txt\nI see 2 entries, the first is README.md.\n(2 rounds, ",
		}},
		{"a file", "read README.md\n", free, []string{`→ read_file {"path":"README.md"}`, "← read_file: # Hello world"}},
		{"the time", "What time is it?\n", free, []string{"→ now {}", "It is "}},
		{"a denial is told", "Show me a secret\n", nil, []string{
			`✗ DENIED by the policy sensitive-reads: read_file {"path":"~/.ssh/id_ed25519"}`, "← list_files", "a policy denied it",
		}},
		{"a denial is told where rounds are not seen", "Show me a secret\n", []string{"-mode", "final-buffered"}, []string{
			"a policy denied it", `✗ DENIED by the policy sensitive-reads: read_file {"path":"~/.ssh/id_ed25519"}`,
		}},
		{"the name of the turn before", "I'm Zoë.\nWhat time is it?\nWho am I?\n", free, []string{"Hello Zoë!", "You are Zoë."}},
		{"no name", "Who am I?\n", free, []string{"You have not told me"}},
		{"empty lines are no questions", "\n \nhm\n\n", free, []string{"you> hm\n"}},
		{"the last line needs no end", "Who am I?", free, []string{"You have not told me"}},
		{"no question at all", "", free, []string{"you> \n"}},
		{"one question", "", append(free, "-ask", "Which files are here?"), []string{"I see 2 entries"}},
		{"no shell", "run ls\n", free, []string{"Start me with -shell"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, code := play(t, tc.input, append([]string{"-dir", dir}, tc.arguments...)...)
			if code != 0 {
				t.Error("the exit code is", code)
			}
			has(t, out, tc.wants...)
			if strings.ContainsRune(out, '\x1b') {
				t.Error("there are colours in a pipe")
			}
		})
	}
}

func TestModesHideRoundsWithTools(t *testing.T) {
	for mode, wants := range map[string][2]bool{"all": {true, true}, "final-live": {true, false}, "final-buffered": {false, false}} {
		out, _ := play(t, "Which files are here?\n", "-mode", mode)
		if strings.Contains(out, "Let me look.") != wants[0] || strings.Contains(out, "→ list_files") != wants[1] {
			t.Errorf("%s:\n%s", mode, out)
		}
		has(t, out, "I see ")
	}
}

func TestRemembersInAFile(t *testing.T) {
	db := filepath.Join(t.TempDir(), "chat.db")
	play(t, "My name is Ada\n", "-db", db, "-conversation", "a")
	out, _ := play(t, "Who am I?\n", "-db", db, "-conversation", "a")
	has(t, out, "kept in "+db, "You are Ada.")
	out, _ = play(t, "Who am I?\n", "-db", db, "-conversation", "b")
	has(t, out, "You have not told me")
}

func TestShell(t *testing.T) {
	dir := files(t, map[string]string{"policies.yaml": `policies:
  - preset: recommended
  - name: no-uname
    when: call.commands.exists(c, c.is("uname"))
    then: ask
    reason: Ask for it.
`})
	for _, tc := range []struct {
		name  string
		input string
		wants []string
	}{
		{"yes", "run echo a; echo b\ny\n", []string{"run echo a; echo b ? [y/N] y\n", "← shell: a b"}},
		{"no", "run echo a\nno\n", []string{"[y/N] no\n", "✗ shell: not run: the person said no"}},
		{"nobody there", "run echo a\n", []string{"✗ shell: not run: the person said no"}},
		{"a failure", "run echo oh; exit 3\nyes\n", []string{"✗ shell: exit status 3 oh"}},
		{"denied before anybody is asked", "run rm -rf ~\nwho am I?\n", []string{"✗ DENIED by the policy destructive-files", "you> who am I?"}},
		{"a policy asks too", "run uname\ny\ny\n", []string{"? shell", "the policy no-uname asks: Ask for it.", "allow it? [y/N] y", "run uname ? [y/N] y", "← shell: "}},
		{"a policy's question is answered with no", "run uname\nn\n", []string{"allow it? [y/N] n", "✗ DENIED by the policy no-uname", "the person said no"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, code := play(t, tc.input, "-dir", dir, "-shell", "-policies", filepath.Join(dir, "policies.yaml"))
			if code != 0 {
				t.Error("the exit code is", code)
			}
			has(t, out, tc.wants...)
		})
	}
}

func TestCommandsDoNotSeeKeys(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-of-the-person")
	out, _ := play(t, "run env\ny\n", "-shell")
	has(t, out, "← shell:")
	if strings.Contains(out, "sk-of-the-person") {
		t.Error("a command saw the key")
	}
}

func TestFlags(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "")
	notADirectory := filepath.Join(files(t, map[string]string{"file": ""}), "file", "x")
	for _, tc := range []struct {
		arguments []string
		code      int
		want      string
	}{
		{[]string{"-h"}, 0, "chat -model anthropic:"},
		{[]string{"-nonsense"}, 2, "-nonsense"},
		{[]string{"what", "is", "it"}, 2, "after -ask"},
		{[]string{"-mode", "loud"}, 2, "final-buffered"},
		{[]string{"-model", "claude"}, 2, "provider:model"},
		{[]string{"-model", "acme:x"}, 2, `unknown provider "acme"`},
		{[]string{"-model", "anthropic:x"}, 2, "ANTHROPIC_API_KEY"},
		{[]string{"-conversation", ""}, 2, "needs a name"},
		{[]string{"-dir", notADirectory}, 1, "-dir"},
		{[]string{"-db", notADirectory}, 1, "-db"},
		{[]string{"-policies", "preset:nonsense"}, 1, "-policies"},
	} {
		out, code := play(t, "", tc.arguments...)
		if code != tc.code || !strings.Contains(out, tc.want) {
			t.Errorf("%q: exit code %d:\n%s", tc.arguments, code, out)
		}
	}
}
