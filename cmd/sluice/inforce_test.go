package main

import (
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

// oneRule is a file that adds one policy.
const oneRule = "policies:\n  - {name: no-prod, when: 'call.name == \"x\"', then: block}\n"

const leftOutNote = "the preset recommended is left out (preset: none)"

// In every command that reads policy files, a file of one policy adds to recommended:
// the home directory is still not deleted. Leaving it out is possible, and said.
func TestAFileAddsToRecommendedInEveryCommand(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	one, none := write(t, "one.yaml", oneRule), write(t, "none.yaml", "preset: none\n"+oneRule)
	remove := preToolUseInput("Bash", `{"command":"rm -rf ~"}`)

	t.Run("hook", func(t *testing.T) {
		if _, out, stderr := sluice(t, remove, "hook", "claude-code", "-p", one); !strings.Contains(out, `"deny"`) {
			t.Errorf("it is not denied: %s%s", out, stderr)
		}
		for _, without := range []string{none, "preset:none"} {
			if code, out, stderr := sluice(t, remove, "hook", "claude-code", "-p", without); code != exitOK || out != "" {
				t.Errorf("%s: exit code %d: %s%s", without, code, out, stderr)
			}
		}
	})
	t.Run("try", func(t *testing.T) {
		if code, out, _ := sluice(t, "", "policy", "try", "-p", one, "--shell", "rm -rf ~"); code != 3 || !strings.Contains(out, "preset:recommended, "+one+": ") {
			t.Errorf("exit code %d: %s", code, out)
		}
		if code, out, _ := sluice(t, "", "policy", "try", "-p", none, "--shell", "rm -rf ~"); code != exitOK || !strings.Contains(out, leftOutNote) {
			t.Errorf("exit code %d: %s", code, out)
		}
		if code, out, _ := sluice(t, "", "policy", "try", "-p", "preset:none", "--shell", "rm -rf ~"); code != exitOK || !strings.Contains(out, "no policies: 0 policies") {
			t.Errorf("exit code %d: %s", code, out)
		}
	})
	t.Run("check", func(t *testing.T) {
		if code, out, _ := sluice(t, "", "policy", "check", one); code != exitOK || !strings.Contains(out, "in force: preset:recommended, "+one+"\n") || strings.Contains(out, "warning") {
			t.Errorf("exit code %d: %s", code, out)
		}
		if code, out, _ := sluice(t, "", "policy", "check", none); code != exitOK || !strings.Contains(out, "in force: "+none+"\nwarning: "+none+":1: "+leftOutNote) {
			t.Errorf("exit code %d: %s", code, out)
		}
		_, out, _ := sluice(t, "", "policy", "check", "--json", none)
		var report checkReport
		if err := json.Unmarshal([]byte(out), &report); err != nil || !slices.Equal(report.InForce, []string{none}) || report.LeftOut != none+":1" {
			t.Errorf("%v: %s", err, out)
		}
	})
	t.Run("list", func(t *testing.T) {
		if _, out, _ := sluice(t, "", "policy", "list", one); !strings.Contains(out, "destructive-files") || !strings.Contains(out, "no-prod") {
			t.Errorf("%s", out)
		}
		if _, out, _ := sluice(t, "", "policy", "list", none); strings.Contains(out, "destructive-files") {
			t.Errorf("%s", out)
		}
	})
	t.Run("config", func(t *testing.T) {
		if code, out, stderr := sluice(t, "", "config", "-p", one); code != exitOK || !strings.Contains(out, "in force: preset:recommended, "+one+" (") {
			t.Errorf("exit code %d: %s%s", code, out, stderr)
		}
		t.Setenv("SLUICE_POLICIES", "preset:none,"+one)
		if code, out, stderr := sluice(t, "", "config"); code != exitOK || !strings.Contains(out, "in force: "+one+" (1 policy") || !strings.Contains(out, "warning: preset:none: "+leftOutNote) {
			t.Errorf("exit code %d: %s%s", code, out, stderr)
		}
		_, out, _ := sluice(t, "", "config", "--json")
		var report configReport
		if err := json.Unmarshal([]byte(out), &report); err != nil || !slices.Equal(report.InForce, []string{one}) || report.LeftOut != "preset:none" || len(report.Warnings) == 0 {
			t.Errorf("%v: %s", err, out)
		}
	})
	t.Run("configuration file", func(t *testing.T) {
		config := write(t, "config.yaml", "policies: ["+one+"]\n")
		if code, out, stderr := sluice(t, "", "config", "--config", config); code != exitOK || !strings.Contains(out, "in force: preset:recommended, "+one) {
			t.Errorf("exit code %d: %s%s", code, out, stderr)
		}
	})
	t.Run("run", func(t *testing.T) {
		if _, out, errs := runAgent(t, "ask 0", "--policies", one); strings.Contains(out, "preserve-root") || !strings.Contains(errs, "1 blocked") || strings.Contains(errs, "left out") {
			t.Errorf("%s\n%s", out, errs)
		}
		for _, without := range []string{none, "preset:none"} {
			if code, out, errs := runAgent(t, "ask 0", "--policies", without); code != exitOK || !strings.Contains(out, "preserve-root") || !strings.Contains(errs, "NOTE: ") || !strings.Contains(errs, leftOutNote) {
				t.Errorf("%s: exit code %d: %s\n%s", without, code, out, errs)
			}
		}
	})
}

// The doctor reports a gateway without recommended, even if another policy blocks
// the canary.
func TestDoctorTellsThatRecommendedIsLeftOut(t *testing.T) {
	own := write(t, "own.yaml", "preset: none\npolicies:\n  - {name: no-shell, when: 'call.kind == \"shell\"', then: {block: end_turn}}\n")
	for _, tc := range []struct {
		paths []string
		code  int
		noted bool
	}{{nil, exitOK, false}, {[]string{own}, exitOK, true}, {[]string{"preset:none"}, exitIncomplete, true}} {
		loaded, err := file.Load(file.Options{}, tc.paths...)
		if err != nil {
			t.Fatal(err)
		}
		g, err := gateway.New(gateway.Config{Policies: policy.NewLive(loaded.Set)})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(g)
		code, out, stderr := sluice(t, "", "doctor", "--url", server.URL)
		if code != tc.code || strings.Contains(out, leftOutNote) != tc.noted {
			t.Errorf("%v: exit code %d: %s%s", tc.paths, code, out, stderr)
		}
		server.Close()
		_ = g.Close()
	}
}

// The list of policies says, too, that recommended is left out.
func TestTheListTellsThatRecommendedIsLeftOut(t *testing.T) {
	own := write(t, "own.yaml", "policies:\n  - name: a\n    when: call.kind == \"shell\"\n    then: annotate\n")
	if code, out, errs := sluice(t, "", "policy", "list", "preset:none", own); code != exitOK || strings.Count(out, "\n") != 2 || !strings.Contains(errs, "the preset recommended is left out") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	if code, _, errs := sluice(t, "", "policy", "list", own); code != exitOK || errs != "" {
		t.Errorf("exit code %d\n%s", code, errs)
	}
}
