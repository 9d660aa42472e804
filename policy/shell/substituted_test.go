package shell_test

import (
	"testing"

	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/shell"
)

// A substitution that is not known stands for the same however it is spelled.
func TestSubstitutionsAreWrittenInOneWay(t *testing.T) {
	t.Parallel()
	const want = "$(k3d kubeconfig write dev)"
	for _, spelled := range []string{
		want,
		"$(k3d  kubeconfig\twrite dev)",
		"$(k3d \\\n  kubeconfig write dev)",
		"$(k3d 'kubeconfig' \"write\" d\"\"ev)",
		"$(ZZ=1 k3d kubeconfig write dev)",
		"$(k3d kubeconfig write dev 2>/dev/null)",
		"$(A=1 B=2  k3d kubeconfig 2>/dev/null write dev)",
	} {
		got := shell.Read("use "+spelled, invocation.Setting{})
		args := got.Commands[len(got.Commands)-1].Args
		if len(args) != 1 || args[0] != want {
			t.Errorf("%s is read as %q, not as %q", spelled, args, want)
		}
	}
	kept := "$(A=$(b) c 'd e' | f >g)"
	got := shell.Read("use "+kept, invocation.Setting{})
	if args := got.Commands[len(got.Commands)-1].Args; len(args) != 1 || args[0] != kept {
		t.Errorf("%s is read as %q", kept, args)
	}
}
