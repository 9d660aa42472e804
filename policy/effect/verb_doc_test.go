package effect_test

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
)

func TestEveryVerbIsDocumented(t *testing.T) {
	t.Parallel()

	var verbs []effect.Verb
	for _, d := range effect.VerbDocs() {
		verbs = append(verbs, d.Verb)
		if d.Object == "" || d.Means == "" || d.Example == "" {
			t.Errorf("%s is not documented: %+v", d.Verb, d)
		}
	}
	if !slices.Equal(verbs, effect.Verbs()) {
		t.Errorf("documented are %v, and there are %v", verbs, effect.Verbs())
	}
}
