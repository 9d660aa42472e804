package connect

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/file"
)

// A variable that leads a client past the gateway, or to other settings, is one that an
// agent must not set.
func TestVariablesThatLeadElsewhereAreGuarded(t *testing.T) {
	t.Parallel()
	pages, err := file.Pages(file.Options{}, "preset:recommended")
	if err != nil {
		t.Fatal(err)
	}
	var guarded []any
	for _, page := range pages {
		for _, p := range page.Params {
			if page.Name == "protect-sluice" && p.Name == "guard.variables" {
				guarded, _ = p.Default.([]any)
			}
		}
	}
	names := slices.Concat(claudeElsewhere, geminiElsewhere, geminiServices, []string{claudeBase, geminiSystem})
	for _, own := range ownPlaces {
		if own.variable != "XDG_CONFIG_HOME" { // it moves everything's settings, so the policy looks at it where agents are started
			names = append(names, own.variable)
		}
	}
	for _, name := range names {
		if !slices.Contains(guarded, any(name)) {
			t.Errorf("%s is not among guard.variables of the preset recommended", name)
		}
	}
}
