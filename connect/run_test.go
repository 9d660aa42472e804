//go:build unix

package connect_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sluice-project/sluice/connect"
)

// role makes this test's program play the client, or the process that runs it;
// with a script that process runs a shell instead.
const (
	role   = "SLUICE_TEST_ROLE"
	script = "SLUICE_TEST_SCRIPT"
)

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "client":
		os.Exit(playClient())
	case "runner":
		os.Exit(playRunner())
	}
	goleak.VerifyTestMain(m)
}

// playClient says that it is ready, and then names every signal that it gets.
// SIGTERM ends it with code 7.
func playClient() int {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGUSR1)
	_, _ = fmt.Fprintln(os.Stdout, "ready")
	for sig := range signals {
		_, _ = fmt.Fprintln(os.Stdout, sig)
		if sig == syscall.SIGTERM {
			return 7
		}
	}
	return 0
}

// playRunner runs the client as sluice would.
func playRunner() int {
	launch := connect.Launch{Client: connect.Generic(os.Args[0]), Env: append(os.Environ(), role+"=client")}
	if text := os.Getenv(script); text != "" {
		launch = shell(text)
	}
	code, err := connect.Run(context.Background(), launch, connect.RunOptions{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr})
	if err != nil {
		return 99
	}
	return code
}

func shell(script string) connect.Launch {
	return connect.Launch{Client: connect.Generic("/bin/sh"), Args: []string{"-c", script}, Env: []string{"PATH=/usr/bin:/bin", "WORD=hello"}}
}

func TestTheExitCodeIsTheClients(t *testing.T) {
	for name, tc := range map[string]struct {
		script string
		want   int
	}{
		"success":           {"exit 0", 0},
		"a code":            {"exit 42", 42},
		"the highest code":  {"exit 255", 255},
		"ended by a signal": {"kill -TERM $$", 128 + 15},
		"killed":            {"kill -KILL $$", 128 + 9},
	} {
		t.Run(name, func(t *testing.T) {
			code, err := connect.Run(t.Context(), shell(tc.script), connect.RunOptions{})
			if err != nil || code != tc.want {
				t.Errorf("code %d, %v; want %d", code, err, tc.want)
			}
		})
	}
}

func TestTheClientGetsStreamsEnvironmentAndDirectory(t *testing.T) {
	var out, errs bytes.Buffer
	l := shell(`read x; echo "$WORD $x"; pwd -P; echo oops >&2`)
	l.Dir, _ = filepath.EvalSymlinks(t.TempDir())
	code, err := connect.Run(t.Context(), l, connect.RunOptions{Stdin: strings.NewReader("there\n"), Stdout: &out, Stderr: &errs})
	if err != nil || code != 0 || out.String() != "hello there\n"+l.Dir+"\n" || errs.String() != "oops\n" {
		t.Errorf("code %d, %v, %q, %q", code, err, out.String(), errs.String())
	}
}

func TestFilesExistWhileTheClientRuns(t *testing.T) {
	at := filepath.Join(t.TempDir(), "sluice-x", "settings.json")
	l := shell(`cat "$1" && ls -l "$1" | cut -c1-10`)
	l.Args = append(l.Args, "sh", at)
	l.Files = []connect.File{{Path: at, Content: []byte("{}\n")}}
	var out bytes.Buffer
	if code, err := connect.Run(t.Context(), l, connect.RunOptions{Stdout: &out}); err != nil || code != 0 || out.String() != "{}\n-rw-------\n" {
		t.Errorf("code %d, %v, %q", code, err, out.String())
	}
	if _, err := os.Stat(filepath.Dir(at)); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the files are still there")
	}
}

func TestAClientThatCannotBeStartedHasTheShellsCode(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "text"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]int{"no-such-client": 127, "text": 126, filepath.Join(dir, "nothing"): 127, filepath.Join(dir, "text"): 126} {
		code, err := connect.Run(t.Context(), connect.Launch{Client: connect.Generic(command), Env: []string{"PATH=" + dir}}, connect.RunOptions{})
		if code != want || err == nil {
			t.Errorf("%s: code %d, %v; want %d and an error", command, code, err, want)
		}
	}
}

func TestTheEndOfTheContextEndsTheClient(t *testing.T) {
	t.Run("politely", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		in, out := pipe(t)
		go func() {
			_, _ = bufio.NewReader(in).ReadString('\n')
			cancel()
		}()
		code, err := connect.Run(ctx, shell(`trap 'exit 9' TERM; echo ready; while :; do sleep 0.05; done`), connect.RunOptions{Stdout: out})
		if err != nil || code != 9 {
			t.Errorf("code %d, %v", code, err)
		}
	})
	t.Run("and for good when it does not listen", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		in, out := pipe(t)
		go func() {
			_, _ = bufio.NewReader(in).ReadString('\n')
			cancel()
		}()
		code, err := connect.Run(ctx, shell(`trap '' TERM; echo ready; while :; do sleep 0.05; done`), connect.RunOptions{Stdout: out, Grace: time.Millisecond})
		if err != nil || code != 128+9 {
			t.Errorf("code %d, %v", code, err)
		}
	})
}

func pipe(t *testing.T) (in, out *os.File) {
	t.Helper()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = in.Close(), out.Close() })
	return in, out
}

// runner is a process that runs a client. It is in a session of its own, so that
// it has no terminal, wherever the tests run.
func runner(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(append(os.Environ(), role+"=runner"), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd
}

func TestAStopIsNotAnEnd(t *testing.T) {
	cmd := runner(t, script+"=(while kill -CONT $$; do sleep 0.05; done) 2>/dev/null & kill -STOP $$; exit 5")
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 5 {
		t.Errorf("the process ended with %v, want the client's code 5", err)
	}
}

// A process that runs a client is sent signals; the client gets them, and its
// code is the process's.
func TestSignalsArePassedOn(t *testing.T) {
	cmd := runner(t)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	expect := func(want string) {
		t.Helper()
		if line, err := lines.ReadString('\n'); line != want+"\n" {
			t.Fatalf("the client says %q (%v), want %q", line, err, want)
		}
	}
	expect("ready")
	for _, step := range []struct {
		signal syscall.Signal
		name   string
	}{{syscall.SIGHUP, "hangup"}, {syscall.SIGUSR1, "user defined signal 1"}, {syscall.SIGINT, "interrupt"}, {syscall.SIGTERM, "terminated"}} {
		if err := cmd.Process.Signal(step.signal); err != nil {
			t.Fatal(err)
		}
		expect(step.name)
	}
	_, _ = io.Copy(io.Discard, lines)
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 7 {
		t.Errorf("the process ended with %v, want the client's code 7", err)
	}
}
