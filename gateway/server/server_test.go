package server_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway/server"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire/recording"
)

func TestTheAdminTokenIsMadeOnceAndKept(t *testing.T) {
	t.Parallel()
	s := configure(t, nil)
	s.Data = filepath.Join(t.TempDir(), "a", "data")
	p := start(t, s, server.Options{})
	token := p.AdminToken().Reveal()
	if status, _ := p.get("/admin/status", "Authorization", "Bearer "+token); status != 200 || len(token) < 40 {
		t.Errorf("status %d with a token of %d characters", status, len(token))
	}
	if status, _ := p.get("/admin/status"); status != 401 {
		t.Errorf("status %d without it", status)
	}
	name := filepath.Join(s.Data, "admin-token")
	if runtime.GOOS != "windows" {
		for path, want := range map[string]os.FileMode{name: 0o600, s.Data: 0o700} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v, %v", path, info.Mode(), err)
			}
		}
	}
	if again := start(t, s, server.Options{}); again.AdminToken().Reveal() != token {
		t.Error("another server has another token")
	}
	write(t, name, "short\n")
	if _, err := server.New(s, server.Options{}); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "remove the file") {
		t.Errorf("a file without a token: %v", err)
	}
	s.Data = write(t, filepath.Join(t.TempDir(), "file"), "")
	if _, err := server.New(s, server.Options{}); err == nil || !strings.Contains(err.Error(), "--data") {
		t.Errorf("a data directory that is none: %v", err)
	}
	s.Data = ""
	if status, body := start(t, s, server.Options{}).get("/admin/status"); status != 404 {
		t.Errorf("without a data directory: %d %s", status, body)
	}
}

func TestTheTokenOfTheSettingsNeedsNoDataDirectory(t *testing.T) {
	t.Parallel()
	file := write(t, filepath.Join(t.TempDir(), "token"), "a-token-that-somebody-chose\n")
	s := configure(t, nil, "admin: {token_file: "+file+"}")
	p := start(t, s, server.Options{})
	if status, _ := p.get("/admin/status", "Authorization", "Bearer a-token-that-somebody-chose"); status != 200 {
		t.Errorf("status %d", status)
	}
	if _, err := os.Stat(s.Data); err == nil {
		t.Error("the data directory was made although nothing is kept there")
	}
}

