package server_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/gateway/server"
)

type auditLine struct {
	Time     string         `json:"time"`
	Event    string         `json:"event"`
	Exchange string         `json:"exchange"`
	Canary   bool           `json:"canary"`
	Key      string         `json:"key"`
	Model    string         `json:"model"`
	Format   string         `json:"format"`
	Upstream string         `json:"upstream"`
	Verdict  map[string]any `json:"verdict"`
	End      map[string]any `json:"end"`
}

// readAudit reads an audit log to its last line.
func readAudit(t *testing.T, data []byte) (lines []auditLine) {
	t.Helper()
	if len(data) > 0 && data[len(data)-1] != '\n' {
		t.Errorf("the last line is torn: %q", data)
	}
	for text := range bytes.Lines(data) {
		var l auditLine
		if err := json.Unmarshal(text, &l); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		lines = append(lines, l)
	}
	return lines
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestTheAuditLogIsCompleteWhenTheServerHasEnded(t *testing.T) {
	t.Parallel()
	const exchanges = 40
	name := filepath.Join(t.TempDir(), "audit.jsonl")
	up := always(t, calls("rm -rf / --no-preserve-root"))
	p := start(t, configure(t, up, "audit_log: "+name, "keys: [{name: ada, key: slk_0123456789abcdefghijklmn}]"), server.Options{Version: "1.2.3"})
	p.client.Transport = keyed{p.client.Transport}
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for range exchanges / 4 {
				p.ask()
			}
		})
	}
	clients.Wait()
	p.stop()
	if err := p.end(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v %v", info.Mode(), err)
	}
	data := readFile(t, name)
	for _, secret := range []string{"sk-ant-secret", "slk_", "no-preserve-root", "clean up"} {
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("the log has %q in it", secret)
		}
	}
	verdicts, ends := map[string]int{}, map[string]int{}
	for i, l := range readAudit(t, data) {
		switch {
		case l.Time == "":
			t.Errorf("line %d has no time", i)
		case i == 0 && l.Event == "start":
		case l.Exchange == "" || l.Key != "ada" || l.Model != "claude" || l.Format != "anthropic" || l.Upstream != "anthropic":
			t.Errorf("line %d does not say who asked for what: %+v", i, l)
		case l.Event == "verdict":
			verdicts[l.Exchange]++
			if l.Verdict["name"] == "Bash" && l.Verdict["delivered"] != false {
				t.Errorf("the call was delivered: %v", l.Verdict)
			}
		case l.Event == "end":
			ends[l.Exchange]++
			if l.End["outcome"] != "complete" || l.End["blocked"] != 1.0 {
				t.Errorf("an end: %v", l.End)
			}
		default:
			t.Errorf("line %d is none: %+v", i, l)
		}
	}
	if len(ends) != exchanges || len(verdicts) != exchanges {
		t.Errorf("%d exchanges have an end and %d have verdicts, want %d", len(ends), len(verdicts), exchanges)
	}
	for id := range ends {
		if ends[id] != 1 || verdicts[id] != 2 {
			t.Errorf("%s has %d ends and %d verdicts, want 1 and 2", id, ends[id], verdicts[id])
		}
	}
}

// keyed comes with a Sluice key.
type keyed struct{ http.RoundTripper }

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Sluice-Key", "slk_0123456789abcdefghijklmn")
	return k.RoundTripper.RoundTrip(r)
}

// CloseIdleConnections closes those beneath.
func (k keyed) CloseIdleConnections() {
	if t, ok := k.RoundTripper.(*http.Transport); ok {
		t.CloseIdleConnections()
	}
}

func TestAnAuditLogCanBeRotated(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "audit.jsonl")
	p := start(t, configure(t, always(t, calls("ls")), "audit_log: "+name), server.Options{})
	p.ask()
	if err := p.Reload(); err != nil { // of the same file
		t.Fatal(err)
	}
	p.ask()
	if err := os.Rename(name, name+".1"); err != nil {
		t.Fatal(err)
	}
	if err := p.Reload(); err != nil {
		t.Fatal(err)
	}
	p.ask()
	p.stop()
	if err := p.end(); err != nil {
		t.Fatal(err)
	}
	ends := 0
	for _, l := range append(readAudit(t, readFile(t, name+".1")), readAudit(t, readFile(t, name))...) {
		if l.Event == "end" {
			ends++
		}
	}
	if ends != 3 || len(readAudit(t, readFile(t, name))) == 0 {
		t.Errorf("%d of 3 exchanges are in the two files, and %d bytes in the new one", ends, len(readFile(t, name)))
	}
}

