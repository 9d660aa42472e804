package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sluice-project/sluice/gateway/server"
	"github.com/sluice-project/sluice/gateway/settings"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must happen.
const patience = 2 * time.Minute

// configure loads settings as a process would, for a gateway on any free port in
// front of an upstream. Lines are of the configuration file.
func configure(t testing.TB, up *sluicetest.Upstream, lines ...string) *settings.Settings {
	t.Helper()
	s, err := trySettings(t, up, lines...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func trySettings(t testing.TB, up *sluicetest.Upstream, lines ...string) (*settings.Settings, error) {
	t.Helper()
	file := write(t, filepath.Join(t.TempDir(), "config.yaml"), strings.Join(lines, "\n"))
	environ := []string{"HOME=" + t.TempDir(), "SLUICE_LISTEN=127.0.0.1:0"}
	if !strings.Contains(strings.Join(lines, "\n"), "policies:") { // the presets take their time to load
		environ = append(environ, "SLUICE_POLICIES="+write(t, filepath.Join(t.TempDir(), "policies.yaml"), blocks("tests"))+",preset:none")
	}
	if up != nil {
		for _, name := range []string{"ANTHROPIC", "OPENAI", "GEMINI", "CHATGPT"} {
			environ = append(environ, "SLUICE_UPSTREAM_"+name+"="+up.URL)
		}
	}
	return settings.Load(settings.Sources{Environ: environ, File: file})
}

func write(t testing.TB, name, content string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// replace replaces a file by another, as editors do.
func replace(t testing.TB, name, content string) {
	t.Helper()
	if err := os.Rename(write(t, name+".new", content), name); err != nil {
		t.Fatal(err)
	}
}

// process is a server that runs.
type process struct {
	*server.Server

	t      testing.TB
	log    *logbook
	stop   context.CancelFunc
	ended  chan struct{}
	err    error // of Run, once ended is closed
	client *http.Client
}

// start runs a server until the test is over.
func start(t testing.TB, s *settings.Settings, o server.Options) *process {
	t.Helper()
	p := &process{t: t, log: &logbook{}, ended: make(chan struct{}), client: &http.Client{Transport: &http.Transport{}}}
	p.log.changed.L = &p.log.mu
	o.Log = slog.New(p.log)
	srv, err := server.New(s, o)
	if err != nil {
		t.Fatal(err)
	}
	p.Server = srv
	t.Cleanup(func() {
		p.log.mu.Lock()
		defer p.log.mu.Unlock()
		checkNames(t, strings.Join(p.log.lines, ""))
	})
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	go func() {
		defer close(p.ended)
		p.err = srv.Run(ctx)
	}()
	t.Cleanup(func() {
		p.client.CloseIdleConnections()
		stop()
		_ = srv.Close()
		<-p.ended
	})
	return p
}

// end waits until the server is over.
func (p *process) end() error {
	p.t.Helper()
	select {
	case <-p.ended:
		return p.err
	case <-time.After(patience):
		p.t.Fatal("the server does not end")
		return nil
	}
}

const question = `{"model":"claude","max_tokens":100,"stream":true,"messages":[{"role":"user","content":"clean up"}]}`

// ask asks the gateway as a client does and returns the whole answer.
func (p *process) ask() (status int, answer string) {
	p.t.Helper()
	res, err := p.begin()
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func (p *process) begin() (*http.Response, error) {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, p.URL()+"/v1/messages", strings.NewReader(question))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Api-Key", "sk-ant-secret-of-the-client")
	return p.client.Do(req)
}

func (p *process) get(path string, header ...string) (status int, body string) {
	p.t.Helper()
	return p.send(http.MethodGet, path, header...)
}

func (p *process) send(method, path string, header ...string) (status int, body string) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, p.URL()+path, http.NoBody)
	if err != nil {
		p.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := p.client.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return res.StatusCode, string(data)
}

// calls is an answer that calls a tool.
func calls(command string) sluicetest.Reply {
	arguments, _ := json.Marshal(map[string]string{"command": command})
	blocks := []llm.Block{
		{Kind: llm.Content, Text: "I will clean up."},
		{Kind: llm.ToolCall, ID: "toolu_1", Name: "Bash", Arguments: string(arguments)},
	}
	payloads := sluicetest.Build(sluicetest.Anthropic, [][]llm.Block{blocks}, sluicetest.BuildOptions{MaxPiece: 16})
	return sluicetest.Events(sluicetest.SSE(sluicetest.Anthropic, payloads))
}

// always is an upstream that always answers the same.
func always(t testing.TB, reply sluicetest.Reply) *sluicetest.Upstream {
	up := sluicetest.NewUpstream(t)
	up.Answer(func(*http.Request) sluicetest.Reply { return reply })
	return up
}

// blocks is a policy file that blocks all shell commands for a reason.
func blocks(reason string) string {
	return "policies:\n  - {name: no-shell, when: 'call.kind == \"shell\"', then: {block: end_turn}, reason: " + reason + "}\n"
}

// logbook is a log that tests can wait for.
type logbook struct {
	mu      sync.Mutex
	changed sync.Cond
	lines   []string
}

func (b *logbook) Enabled(context.Context, slog.Level) bool { return true }
func (b *logbook) WithAttrs([]slog.Attr) slog.Handler       { return b }
func (b *logbook) WithGroup(string) slog.Handler            { return b }

func (b *logbook) Handle(ctx context.Context, r slog.Record) error {
	var line bytes.Buffer
	_ = slog.NewTextHandler(&line, nil).Handle(ctx, r)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines = append(b.lines, line.String())
	b.changed.Broadcast()
	return nil
}

// wait waits for a line that has all the words, after the first seen lines, and
// returns how many there are up to it.
func (b *logbook) wait(t testing.TB, seen int, words ...string) int {
	t.Helper()
	late := false
	timer := time.AfterFunc(patience, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		late = true
		b.changed.Broadcast()
	})
	defer timer.Stop()
	b.mu.Lock()
	defer b.mu.Unlock()
	for at := seen; ; {
		for ; at < len(b.lines); at++ {
			if hasAll(b.lines[at], words) {
				return at + 1
			}
		}
		if late {
			t.Fatalf("the log never says %q:\n%s", words, strings.Join(b.lines, ""))
		}
		b.changed.Wait()
	}
}

func hasAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func (b *logbook) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Join(b.lines, "")
}
