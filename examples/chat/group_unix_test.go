//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A command that is ended takes along what it has started.
func TestWhatACommandStartedEndsWithIt(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	cmd := exec.CommandContext(ctx, "sh", "-c", "sleep 77 & echo $!; wait")
	inGroup(cmd)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var started int
	if _, err := fmt.Fscan(out, &started); err != nil {
		t.Fatal(err)
	}
	stop()
	if cmd.Wait() == nil {
		t.Fatal("it came to its end")
	}
	// Processes that have inherited it must notice its end.
	deadline := time.After(2 * time.Minute)
	for {
		state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", started))
		if err != nil || strings.Contains(string(state), ") Z ") {
			return
		}
		select {
		case <-deadline:
			t.Fatal("it still runs")
		case <-time.After(time.Millisecond):
		}
	}
}
