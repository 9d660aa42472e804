package connect_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/connect"
)

func purposeOf(line string) connect.Purpose {
	words := strings.Split(line, " ")
	client, known := connect.Find(words[0])
	if !known {
		client = connect.Generic(words[0])
	}
	args := words[1:]
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "_", " ") // a prompt
	}
	return client.Purpose(args)
}

func TestACommandLineTellsWhatItIsFor(t *testing.T) {
	t.Parallel()
	for purpose, lines := range map[connect.Purpose][]string{
		connect.Manage: {
			"codex --version", "codex -v", "codex -V", "codex --help", "codex -h", "codex exec --help", "codex mcp add -h", "codex --help --version",
			"codex login", "codex login status", "codex logout", "codex mcp list", "codex -c model=x login", "codex --profile work login", "codex completion bash",
			"claude --version", "claude mcp list", "claude mcp add x -- npx y", "claude auth login", "claude doctor", "claude update", "claude setup-token", "claude plugin install x",
			"opencode auth login", "opencode models", "opencode agent list", "opencode upgrade", "opencode stats",
			"gemini --version", "gemini mcp list", "gemini extensions list", "qwen auth status", "qwen mcp list",
			"agent --version", "agent --help", "python agent.py --help", "npx some-agent --version",
		},
		connect.Talk: {
			"claude", "codex", "opencode", "gemini", "qwen", "claude --model opus", "claude -c", "claude --resume", "claude --permission-mode plan --verbose",
			"codex -m gpt-5", "codex resume", "codex resume --last", "codex resume 0199", "codex -s read-only -C /tmp", "gemini --model x --approval-mode yolo",
		},
		connect.Ask: {
			"codex exec", "codex fix_it", "codex --version fix", "codex exec --version -c x=y", "codex Fix! --help", "codex exec login", "codex mcp-server", "codex resume 0199 fix_it",
			"codex --image login fix_it", "codex review", "codex -- login",
			"claude -p fix_it", "claude --print fix", "claude fix_it", "claude -p --version", "claude -c -p go_on", "claude --model opus fix_it", "claude mcp serve",
			"claude --model mcp fix", "claude --unknown mcp", "claude --dangerously-skip-permissions fix_it", "claude login",
			"opencode run fix_it", "opencode agent create", "opencode serve", "opencode --prompt x", "opencode github run",
			"gemini -p fix_it", "gemini -i fix_it", "gemini --prompt=x", "gemini -s fix_it", "qwen fix_it",
			"agent", "python agent.py", "agent -v", "agent -h", "agent login", "sh -c do_it --help", "agent --task x --help",
		},
	} {
		for _, line := range lines {
			if got := purposeOf(line); got != purpose {
				t.Errorf("%s: %d, want %d", line, got, purpose)
			}
		}
	}
}

// Whatever a prompt says, and wherever it is, it is a prompt: no word of it
// makes the command line count as one that asks no model.
func TestAPromptIsNeverTakenForACommand(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"claude -p", "claude --print", "codex exec", "codex --image x.png exec", "opencode run", "gemini -p", "qwen -p", "claude --verbose"} {
		for _, prompt := range []string{"login", "mcp", "auth", "doctor", "help", "update_the_docs", "--version_of_what?"} {
			if got := purposeOf(before + " " + prompt); got != connect.Ask {
				t.Errorf("%s %q: %d", before, prompt, got)
			}
		}
	}
}

// A command that asks no model is what a client needs whose settings cannot be
// led to the gateway, to put that right.
func TestALoginIsNotRefused(t *testing.T) {
	t.Parallel()
	m := newMachine(t, map[string]string{"home/.qwen/settings.json": `{"security":{"auth":{"selectedType":"qwen-oauth"}}}`})
	qwen, _ := connect.Find("qwen")
	if _, err := connect.Prepare(qwen, m.options([]string{"auth"}, nil)); err != nil {
		t.Error(err)
	}
	var refused *connect.RefusedError
	if _, err := connect.Prepare(qwen, m.options([]string{"fix it"}, nil)); !errors.As(err, &refused) {
		t.Errorf("a prompt is not refused: %v", err)
	}
}
