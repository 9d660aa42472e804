package script

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/program/library"
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
		done, asked := library.Of(language).Names()
		for _, name := range done {
			if operations[name] == nil {
				t.Errorf("there is no operation %s", name)
			}
		}
		for _, name := range asked {
			if hooks[name] == nil {
				t.Errorf("there is no hook %s", name)
			}
		}
	}
}
