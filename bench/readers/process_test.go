package readers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// shell is a reader whose process is a script of the shell.
func shell(t *testing.T, script string) *process {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "") //nolint:usetesting // one test starts several, each in a directory that the process removes
	if err != nil {
		t.Fatal(err)
	}
	p, err := start(library{name: "script"}, dir, "sh", "-c", script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// TestSDKReadersThatBreakSaySo: whatever a process does instead of answering,
// Read fails, reports what was on standard error, and fails again.
func TestSDKReadersThatBreakSaySo(t *testing.T) {
	for _, tc := range []struct{ name, script, want string }{
		{"it dies", "echo last words >&2; exit 3", "last words"},
		{"it dies in the middle", `echo '{"id":0}'; echo last words >&2`, "after 1 of 3 answers (the first that it did not read is number 1)"},
		{"it writes something else", "cat >/dev/null & echo hello; wait", `it wrote "hello\n"`},
		{"it answers what nobody asked", `echo '{"id":3}'; cat >/dev/null`, "the answer 3, which was not asked for"},
		{"it answers before the first", `echo '{"id":-1}'; cat >/dev/null`, "the answer -1, which was not asked for"},
		{"it answers twice", `echo '{"id":1}'; echo '{"id":1}'; cat >/dev/null`, "the answer 1, which was not asked for"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := shell(t, tc.script)
			_, err := p.Read(t.Context(), make([]Answer, 3))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("the error is %v, want one with %q", err, tc.want)
			}
			if _, again := p.Read(t.Context(), nil); !errors.Is(again, err) {
				t.Errorf("the second error is %v", again)
			}
			if _, err := os.Stat(p.dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("its scripts are still there: %v", err)
			}
		})
	}
}

// TestSDKReadersThatHangAreEnded: when the time is over, the process is ended,
// whether it reads or not.
func TestSDKReadersThatHangAreEnded(t *testing.T) {
	for name, script := range map[string]string{"it reads": "cat >/dev/null; :", "it does not read": "exec tail -f /dev/null"} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			defer cancel()
			_, err := shell(t, script).Read(ctx, []Answer{{Body: make([]byte, 1<<20)}})
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// TestSDKReadersHaveLimits: a reading may be as long as the limit and no longer,
// and only the end of what a process complains about is kept.
func TestSDKReadersHaveLimits(t *testing.T) {
	reading := `{"id":0,"error":"` + strings.Repeat("x", 100_000) + `"}`
	for over, want := range map[int]bool{0: true, 1: false} {
		p := shell(t, fmt.Sprintf("head -c 4 >/dev/null; printf '%%s\\n' '%s'; cat >/dev/null", reading))
		p.maxLine = len(reading) + 1 - over
		if _, err := p.Read(t.Context(), make([]Answer, 1)); (err == nil) != want {
			t.Errorf("a line that is %d bytes over the limit: %v", over, err)
		}
	}
	var said tail
	for range 3 {
		if _, err := said.Write([]byte(strings.Repeat("a", maxTail-1) + "b")); err != nil {
			t.Fatal(err)
		}
	}
	if got := said.String(); len(got) != maxTail || !strings.HasSuffix(got, "ab") {
		t.Errorf("%d bytes are kept", len(got))
	}
}

// TestSDKReadersThatAreNotThere: a missing library says what to do.
func TestSDKReadersThatAreNotThere(t *testing.T) {
	_, err := Open(t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "run scripts/readers-setup.sh again") {
		t.Errorf("the error is %v", err)
	}
}
