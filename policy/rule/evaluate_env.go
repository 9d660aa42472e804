package rule

import (
	"cel.dev/cel-go/common/types"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// The variables that are set for a command are known in part, as its arguments are.

// environment is a variable of a command.
func (n *node) environment(f *frame) (string, answer) {
	c, a := n.kids[0].command(f)
	name := n.text
	if len(n.kids) == 2 {
		key, b := n.kids[1].general(f)
		text, ok := key.(types.String)
		if a = inOrder(a, b); a == yes && !ok {
			a = f.fail(errOtherType)
		}
		name = string(text)
	}
	if a != yes {
		return "", a
	}
	value, has := c.Env[name]
	if !has {
		return "", f.missing(name)
	}
	return value, f.variableOf(c, name)
}

// variableOf is how much is known of a variable of a command.
func (f *frame) variableOf(c *invocation.Command, name string) answer {
	value := c.Env[name]
	switch open := c.OpenEnv[name]; {
	case open == invocation.Whole || f.written:
		return yes
	case open == invocation.OneWord && effect.Expands(value):
		return partly
	default:
		return f.note(textPart, value)
	}
}

// allEnv is yes if all variables of a command are known.
func (n *node) allEnv(f *frame, c *invocation.Command) answer {
	all := yes
	for name := range c.OpenEnv {
		all = merge(all, f.whole(c.Env[name], f.variableOf(c, name)), yes)
	}
	return all
}
