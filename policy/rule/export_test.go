package rule

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common/types/ref"

	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/celvalue"
)

// Shut reports whether the condition with a number is certainly false according
// to the gates.
func Shut(open uint64, number int) bool { return number < mostGates && open>>number&1 == 0 }

// Patterns calls yield with the constant patterns of a condition: their
// sources, and how they match.
func (p *Program) Patterns(yield func(source string, matches func(text string) bool)) {
	var visit func(n *node)
	visit = func(n *node) {
		if n.pattern != nil {
			yield(n.pattern.String(), n.pattern.Matches)
		}
		for _, kid := range n.kids {
			visit(kid)
		}
	}
	visit(p.node)
}

// Documentable are the variables, the members of types and the functions of this
// package, each with its section of the reference.
func Documentable() []string {
	var names []string
	for _, v := range advice.Variables {
		names = append(names, "variables."+v.Name)
	}
	for typ, members := range fields {
		for name := range members {
			names = append(names, strings.ToLower(typ)+"."+name)
		}
	}
	env, err := environment()
	if err != nil {
		return nil
	}
	for name, f := range env.Functions() {
		for _, o := range f.OverloadDecls() {
			for _, own := range []string{"command_", "effect_", "path_", "url_", "past_", "text_", "pattern_", "numbers_"} {
				if strings.HasPrefix(o.ID(), own) {
					names = append(names, "functions."+strings.TrimPrefix(name, "@"))
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Adapted is a value of the arguments of a call in CEL.
func Adapted(value any) ref.Val { return celvalue.Adapter{}.NativeToValue(value) }
