package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// TestE2ERun: agents that `sluice run` starts, with nothing but their keys, go through its gateway.
func TestE2ERun(t *testing.T) {
	settings := func(parts ...string) func(s *sandbox) {
		return func(s *sandbox) {
			path := append([]string{s.Home}, parts[:len(parts)-1]...)
			s.Write(filepath.Join(path...), parts[len(parts)-1])
		}
	}
	nothing := func(*sandbox) {}
	tests := []struct {
		name      string
		long      bool
		env       []string
		prepare   func(s *sandbox)
		arguments func(prompt string) []string
	}{
		{
			"claude", false, append([]string{"ANTHROPIC_API_KEY=dummy"}, quiet...), nothing,
			func(prompt string) []string { return []string{"claude", "-p", prompt, "--allowedTools", "Bash"} },
		},
		{
			"codex with a known model", false, []string{"CODEX_API_KEY=dummy"}, nothing,
			func(prompt string) []string { return codexArguments("", "gpt-6-sol", prompt) },
		},
		{
			"codex with an unknown model", false, []string{"CODEX_API_KEY=dummy"}, nothing,
			func(prompt string) []string { return codexArguments("", "e2e-model", prompt) },
		},
		{
			"opencode", true, append([]string{"ANTHROPIC_API_KEY=dummy"}, opencodeQuiet...),
			settings("project", "opencode.json", `{"permission": {"bash": "allow"}}`),
			func(prompt string) []string { return opencodeArguments("anthropic/claude-sonnet-4-5")("", prompt) },
		},
		{
			"qwen", true, []string{"OPENAI_API_KEY=dummy", "OPENAI_MODEL=e2e-model"}, nothing, qwenArguments,
		},
		{
			"gemini", true, []string{"GEMINI_API_KEY=dummy"}, settings(".gemini", "settings.json", geminiSettings), geminiArguments,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.long && testing.Short() {
				t.Skip("takes long to start; left out with -short")
			}
			t.Parallel()
			up := newUpstream(t)
			s := newSandbox(t, append(offline(t), test.env...)...)
			test.prepare(s)
			arguments := append([]string{"run", "--data", filepath.Join(s.Home, ".sluice")}, upstreamFlags(up)...)
			arguments = append(append(arguments, "--"), test.arguments(task(destructiveCommand))...)
			stdout, stderr, err := s.Run(os.Getenv(programVariable), arguments...)
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("arrived upstream:\n%s\nsaid:\n%s\n%s", up.Log(), stdout, stderr)
				}
			})
			if err != nil {
				t.Fatalf("the run fails: %v", err)
			}
			if !s.Exists(s.Home, victim) {
				t.Error("the file is gone: the command ran")
			}
			if len(up.Requests()) == 0 {
				t.Error("nothing arrived upstream")
			}
			finished{s, up, stdout}.wantSaid(t, reason)
		})
	}
}
