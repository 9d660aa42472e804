package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/connect"
)

// No request is an alarm unless there is a reason to believe that no model was
// asked.
func TestSilenceIsAnAlarmUnlessNoModelWasAsked(t *testing.T) {
	for _, terminal := range []bool{false, true} {
		for _, reached := range []bool{false, true} {
			for _, lasted := range []time.Duration{0, shortVisit - 1, shortVisit, time.Hour} {
				for purpose, want := range map[connect.Purpose]bool{
					connect.Ask:    true,
					connect.Manage: false,
					connect.Talk:   !terminal || !reached && lasted >= shortVisit,
				} {
					e := evidence{purpose: purpose, terminal: terminal, reached: reached, lasted: lasted}
					if got := e.alarming(); got != want {
						t.Errorf("%+v: %t, want %t", e, got, want)
					}
				}
			}
		}
	}
}

// standIn replaces a client by a program that sends no requests.
func standIn(t *testing.T, name, script string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the client is a script")
	}
	t.Setenv("HOME", t.TempDir())
	at := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(at, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return at
}

// A command that asks no model raises no alarm, and keeps its exit code.
func TestRunRaisesNoFalseAlarm(t *testing.T) {
	for line, code := range map[string]int{
		"codex login": 0, "codex logout": 0, "codex mcp list": 3, "codex --version": 5, "claude mcp list": 0, "claude auth status": 1,
		"opencode auth login": 0, "gemini extensions list": 0, "qwen mcp list": 0, "some-agent --help": 0,
	} {
		words := strings.Fields(line)
		client := standIn(t, words[0], "echo done; exit "+string(rune('0'+code)))
		data := t.TempDir()
		got, out, errs := sluice(t, "", append([]string{"run", "--policies", "preset:none", "--data", data, "--", client}, words[1:]...)...)
		if got != code || !strings.Contains(out, "done") || strings.Contains(errs, "PROTECTED") {
			t.Errorf("%s: exit code %d, want %d\n%s%s", line, got, code, out, errs)
		}
		if logs, _ := filepath.Glob(filepath.Join(data, "logs", "*")); len(logs) != 0 {
			t.Errorf("%s: an empty log stays: %v", line, logs)
		}
	}
}

// An agent that was given a task and sent nothing through the gateway was not
// protected, however it ended.
func TestRunNeverLosesTheAlarm(t *testing.T) {
	for _, line := range []string{"codex exec login", "codex fix", "claude -p fix", "claude fix --model opus", "opencode run fix", "qwen -p mcp", "claude", "some-agent", "some-agent login"} {
		for _, code := range []string{"0", "1"} {
			words := strings.Fields(line)
			client := standIn(t, words[0], "exit "+code)
			got, out, errs := sluice(t, "", append([]string{"run", "--quiet", "--policies", "preset:none", "--data", t.TempDir(), "--", client}, words[1:]...)...)
			if got != exitUnprotected || !strings.Contains(errs, "NOT PROTECTED: no request went through Sluice") || strings.Contains(errs, "perhaps before") != (code == "1") {
				t.Errorf("%s: exit code %d\n%s%s", line, got, out, errs)
			}
		}
	}
}

func TestTheNullDeviceIsNoPerson(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = null.Close() }()
	if isTerminal(null) || isTerminal(strings.NewReader("")) || isTerminal(nil) {
		t.Error("nobody types there")
	}
}
