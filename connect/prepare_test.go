package connect_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/connect"
)

const gateway = "http://127.0.0.1:8484"

// machine is a made-up home, project and system.
type machine struct {
	root, home, project string
}

// newMachine writes files. Their names begin with home/, project/ or system/.
func newMachine(t *testing.T, files map[string]string) machine {
	t.Helper()
	root := t.TempDir()
	m := machine{root: filepath.Join(root, "system"), home: filepath.Join(root, "home"), project: filepath.Join(root, "project")}
	for _, dir := range []string{m.root, m.home, filepath.Join(m.project, ".git")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range files {
		at := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func (m machine) options(args, env []string) connect.Options {
	return connect.Options{
		BaseURL: gateway, Args: args, Dir: m.project, OS: "linux", Root: m.root,
		Env: append([]string{"HOME=" + m.home, "PATH=/bin"}, env...),
	}
}

// preparation is one row of a table.
type preparation struct {
	name  string
	files map[string]string
	env   []string
	args  []string
	key   string
	other bool // the gateway's upstream is not the provider

	wantEnv   []string // NAME=value; "NAME" alone must not be set
	wantArgs  []string
	wantUp    map[string]string
	wantFile  string // part of the one temporary file
	noFile    string // what that file must not have
	refused   string // part of the refusal
	wantNotes string
	permanent bool
}

func (tc preparation) run(t *testing.T, client string) {
	t.Helper()
	m := newMachine(t, tc.files)
	c, ok := connect.Find(client)
	if !ok {
		c = connect.Generic(client)
	}
	opt := m.options(tc.args, tc.env)
	opt.Key, opt.ForeignUpstream = tc.key, tc.other
	launch, err := connect.Prepare(c, opt)
	if tc.refused != "" {
		var refused *connect.RefusedError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), tc.refused) || refused.Advice == "" {
			t.Fatalf("want a refusal with %q and advice, got %v", tc.refused, err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range tc.wantEnv {
		name, _, set := strings.Cut(want, "=")
		has := slices.IndexFunc(launch.Env, func(e string) bool { return strings.HasPrefix(e, name+"=") })
		switch {
		case !set && has >= 0:
			t.Errorf("%s must not be set, got %s", name, launch.Env[has])
		case set && !slices.Contains(launch.Env, want):
			t.Errorf("want %q in the environment, got %q", want, launch.Env)
		}
	}
	if tc.wantArgs != nil {
		got := slices.Clone(launch.Args)
		for i, arg := range got {
			if len(launch.Files) > 0 && arg == launch.Files[0].Path {
				got[i] = "FILE"
			}
		}
		if !slices.Equal(got, tc.wantArgs) {
			t.Errorf("arguments\n got %q\nwant %q", got, tc.wantArgs)
		}
	}
	for name, url := range tc.wantUp {
		if launch.Upstream[name] != url {
			t.Errorf("upstream %s is %q, want %q", name, launch.Upstream[name], url)
		}
	}
	if len(launch.Upstream) != len(tc.wantUp) {
		t.Errorf("upstreams are %v, want %v", launch.Upstream, tc.wantUp)
	}
	if (tc.wantFile != "") != (len(launch.Files) == 1) {
		t.Errorf("files: %d", len(launch.Files))
	}
	for _, f := range launch.Files {
		if !json.Valid(f.Content) || !strings.Contains(string(f.Content), tc.wantFile) {
			t.Errorf("the file has no %s: %s", tc.wantFile, f.Content)
		}
		if tc.noFile != "" && strings.Contains(string(f.Content), tc.noFile) {
			t.Errorf("the file has %s: %s", tc.noFile, f.Content)
		}
	}
	if notes := strings.Join(launch.Notes, "\n"); !strings.Contains(notes, tc.wantNotes) {
		t.Errorf("no note with %q in %q", tc.wantNotes, notes)
	}
	if launch.Permanent != tc.permanent {
		t.Errorf("permanent is %t", launch.Permanent)
	}
	if tc.key != "" && strings.Contains(strings.Join(launch.Args, " "), tc.key) {
		t.Errorf("the key stands on the command line, where every process can read it: %q", launch.Args)
	}
}

func TestClaudeCodeGoesThroughTheGateway(t *testing.T) {
	const base = "ANTHROPIC_BASE_URL=" + gateway
	for _, tc := range []preparation{
		{name: "keeps its features when Anthropic is behind the gateway", args: []string{"-p", "hi"}, wantArgs: []string{"-p", "hi"},
			wantEnv: []string{base, "_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL=1", "ANTHROPIC_CUSTOM_HEADERS"}},
		{name: "is not told so when another provider is behind it", other: true, wantEnv: []string{base, "_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL"}},
		{name: "keeps the login and sends the Sluice key beside it", key: "slk_1", env: []string{"CLAUDE_CODE_OAUTH_TOKEN=t", "ANTHROPIC_API_KEY=k"},
			wantEnv: []string{base, "CLAUDE_CODE_OAUTH_TOKEN=t", "ANTHROPIC_API_KEY=k", "ANTHROPIC_CUSTOM_HEADERS=X-Sluice-Key: slk_1"}},
		{name: "keeps the user's own headers", key: "slk_1", env: []string{"ANTHROPIC_CUSTOM_HEADERS=X-Team: a\nx-sluice-key: old"},
			wantEnv: []string{"ANTHROPIC_CUSTOM_HEADERS=X-Team: a\nX-Sluice-Key: slk_1"}},
		{name: "makes the user's base URL the upstream", env: []string{"ANTHROPIC_BASE_URL=https://llm.corp/anthropic/"},
			wantUp: map[string]string{"anthropic": "https://llm.corp/anthropic"}, wantEnv: []string{base, "_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL"}},
		{name: "knows Anthropic's own address", env: []string{"ANTHROPIC_BASE_URL=https://api.anthropic.com"},
			wantUp: map[string]string{"anthropic": "https://api.anthropic.com"}, wantEnv: []string{"_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL=1"}},
		{name: "sees that it is set up already", env: []string{base}, wantEnv: []string{base}, permanent: true},
		{name: "wins over the user's settings file", files: map[string]string{"home/.claude/settings.json": `{"env":{"ANTHROPIC_BASE_URL":"https://llm.corp"}}`},
			args: []string{"-p", "hi"}, wantArgs: []string{"--settings", "FILE", "-p", "hi"}, wantFile: `"ANTHROPIC_BASE_URL":"` + gateway + `"`,
			wantUp: map[string]string{"anthropic": "https://llm.corp"}},
		{name: "reads settings with comments", files: map[string]string{"home/.claude/settings.json": "// mine\n{\"env\":{\"ANTHROPIC_BASE_URL\":\"https://llm.corp\",},}"},
			wantFile: gateway, wantUp: map[string]string{"anthropic": "https://llm.corp"}},
		{name: "looks where CLAUDE_CONFIG_DIR points", env: []string{"CLAUDE_CONFIG_DIR=/does/not/exist"}, wantEnv: []string{base},
			files: map[string]string{"home/.claude/settings.json": `{"env":{"ANTHROPIC_BASE_URL":"https://llm.corp"}}`}},
		{name: "merges settings that the user passes", args: []string{"--settings", `{"model":"opus","maxTurns":12345678901234567890,"env":{"A":"b"}}`, "-p", "--", "--settings", "x"},
			wantArgs: []string{"--settings", "FILE", "-p", "--", "--settings", "x"}, wantFile: `"maxTurns":12345678901234567890,"model":"opus"`},
		{name: "reads settings that the user passes as a file", args: []string{"--settings=s.json"}, files: map[string]string{"project/s.json": `{"env":{"ANTHROPIC_BASE_URL":"https://b"}}`},
			wantFile: gateway, noFile: "https://b", wantUp: map[string]string{"anthropic": "https://b"}},
		{name: "lets no repository choose the upstream", files: map[string]string{"project/.claude/settings.json": `{"env":{"ANTHROPIC_BASE_URL":"https://evil"}}`}, refused: "a repository does not decide"},
		{name: "refuses managed settings that point elsewhere", files: map[string]string{"system/etc/claude-code/managed-settings.json": `{"env":{"ANTHROPIC_BASE_URL":"https://x"}}`}, refused: "managed"},
		{name: "refuses managed drop-ins that point elsewhere", files: map[string]string{"system/etc/claude-code/managed-settings.d/9.json": `{"env":{"ANTHROPIC_BASE_URL":"https://x"}}`}, refused: "managed"},
		{name: "accepts managed settings that point to the gateway", files: map[string]string{"system/etc/claude-code/managed-settings.json": `{"env":{"ANTHROPIC_BASE_URL":"` + gateway + `"}}`}, permanent: true},
		{name: "refuses Bedrock", env: []string{"CLAUDE_CODE_USE_BEDROCK=1"}, refused: "CLAUDE_CODE_USE_BEDROCK"},
		{name: "refuses Vertex in settings", files: map[string]string{"home/.claude/settings.json": `{"env":{"CLAUDE_CODE_USE_VERTEX":"true"}}`}, refused: "CLAUDE_CODE_USE_VERTEX"},
		{name: "does not mind Bedrock switched off", env: []string{"CLAUDE_CODE_USE_BEDROCK=0"}, wantEnv: []string{base}},
		{name: "refuses a socket", env: []string{"ANTHROPIC_UNIX_SOCKET=/s"}, refused: "ANTHROPIC_UNIX_SOCKET"},
		{name: "refuses settings that it cannot read", files: map[string]string{"home/.claude/settings.json": `{"env":`}, refused: "cannot be read"},
		{name: "says where an apiKeyHelper's key goes", files: map[string]string{"home/.claude/settings.json": `{"apiKeyHelper":"x"}`}, wantNotes: "apiKeyHelper"},
		{name: "keeps a proxy away from the loopback", env: []string{"HTTPS_PROXY=http://proxy:3128", "NO_PROXY=corp"}, wantEnv: []string{"NO_PROXY=corp,127.0.0.1,localhost", "no_proxy=corp,127.0.0.1,localhost"}},
	} {
		t.Run(tc.name, func(t *testing.T) { t.Parallel(); tc.run(t, "claude") })
	}
}

func TestCodexGoesThroughTheGateway(t *testing.T) {
	const (
		ours  = `openai_base_url="` + gateway + `/v1"`
		plain = "features.enable_request_compression=false"
		corp  = "model_provider = \"corp\" # ours\n[model_providers.corp]\nname = 'corp'\nbase_url = \"https://llm.corp/v1\"\nenv_key = \"CORP\"\n"
	)
	with := func(own ...string) []string { return append([]string{"-c", ours, "-c", plain}, own...) }
	for _, tc := range []preparation{
		{name: "interactive", wantArgs: with()},
		{name: "exec", args: []string{"exec", "--json", "hi"}, wantArgs: with("exec", "--json", "hi")},
		{name: "puts the user's options before its own", args: []string{"exec", "-c", "model=o", "hi", "--config=model_verbosity=low", "-m", "x"},
			wantArgs: []string{"-c", "model=o", "-c", "model_verbosity=low", "-c", ours, "-c", plain, "exec", "hi", "-m", "x"}},
		{name: "makes a base URL among the options the upstream", args: []string{"exec", "-copenai_base_url=https://o.corp/v1", "hi"},
			wantArgs: []string{"-c", "openai_base_url=https://o.corp/v1", "-c", ours, "-c", plain, "exec", "hi"}, wantUp: map[string]string{"openai": "https://o.corp/v1"}},
		{name: "leaves what follows -- alone", args: []string{"exec", "--", "-c", "x=1"}, wantArgs: with("exec", "--", "-c", "x=1")},
		{name: "leaves the commands of a sandbox alone", args: []string{"sandbox", "bash", "-c", "openai_base_url=1"}, wantArgs: []string{"sandbox", "bash", "-c", "openai_base_url=1"}},
		{name: "lets the user sign in whatever the configuration says", args: []string{"login", "status"}, wantArgs: []string{"login", "status"}, files: map[string]string{"home/.codex/config.toml": `model_provider = "amazon-bedrock"`}},
		{name: "sends the Sluice key in a provider of its own that keeps the login", key: "slk_1", args: []string{"hi"}, wantEnv: []string{"SLUICE_KEY=slk_1"},
			wantArgs:  []string{"-c", `model_provider="sluice"`, "-c", `model_providers.sluice={name="OpenAI",base_url="` + gateway + `/v1",wire_api="responses",requires_openai_auth=true,env_http_headers={"X-Sluice-Key"="SLUICE_KEY"}}`, "-c", plain, "hi"},
			wantNotes: "resume"},
		{name: "takes the base URL of the configuration as upstream", files: map[string]string{"home/.codex/config.toml": `openai_base_url = "https://o.corp/v1/"`}, wantArgs: with(), wantUp: map[string]string{"openai": "https://o.corp/v1"}},
		{name: "sees that it is set up already", files: map[string]string{"home/.codex/config.toml": ours}, wantArgs: with(), permanent: true},
		{name: "leads the user's own provider", files: map[string]string{"home/.codex/config.toml": corp}, key: "slk_1", wantUp: map[string]string{"openai": "https://llm.corp/v1"},
			wantArgs: []string{"-c", `model_providers.corp.base_url="` + gateway + `/v1"`, "-c", `model_providers.corp.env_http_headers.X-Sluice-Key="SLUICE_KEY"`, "-c", plain}},
		{name: "leads a provider that is defined and chosen by options", args: []string{"-c", "model_provider=p", "exec", "-c", `model_providers.p={name="p", base_url="https://p/v1", aws_x=[1,2]}`, "hi"},
			wantArgs: []string{"-c", "model_provider=p", "-c", `model_providers.p={name="p", base_url="https://p/v1", aws_x=[1,2]}`, "-c", `model_providers.p.base_url="` + gateway + `/v1"`, "-c", plain, "exec", "hi"},
			wantUp:   map[string]string{"openai": "https://p/v1"}},
		{name: "follows a profile", args: []string{"-p", "work"}, files: map[string]string{"home/.codex/work.config.toml": corp}, wantUp: map[string]string{"openai": "https://llm.corp/v1"}},
		{name: "follows an old profile", files: map[string]string{"home/.codex/config.toml": "profile='w'\n[profiles.w]\nmodel_provider='corp'\n[model_providers.corp]\nbase_url='https://c/v1'"}, wantUp: map[string]string{"openai": "https://c/v1"}},
		{name: "looks into CODEX_HOME", env: []string{"CODEX_HOME=/does/not/exist"}, files: map[string]string{"home/.codex/config.toml": corp}, wantArgs: with()},
		{name: "ignores what Codex ignores", args: []string{"exec", "--ignore-user-config", "hi"}, files: map[string]string{"home/.codex/config.toml": corp}, wantArgs: with("exec", "--ignore-user-config", "hi")},
		{name: "refuses a provider without an address", args: []string{"-c", "model_provider=nobody"}, refused: "no base_url"},
		{name: "refuses Bedrock", args: []string{"-c", `model_provider="amazon-bedrock"`}, refused: "Bedrock"},
		{name: "refuses a managed local server", args: []string{"exec", "--oss", "hi"}, refused: "local server"},
		{name: "refuses a remote app server", args: []string{"--remote", "ws://x"}, refused: "another process"},
		{name: "refuses commands of the shared daemon", args: []string{"queue", "x"}, refused: "another process"},
		{name: "refuses managed settings that point elsewhere", files: map[string]string{"system/etc/codex/managed_config.toml": `openai_base_url="https://x/v1"`}, refused: "managed"},
		{name: "refuses a managed provider", files: map[string]string{"system/etc/codex/managed_config.toml": `model_provider="corp"`}, refused: "managed"},
		{name: "accepts managed settings that point to the gateway", files: map[string]string{"system/etc/codex/managed_config.toml": ours}, permanent: true, wantArgs: with()},
		{name: "refuses a configuration that it cannot read", files: map[string]string{"home/.codex/config.toml": "model_provider = \"co"}, refused: "cannot be read"},
		{name: "says what it does not see", args: []string{"cloud", "list"}, wantNotes: "cloud"},
	} {
		t.Run(tc.name, func(t *testing.T) { t.Parallel(); tc.run(t, "codex") })
	}
}

func TestQwenCodeGoesThroughTheGateway(t *testing.T) {
	const providers = `{"model":{"name":"b"},"modelProviders":{"openai":[{"id":"a","baseUrl":"https://a/v1","envKey":"A"},{"id":"b","baseUrl":"https://b/v1","envKey":"B"}],"vertex-ai":[{"id":"v"}]}}`
	for _, tc := range []preparation{
		{name: "variables are enough as a rule", args: []string{"-p", "hi"}, wantArgs: []string{"-p", "hi"}, wantEnv: []string{"OPENAI_BASE_URL=" + gateway + "/v1", "ANTHROPIC_BASE_URL=" + gateway, "QWEN_CODE_SYSTEM_SETTINGS_PATH"}},
		{name: "the user's base URL is the upstream", env: []string{"OPENAI_BASE_URL=https://dash/v1", "OPENAI_API_KEY=k"}, wantUp: map[string]string{"openai": "https://dash/v1"}, wantEnv: []string{"OPENAI_API_KEY=k"}},
		{name: "so is one on the command line", args: []string{"--openai-base-url", "https://dash/v1", "-p", "hi"}, wantArgs: []string{"-p", "hi"}, wantUp: map[string]string{"openai": "https://dash/v1"}},
		{name: "and one in the user's .env", files: map[string]string{"home/.qwen/.env": "# x\nexport OPENAI_BASE_URL='https://dash/v1'\n"}, wantUp: map[string]string{"openai": "https://dash/v1"}},
		{name: "but none that came with a repository", files: map[string]string{"project/.env": "OPENAI_BASE_URL=https://evil/v1"}, refused: "a repository does not decide"},
		{name: "nor providers that did", files: map[string]string{"project/.qwen/settings.json": providers}, refused: "a repository does not decide"},
		{name: "models with an own address are led there", files: map[string]string{"home/.qwen/settings.json": providers}, wantUp: map[string]string{"openai": "https://b/v1"},
			wantFile: `{"baseUrl":"` + gateway + `/v1","envKey":"B","id":"b"}`, noFile: "https://", wantNotes: "vertex-ai"},
		{name: "the chosen model decides", args: []string{"--model", "a"}, files: map[string]string{"home/.qwen/settings.json": providers}, wantUp: map[string]string{"openai": "https://a/v1"}, wantFile: `"id":"a"`},
		{name: "the Sluice key goes beside the user's", key: "slk_1", files: map[string]string{"system/etc/qwen-code/settings.json": `{"ui":{"theme":"x"}}`}, wantFile: `{"model":{"generationConfig":{"customHeaders":{"X-Sluice-Key":"slk_1"}}},"ui":{"theme":"x"}}`},
		{name: "a Qwen login is refused", files: map[string]string{"home/.qwen/settings.json": `{"security":{"auth":{"selectedType":"qwen-oauth"}}}`}, refused: "qwen-oauth"},
		{name: "unless a key is chosen", args: []string{"--auth-type", "openai"}, files: map[string]string{"home/.qwen/settings.json": `{"security":{"auth":{"selectedType":"qwen-oauth"}}}`}, wantArgs: []string{"--auth-type", "openai"}},
	} {
		t.Run(tc.name, func(t *testing.T) { t.Parallel(); tc.run(t, "qwen") })
	}
}

func TestGeminiCLIGoesThroughTheGateway(t *testing.T) {
	key := map[string]string{"home/.gemini/settings.json": `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`}
	for _, tc := range []preparation{
		{name: "with an API key", files: key, wantEnv: []string{"GOOGLE_GEMINI_BASE_URL=" + gateway, "GEMINI_CLI_SYSTEM_SETTINGS_PATH"}},
		{name: "the user is told to choose a key", wantNotes: "Use Gemini API Key"},
		{name: "a Google login cannot pass by", files: key, wantEnv: []string{"CODE_ASSIST_ENDPOINT=" + gateway, "GOOGLE_VERTEX_BASE_URL=" + gateway}},
		{name: "the Sluice key goes beside it", files: key, key: "slk_1", env: []string{"GEMINI_CLI_CUSTOM_HEADERS=X-A: 1"}, wantEnv: []string{"GEMINI_CLI_CUSTOM_HEADERS=X-A: 1,X-Sluice-Key: slk_1"}},
		{name: "the user's base URL is the upstream", files: key, env: []string{"GOOGLE_GEMINI_BASE_URL=https://g"}, wantUp: map[string]string{"gemini": "https://g"}},
		{name: "a Google login is refused", files: map[string]string{"home/.gemini/settings.json": `{"security":{"auth":{"selectedType":"oauth-personal"}}}`}, refused: "oauth-personal"},
		{name: "Vertex is refused", env: []string{"GOOGLE_GENAI_USE_VERTEXAI=true"}, refused: "GOOGLE_GENAI_USE_VERTEXAI"},
	} {
		t.Run(tc.name, func(t *testing.T) { t.Parallel(); tc.run(t, "gemini") })
	}
}

func TestOpencodeGoesThroughTheGateway(t *testing.T) {
	const enabled = `{"enabled_providers":["anthropic","google","openai"],`
	builtIn := `"provider":{"anthropic":{"options":{"baseURL":"` + gateway + `/v1"}},"google":{"options":{"baseURL":"` + gateway + `/v1beta"}},"openai":{"options":{"baseURL":"` + gateway + `/v1"}}}}`
	own := `{"provider":{"corp":{"npm":"@ai-sdk/openai-compatible","options":{"baseURL":"https://corp/v1","apiKey":"k"}}}}`
	for _, tc := range []preparation{
		{name: "other providers are off", wantEnv: []string{"OPENCODE_CONFIG_CONTENT=" + enabled + builtIn}},
		{name: "the user's own configuration stays", env: []string{`OPENCODE_CONFIG_CONTENT={"theme":"x"}`}, wantEnv: []string{"OPENCODE_CONFIG_CONTENT=" + enabled + strings.TrimSuffix(builtIn, "}") + `,"theme":"x"}`}},
		{name: "a ChatGPT login needs another path", files: map[string]string{"home/.local/share/opencode/auth.json": `{"openai":{"type":"oauth"}}`},
			wantEnv: []string{"OPENCODE_CONFIG_CONTENT=" + enabled + strings.Replace(builtIn, `"openai":{"options":{"baseURL":"`+gateway+`/v1"`, `"openai":{"options":{"baseURL":"`+gateway+`/backend-api/codex"`, 1)}},
		{name: "the address of a built-in provider is its upstream", files: map[string]string{"home/.config/opencode/opencode.jsonc": `{"provider":{"anthropic":{"options":{"baseURL":"https://a/v1"}}}} // x`},
			wantUp: map[string]string{"anthropic": "https://a/v1"}, wantEnv: []string{"OPENCODE_CONFIG_CONTENT=" + enabled + builtIn}},
		{name: "a provider of the user's is led there when it is chosen", files: map[string]string{"home/.config/opencode/opencode.json": own}, args: []string{"run", "-m", "corp/x"}, wantUp: map[string]string{"openai": "https://corp/v1"},
			wantEnv: []string{`OPENCODE_CONFIG_CONTENT={"enabled_providers":["anthropic","corp","google"],"provider":{"anthropic":{"options":{"baseURL":"` + gateway + `/v1"}},"corp":{"options":{"baseURL":"` + gateway + `/v1"}},"google":{"options":{"baseURL":"` + gateway + `/v1beta"}}}}`}},
		{name: "a provider of which nothing is known is refused", args: []string{"--model=github-copilot/x"}, refused: "github-copilot"},
		{name: "the user's choice of providers stays", files: map[string]string{"home/.config/opencode/opencode.json": `{"enabled_providers":["anthropic","groq"]}`}, wantNotes: "Only the providers anthropic are on"},
		{name: "managed settings that point elsewhere are refused", files: map[string]string{"system/etc/opencode/opencode.json": `{"provider":{"openai":{"options":{"baseURL":"https://x"}}}}`}, refused: "managed"},
		{name: "another server is refused", args: []string{"attach", "http://x"}, refused: "another process"},
	} {
		t.Run(tc.name, func(t *testing.T) { t.Parallel(); tc.run(t, "opencode") })
	}
}

func TestAnyOtherProgramGetsTheVariablesOfTheSDKs(t *testing.T) {
	for _, tc := range []preparation{
		{name: "base URLs", args: []string{"a", "-c", "b"}, wantArgs: []string{"a", "-c", "b"}, wantNotes: "not a client that Sluice knows",
			wantEnv: []string{"OPENAI_BASE_URL=" + gateway + "/v1", "ANTHROPIC_BASE_URL=" + gateway, "GOOGLE_GEMINI_BASE_URL=" + gateway, "OPENAI_API_KEY"}},
		{name: "the user's own become upstreams", env: []string{"OPENAI_BASE_URL=https://o/v1"}, wantUp: map[string]string{"openai": "https://o/v1"}},
		{name: "a Sluice key is used where the user has none", key: "slk_1", env: []string{"OPENAI_API_KEY=k"}, wantEnv: []string{"OPENAI_API_KEY=k", "ANTHROPIC_API_KEY=slk_1"}, wantNotes: "OPENAI_API_KEY is yours"},
	} {
		t.Run(tc.name, func(t *testing.T) { t.Parallel(); tc.run(t, "./agent.py") })
	}
}

func TestClientsAreFoundByNameAndProgram(t *testing.T) {
	t.Parallel()
	for command, want := range map[string][2]string{
		"claude":                {"claude", "claude"},
		"claude-code":           {"claude", "claude"},
		"/opt/bin/codex":        {"codex", "/opt/bin/codex"},
		`C:\x\Codex.cmd`:        {"codex", `C:\x\Codex.cmd`},
		"./opencode":            {"opencode", "./opencode"},
		"gemini.exe":            {"gemini", "gemini.exe"},
		"/usr/local/qwen/other": {"", ""},
		"":                      {"", ""},
	} {
		c, ok := connect.Find(command)
		if ok != (want[0] != "") || c.Name != want[0] || c.Command != want[1] {
			t.Errorf("%q is %q started as %q, want %v", command, c.Name, c.Command, want)
		}
	}
	for _, c := range connect.Clients() {
		if !c.Known() || len(c.Formats) == 0 || c.Title == "" {
			t.Errorf("%+v is not described", c)
		}
	}
}

func TestAURLThatIsNoGatewayIsRefused(t *testing.T) {
	t.Parallel()
	c, _ := connect.Find("claude")
	for _, url := range []string{"", "127.0.0.1:8484", "ftp://x", "http://u:p@x", "http://x?y", `http://x/"`, "http://x/a b"} {
		if _, err := connect.Prepare(c, connect.Options{BaseURL: url, Dir: t.TempDir()}); err == nil {
			t.Errorf("%q was taken", url)
		}
		if _, err := connect.Settings(c, connect.Options{BaseURL: url}, false); err == nil {
			t.Errorf("%q was taken", url)
		}
	}
	if _, err := connect.Prepare(c, connect.Options{BaseURL: gateway, Key: "a\nb", Dir: t.TempDir()}); err == nil {
		t.Error("a key with a line end was taken")
	}
	l, err := connect.Prepare(c, connect.Options{BaseURL: gateway + "/v1/", Dir: t.TempDir(), Root: t.TempDir()})
	if err != nil || !slices.Contains(l.Env, "ANTHROPIC_BASE_URL="+gateway) {
		t.Errorf("/v1 at the end is not taken off: %v %v", l.Env, err)
	}
}
