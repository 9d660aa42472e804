package windows

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

func TestExamplesOfDescriptions(t *testing.T) {
	for language, read := range map[library.Language]func(string, effect.Place) Reading{library.PowerShell: PowerShell, library.Cmd: Cmd} {
		for _, e := range library.Of(language).Examples() {
			got := []string{}
			for _, x := range read(e.Program, effect.Place{}).Effects {
				got = append(got, x.String())
			}
			if want := append([]string{}, e.Want...); !slices.Equal(got, want) {
				t.Errorf("%s.yaml:%d: %s\n   does %q\n   want %q", language, e.Line, e.Program, got, want)
			}
		}
	}
}

// Descriptions name operations and hooks: each must be there.
func TestOperationsOfDescriptionsAreThere(t *testing.T) {
	for _, language := range []library.Language{library.PowerShell, library.Cmd} {
		missing := library.Of(language).Missing(func(name string) bool { return operations[name] != nil || values.Operations[name] != nil })
		if len(missing) > 0 {
			t.Errorf("%s names what is not there: %q", language, missing)
		}
	}
}
