package call_test

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/call"
)

// Every reason is documented, and the command that the documentation gives has it.
func TestReasonsAreWhatTheyAreSaidToBe(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, d := range call.ReasonDocs() {
		if d.Name == "" || d.Means == "" || d.Example == "" {
			if d.Means == "" {
				t.Errorf("%s is not explained", d.Name)
			}
			continue
		}
		tried++
		var c call.Call
		c.Fill(&call.Shapes(d.Example)[0], call.Setting{}, true)
		if !slices.Contains(c.Unknown, d.Name) {
			t.Errorf("%s has the reasons %q, and not %s", d.Example, c.Unknown, d.Name)
		}
	}
	if tried < 10 || len(slices.Compact(slices.Sorted(slices.Values(call.Reasons())))) != len(call.ReasonDocs()) {
		t.Errorf("%d examples of %d reasons", tried, len(call.ReasonDocs()))
	}
}
