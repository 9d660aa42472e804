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

// byVariable adds the values that variables of the environment give an option, and reports
// whether there are any. An option that is given takes their place.
func (n *node) byVariable(f *frame, c *invocation.Command, s *span) bool {
	if len(c.Env)+len(c.Exported) == 0 {
		return false
	}
	option, a := n.flagName(f)
	if a != yes {
		return false
	}
	for _, name := range f.programs().OptionVariables(c.Name, option) {
		if value := c.Env[name]; value != "" {
			s.texts, s.open = append(s.texts, value), append(s.open, c.OpenEnv[name])
		} else if value := c.Exported[name]; value != "" {
			s.texts, s.open = append(s.texts, value), append(s.open, invocation.OneWord)
		}
	}
	return len(s.texts) > 0
}

// allEnv is yes if all variables of a command are known.
func (n *node) allEnv(f *frame, c *invocation.Command) answer {
	all := yes
	for name := range c.OpenEnv {
		all = merge(all, f.whole(c.Env[name], f.variableOf(c, name)), yes)
	}
	return all
}
