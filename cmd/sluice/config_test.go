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

// What serve would refuse, config refuses in the same words.
func TestConfigLoadsPoliciesAndTheCertificate(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	broken := write(t, "policies.yaml", "policies:\n  - {name: p, the: block}\n")
	pem := write(t, "pem", "no certificate")
	args := []string{"--policies", broken, "--tls-cert", pem, "--tls-key", pem}
	code, out, stderr := sluice(t, "", append([]string{"config"}, args...)...)
	if code != exitUnreadable || !strings.Contains(out, "KEY") || !strings.Contains(stderr, broken+":2:") || !strings.Contains(stderr, pem+" cannot be used") {
		t.Errorf("exit code %d\n%s%s", code, out, stderr)
	}
	code, out, _ = sluice(t, "", append([]string{"config", "--json"}, args...)...)
	var report configReport
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != exitUnreadable || report.OK || len(report.Problems) < 2 || len(report.Entries) == 0 {
		t.Fatalf("exit code %d, %v\n%s", code, err, out)
	}
	if last := report.Problems[len(report.Problems)-1]; last.Origin != broken || last.Line != 2 {
		t.Errorf("the problems are %+v", report.Problems)
	}

	feedback := write(t, "feedback.yaml", "policies:\n  - {name: p, when: 'call.kind == \"shell\"', then: {block: feedback}, reason: no}\n")
	if code, out, stderr := sluice(t, "", "config", "--policies", feedback); code != exitOK || !strings.Contains(out, "note: "+feedback+":2:") {
		t.Errorf("exit code %d\n%s%s", code, out, stderr)
	}
	if code, out, _ := sluice(t, "", "config", "--json", "--policies", feedback); code != exitOK || !strings.Contains(out, `"warnings":[{"origin":"`+feedback) {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

func TestConfigRefusesRecordings(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	file := write(t, "config.yaml", "record: kept\n")
	for _, command := range []string{"config", "serve"} {
		if code, _, stderr := sluice(t, "", command, "--config", file); code != exitUnreadable || !strings.Contains(stderr, "sluice record --out DIR") {
			t.Errorf("%s: exit code %d\n%s", command, code, stderr)
		}
	}
	t.Setenv("SLUICE_RECORD", "kept")
	if code, out, _ := sluice(t, "", "config"); code != exitOK || !strings.Contains(out, "warning: SLUICE_RECORD") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}
