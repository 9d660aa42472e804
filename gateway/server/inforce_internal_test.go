package server

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway/settings"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// Everything the server consists of is protected from agents, wherever it is, and
// also under the name that a link points to.
func TestWhatIsInForceIsKeptFromAgents(t *testing.T) {
	dir := t.TempDir()
	put := func(name, content string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	rules := put("rules.yaml", "policies:\n  - preset: recommended\n    params: {guard.files: [/nowhere], guard.private: [/nowhere]}\n")
	link := filepath.Join(dir, "link.yaml")
	if err := os.Symlink(rules, link); err != nil {
		t.Fatal(err)
	}
	token, data, audit, recordings := put("secret", "a-token-that-is-long-enough"), filepath.Join(dir, "data"), filepath.Join(dir, "audit.jsonl"), filepath.Join(dir, "rec")
	config := put("gate.yaml", fmt.Sprintf("listen: 127.0.0.1:0\npolicies: [%s]\ndata: %s\naudit_log: %s\nadmin: {token_file: %s}\n", link, data, audit, token))
	s, err := settings.Load(settings.Sources{File: config, Environ: []string{"HOME=" + t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	srv, err := New(s, Options{Recordings: recordings, Poll: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	blocked := func(command string) bool {
		t.Helper()
		arguments, _ := json.Marshal(map[string]string{"command": command})
		r := srv.policies.live.Load().Decide(t.Context(), &policy.Exchange{Session: policy.Session{Cwd: "/home/a/p", Home: "/home/a"}},
			llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: string(arguments), Status: llm.Complete}, policy.Options{})
		return r.Verdict.Action.Blocks()
	}
	for _, path := range []string{rules, link, config, program, token, audit, data, recordings} {
		for _, command := range []string{"rm -f %s", "echo > %s", "cp /tmp/x %s", "chmod 777 %s", "mv %s /tmp/y", "sed -i s/a/b/ %s", "ln -sf /tmp/x %s"} {
			if command = fmt.Sprintf(command, path); !blocked(command) {
				t.Errorf("passes: %s", command)
			}
		}
	}
	_, port, _ := strings.Cut(srv.Addr().String(), ":")
	for _, command := range []string{
		"cat " + token, "cat " + audit, "tail -n 5 " + audit, "cat " + data + "/x", "cat " + recordings + "/x",
		"curl -X POST localhost:" + port + "/admin/reload", fmt.Sprintf("kill %d", os.Getpid()), fmt.Sprintf("cat /proc/%d/environ", os.Getpid()),
		"pkill " + filepath.Base(program), "killall " + filepath.Base(program), "pkill -f '" + strings.Join(os.Args, " ") + "'", fmt.Sprintf("echo > /proc/%d/fd/3", os.Getpid()),
		"mv -T /tmp/new " + dir, "upx " + program, "some-editor " + rules,
	} {
		if !blocked(command) {
			t.Errorf("passes: %s", command)
		}
	}
	for _, command := range []string{
		"cat " + rules, "cat " + config, "cat " + dir + "/*.txt", "rm " + dir + "/*.tmp", "rm " + dir + "/other.yaml", "rm " + rules + ".bak",
		"curl localhost:" + port + "/healthz", fmt.Sprintf("kill %d", os.Getpid()+1),
	} {
		if blocked(command) {
			t.Errorf("is blocked: %s", command)
		}
	}
}
