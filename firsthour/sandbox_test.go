//go:build unix

package firsthour_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
)

// patience is how long a command may take before it counts as hung. Nothing is
// measured with it.
const patience = 10 * time.Minute

// sandbox is what the machines of all new users have in common: the program, the
// clients and the providers.
type sandbox struct {
	bin  string
	repo string // the checkout
	env  []string
	port sync.Mutex // held while a command may listen where the gateway does by default
}

// newSandbox makes stand-ins for the clients and the providers.
func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	repo, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	s := &sandbox{bin: t.TempDir(), repo: repo}
	upstream := httptest.NewServer(http.HandlerFunc(answer))
	t.Cleanup(upstream.Close)
	s.env = []string{
		"PATH=" + s.bin + ":" + os.Getenv("PATH"), "GOBIN=" + s.bin, "LANG=C.UTF-8", "TERM=dumb", "USER=newcomer",
		"ANTHROPIC_API_KEY=sk-ant-firsthour", "OPENAI_API_KEY=sk-firsthour",
	}
	for _, upstreamName := range []string{"ANTHROPIC", "OPENAI", "GEMINI", "CHATGPT"} {
		s.env = append(s.env, "SLUICE_UPSTREAM_"+upstreamName+"="+upstream.URL)
	}
	goEnv, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOFLAGS").Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, value := range strings.Split(strings.TrimSuffix(string(goEnv), "\n"), "\n") {
		s.env = append(s.env, []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOFLAGS"}[i]+"="+value)
	}
	for _, name := range []string{"claude", "codex", "opencode", "qwen", "gemini", "python"} {
		script := fmt.Sprintf("#!/bin/sh\nFIRSTHOUR_CLIENT=%s exec '%s' \"$@\"\n", name, os.Args[0])
		if err := os.WriteFile(filepath.Join(s.bin, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := exec.LookPath("jq"); err != nil {
		// Without one its filters are not tried, and what they would filter is.
		if err := os.WriteFile(filepath.Join(s.bin, "jq"), []byte("#!/bin/sh\ncat\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// user is a new user, as far as a directory can be one. Each command has a user of its
// own, so that none depends on what others have left behind.
type user struct {
	*sandbox

	home    string
	project string // where the user works
}

func (s *sandbox) newUser(t *testing.T) *user {
	t.Helper()
	home := t.TempDir()
	u := &user{sandbox: s, home: home, project: filepath.Join(home, "project")}
	// The user's directories that programs are told to write to exist on any machine.
	for _, dir := range []string{u.project, filepath.Join(home, ".tmp"), filepath.Join(home, ".local", "share", "bash-completion", "completions"), filepath.Join(home, ".config", "fish", "completions")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(u.project, os.DirFS("testdata/project")); err != nil {
		t.Fatal(err)
	}
	return u
}

// answer is the provider: whatever it is asked, it wants to run a harmless command and
// a destructive one.
func answer(w http.ResponseWriter, r *http.Request) {
	format := ""
	for path, name := range map[string]string{"/messages": sluicetest.Anthropic, "/responses": sluicetest.OpenAIResponses, "/chat/completions": sluicetest.OpenAIChat, ":generateContent": sluicetest.Gemini} {
		if strings.HasSuffix(r.URL.Path, path) {
			format = name
		}
	}
	if format == "" {
		http.Error(w, `{"error":{"message":"the scripted provider does not know this path"}}`, http.StatusNotFound)
		return
	}
	call := func(id, command string) llm.Block {
		kind := "function"
		if format == sluicetest.OpenAIResponses {
			kind = "function_call"
		}
		return llm.Block{Kind: llm.ToolCall, Type: kind, ID: id, Name: "Bash", Arguments: `{"command":"` + command + `"}`, Status: llm.Complete}
	}
	body := sluicetest.BuildBody(format, [][]llm.Block{{call("call_1", "du -sh build"), call("call_2", "rm -rf ~/ --no-preserve-root")}}, sluicetest.BuildOptions{})
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, body)
}

var codexBase = regexp.MustCompile(`base_url\s*=\s*"([^"]+)"`)

// client is the stand-in for a client: it asks its provider once and prints what it got.
func client() int {
	if len(os.Args) > 1 && os.Args[1] == "--version" {
		fmt.Println("1.0.0 (stand-in)")
		return 0
	}
	address, body := os.Getenv("ANTHROPIC_BASE_URL")+"/v1/messages", `{"model":"scripted","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}`
	if os.Getenv("FIRSTHOUR_CLIENT") == "codex" {
		m := codexBase.FindStringSubmatch(strings.Join(os.Args[1:], " "))
		if m == nil {
			fmt.Println("codex: no base URL in", os.Args[1:])
			return 9
		}
		address, body = m[1]+"/responses", `{"model":"scripted","input":"hi"}`
	}
	req, err := http.NewRequest(http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		fmt.Println(err)
		return 9
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Anthropic-Version", "2023-06-01")
	req.Header.Set("X-Api-Key", "sk-ant-firsthour")
	req.Header.Set("Authorization", "Bearer sk-firsthour")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		fmt.Println(err)
		return 9
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	fmt.Printf("%s: status %d, %v\n%s\n", os.Getenv("FIRSTHOUR_CLIENT"), res.StatusCode, err, got)
	return 0
}

// output keeps what a process prints, and wakes those who wait for a text in it.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.more <- struct{}{}:
	default:
	}
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// process is a command that runs.
type process struct {
	cmd  *exec.Cmd
	out  *output
	done chan struct{}
	code int
}

// start starts a command in a shell, as the user would.
func (u *user) start(t *testing.T, dir, command string) *process {
	t.Helper()
	p := &process{out: &output{more: make(chan struct{}, 1)}, done: make(chan struct{})}
	p.cmd = exec.Command("bash", "-o", "pipefail", "-c", command)
	p.cmd.Dir, p.cmd.Env = dir, append(slices.Clone(u.env), "HOME="+u.home, "TMPDIR="+filepath.Join(u.home, ".tmp"))
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.out
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.WaitDelay = patience
	if err := p.cmd.Start(); err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	go func() {
		defer close(p.done)
		_ = p.cmd.Wait()
		p.code = p.cmd.ProcessState.ExitCode()
	}()
	return p
}

// signal sends a signal to the command and to all that it has started.
func (p *process) signal(sig syscall.Signal) { _ = syscall.Kill(-p.cmd.Process.Pid, sig) }

// ended waits for the end of the command and returns its exit code. One that hangs is
// killed.
func (p *process) ended(t *testing.T) int {
	t.Helper()
	select {
	case <-p.done:
	case <-time.After(patience):
		p.signal(syscall.SIGKILL)
		<-p.done
		t.Errorf("it hangs; it has printed\n%s", p.out)
	}
	return p.code
}

// said waits until the command has printed a text; false if it ends or hangs before.
func (p *process) said(text string) bool {
	limit := time.After(patience)
	for !strings.Contains(p.out.String(), text) {
		select {
		case <-p.out.more:
		case <-p.done:
			return strings.Contains(p.out.String(), text)
		case <-limit:
			return false
		}
	}
	return true
}
