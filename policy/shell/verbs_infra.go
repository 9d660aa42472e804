package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// isProduction reports whether a name says that others use what it names.
func isProduction(name string) bool { return effect.IsProduction(name) }

// destroys notes that infrastructure is destroyed.
func (a *act) destroys(what string, wide bool) {
	a.add(effect.Effect{Verb: effect.Destroy, Object: strings.TrimSpace(what), Wide: wide})
}

// applies notes that infrastructure is changed.
func (a *act) applies(what string) { a.does(effect.Apply, strings.TrimSpace(what)) }