func TestTheGreetingSaysWhatIsOnAndHowToUseIt(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	s := configure(t, nil, "policies: [preset:recommended]", "forward: [/v1/embeddings]", "upstreams: {gemini: \"http://gemini.example.org\"}")
	p := start(t, s, server.Options{Out: &out, Version: "1.2.3"})
	version := p.Gateway().Status().Version
	want := `Sluice 1.2.3 is on URL, policies: preset:recommended (32 policies, version VERSION)
  upstreams    anthropic https://api.anthropic.com, openai https://api.openai.com,
               gemini http://gemini.example.org, chatgpt https://chatgpt.com
  keys         none needed on loopback
  audit log    off
  admin token  DATA/admin-token
  Claude Code  ANTHROPIC_BASE_URL=URL _CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL=1 claude
  OpenAI SDKs  OPENAI_BASE_URL=URL/v1
  more         sluice connect claude prints permanent settings, sluice doctor proves the path
warning: FILE:3:21: upstreams.gemini.url sends keys and conversations unencrypted over the network: use https
warning: the answers of these paths are not judged: /v1/embeddings
`
	got := strings.NewReplacer(p.URL(), "URL", version, "VERSION", strings.TrimSuffix(s.Data, "/"), "DATA", s.File, "FILE").Replace(out.String())
	if got != want {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
}

// What Claude Code keeps on before Anthropic's own API it must not before another.
func TestTheGreetingKnowsWhoseAPIIsBehindIt(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	start(t, configure(t, nil, "upstreams: {anthropic: \"https://proxy.example.org\"}"), server.Options{Out: &out})
	if strings.Contains(out.String(), "FIRST_PARTY") {
		t.Errorf("it says\n%s", out.String())
	}
}

// A log in JSON is JSON throughout.
func TestTheGreetingIsJSONIfTheLogIs(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	s := configure(t, nil, "log: {format: json, level: error}", "forward: [/v1/embeddings]")
	p := start(t, s, server.Options{Out: &out, Version: "1.2.3"})
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var greeting, warning map[string]any
	if len(lines) != 3 || json.Unmarshal([]byte(lines[0]), &greeting) != nil || json.Unmarshal([]byte(lines[2]), &warning) != nil {
		t.Fatalf("it says\n%s", out.String())
	}
	if greeting["url"] != p.URL() || greeting["version"] != "1.2.3" || greeting["policies_version"] != p.Gateway().Status().Version || greeting["level"] != "INFO" {
		t.Errorf("the greeting is %v", greeting)
	}
	if warning["level"] != "WARN" || !strings.Contains(warning["msg"].(string), "/v1/embeddings") {
		t.Errorf("the warning is %v", warning)
	}
}

func TestJudgesAreModelsOfTheUpstreams(t *testing.T) {
	const judged = "policies:\n  - {name: judged, judge: {model: MODEL, retries: 0}, then: {block: end_turn}, on_error: allow}\n"
	refused := func(model string) string {
		name := write(t, filepath.Join(t.TempDir(), "policies.yaml"), strings.ReplaceAll(judged, "MODEL", model))
		_, err := server.New(configure(t, nil, "policies: [preset:none, "+name+"]"), server.Options{})
		if err == nil {
			t.Fatalf("%s can be used", model)
		}
		return err.Error()
	}
	t.Setenv("ANTHROPIC_API_KEY", "")
	for model, want := range map[string]string{
		"haiku":           "write PROVIDER/MODEL, like anthropic/claude-haiku",
		"mistral/large":   "use anthropic, openai or gemini",
		"anthropic/haiku": "set ANTHROPIC_API_KEY",
	} {
		if got := refused(model); !strings.Contains(got, want) || !strings.Contains(got, "policies.yaml:2:") {
			t.Errorf("%s: %s", model, got)
		}
	}

	// The judge fails, because the upstream answers it with a tool call.
	name := write(t, filepath.Join(t.TempDir(), "policies.yaml"), strings.ReplaceAll(judged, "MODEL", "anthropic/haiku"))
	for failure, passes := range map[string]bool{"policy": true, "allow": true, "block": false} {
		up := always(t, calls("ls"))
		p := start(t, configure(t, up, "policies: [preset:none, "+name+"]", "failure: {judge: "+failure+"}"), server.Options{})
		if _, answer := p.ask(); strings.Contains(answer, "input_json_delta") != passes {
			t.Errorf("failure.judge %s: the call passes: %v\n%s", failure, !passes, answer)
		}
		if n := len(up.Requests()); n != 2 || !strings.Contains(string(up.Requests()[1].Body), `"haiku"`) {
			t.Errorf("failure.judge %s: %d requests came to the upstream", failure, n)
		}
	}
}

func TestRecordingsHaveWhatTheUpstreamSent(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "recordings")
	reply := calls("rm -rf / --no-preserve-root")
	whole := sluicetest.JSON(200, `{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`)
	up := sluicetest.NewUpstream(t, reply.Encoded("gzip"), whole)
	p := start(t, configure(t, up), server.Options{Recordings: dir, Shadow: true})
	if _, answer := p.ask(); answer != string(reply.Body) {
		t.Errorf("something was enforced:\n%s", answer)
	}
	p.ask()
	p.stop()
	if err := p.end(); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string]string{".sse": string(reply.Body), ".json": string(whole.Body)} {
		answers := slices.DeleteFunc(glob(t, dir, "*-anthropic-*"+kind), func(name string) bool {
			return strings.HasSuffix(name, ".request.json")
		})
		if len(answers) != 1 {
			t.Fatalf("%d recordings as %s", len(answers), kind)
		}
		data := readFile(t, answers[0])
		if string(data) != want {
			t.Errorf("%s has\n%s", kind, data)
		}
		report, err := recording.Inspect(bytes.NewReader(data), recording.Options{})
		if err != nil || !report.Complete {
			t.Errorf("%s cannot be inspected: %v", kind, err)
		}
		request := strings.TrimSuffix(answers[0], kind) + ".request.json"
		if got := string(readFile(t, request)); got != question {
			t.Errorf("the request is recorded as %s", got)
		}
	}
	for _, name := range glob(t, dir, "*") {
		if strings.Contains(string(readFile(t, name)), "sk-ant-secret") {
			t.Errorf("%s has the client's key in it", name)
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
}

func glob(t *testing.T, dir, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	return names
}
