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

// elsewhere is a host whose files are where no default says: inforce/hostile.txt
// tells them to its reader.
var elsewhere = file.Host{
	Files:   []string{"/srv/guard/policies.yaml", "/real/guard/policies.yaml", "/srv/guard/team [a].yaml", "/opt/gate/config.yaml", "/opt/gate/gate-daemon", "/mnt/log/audit.jsonl"},
	Private: []string{"/mnt/keep", "/opt/gate/token"},
	Port:    9191,
	Process: 4711,
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
