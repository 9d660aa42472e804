package e2e

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// jsScripts are the SDKs of JavaScript. Each script of clients/ runs every way in which an SDK can ask.
var jsScripts = []string{"openai", "anthropic", "anthropic-legacy", "vercel", "genai", "agents", "langchain"}

// titles name the cases.
var titles = map[string]string{
	safeCommand:        "a safe command runs",
	destructiveCommand: "a destructive command does not run",
	bothCommands:       "of two commands the safe one runs",
}

// bothCommands stands for the two commands in one answer.
const bothCommands = safeCommand + "]END RUN[" + destructiveCommand

// outcome is what came of one prompt.
type outcome struct {
	Variant string   `json:"variant"`
	Prompt  string   `json:"prompt"`
	Calls   []string `json:"calls"` // what the tool was called with
	Text    string   `json:"text"`  // what the user reads
	Error   string   `json:"error"`
}

// TestE2EJavaScript: every SDK of JavaScript calls its tool for a harmless command; for a destructive one the
// tool is not called and the user reads why. Without policies it is called.
func TestE2EJavaScript(t *testing.T) {
	for _, script := range jsScripts {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			up := newUpstream(t)
			guarded := startGateway(t, up, recommended)
			for _, got := range runScript(t, script, guarded.URL, safeCommand, destructiveCommand, bothCommands) {
				t.Run(got.Variant+"/"+titles[got.Prompt], func(t *testing.T) { got.check(t, up) })
			}
			open := startGateway(t, up, nothing)
			for _, got := range runScript(t, script, open.URL, destructiveCommand) {
				t.Run(got.Variant+"/it runs without policies", func(t *testing.T) { got.checkRan(t, destructiveCommand) })
			}
		})
	}
}

// check judges what came of a prompt through the gateway with its policies.
func (o outcome) check(t *testing.T, up *upstream) {
	t.Helper()
	if o.Prompt != destructiveCommand {
		o.checkRan(t, safeCommand)
	}
	if o.Prompt == safeCommand {
		return
	}
	if o.Error != "" {
		t.Fatalf("the client fails: %s\n%s", o.Error, up.Log())
	}
	if slices.Contains(o.Calls, destructiveCommand) {
		t.Errorf("the tool was called with %q", o.Calls)
	}
	if !strings.Contains(o.Text, reason) {
		t.Errorf("the user does not read the reason %q in:\n%s", reason, o.Text)
	}
}

// checkRan wants the tool called once with the command, and its result to have been at the model.
func (o outcome) checkRan(t *testing.T, command string) {
	t.Helper()
	if o.Error != "" {
		t.Fatalf("the client fails: %s", o.Error)
	}
	if !slices.Equal(o.Calls, []string{command}) {
		t.Errorf("the tool was called with %q, want %q once", o.Calls, command)
	}
	if want := "tool-output of " + command; !strings.Contains(o.Text, want) {
		t.Errorf("the user does not read %q in:\n%s", want, o.Text)
	}
}

// runScript runs a script of clients/ and returns what came of each variant and command.
func runScript(t *testing.T, script, base string, commands ...string) []outcome {
	t.Helper()
	s := newSandbox(t)
	// Node looks for packages next to the script.
	if err := os.CopyFS(s.Project, os.DirFS("clients")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(clients(t), "node_modules"), filepath.Join(s.Project, "node_modules")); err != nil {
		t.Fatal(err)
	}
	prompts := map[string]string{}
	for _, command := range commands {
		prompts[command] = task(command)
	}
	argument, err := json.Marshal(map[string]any{"base": base, "prompts": prompts})
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr, err := s.Run("node", script+".mjs", string(argument))
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, stdout, stderr)
	}
	var outcomes []outcome
	lines := bufio.NewScanner(strings.NewReader(stdout))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line outcome
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatalf("%v in %q", err, lines.Text())
		}
		outcomes = append(outcomes, line)
	}
	if len(outcomes) == 0 {
		t.Fatalf("the script printed nothing; on standard error:\n%s", stderr)
	}
	return outcomes
}
