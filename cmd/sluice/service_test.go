package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// fakeSystemctl replaces systemctl, and records its arguments.
func fakeSystemctl(t *testing.T) (home string, asked func() string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("there is no systemd")
	}
	bin, home := t.TempDir(), t.TempDir()
	log := filepath.Join(bin, "asked")
	script := "#!/bin/sh\necho \"$@\" >> " + log + "\n[ -f " + filepath.Join(bin, "answer") + " ] && . " + filepath.Join(bin, "answer") + "\n" +
		"case \"$*\" in *is-active*) echo active;; *is-enabled*) echo enabled;; esac\n"
	if err := os.WriteFile(filepath.Join(bin, "systemctl"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":/bin:/usr/bin")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	return home, func() string {
		data, _ := os.ReadFile(log)
		return string(data)
	}
}

func TestTheServiceIsInstalledAndRemoved(t *testing.T) {
	home, asked := fakeSystemctl(t)
	unit := filepath.Join(home, ".config", "systemd", "user", "sluice.service")
	code, out, errs := sluice(t, "", "service", "install", "--dry-run")
	if _, err := os.Stat(unit); code != exitOK || err == nil || asked() != "" || !strings.Contains(out, "ExecStart=") || !strings.Contains(errs, "$ systemctl --user enable sluice.service") {
		t.Errorf("a dry run: exit code %d\n%s%s", code, out, errs)
	}
	if code, out, _ := sluice(t, "", "service", "install", "--json", "--system"); code != exitOK || !json.Valid([]byte(out)) || !strings.Contains(out, "User=sluice") {
		t.Errorf("JSON: exit code %d\n%s", code, out)
	}
	code, _, errs = sluice(t, "", "service", "install")
	if data, err := os.ReadFile(unit); code != exitOK || err != nil || !strings.Contains(string(data), " serve\n") || !strings.Contains(asked(), "--user restart sluice.service") {
		t.Errorf("exit code %d\n%s%s", code, errs, asked())
	}
	if code, out, _ := sluice(t, "", "service", "status", "--json"); code != exitOK || !strings.Contains(out, `"active":"active","enabled":"enabled"`) {
		t.Errorf("status: exit code %d\n%s", code, out)
	}
	// As long as a client needs it, it stays.
	if code, _, errs := sluice(t, "", "connect", "claude", "--write"); code != exitOK {
		t.Fatal(errs)
	}
	if code, _, errs := sluice(t, "", "service", "remove"); code != exitUnreadable || !strings.Contains(errs, "sluice connect claude --undo") {
		t.Errorf("remove: exit code %d\n%s", code, errs)
	}
	if code, _, errs := sluice(t, "", "connect", "claude", "--undo"); code != exitOK {
		t.Fatal(errs)
	}
	code, _, errs = sluice(t, "", "service", "remove")
	if _, err := os.Stat(unit); code != exitOK || err == nil || !strings.Contains(asked(), "--user disable --now sluice.service") {
		t.Errorf("remove: exit code %d\n%s", code, errs)
	}
}

// The files are removed where systemd does not run, too, and once they are gone there is
// nothing to remove.
func TestAServiceIsRemovedWithoutSystemd(t *testing.T) {
	home, asked := fakeSystemctl(t)
	unit := filepath.Join(home, ".config", "systemd", "user", "sluice.service")
	if code, _, errs := sluice(t, "", "service", "install"); code != exitOK {
		t.Fatal(errs)
	}
	bin, _, _ := strings.Cut(os.Getenv("PATH"), ":")
	answer := "echo 'Failed to connect to bus: No medium found' >&2; exit 1\n"
	if err := os.WriteFile(filepath.Join(bin, "answer"), []byte(answer), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errs := sluice(t, "", "service", "remove")
	if _, err := os.Stat(unit); code != exitOK || err == nil || !strings.Contains(errs, "systemd does not run here") || !strings.Contains(errs, "removed: "+unit) {
		t.Errorf("exit code %d\n%s", code, errs)
	}
	before := asked()
	if code, _, errs := sluice(t, "", "service", "remove"); code != exitOK || !strings.Contains(errs, "not installed") || asked() != before {
		t.Errorf("again: exit code %d\n%s%s", code, errs, asked())
	}
	if err := os.WriteFile(filepath.Join(bin, "answer"), []byte("case \"$*\" in *disable*) echo no >&2; exit 1;; esac\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := sluice(t, "", "service", "install"); code != exitOK {
		t.Fatal(errs)
	}
	code, _, errs = sluice(t, "", "service", "remove")
	if _, err := os.Stat(unit); code != exitIncomplete || err != nil || !strings.Contains(errs, "disable --now sluice.service` failed: no") {
		t.Errorf("a service that cannot be stopped: exit code %d\n%s", code, errs)
	}
}

// What systemd says about a unit that is not there differs between its versions.
func TestAServiceThatIsNotInstalledIsSaidToBe(t *testing.T) {
	fakeSystemctl(t)
	bin, _, _ := strings.Cut(os.Getenv("PATH"), ":")
	answer := `case "$*" in
*is-active*) echo inactive; exit 3;;
*is-enabled*) echo "Failed to get unit file state for sluice.service: No such file or directory" >&2; exit 1;;
esac
`
	if err := os.WriteFile(filepath.Join(bin, "answer"), []byte(answer), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, _ := sluice(t, "", "service", "status", "--system")
	if code != exitIncomplete || !strings.Contains(out, "starts by itself: no, it is not installed\n") || !strings.Contains(out, "sluice service install --system\n") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

func TestConnectWritesAndUndoes(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	path := filepath.Join(home, ".claude", "settings.json")
	code, out, _ := sluice(t, "", "connect", "claude", "--dry-run")
	if _, err := os.Stat(path); code != exitOK || err == nil || !strings.Contains(out, "+    \"ANTHROPIC_BASE_URL\"") {
		t.Errorf("a dry run: exit code %d\n%s", code, out)
	}
	code, out, errs := sluice(t, "", "connect", "claude", "--write", "--url", "http://127.0.0.1:1")
	if _, err := os.Stat(path); code != exitOK || err != nil || !strings.Contains(out, "+++ "+path) || !strings.Contains(errs, "nothing listens at http://127.0.0.1:1") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	if _, out, _ := sluice(t, "", "connect", "claude", "--write", "--url", "http://127.0.0.1:1", "--json"); !strings.Contains(out, `"changes":false,"written":false`) {
		t.Errorf("again: %s", out)
	}
	if code, out, _ := sluice(t, "", "connect", "claude", "--undo"); code != exitOK || !strings.Contains(out, "is removed, because --write created it") {
		t.Errorf("undo: exit code %d\n%s", code, out)
	}
	if code, out, _ := sluice(t, "", "connect", "claude", "--undo", "--json"); code != exitOK || !strings.Contains(out, `"restored":false`) {
		t.Errorf("undo again: exit code %d\n%s", code, out)
	}
}
