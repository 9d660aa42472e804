package command

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/internal/describe"
)

// call is a call of code that a description names for what it cannot say itself. What the
// code is called for is said by conditions, so that it need not know options.
type call struct {
	name         string
	when, unless condition
}

// applies reports whether the code is to be called. What cannot be told counts against
// the invocation, as it does for effects.
func (c *call) applies(r *Reading) bool {
	return (len(c.when) == 0 || c.when.holds(r) != no) && (len(c.unless) == 0 || c.unless.spares(r) != yes)
}

// hooks reads name, and {name: {if: [...], unless: [...]}}.
func (d *decoder) hooks(c *Command, n *yaml.Node) error {
	for _, e := range describe.List(n) {
		if e.Kind == yaml.ScalarNode {
			c.hooks = append(c.hooks, call{name: e.Value})
			continue
		}
		err := d.Pairs(e, "a hook", nil, func(name string, _, v *yaml.Node) error {
			hook := call{name: name}
			err := d.Pairs(v, "a hook", []string{"if", "unless"}, func(key string, _, v *yaml.Node) (err error) {
				to := &hook.when
				if key == "unless" {
					to = &hook.unless
				}
				if *to, err = d.condition(v); err != nil {
					return d.Fail(v, "%v", err)
				}
				return nil
			})
			c.hooks = append(c.hooks, hook)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// calledBy is the invocation with the part of its name that a family of programs leaves
// open as the first word: push for git-push, of git-*.
func (in *Invocation) calledBy(families []string) *Invocation {
	for _, family := range families {
		before, behind, ok := strings.Cut(family, "*")
		if !ok || !describe.Wild(family, in.Name) {
			continue
		}
		with := in.with([]string{in.Name[len(before) : len(in.Name)-len(behind)]})
		with.Name = strings.TrimRight(before, "-.")
		return with
	}
	return in
}
