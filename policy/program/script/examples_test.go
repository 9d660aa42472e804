package script

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

func TestExamplesOfDescriptions(t *testing.T) {
	for language := library.Python; language <= library.R; language++ {
		table := library.Of(language)
		if len(table.Examples()) == 0 {
			t.Errorf("%s has no examples", language)
		}
		for _, e := range table.Examples() {
			got := []string{}
			for _, u := range Read(language, e.Program) {
				got = append(got, u.String())
			}
			if want := append([]string{}, e.Want...); !slices.Equal(got, want) {
				t.Errorf("%s.yaml:%d: %s\n   does %q\n   want %q", language, e.Line, e.Program, got, want)
			}
		}
	}
}

// Descriptions name operations and hooks: each must be there.
func TestOperationsOfDescriptionsAreThere(t *testing.T) {
	for language := library.Python; language <= library.R; language++ {
		missing := library.Of(language).Missing(func(name string) bool { return operations[name] != nil || values.Operations[name] != nil })
		if len(missing) > 0 {
			t.Errorf("%s names what is not there: %q", language, missing)
		}
	}
}
