package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestConfigShowsEveryValueAndItsOrigin(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("SLUICE_KEEPALIVE", "15s")
	t.Setenv("TEST_TOKEN", "a-secret-that-must-not-be-shown")
	file := write(t, "config.yaml", "policies: [preset:paranoid]\nadmin: {token_env: TEST_TOKEN}\nkeys: [{name: ada, key: slk_0123456789abcdefghijklmn}]\n")
	code, out, stderr := sluice(t, "", "config", "--config", file, "--listen", "127.0.0.1:9000")
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	rows := make(map[string]string)
	for line := range strings.Lines(out) {
		if fields := strings.Fields(line); len(fields) > 1 {
			rows[fields[0]] = strings.Join(fields[1:], " ")
		}
	}
	for key, want := range map[string]string{
		"file:":           file,
		"KEY":             "VALUE FROM",
		"listen":          "127.0.0.1:9000 flag --listen",
		"keepalive":       "15s SLUICE_KEEPALIVE",
		"policies":        "preset:paranoid " + file + ":1",
		"admin.token_env": "TEST_TOKEN " + file + ":2",
		"audit_log":       "(none) default",
		"limits.body":     "32MiB default",
	} {
		if rows[key] != want {
			t.Errorf("%s is %q, want %q", key, rows[key], want)
		}
	}
	if !strings.Contains(rows["keys.ada"], "fingerprint") || strings.Contains(out, "slk_") || strings.Contains(out, "must-not-be-shown") {
		t.Errorf("secrets:\n%s", out)
	}

	code, out, _ = sluice(t, "", "config", "--config", file, "--json")
	var report configReport
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != exitOK || !report.OK || report.File != file || strings.Contains(out, "must-not-be-shown") {
		t.Fatalf("exit code %d, %v\n%s", code, err, out)
	}
	if len(report.Entries) < 30 || report.Entries[0].Path != "listen" || report.Entries[0].Variable != "SLUICE_LISTEN" {
		t.Errorf("the entries are %+v", report.Entries)
	}
}

func TestConfigTellsAllProblems(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("SLUICE_LIMITS_IDLE", "30")
	file := write(t, "config.yaml", "listen: 8484\n")
	code, out, stderr := sluice(t, "", "config", "--config", file)
	if code != exitUnreadable || out != "" || !strings.Contains(stderr, file+":1:") || !strings.Contains(stderr, "SLUICE_LIMITS_IDLE") {
		t.Errorf("exit code %d\n%s%s", code, out, stderr)
	}
	code, out, _ = sluice(t, "", "config", "--config", file, "--json")
	var report configReport
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != exitUnreadable || report.OK || len(report.Problems) != 2 {
		t.Errorf("exit code %d, %v\n%s", code, err, out)
	}
}
