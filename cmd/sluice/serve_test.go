package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if buildDir != "" {
		_ = os.RemoveAll(buildDir)
	}
	os.Exit(code)
}

// buildDir is where the program was built, empty if no test needed it.
var buildDir string

// built is the program, built once for all tests that need a process.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "sluice-test")
	if err != nil {
		return "", err
	}
	buildDir = dir
	name := filepath.Join(dir, "sluice")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	out, err := exec.CommandContext(context.Background(), "go", "build", "-o", name, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return name, nil
})

// process is the program as a process of its own.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	url    string
	stdout *bufio.Reader
	stderr *bufio.Reader
	log    strings.Builder
}

var listening = regexp.MustCompile(`is on (http://\S+),`)

// startProcess starts a command that serves and waits until it says where.
func startProcess(t *testing.T, up *sluicetest.Upstream, args ...string) *process {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals")
	}
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	args = append(args, "--listen", "127.0.0.1:0", "--data", t.TempDir(), "--upstream-anthropic", up.URL)
	p := &process{t: t, cmd: exec.CommandContext(context.Background(), program, args...)}
	p.cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	})
	p.stdout, p.stderr = bufio.NewReader(stdout), bufio.NewReader(stderr)
	first, err := p.stdout.ReadString('\n')
	if err != nil {
		rest, _ := io.ReadAll(p.stderr)
		t.Fatalf("it did not start: %v\n%s", err, rest)
	}
	match := listening.FindStringSubmatch(first)
	if match == nil {
		t.Fatalf("it does not say where it listens: %s", first)
	}
	p.url = match[1]
	return p
}

// waitLog reads the log until a line has the words.
func (p *process) waitLog(words string) {
	p.t.Helper()
	for {
		line, err := p.stderr.ReadString('\n')
		p.log.WriteString(line)
		if strings.Contains(line, words) {
			return
		}
		if err != nil {
			p.t.Fatalf("the log never says %q:\n%s", words, p.log.String())
		}
	}
}

func (p *process) signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// end waits for the end and returns the exit code.
func (p *process) end() int {
	p.t.Helper()
	timer := time.AfterFunc(2*time.Minute, func() { _ = p.cmd.Process.Kill() })
	defer timer.Stop()
	rest, _ := io.ReadAll(p.stderr)
	p.log.Write(rest)
	err := p.cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return 0
}

const messagesQuestion = `{"model":"claude","max_tokens":100,"stream":true,"messages":[{"role":"user","content":"clean up"}]}`

// ask begins an exchange and waits for the first byte of its answer.
func (p *process) ask() *bufio.Reader {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, p.url+"/v1/messages", strings.NewReader(messagesQuestion))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", "sk-ant-secret-of-the-client")
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = res.Body.Close() })
	body := bufio.NewReader(res.Body)
	if _, err := body.Peek(1); err != nil {
		p.t.Fatal(err)
	}
	return body
}

// destructive is an answer that calls a tool, which stops in its middle until
// gate is closed if there is one.
func destructive(gate chan struct{}) sluicetest.Reply {
	blocks := []llm.Block{
		{Kind: llm.Content, Text: "I will clean up."},
		{Kind: llm.ToolCall, ID: "toolu_1", Name: "Bash", Arguments: `{"command":"rm -rf / --no-preserve-root"}`},
	}
	payloads := sluicetest.Build(sluicetest.Anthropic, [][]llm.Block{blocks}, sluicetest.BuildOptions{MaxPiece: 16})
	reply := sluicetest.Events(sluicetest.SSE(sluicetest.Anthropic, payloads))
	if gate != nil {
		reply.Pauses = []sluicetest.Pause{{At: reply.Event(3), Until: gate}}
	}
	return reply
}

func TestServeCommandsExplainThemselves(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"serve", "config", "record"} {
		code, out, _ := sluice(t, "", command, "--help")
		if code != exitOK || !strings.Contains(out, "Examples:") || !strings.Contains(out, "Exit codes:") || !strings.Contains(out, "--policies") {
			t.Errorf("%s: exit code %d\n%s", command, code, out)
		}
		for line := range strings.Lines(out) {
			if !strings.HasPrefix(strings.TrimSpace(line), "-") && len([]rune(line)) > 110 {
				t.Errorf("%s: a line is too long: %s", command, line)
			}
		}
	}
}

func TestServeDrainsOnTheFirstSignal(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	p := startProcess(t, sluicetest.NewUpstream(t, destructive(gate)), "serve")
	answer := p.ask()
	p.signal(syscall.SIGTERM)
	p.waitLog("waiting for exchanges to end")
	close(gate)
	whole, err := io.ReadAll(answer)
	if err != nil || !strings.Contains(string(whole), "message_stop") || strings.Contains(string(whole), "no-preserve-root\\\"") {
		t.Errorf("the answer: %v\n%s", err, whole)
	}
	if code := p.end(); code != exitOK {
		t.Errorf("exit code %d\n%s", code, p.log.String())
	}
}

