package shell

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/invocation"
)

// A name in a table is taken as it stands, without asking what else it could mean.
func TestKnownNamesStandForThemselves(t *testing.T) {
	for name := range known {
		if name == "" || name[0] == '=' || invocation.Unknown(name) || invocation.BaseName(name) != name || isSelf(name) || strings.ContainsAny(name, "*?[") && name != "[" && name != "[[" {
			t.Errorf("%q is more than a name", name)
		}
	}
}
