package plain_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sluice-project/sluice/internal/plain"
)

// raw are words of the system and its libraries that are not for people.
var raw = []string{"dial tcp", "fork/exec", "connect:", "read tcp", "no such file", "lookup ", "x509", "tls:", "Get \"", "EOF", "open ", "exec:", "executable file"}

func get(t *testing.T, address string, timeout time.Duration) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	res, err := (&http.Client{Transport: &http.Transport{}}).Do(req)
	if err == nil {
		_ = res.Body.Close()
		t.Fatalf("%s answers", address)
	}
	return err
}

func TestErrorsOfTheNetworkArePlain(t *testing.T) {
	closed, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := closed.Addr().String()
	_ = closed.Close()
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
	drops := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer drops.Close()
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	secure.Config.ErrorLog = nil
	defer secure.Close()
	_, dial := (&net.Dialer{}).DialContext(t.Context(), "tcp", nobody)
	for want, err := range map[string]error{
		"nothing listens at " + nobody:            get(t, "http://"+nobody+"/v1", time.Minute),
		"ask: nothing listens at " + nobody:       fmt.Errorf("ask: %w", dial),
		"does not answer in time":                 get(t, silent.URL, 50*time.Millisecond),
		"closed the connection without an answer": get(t, drops.URL, time.Minute),
		"the host sluice.invalid is not known":    &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "sluice.invalid", IsNotFound: true}},
		"is not trusted by this machine":          get(t, secure.URL, time.Minute),
		"speaks http, not https":                  get(t, strings.Replace(drops.URL, "http", "https", 1), time.Minute),
		"the other side closed the connection":    &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)},
	} {
		check(t, want, err)
	}
}

func TestErrorsOfFilesArePlain(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing there")
	}
	dir := t.TempDir()
	none := filepath.Join(dir, "none")
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte{0x7f, 'x'}, 0o600); err != nil {
		t.Fatal(err)
	}
	_, missing := os.Open(none)
	_, directory := os.ReadFile(dir)
	_, below := os.Open(filepath.Join(text, "x"))
	start := func(name string) error { return exec.CommandContext(t.Context(), name).Start() }
	denied := start(text)
	if err := os.Chmod(text, 0o700); err != nil {
		t.Fatal(err)
	}
	for want, err := range map[string]error{
		"the log: " + none + " does not exist": fmt.Errorf("the log: %w", missing),
		dir + " is a directory":                directory,
		"is a file and not a directory":        below,
		none + " does not exist":               start(none),
		"is not executable":                    denied,
		"is not a program for this system":     start(text),
		"sluice-none is not in PATH":           start("sluice-none"),
		"there is no such program":             exec.ErrNotFound,
	} {
		check(t, want, err)
	}
}

func check(t *testing.T, want string, err error) {
	t.Helper()
	got := plain.Error(err)
	if !strings.Contains(got, want) {
		t.Errorf("%v is said as %q, want %q", err, got, want)
	}
	for _, word := range raw {
		if strings.Contains(got, word) {
			t.Errorf("%q has %q", got, word)
		}
	}
}

func TestOtherErrorsStayAsTheyAre(t *testing.T) {
	if got := plain.Error(errors.New("policies.yaml:3:1: a word")); got != "policies.yaml:3:1: a word" {
		t.Error(got)
	}
	if got := plain.Error(nil); got != "" {
		t.Error(got)
	}
}