func TestServeEndsAtOnceOnTheSecondSignal(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	up := sluicetest.NewUpstream(t, destructive(gate))
	t.Cleanup(func() { close(gate) })
	p := startProcess(t, up, "serve")
	answer := p.ask()
	p.signal(os.Interrupt)
	p.waitLog("waiting for exchanges to end")
	p.signal(os.Interrupt)
	if whole, _ := io.ReadAll(answer); strings.Contains(string(whole), "message_stop") {
		t.Errorf("an answer that was cut off got a good end:\n%s", whole)
	}
	if code := p.end(); code != exitIncomplete || !strings.Contains(p.log.String(), "1 exchanges were cut off") {
		t.Errorf("exit code %d\n%s", code, p.log.String())
	}
}

func TestServeReloadsOnHangup(t *testing.T) {
	t.Parallel()
	policies := func(reason string) string {
		return "policies:\n  - {name: no-shell, when: 'call.kind == \"shell\"', then: {block: end_turn}, reason: " + reason + "}\n"
	}
	file := write(t, "policies.yaml", policies("first"))
	up := sluicetest.NewUpstream(t)
	up.Answer(func(*http.Request) sluicetest.Reply { return destructive(nil) })
	p := startProcess(t, up, "serve", "--policies", "preset:none", "--policies", file)
	for _, change := range []struct{ content, log, says string }{
		{policies("second"), "new policies are in force", "second"},
		{"policies: [{}]", "the policies stay as they were", "second"},
	} {
		if err := os.WriteFile(file, []byte(change.content), 0o600); err != nil {
			t.Fatal(err)
		}
		p.signal(syscall.SIGHUP)
		p.waitLog(change.log)
		if answer, err := io.ReadAll(p.ask()); err != nil || !strings.Contains(string(answer), change.says) {
			t.Errorf("%v, the answer does not say %q:\n%s", err, change.says, answer)
		}
	}
	p.signal(syscall.SIGTERM)
	if code := p.end(); code != exitOK {
		t.Errorf("exit code %d\n%s", code, p.log.String())
	}
}

func TestServeSaysOnHangupWhatNeedsARestart(t *testing.T) {
	t.Parallel()
	file := write(t, "config.yaml", "keepalive: 10s\n")
	p := startProcess(t, sluicetest.NewUpstream(t), "serve", "--config", file)
	if err := os.WriteFile(file, []byte("keepalive: 20s\nforward: [/v1/embeddings]\nlisten: 127.0.0.1:1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.signal(syscall.SIGHUP)
	p.waitLog(`need a restart to be in force" settings="[keepalive forward]"`) // a flag says where it listens
	p.signal(syscall.SIGTERM)
	if code := p.end(); code != exitOK {
		t.Errorf("exit code %d\n%s", code, p.log.String())
	}
}

func TestServeSaysWhatCannotBeUsed(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	broken := write(t, "policies.yaml", "policies:\n  - {name: p, the: block}\n")
	config := write(t, "config.yaml", "listen: 8484\nlimits: {idel: 5m}\n")
	for _, c := range []struct {
		name string
		args []string
		code int
		say  []string
	}{
		{"an address in use", []string{"--listen", taken.Addr().String()}, 2, []string{taken.Addr().String(), "in use", "--listen 127.0.0.1:0"}},
		{"broken policies", []string{"--policies", broken}, 2, []string{broken + ":2:"}},
		{"policies that are not there", []string{"--policies", broken + ".none"}, 2, []string{"policies cannot be read", "flag --policies"}},
		{"all that is wrong with a file", []string{"--config", config}, 2, []string{config + ":1:", config + ":2:", "did you mean idle"}},
		{"a file that is not there", []string{"--config", config + ".none"}, 2, []string{"flag --config", "no such file"}},
		{"others without keys", []string{"--listen", "0.0.0.0:0"}, 2, []string{"there are no keys", "--insecure"}},
		{"half a certificate", []string{"--tls-cert", broken}, 2, []string{"tls.key"}},
		{"an argument", []string{"now"}, 2, []string{"now"}},
		{"an unknown flag", []string{"--nonsense"}, 2, []string{"nonsense"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, stderr := sluice(t, "", append([]string{"serve"}, c.args...)...)
			if code != c.code || out != "" {
				t.Errorf("exit code %d, want %d; printed %q", code, c.code, out)
			}
			for _, say := range c.say {
				if !strings.Contains(stderr, say) {
					t.Errorf("it does not say %q:\n%s", say, stderr)
				}
			}
		})
	}
}
