package shell

import (
	"strings"
	"testing"
)

// A name in a table is taken as it stands, without asking what else it could mean.
func TestKnownNamesStandForThemselves(t *testing.T) {
	for name := range known {
		if name == "" || name[0] == '=' || unknown(name) || baseName(name) != name || isSelf(name) || strings.ContainsAny(name, "*?[") && name != "[" && name != "[[" {
			t.Errorf("%q is more than a name", name)
		}
	}
}
