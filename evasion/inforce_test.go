package evasion_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/evasion"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

// elsewhere is a host whose files are not at the defaults: inforce/hostile.txt
// names them.
var elsewhere = file.Host{
	Files:   []string{"/srv/guard/policies.yaml", "/real/guard/policies.yaml", "/srv/guard/team [a].yaml", "/opt/gate/config.yaml", "/opt/gate/gate-daemon", "/mnt/log/audit.jsonl"},
	Private: []string{"/mnt/keep", "/opt/gate/token"},
	Port:    9191,
	Process: 4711,
	Program: "gate-daemon",
	Line:    "/opt/gate/gate-daemon serve --config /opt/gate/config.yaml --listen 127.0.0.1:9191",
}

// inForce are the cases of a file, and the policies that know what is in force.
func inForce(t *testing.T, name string, dangers bool) ([]evasion.Case, *policy.Set) {
	t.Helper()
	data, err := os.ReadFile("inforce/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := evasion.Parse(name, string(data), dangers)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := file.Load(file.Options{Host: elsewhere}, "preset:recommended")
	if err != nil {
		t.Fatal(err)
	}
	return cases, loaded.Set
}

// judgedWrongly lists the cases that are not judged as they should be.
func judgedWrongly(t *testing.T, set *policy.Set, cases []evasion.Case, block bool) string {
	t.Helper()
	var list []string
	for n := range cases {
		if how := wrong(decide(t, set, n, &cases[n]), block); how != "" {
			list = append(list, fmt.Sprintf("%-16s [%s] %s", cases[n].Name, how, describe(&cases[n])))
		}
	}
	return strings.Join(list, "\n")
}

func TestNobodyTouchesWhatIsInForce(t *testing.T) {
	t.Parallel()
	cases, set := inForce(t, "hostile", true)
	if missed := judgedWrongly(t, set, cases, true); missed != "" {
		t.Errorf("these pass:\n%s", missed)
	}
	t.Logf("%d cases", len(cases))
}

func TestWhatIsBesideItIsTouchedFreely(t *testing.T) {
	t.Parallel()
	cases, set := inForce(t, "harmless", false)
	if blocked := judgedWrongly(t, set, cases, false); blocked != "" {
		t.Errorf("these are blocked:\n%s", blocked)
	}
	t.Logf("%d cases", len(cases))
}

// The suite of harmless calls may have a few that are blocked; of those that come
// nearest to the guard none is.
func TestTheNeighboursOfTheGuardPass(t *testing.T) {
	t.Parallel()
	_, set := inForce(t, "harmless", false)
	near := slices.DeleteFunc(harmless(t), func(c evasion.Case) bool { return !strings.HasPrefix(c.Name, "guard-near:") })
	if blocked := judgedWrongly(t, set, near, false); blocked != "" || len(near) < 100 {
		t.Errorf("of %d these are blocked:\n%s", len(near), blocked)
	}
}

// An agent is started behind the guard or not at all, however it is started; any
// other program is started as before.
func TestAgentsAreNotStartedPastTheGuard(t *testing.T) {
	t.Parallel()
	_, set := inForce(t, "harmless", false)
	ways := []string{
		"su - me -c '%s'", "su me -c \"%s\"", "sudo -u me %s", "sudo %s", "doas -u me %s", "runuser -u me -- %s", "runuser -l me -c '%s'",
		"ssh localhost %s", "ssh me@127.0.0.1 '%s'", "ssh -p 22 ::1 -t %s", "echo '%s' | ssh localhost", "systemd-run --user %s", "systemd-run --user --scope %s",
		"env -i PATH=$PATH %s", "env -i bash -lc '%s'", "env -u ANTHROPIC_BASE_URL %s", "tmux new-session -d '%s'", "screen -dm %s", "docker run --rm img %s", "docker exec dev %s",
	}
	try := func(program string, block bool) {
		for i, way := range ways {
			c := evasion.Case{Calls: []evasion.Call{{Shell: fmt.Sprintf(way, program)}}}
			if how := wrong(decide(t, set, i, &c), block); how != "" {
				t.Errorf("%s [%s]", c.Calls[0].Shell, how)
			}
		}
	}
	for _, agent := range []string{"claude -p x", "codex exec x", "gemini -p x", "opencode run x", "qwen -p x", "/usr/local/bin/claude -p x", "sluice run -- claude",
		"bash -lc claude", "sh -c codex", "nice claude -p x", "timeout 5 claude -p x", "nohup claude -p x", "env A=1 claude -p x", "npx claude", "setsid -f claude"} {
		try(agent, true)
	}
	for _, other := range []string{"make test", "psql -l", "./claude.sh", "cat codex.md", "bash -lc make", "nice make test"} {
		try(other, false)
	}
}

// The admin routes are closed by every spelling of the address and the path; the
// other routes, and other ports, are open.
func TestTheAdminRoutesAreClosedBySpelling(t *testing.T) {
	t.Parallel()
	_, set := inForce(t, "harmless", false)
	hosts := []string{"localhost", "127.0.0.1", "[::1]", "0.0.0.0", "127.1", "127.0.0.99", "2130706433", "0x7f.1", "LOCALHOST", "localhost.", "devbox.local", "me@localhost", "127.0.0.1.nip.io", "[::ffff:127.0.0.1]"}
	ways := []string{"curl -X POST %s", "curl -s http://%s", "wget -qO- http://%s", `python3 -c "import requests; requests.get('http://%s')"`}
	n := 0
	try := func(port, path string, block bool) {
		for _, host := range hosts { // each in another way, and every time in the next one
			n++
			c := evasion.Case{Calls: []evasion.Call{{Shell: fmt.Sprintf(ways[n%len(ways)], host+port+path)}}}
			if how := wrong(decide(t, set, n, &c), block); how != "" {
				t.Errorf("%s [%s]", c.Calls[0].Shell, how)
			}
		}
		n++
	}
	for _, port := range []string{":9191", ":8484", ":09191"} {
		for _, path := range []string{"/admin/reload", "/admin", "/%61dmin/reload", "//admin/status", "/ADMIN/status", "/x/../admin/events"} {
			try(port, path, true)
		}
	}
	try(":9191", "/healthz", false)
	try(":9192", "/admin/reload", false)
	try(":19191", "/admin/reload", false)
	try("", "/metrics", false)
}
