package main

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
)

func TestRecordKeepsWhatInspectReads(t *testing.T) {
	t.Parallel()
	up := sluicetest.NewUpstream(t)
	reply := destructive(nil)
	up.Answer(func(*http.Request) sluicetest.Reply { return reply })
	dir := filepath.Join(t.TempDir(), "recordings")
	p := startProcess(t, up, "record", "--out", dir)
	if answer, err := io.ReadAll(p.ask()); err != nil || !bytes.Equal(answer, reply.Body) {
		t.Errorf("%v, something was enforced:\n%s", err, answer)
	}
	p.signal(syscall.SIGTERM)
	if code := p.end(); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, p.log.String())
	}
	streams, err := filepath.Glob(filepath.Join(dir, "*.sse"))
	if err != nil || len(streams) != 1 {
		t.Fatalf("%v, %v", streams, err)
	}
	code, out, stderr := sluice(t, "", "inspect", streams[0])
	if code != exitOK || !strings.Contains(out, "toolu_1") || !strings.Contains(out, "complete") {
		t.Errorf("exit code %d\n%s%s", code, out, stderr)
	}
	if code, out, _ := sluice(t, "", "policy", "try", streams[0]); code != exitBlocked {
		t.Errorf("the recommended policies: exit code %d\n%s", code, out)
	}
	code, _, stderr = sluice(t, "", "inspect", strings.TrimSuffix(streams[0], ".sse")+".request.json")
	if code != exitUnreadable || !strings.Contains(stderr, "this is a request (anthropic, model claude, 1 message, 0 tools), not an answer") || !strings.Contains(stderr, streams[0]) {
		t.Errorf("inspect of the request: exit code %d\n%s", code, stderr)
	}
	request, err := os.ReadFile(strings.TrimSuffix(streams[0], ".sse") + ".request.json")
	if err != nil || string(request) != messagesQuestion {
		t.Errorf("%v: %s", err, request)
	}
}

func TestRecordNeedsADirectory(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	if code, _, stderr := sluice(t, "", "record"); code != exitUnreadable || !strings.Contains(stderr, "--out DIR") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
