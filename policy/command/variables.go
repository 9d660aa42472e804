package command

import (
	"slices"
	"strings"
)

// OptionVariables are the variables of the environment that are as good as an option of a
// program, which may be asked for by any of its names.
func (c *Catalogue) OptionVariables(program, option string) []string {
	var names []string
	for _, p := range c.described(program) {
		if len(p.variables) == 0 {
			continue
		}
		f := p.every[strings.TrimLeft(option, "-")]
		if f == nil {
			f = p.flags[strings.TrimLeft(option, "-")]
		}
		for ; f != nil; f = f.then {
			for _, v := range p.variables {
				if v.role == f.role && !slices.Contains(names, v.name) {
					names = append(names, v.name)
				}
			}
		}
	}
	return names
}

// Variables are the variables of the environment that a description knows.
func (p *Program) Variables() []string {
	names := make([]string, len(p.variables))
	for i, v := range p.variables {
		names[i] = v.name
	}
	return names
}
