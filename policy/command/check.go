package command

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// check refuses descriptions that cannot mean what they say: templates and
// conditions with roles that nothing fills.
func (d *decoder) check(p *Program, n *yaml.Node) error {
	for _, c := range p.all() {
		roles := map[string]bool{}
		names := map[string]bool{}
		for _, table := range []flagTable{p.flags, c.flags} {
			for name, f := range table {
				names[name] = true
				for ; f != nil && f.arity != plain; f = f.then {
					roles[f.role] = true
				}
			}
		}
		for _, v := range p.variables {
			roles[v.role] = true
		}
		for _, o := range c.operands {
			roles[o.Role] = true
		}
		if c.after != nil {
			roles[c.after.Role] = true
		}
		at := *n
		for i := range c.effects {
			t := &c.effects[i]
			at.Line = t.line - d.Offset
			missing := ""
			for _, s := range []*text{&t.object, &t.from, &t.content} {
				s.roles(func(role string) {
					if !roles[role] && !isGiven(role) && !slices.Contains(noted, role) {
						missing = role
					}
				})
			}
			if missing != "" {
				return d.Fail(&at, "no flag or operand gives the role {%s}", missing)
			}
		}
		at.Line = c.line - d.Offset
		for _, of := range c.cases {
			if !roles[of.role] && !isGiven(of.role) && !slices.Contains(noted, of.role) {
				return d.Fail(&at, "no flag or operand gives the role %s", of.role)
			}
		}
		for _, cond := range c.conditions() {
			for _, tests := range cond {
				for i := range tests {
					switch test := &tests[i]; {
					case test.what == hasOption && !names[test.name] && !strings.Contains(test.name, "*"):
						return d.Fail(&at, "the flag --%s is not described", test.name)
					case test.what != hasOption && test.what != hasEnv && test.what != hasContext && test.what != callsWords && !roles[test.name] && !isGiven(test.name) && !slices.Contains(noted, test.name):
						return d.Fail(&at, "no flag or operand gives the role %s", test.name)
					}
				}
			}
		}
	}
	return nil
}
