package connect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// RunOptions say how a client is started.
type RunOptions struct {
	// Stdin, Stdout and Stderr are the client's. Files are passed on as they are,
	// so that a terminal stays a terminal. Nil is the null device.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Grace is how long the client may take to end after the context did,
	// before it is killed. 0 means 10 seconds.
	Grace time.Duration
}

// The exit codes of a client that could not be started, as shells have them.
const (
	codeNotExecutable = 126
	codeNotFound      = 127
)

// signalled is what a shell adds to the number of the signal that ended a
// program.
const signalled = 128

// Run starts a client, waits for it and returns its exit code; 128+n when signal
// n ended it. The error is nil when the client ran, whatever its code.
//
// The client shares the terminal and its process group, so what is typed there
// reaches it as if it had been started directly: Ctrl-C and changes of the
// window's size by the terminal, and Run does not end before the client does.
// When the client is stopped (Ctrl-Z) this process stops with it, and the shell
// has both back with fg. Signals that are sent to this process alone (SIGTERM,
// SIGHUP, SIGUSR1, SIGUSR2, and without a terminal SIGINT and SIGQUIT) are passed
// on. When ctx ends, the client gets SIGTERM, and SIGKILL after the grace period.
//
// Run writes nothing to the terminal. The launch's files exist while it runs.
func Run(ctx context.Context, l Launch, opt RunOptions) (exitCode int, err error) {
	program, err := lookPath(l)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return codeNotExecutable, err
		}
		return codeNotFound, err
	}
	remove, err := writeFiles(l.Files)
	defer remove()
	if err != nil {
		return codeNotExecutable, err
	}
	//nolint:gosec,noctx // the user named the program; signals of ours end it, not the context's kill
	cmd := exec.Command(program, l.Args...)
	cmd.Args[0] = l.Client.Command
	cmd.Env, cmd.Dir = l.Env, l.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = opt.Stdin, opt.Stdout, opt.Stderr
	if opt.Grace <= 0 {
		opt.Grace = 10 * time.Second
	}
	return supervise(ctx, cmd, opt.Grace)
}

// Found reports whether the program of a launch can be found.
func Found(l Launch) bool {
	_, err := lookPath(l)
	return err == nil
}

// lookPath finds the program in the PATH that it will have itself.
func lookPath(l Launch) (string, error) {
	if filepath.Base(l.Client.Command) != l.Client.Command {
		return l.Client.Command, nil
	}
	env := newEnviron(l.Env)
	program, err := findIn(env.get("PATH"), env.get("PATHEXT"), l.Client.Command)
	if err != nil {
		return "", fmt.Errorf("%s is not installed, or not in PATH: %w", l.Client.Title, err)
	}
	return program, nil
}

// writeFiles writes a launch's files so that only the user can read them.
func writeFiles(files []File) (remove func(), err error) {
	var dirs []string
	remove = func() {
		for _, dir := range dirs {
			_ = os.RemoveAll(dir)
		}
	}
	for _, f := range files {
		dir := filepath.Dir(f.Path)
		if err := os.Mkdir(dir, 0o700); err != nil {
			return remove, fmt.Errorf("connect: settings for the client cannot be written: %w", err)
		}
		dirs = append(dirs, dir)
		if err := os.WriteFile(f.Path, f.Content, 0o600); err != nil {
			return remove, fmt.Errorf("connect: settings for the client cannot be written: %w", err)
		}
	}
	return remove, nil
}
