package sluice_test

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/connect"
	"github.com/sluice-project/sluice/gateway/settings"
	"github.com/sluice-project/sluice/policy/file"
)

// protected are the values of a parameter of the policy that keeps agents from
// switching Sluice off.
func protected(t *testing.T, name string) []any {
	t.Helper()
	pages, err := file.Pages(file.Options{}, "preset:recommended")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		for _, p := range page.Params {
			if list, ok := p.Default.([]any); ok && page.Name == "protect-sluice" && p.Name == name {
				return list
			}
		}
	}
	t.Fatalf("protect-sluice has no parameter %s", name)
	return nil
}

// A setting that has a variable could be changed by an agent.
func TestEveryVariableOfTheSettingsIsProtected(t *testing.T) {
	t.Parallel()
	s, err := settings.Load(settings.Sources{Environ: []string{"HOME=" + t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	list := protected(t, "guard.variables")
	for _, e := range s.Entries() {
		if e.Variable != "" && !slices.Contains(list, any(e.Variable)) {
			t.Errorf("%s is not among guard.variables of the preset recommended", e.Variable)
		}
	}
}

func TestEveryClientIsKnownAsAnAgent(t *testing.T) {
	t.Parallel()
	list := protected(t, "guard.agents")
	for _, c := range connect.Clients() {
		if !slices.Contains(list, any(c.Command)) {
			t.Errorf("%s is not among guard.agents of the preset recommended", c.Command)
		}
	}
}
