package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// program is a coding agent and one way to use it.
type program struct {
	name string
	// long programs take several seconds to start; -short leaves them out.
	long bool
	// wholeOnly makes the provider break streams off, so that the client asks again without one.
	wholeOnly bool
	// prepare writes the settings and returns the environment, arguments the command line; base is the gateway.
	prepare   func(s *sandbox, base string) []string
	arguments func(base, prompt string) []string
}

var programs = []program{
	{
		name: "claude", prepare: claudeEnvironment,
		arguments: func(_, prompt string) []string { return claudeArguments(prompt) },
	},
	{
		name: "claude without streams", wholeOnly: true, prepare: claudeEnvironment,
		arguments: func(_, prompt string) []string { return claudeArguments(prompt) },
	},
	{
		// A model that Codex knows gets one tool that takes a program in JavaScript.
		name: "codex with a known model", prepare: codexEnvironment,
		arguments: func(base, prompt string) []string { return codexArguments(base, "gpt-6-sol", prompt) },
	},
	{
		// Other models get functions.
		name: "codex with an unknown model", prepare: codexEnvironment,
		arguments: func(base, prompt string) []string { return codexArguments(base, "e2e-model", prompt) },
	},
	{name: "opencode, chat", long: true, prepare: opencodeEnvironment, arguments: opencodeArguments("e2e/e2e-model")},
	{name: "opencode, responses", long: true, prepare: opencodeEnvironment, arguments: opencodeArguments("openai/gpt-5.1")},
	{name: "opencode, messages", long: true, prepare: opencodeEnvironment, arguments: opencodeArguments("anthropic/claude-sonnet-4-5")},
	{
		name: "qwen", long: true,
		prepare: func(_ *sandbox, base string) []string {
			return []string{"OPENAI_API_KEY=dummy", "OPENAI_BASE_URL=" + base + "/v1", "OPENAI_MODEL=e2e-model"}
		},
		arguments: func(_, prompt string) []string { return qwenArguments(prompt) },
	},
	{
		name: "gemini", long: true,
		prepare: func(s *sandbox, base string) []string {
			s.Write(filepath.Join(s.Home, ".gemini", "settings.json"), geminiSettings)
			return []string{"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL=" + base}
		},
		arguments: func(_, prompt string) []string { return geminiArguments(prompt) },
	},
}

// quiet keeps Claude Code from asking for anything but answers.
var quiet = []string{
	"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1", "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_MAX_RETRIES=1",
}

func claudeEnvironment(_ *sandbox, base string) []string {
	return append([]string{"ANTHROPIC_BASE_URL=" + base, "ANTHROPIC_API_KEY=dummy"}, quiet...)
}

// claudeArguments let Claude Code print every message, not only the last one.
func claudeArguments(prompt string) []string {
	return []string{"claude", "-p", prompt, "--output-format", "stream-json", "--verbose", "--allowedTools", "Bash"}
}

func codexEnvironment(*sandbox, string) []string { return []string{"CODEX_API_KEY=dummy"} }

func codexArguments(base, model, prompt string) []string {
	arguments := []string{
		"codex", "exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox",
		"-c", "analytics.enabled=false", "-c", "check_for_update_on_startup=false", "-c", "model=" + model,
	}
	if base != "" {
		arguments = append(arguments, "-c", `openai_base_url="`+base+`/v1"`)
	}
	return append(arguments, prompt)
}

func opencodeEnvironment(s *sandbox, base string) []string {
	s.Write(filepath.Join(s.Project, "opencode.json"), strings.ReplaceAll(`{
		"permission": {"bash": "allow"},
		"provider": {
			"e2e": {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "BASE/v1", "apiKey": "dummy"}, "models": {"e2e-model": {"name": "e2e"}}},
			"openai": {"options": {"baseURL": "BASE/v1", "apiKey": "dummy"}},
			"anthropic": {"options": {"baseURL": "BASE/v1", "apiKey": "dummy"}}
		}
	}`, "BASE", base))
	return opencodeQuiet
}

var opencodeQuiet = []string{
	"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1",
}

