package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/gateway/server"
	"github.com/sluice-project/sluice/gateway/settings"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/secret"
	"github.com/sluice-project/sluice/sluicetest"
)

const keepsSecrets = `
policies:
  - {name: redact, applies_to: [tool_result], find: {secret: true}, then: redact}
  - {name: restore, when: call.kind == "write", find: {placeholder: true}, then: restore, on_unknown: block}
`

const madeUpToken = "ghp_R7kQ2mXv9LtZ4pWn8YcB1sHj6Dg3EuA0oQiZ"

// withResult is a request that has a tool result with a text.
func withResult(text string) string {
	return fmt.Sprintf(`{"model":"claude","max_tokens":100,"stream":true,"messages":[{"role":"user","content":"go on"},`+
		`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Read","input":{}}]},`+
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":%q}]}]}`, text)
}

// echo is an upstream whose model writes the placeholders that it sees.
func echo(t *testing.T) *sluicetest.Upstream {
	up := sluicetest.NewUpstream(t)
	up.Answer(func(r *http.Request) sluicetest.Reply {
		body, _ := io.ReadAll(r.Body)
		arguments, _ := json.Marshal(map[string]string{"file_path": "/repo/.env", "content": strings.Join(secret.Placeholders(string(body)), " ")})
		blocks := []llm.Block{{Kind: llm.ToolCall, ID: "toolu_2", Name: "Write", Arguments: string(arguments)}}
		return sluicetest.Events(sluicetest.SSE(sluicetest.Anthropic, sluicetest.Build(sluicetest.Anthropic, [][]llm.Block{blocks}, sluicetest.BuildOptions{})))
	})
	return up
}

// tell sends a request and returns the answer.
func (p *process) tell(body string) string {
	p.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, p.URL()+"/v1/messages", strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	res, err := p.client.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(answer)
}

// withData are settings with the policies about secrets and a data directory.
func withData(t *testing.T, up *sluicetest.Upstream, data string) *settings.Settings {
	t.Helper()
	policies := write(t, filepath.Join(t.TempDir(), "policies.yaml"), keepsSecrets)
	return configure(t, up, "policies: [preset:none, "+policies+"]", "data: "+data)
}

// What a server knows of secrets after a restart is the key of placeholders and
// what the next request brings. That is enough, and with another key it is not.
func TestPlaceholdersOutliveTheServer(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "made", "by the server")
	up := echo(t)
	var answers []string
	for range 2 {
		p := start(t, withData(t, up, data), server.Options{})
		if err := p.Reload(); err != nil { // a reload changes nothing
			t.Fatal(err)
		}
		answers = append(answers, p.tell(withResult("TOKEN="+madeUpToken)))
		p.stop()
		if err := p.end(); err != nil {
			t.Fatal(err)
		}
	}
	sent := up.Requests()
	if !bytes.Equal(sent[0].Body, sent[1].Body) || strings.Contains(string(sent[0].Body), madeUpToken) || !strings.Contains(string(sent[0].Body), "[secret:github-token:") {
		t.Errorf("the provider gets\n%s\nand then\n%s", sent[0].Body, sent[1].Body)
	}
	for _, a := range answers {
		if !strings.Contains(a, madeUpToken) {
			t.Errorf("the secret is not put back: %s", a)
		}
	}
	// Nothing else is kept, and nobody else can read it.
	entries, err := os.ReadDir(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		if e.Name() != "admin-token" && e.Name() != "placeholder-key" || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s is kept with the mode %v", e.Name(), info.Mode())
		}
	}
	if info, err := os.Stat(data); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("the data directory: %v %v", info.Mode(), err)
	}
	other := start(t, withData(t, up, t.TempDir()), server.Options{})
	other.tell(withResult("TOKEN=" + madeUpToken))
	if last := up.Requests(); bytes.Equal(last[len(last)-1].Body, sent[0].Body) {
		t.Error("a server with another key makes the same placeholders")
	}
}