func TestAFullDisk(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no disk that is always full")
	}
	for storage, want := range map[string]int{"continue": http.StatusOK, "refuse": http.StatusServiceUnavailable} {
		t.Run(storage, func(t *testing.T) {
			t.Parallel()
			p := start(t, configure(t, always(t, calls("ls")), "audit_log: /dev/full", "failure: {storage: "+storage+"}"), server.Options{})
			p.log.wait(t, 0, "the audit log cannot be written", "no space left")
			for range 3 {
				if status, answer := p.ask(); status != want {
					t.Errorf("status %d, want %d\n%s", status, want, answer)
				}
			}
			if status, body := p.get("/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "no space left") {
				t.Errorf("/readyz: %d %s", status, body)
			}
			p.stop()
			if err := p.end(); err == nil || !strings.Contains(err.Error(), "the audit log is incomplete") {
				t.Errorf("the server ended with %v", err)
			}
			if n := strings.Count(p.log.String(), `msg="the audit log cannot be written"`); n != 1 {
				t.Errorf("the operator was told %d times within a minute", n)
			}
		})
	}
}

func TestTheAuditLogGoesToStandardOutput(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := start(t, configure(t, always(t, calls("ls")), `audit_log: "-"`), server.Options{Audit: &out})
	p.ask()
	p.stop()
	if err := p.end(); err != nil {
		t.Fatal(err)
	}
	if lines := readAudit(t, out.Bytes()); len(lines) != 4 {
		t.Errorf("%d lines, want a start, two verdicts and an end:\n%s", len(lines), out.String())
	}
}

func TestAnAuditLogThatCannotBeOpenedIsRefused(t *testing.T) {
	t.Parallel()
	s := configure(t, nil)
	s.AuditLog = filepath.Join(t.TempDir(), "none", "audit.jsonl")
	if _, err := server.New(s, server.Options{}); err == nil || !strings.Contains(err.Error(), "--audit-log") {
		t.Errorf("got %v", err)
	}
}

// Programs that rotate logs do not always send a signal, and people remove files.
func TestAnAuditLogThatIsMovedOrRemovedIsNoticed(t *testing.T) {
	t.Parallel()
	for way, take := range map[string]func(name string) error{
		"moved":   func(name string) error { return os.Rename(name, name+".1") },
		"removed": os.Remove,
	} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			name := filepath.Join(t.TempDir(), "audit.jsonl")
			p := start(t, configure(t, always(t, calls("ls")), "audit_log: "+name), server.Options{})
			p.ask()
			if err := take(name); err != nil {
				t.Fatal(err)
			}
			for !strings.Contains(p.log.String(), "continues in a new file") { // it is looked at once a second
				p.ask()
			}
			p.ask()
			p.stop()
			if err := p.end(); err != nil {
				t.Fatal(err)
			}
			if lines := readAudit(t, readFile(t, name)); len(lines) < 3 || lines[len(lines)-1].Event != "end" {
				t.Errorf("the new file has %d lines", len(lines))
			}
		})
	}
}

// A file that nobody finds keeps nothing.
func TestAnAuditLogWhoseDirectoryIsGoneFails(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "logs")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	p := start(t, configure(t, always(t, calls("ls")), "audit_log: "+filepath.Join(dir, "audit.jsonl")), server.Options{})
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for !strings.Contains(p.log.String(), "cannot be written") {
		p.ask()
	}
	if !strings.Contains(p.log.String(), "fix its directory") {
		t.Errorf("the log does not say what to do:\n%s", p.log)
	}
	if status, body := p.get("/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "the audit log cannot be written") {
		t.Errorf("/readyz: %d %s", status, body)
	}
	if _, body := p.get("/admin/status", "Authorization", "Bearer "+p.AdminToken().Reveal()); !strings.Contains(body, `"storage":"the audit log cannot be written`) {
		t.Errorf("the status: %s", body)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	p.log.wait(t, 0, "the audit log can be written again")
	if status, body := p.get("/readyz"); status != http.StatusOK {
		t.Errorf("/readyz: %d %s", status, body)
	}
	p.stop()
	if err := p.end(); err != nil {
		t.Error(err)
	}
}

func TestACanaryIsMarkedInTheAuditLogAndNotRecorded(t *testing.T) {
	t.Parallel()
	name, kept := filepath.Join(t.TempDir(), "audit.jsonl"), filepath.Join(t.TempDir(), "recordings")
	p := start(t, configure(t, always(t, calls("ls")), "audit_log: "+name), server.Options{Recordings: kept})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL()+"/v1/messages", strings.NewReader(question))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Sluice-Canary", "1")
	res, err := p.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	canaries := res.Header.Get("X-Sluice-Exchange")
	p.ask()
	p.stop()
	if err := p.end(); err != nil {
		t.Fatal(err)
	}
	for _, l := range readAudit(t, readFile(t, name)) {
		if l.Canary != (l.Exchange == canaries) {
			t.Errorf("a line is marked wrongly: %+v", l)
		}
	}
	files, err := filepath.Glob(filepath.Join(kept, "*"))
	if err != nil || len(files) != 2 || strings.Contains(strings.Join(files, " "), strings.TrimPrefix(canaries, "ex_")) {
		t.Errorf("%v, recorded: %v", err, files)
	}
}
