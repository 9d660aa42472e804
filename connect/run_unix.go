//go:build unix

package connect

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// supervise starts the client and waits for it.
func supervise(ctx context.Context, cmd *exec.Cmd, grace time.Duration) (int, error) {
	// Caught before the start: a signal in between would end this process and
	// leave the client behind. SIGTSTP is caught so that this process stops when
	// the client does and not before.
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT,
		syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGTSTP)
	defer signal.Stop(signals)

	if err := cmd.Start(); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return codeNotFound, err
		}
		return codeNotExecutable, err
	}
	terminal := hasTerminal()
	ended := make(chan syscall.WaitStatus, 1)
	go func() {
		ended <- await(cmd.Process.Pid, terminal)
	}()

	over := ctx.Done()
	var kill <-chan time.Time
	for {
		select {
		case status := <-ended:
			_ = cmd.Wait() // the process is gone; this waits for what copies its output
			return exitCode(status), nil
		case sig := <-signals:
			if passedOn(sig, terminal) {
				_ = cmd.Process.Signal(sig)
			}
		case <-over:
			over = nil
			_ = cmd.Process.Signal(syscall.SIGTERM)
			kill = time.After(grace)
		case <-kill:
			_ = cmd.Process.Signal(syscall.SIGKILL)
		}
	}
}

// passedOn reports whether a signal is for the client. What the terminal sends
// has reached it already, and a second Ctrl-C means something else to many.
func passedOn(sig os.Signal, terminal bool) bool {
	switch sig {
	case syscall.SIGINT, syscall.SIGQUIT:
		return !terminal
	case syscall.SIGTSTP:
		return false
	}
	return true
}

// await waits for the client to end. When it is stopped by job control, this
// process stops as well, so that the shell takes the terminal back.
func await(pid int, terminal bool) syscall.WaitStatus {
	for {
		var status syscall.WaitStatus
		_, err := syscall.Wait4(pid, &status, syscall.WUNTRACED, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return syscall.WaitStatus(codeNotExecutable << 8)
		}
		if !status.Stopped() {
			return status
		}
		if terminal {
			_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
	}
}

func exitCode(status syscall.WaitStatus) int {
	if status.Signaled() {
		return signalled + int(status.Signal())
	}
	return status.ExitStatus()
}

// hasTerminal reports whether there is a terminal whose keys reach the client.
func hasTerminal() bool {
	tty, err := os.OpenFile("/dev/tty", os.O_RDONLY|syscall.O_NOCTTY, 0)
	if err != nil {
		return false
	}
	_ = tty.Close()
	return true
}

// findIn finds a program in a PATH.
func findIn(path, _, name string) (string, error) {
	err := exec.ErrNotFound
	for _, dir := range filepath.SplitList(path) {
		if dir == "" {
			continue // the current directory, which may be anyone's repository
		}
		candidate := filepath.Join(dir, name)
		info, statErr := os.Stat(candidate)
		if statErr != nil || info.IsDir() {
			continue
		}
		if info.Mode()&0o111 == 0 {
			err = fs.ErrPermission
			continue
		}
		return candidate, nil
	}
	return "", err
}
