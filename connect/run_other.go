//go:build !unix

package connect

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

// supervise starts the client and waits for it. The console sends Ctrl-C to
// every program that shares it, so there is nothing to pass on.
func supervise(ctx context.Context, cmd *exec.Cmd, grace time.Duration) (int, error) {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return codeNotFound, err
		}
		return codeNotExecutable, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	over := ctx.Done()
	var kill <-chan time.Time
	for {
		select {
		case err := <-ended:
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				return codeNotExecutable, err
			}
			return cmd.ProcessState.ExitCode(), nil
		case <-signals:
		case <-over:
			over = nil
			kill = time.After(grace)
		case <-kill:
			_ = cmd.Process.Kill()
		}
	}
}

// findIn finds a program in a PATH.
func findIn(path, endings, name string) (string, error) {
	if endings == "" {
		endings = ".com;.exe;.bat;.cmd"
	}
	for _, dir := range filepath.SplitList(path) {
		if dir == "" {
			continue
		}
		for _, ending := range append([]string{""}, strings.Split(endings, ";")...) {
			if ending == "" && filepath.Ext(name) == "" {
				continue
			}
			candidate := filepath.Join(dir, name+ending)
			if info, err := os.Stat(candidate); err == nil && !info.IsDir() {
				return candidate, nil
			}
		}
	}
	return "", exec.ErrNotFound
}
