package shell

import (
	"testing"

	"github.com/sluice-project/sluice/policy/invocation"
)

func TestProgramsWithVersions(t *testing.T) {
	for name, want := range map[string]bool{"pip3.12": true, "pip-3": true, "PIP": true, "pip3": true, "pipeline": false, "pip-tools": false, "gem3.2": true, "gopls": false, "go1.22": true} {
		if got := (&invocation.Reader{State: invocation.State{Known: known}}).Facts(name).Listed; got != want {
			t.Errorf("%s: known is %v, want %v", name, got, want)
		}
	}
}