func qwenArguments(prompt string) []string {
	return []string{"qwen", "--auth-type", "openai", "--yolo", "--output-format", "stream-json", "-p", prompt}
}

const geminiSettings = `{"security": {"auth": {"selectedType": "gemini-api-key"}}, "general": {"disableAutoUpdate": true}}`

func geminiArguments(prompt string) []string {
	return []string{"gemini", "--yolo", "--skip-trust", "-m", "gemini-2.5-pro", "-p", prompt}
}

func opencodeArguments(model string) func(base, prompt string) []string {
	return func(_, prompt string) []string {
		return []string{"opencode", "run", "--format", "json", "-m", model, prompt}
	}
}

// TestE2EAgents: every coding agent runs a harmless command and does not run a destructive one, which it does
// run without policies.
func TestE2EAgents(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			if p.long && testing.Short() {
				t.Skip("takes long to start; left out with -short")
			}
			t.Parallel()
			t.Run("a safe command runs", func(t *testing.T) {
				run := p.run(t, recommended, safeCommand)
				if !run.Exists(run.Project, "safe.txt") {
					t.Error("safe.txt is not there: the command did not run")
				}
				run.wantAtModel(t, safeOutput)
				run.wantSaid(t, safeOutput)
			})
			t.Run("a destructive command does not run", func(t *testing.T) {
				run := p.run(t, recommended, destructiveCommand)
				if !run.Exists(run.Home, victim) {
					t.Error("the file is gone: the command ran")
				}
				run.wantSaid(t, reason)
			})
			t.Run("of two commands the safe one runs", func(t *testing.T) {
				if p.long {
					t.Skip("takes long to start; its SDK is asked this in TestE2EJavaScript")
				}
				run := p.run(t, recommended, safeCommand, destructiveCommand)
				if !run.Exists(run.Project, "safe.txt") {
					t.Error("safe.txt is not there: the safe command did not run")
				}
				if !run.Exists(run.Home, victim) {
					t.Error("the file is gone: the destructive command ran")
				}
				run.wantAtModel(t, safeOutput)
				run.wantSaid(t, reason)
			})
			t.Run("it runs without policies", func(t *testing.T) {
				run := p.run(t, nothing, destructiveCommand)
				if run.Exists(run.Home, victim) {
					t.Error("the file is still there, so its presence says nothing about the gateway")
				}
			})
		})
	}
}

// finished is a run of a program that ended well.
type finished struct {
	*sandbox
	up   *upstream
	said string
}

// run lets a program do a task through a gateway that enforces policies. It must end in good order.
func (p program) run(t *testing.T, policies string, commands ...string) finished {
	t.Helper()
	up := newUpstream(t)
	up.breakStreams = p.wholeOnly
	gateway := startGateway(t, up, policies)
	s := newSandbox(t, append(offline(t), "NO_PROXY=127.0.0.1")...)
	s.env = append(s.env, p.prepare(s, gateway.URL)...)
	arguments := p.arguments(gateway.URL, task(commands...))
	stdout, stderr, err := s.Run(arguments[0], arguments[1:]...)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("arrived upstream:\n%s\nthe client said:\n%s\n%s", up.Log(), stdout, stderr)
		}
	})
	if err != nil {
		t.Fatalf("the client fails: %v", err)
	}
	if last := up.Requests(); p.wholeOnly && (len(last) == 0 || gjson.GetBytes(last[len(last)-1].body, "stream").Bool()) {
		t.Error("the client never asked for a whole answer")
	}
	return finished{s, up, stdout}
}

func (f finished) wantSaid(t *testing.T, text string) {
	t.Helper()
	if !strings.Contains(f.said, text) {
		t.Errorf("the user does not read %q", text)
	}
}

// wantAtModel looks for the text among the results that the client sent to the model.
func (f finished) wantAtModel(t *testing.T, text string) {
	t.Helper()
	for _, request := range f.up.Requests() {
		asked := read(dialectOf(request.path), request.path, request.body)
		if strings.Contains(strings.Join(asked.results, "\n"), text) {
			return
		}
	}
	t.Errorf("no result with %q arrived upstream", text)
}
