package javascript

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/program/library"
)

func TestExamplesOfDescriptions(t *testing.T) {
	table := library.Of(library.JavaScript)
	for _, e := range table.Examples() {
		got := []string{}
		for _, u := range Read(e.Program).Uses {
			got = append(got, u.String())
		}
		if want := append([]string{}, e.Want...); !slices.Equal(got, want) {
			t.Errorf("javascript.yaml:%d: %s\n   does %q\n   want %q", e.Line, e.Program, got, want)
		}
	}
}

// Descriptions name operations: each must be there.
func TestOperationsOfDescriptionsAreThere(t *testing.T) {
	missing := library.Of(library.JavaScript).Missing(func(name string) bool { return operations[name] != nil })
	if len(missing) > 0 {
		t.Errorf("descriptions name what is not there: %q", missing)
	}
}