// A key that others may know or have chosen is refused, by New and by Check.
func TestAnUnfitPlaceholderKeyIsRefused(t *testing.T) {
	t.Parallel()
	good := strings.Repeat("0f", 32)
	for name, c := range map[string]struct {
		content string
		mode    os.FileMode
		want    string
	}{
		"others can read it":     {good, 0o644, "can be read or written by others"},
		"the group can write it": {good, 0o620, "can be read or written by others"},
		"it is too short":        {good[2:], 0o600, "does not hold 32 bytes"},
		"it is too long":         {good + "0f", 0o600, "does not hold 32 bytes"},
		"it is much too long":    {strings.Repeat(good, 100), 0o600, "does not hold 32 bytes"},
		"it is empty":            {"", 0o600, "does not hold 32 bytes"},
		"it is something else":   {strings.Repeat("xy", 32), 0o600, "does not hold 32 bytes"},
		"it can be used":         {good, 0o600, ""},
		"it ends with a line":    {good + "\r\n", 0o600, ""},
		"only its owner reads":   {good + "\n", 0o400, ""},
	} {
		if runtime.GOOS == "windows" && c.mode&0o077 != 0 {
			continue // modes say nothing there
		}
		data := t.TempDir()
		file := write(t, filepath.Join(data, "placeholder-key"), c.content)
		if err := os.Chmod(file, c.mode); err != nil {
			t.Fatal(err)
		}
		s := withData(t, nil, data)
		srv, err := server.New(s, server.Options{})
		_, errs := server.Check(s)
		if c.want == "" {
			if err != nil || len(errs) > 0 {
				t.Errorf("%s: %v, %v", name, err, errs)
				continue
			}
			_ = srv.Close()
			continue
		}
		for _, err := range append(errs, err) {
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "remove the file") ||
				!strings.Contains(err.Error(), file) || c.content != "" && strings.Contains(err.Error(), c.content) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if len(errs) != 1 {
			t.Errorf("%s: Check says %v", name, errs)
		}
	}
}

// The key is protected by the same rules as the token.
func TestAPlaceholderKeyThatOthersCanPlantIsRefused(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing on Windows")
	}
	data := t.TempDir()
	if err := os.Chmod(data, 0o777); err != nil {
		t.Fatal(err)
	}
	s := withData(t, nil, data)
	s.Admin.Token = settings.NewSecret(strings.Repeat("t", 30))
	if srv, err := server.New(s, server.Options{}); err == nil || !strings.Contains(err.Error(), "chmod go-w") {
		t.Errorf("a key is made where others can replace it: %v", err)
		if err == nil {
			_ = srv.Close()
		}
	}
}

// If the key cannot be stored, the server says so and uses a temporary one.
func TestAPlaceholderKeyThatCannotBeKept(t *testing.T) {
	t.Parallel()
	// A file is where the directory would be, so that nothing can be created
	// there, not even by root.
	s := withData(t, echo(t), filepath.Join(write(t, filepath.Join(t.TempDir(), "file"), ""), "data"))
	s.Admin.Token = settings.NewSecret(strings.Repeat("t", 30))
	p := start(t, s, server.Options{})
	p.log.wait(t, 0, "other placeholders after a restart", "--data")
	if a := p.tell(withResult("TOKEN=" + madeUpToken)); !strings.Contains(a, madeUpToken) {
		t.Errorf("the secret is not put back: %s", a)
	}
}

// Check writes nothing.
func TestCheckMakesNoPlaceholderKey(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	if _, errs := server.Check(withData(t, nil, data)); len(errs) > 0 {
		t.Fatal(errs)
	}
	if _, err := os.Stat(data); !os.IsNotExist(err) {
		t.Errorf("the data directory is there: %v", err)
	}
}

// Servers that are started at once agree on one key.
func TestServersThatStartAtOnceHaveOneKey(t *testing.T) {
	t.Parallel()
	data, up := t.TempDir(), echo(t)
	servers := make([]*server.Server, 4)
	var all sync.WaitGroup
	for i := range servers {
		s := withData(t, up, data)
		s.Admin.Token = settings.NewSecret(strings.Repeat("t", 30))
		all.Go(func() {
			var err error
			if servers[i], err = server.New(s, server.Options{}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	sent := map[string]bool{}
	for _, srv := range servers {
		if srv == nil {
			continue
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- srv.Run(ctx) }()
		p := &process{Server: srv, t: t, client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
		p.tell(withResult("TOKEN=" + madeUpToken))
		requests := up.Requests()
		sent[string(requests[len(requests)-1].Body)] = true
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if len(sent) != 1 {
		t.Errorf("there are %d keys", len(sent))
	}
}

// The key is looked for when a policy needs it: a file that cannot be used does
// not matter before, and a reload works once it is gone.
func TestAPlaceholderKeyIsLookedForWhenItIsNeeded(t *testing.T) {
	t.Parallel()
	data, up := t.TempDir(), echo(t)
	key := write(t, filepath.Join(data, "placeholder-key"), "no key")
	policies := write(t, filepath.Join(t.TempDir(), "policies.yaml"), blocks("tests"))
	p := start(t, configure(t, up, "policies: [preset:none, "+policies+"]", "data: "+data), server.Options{Poll: -1})
	replace(t, policies, keepsSecrets)
	if err := p.Reload(); err == nil || !strings.Contains(err.Error(), "policies.yaml:3:") || !strings.Contains(err.Error(), key) {
		t.Errorf("the reload says %v", err)
	}
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := p.Reload(); err != nil {
			t.Fatal(err)
		}
		if a := p.tell(withResult("TOKEN=" + madeUpToken)); !strings.Contains(a, madeUpToken) {
			t.Errorf("the secret is not put back: %s", a)
		}
	}
	if sent := up.Requests(); !bytes.Equal(sent[0].Body, sent[1].Body) {
		t.Error("a reload changes placeholders")
	}
}
