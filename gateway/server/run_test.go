package server_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway/server"
	"github.com/sluice-project/sluice/sluicetest"
)

// stalled is an answer that stops in its middle until gate is closed.
func stalled(gate chan struct{}) sluicetest.Reply {
	reply := calls("ls")
	reply.Pauses = []sluicetest.Pause{{At: reply.Event(3), Until: gate}}
	return reply
}

// beginStalled starts an exchange whose beginning the client has seen.
func (p *process) beginStalled() *bufio.Reader {
	p.t.Helper()
	res, err := p.begin()
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

func TestExchangesEndInOrderWhenTheServerIsStopped(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	p := start(t, configure(t, always(t, stalled(gate))), server.Options{})
	body := p.beginStalled()
	p.stop()
	p.log.wait(t, 0, "waiting for exchanges to end", "open=1")
	close(gate)
	answer, err := io.ReadAll(body)
	if err != nil || !strings.Contains(string(answer), "message_stop") {
		t.Errorf("the answer was not delivered to its end: %v\n%s", err, answer)
	}
	if err := p.end(); err != nil {
		t.Errorf("an orderly end is told as %v", err)
	}
	if res, err := p.begin(); err == nil {
		_ = res.Body.Close()
		t.Error("it still listens")
	}
}

func TestExchangesThatDoNotEndAreCutOff(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(p *process){
		"after the limit":     func(p *process) { p.stop() },
		"at once by Close":    func(p *process) { p.stop(); _ = p.Close() },
		"by Close alone":      func(p *process) { _ = p.Close() },
		"by Close done twice": func(p *process) { _ = p.Close(); _ = p.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gate := make(chan struct{})
			s := configure(t, always(t, stalled(gate)), "limits: {drain: 100ms}")
			if name != "after the limit" {
				s.Limits.Drain = patience * 100
			}
			p := start(t, s, server.Options{})
			t.Cleanup(func() { close(gate) })
			body := p.beginStalled()
			go end(p)
			answer, _ := io.ReadAll(body)
			if strings.Contains(string(answer), "message_stop") || !strings.Contains(string(answer), "event: error") {
				t.Errorf("the answer was not ended with an error:\n%s", answer)
			}
			if err := p.end(); err == nil || !strings.Contains(err.Error(), "1 exchanges were cut off") {
				t.Errorf("the cut is told as %v", err)
			}
		})
	}
}

func TestAServerThatNeverRanCanBeClosed(t *testing.T) {
	t.Parallel()
	s := configure(t, nil, "audit_log: "+t.TempDir()+"/audit.jsonl")
	srv, err := server.New(s, server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(srv.Close(), srv.Close()); err != nil {
		t.Error(err)
	}
	if err := srv.Run(t.Context()); err == nil {
		t.Error("it runs after it was closed")
	}
	if conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", srv.Addr().String()); err == nil {
		_ = conn.Close()
		t.Error("it still listens")
	}
}

func TestAnAddressInUseSaysWhatToDo(t *testing.T) {
	t.Parallel()
	first := start(t, configure(t, nil), server.Options{})
	s := configure(t, nil)
	s.Listen = first.Addr().String()
	_, err := server.New(s, server.Options{})
	problem, ok := errors.AsType[*server.ListenError](err)
	if !ok || problem.Address != s.Listen {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{s.Listen, "in use", "--listen 127.0.0.1:0"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	s.Listen = "192.0.2.1:8484"
	if _, err := server.New(s, server.Options{}); err == nil || !strings.Contains(err.Error(), "not an address of this machine") {
		t.Errorf("an address of somebody else: %v", err)
	}
}

func TestAHeaderThatIsTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	p := start(t, configure(t, nil, "limits: {header: 8KiB}"), server.Options{})
	if status, _ := p.get("/healthz", "X-Fill", strings.Repeat("x", 4<<10)); status != http.StatusOK {
		t.Errorf("within the limit: status %d", status)
	}
	if status, _ := p.get("/healthz", "X-Fill", strings.Repeat("x", 64<<10)); status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("beyond the limit: status %d", status)
	}
}

func TestClientsNeedAKeyWhereThereAreKeys(t *testing.T) {
	t.Parallel()
	const key = "slk_0123456789abcdefghijklmn"
	p := start(t, configure(t, always(t, calls("ls")), "keys:", "  - {name: ada, key: "+key+", user: ada@example.org}"), server.Options{})
	if status, body := p.ask(); status != http.StatusUnauthorized {
		t.Errorf("without a key: status %d %s", status, body)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL()+"/v1/messages", strings.NewReader(question))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Sluice-Key", key)
	res, err := p.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("with a key: status %d", res.StatusCode)
	}
}

// A client that does not read keeps the gateway in a write, which is aborted at
// the limit. Its end is still in the audit log.
func TestAClientThatDoesNotReadCannotHoldUpTheEnd(t *testing.T) {
	t.Parallel()
	endless := calls("ls")
	endless.Body = endless.Body[:endless.Event(2)]
	endless.Forever = []byte("event: content_block_delta\ndata: " +
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + strings.Repeat("x", 32<<10) + "\"}}\n\n")
	name := filepath.Join(t.TempDir(), "audit.jsonl")
	p := start(t, configure(t, always(t, endless), "limits: {drain: 1s, write: 1h}", "audit_log: "+name), server.Options{})
	p.beginStalled()
	p.stop()
	if err := p.end(); err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("the end is told as %v", err)
	}
	lines := readAudit(t, readFile(t, name))
	if last := lines[len(lines)-1]; last.Event != "end" || last.End["outcome"] == "complete" {
		t.Errorf("the last line is %+v", last)
	}
}
