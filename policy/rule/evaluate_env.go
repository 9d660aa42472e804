package rule

import (
	"maps"

	"cel.dev/cel-go/common/types"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// The variables of a command are those that are set for it, and those that the shell hands to
// all programs. They are known in part, as its arguments are.

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
	value, has := variable(c, name)
	if !has {
		return "", f.missing(name)
	}
	return value, f.variableOf(c, name)
}

// variable is a variable that a command is given, by itself or by the shell that runs it.
func variable(c *invocation.Command, name string) (value string, has bool) {
	if value, has = c.Env[name]; !has {
		value, has = c.Exported[name]
	}
	return value, has
}

// hasVariable says whether a command is given a variable.
func (f *frame) hasVariable(c *invocation.Command, name string) answer {
	value, has := variable(c, name)
	if _, own := c.Env[name]; has && !own && value == "$"+name && !f.written {
		return f.note(textPart, value) // it may not have been set
	}
	return answerOf(has)
}

// variables are all variables that a command is given.
func variables(c *invocation.Command) map[string]string {
	if len(c.Exported) == 0 {
		return c.Env
	}
	all := maps.Clone(c.Exported)
	maps.Copy(all, c.Env)
	return all
}

// variableOf is how much is known of a variable of a command.
func (f *frame) variableOf(c *invocation.Command, name string) answer {
	value, own := c.Env[name]
	open := c.OpenEnv[name]
	if !own {
		if value = c.Exported[name]; invocation.Unknown(value) {
			open = invocation.OneWord
		}
	}
	switch {
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
	for name, value := range variables(c) {
		all = merge(all, f.whole(value, f.variableOf(c, name)), yes)
	}
	return all
}
