package rule

import (
	"maps"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/advice"
)

// warnBranches warns about conditions on pushes that leave out forced ones, which have
// a verb of their own, or pushes of all branches, whose object is "*". Whether they do is
// what their evaluation says for such a push.
func warnBranches(a *ast.AST, n *node, warn func(*Error)) {
	push, isPush := advice.Compared(a, "verb")[string(effect.Push)]
	if !isPush {
		return
	}
	some := effect.Effect{Verb: effect.Push, Object: "$BRANCH", From: "$REMOTE"}
	forced := some
	forced.Verb = effect.ForcePush
	if n.couldHoldFor(&some) && !n.couldHoldFor(&forced) {
		warn(advice.ErrorAt(a, push.ID(), `write e.verb in ["push", "force-push"]`, "a forced push has a verb of its own, so this is false for git push --force"))
	}
	all := effect.Effect{Verb: effect.Push, Object: "*", From: "$REMOTE", Wide: true}
	objects := advice.Compared(a, "object")
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		some.Object = name
		if name != "" && !strings.ContainsAny(name, "/.:~ ") && n.couldHoldFor(&some) && !n.couldHoldFor(&all) {
			warn(advice.ErrorAt(a, objects[name].ID(), `add "*" to what the object is compared with, or write e.wide`, `the object of a push of all branches is "*", so this is false for git push --all`))
			return
		}
	}
}

// couldHoldFor reports whether what is asked of single effects somewhere in a condition
// could hold for one, whatever else is true.
func (n *node) couldHoldFor(e *effect.Effect) bool {
	if n.isOver(opEffects, opBelow) {
		f := frame{steps: mostCost}
		for i := range f.locals {
			f.locals[i].is = unknownOf(anything)
		}
		f.locals[n.slot] = value{is: yes, of: e}
		if n.kids[1].holds(&f) != no {
			return true
		}
	}
	return slices.ContainsFunc(n.kids, func(kid *node) bool { return kid.couldHoldFor(e) })
}
