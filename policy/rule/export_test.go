package rule

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy"
)

// Shut reports whether the condition with a number is certainly false according
// to the gates.
func Shut(open uint64, number int) bool { return number < mostGates && open>>number&1 == 0 }

// MatchByCEL is Match with CEL alone.
func (p *Program) MatchByCEL(s *policy.Subject) (Outcome, string, error) {
	return p.matchByCEL(viewOf(s, nil))
}

// Direct reports whether Match decides without CEL.
func (p *Program) Direct(s *policy.Subject) bool {
	return direct(p.direct, viewOf(s, nil), false) != open
}

// Patterns calls yield with the constant patterns of a condition: their
// sources, and how they match.
func (p *Program) Patterns(yield func(source string, matches func(text string) bool)) {
	var visit func(n *node)
	visit = func(n *node) {
		if n.pattern != nil {
			yield(n.pattern.re.String(), n.pattern.matches)
		}
		for _, kid := range n.kids {
			visit(kid)
		}
	}
	visit(p.direct)
}

// Documentable are the variables, the members of types and the functions of this
// package, each with its section of the reference.
func Documentable() []string {
	var names []string
	for _, v := range variables {
		names = append(names, "variables."+v.name)
	}
	for typ, members := range fields {
		for name := range members {
			if name[:1] != openPrefix {
				names = append(names, strings.ToLower(typ)+"."+name)
			}
		}
	}
	env, err := environment()
	if err != nil {
		return nil
	}
	for name, f := range env.Functions() {
		for _, o := range f.OverloadDecls() {
			for _, own := range []string{"command_", "effect_", "path_", "url_", "past_", "text_"} {
				if strings.HasPrefix(o.ID(), own) {
					names = append(names, "functions."+strings.TrimPrefix(name, "@"))
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
