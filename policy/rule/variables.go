package rule

import (
	"maps"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// The variables of a command are those that are set for it, and those that the shell hands to
// all programs. They are known in part, as its arguments are.

// variables are all variables that a command is given.
func variables(c *invocation.Command) map[string]string {
	if len(c.Exported) == 0 {
		return c.Env
	}
	all := maps.Clone(c.Exported)
	maps.Copy(all, c.Env)
	return all
}

// hasVariable says whether a command is given a variable.
func (f *frame) hasVariable(c *invocation.Command, name string) answer {
	if _, own := c.Env[name]; own {
		return yes
	}
	exported, has := c.Exported[name]
	if has && exported == "$"+name && !f.written {
		return f.note(textPart, exported) // it may not have been set
	}
	return answerOf(has)
}

// variableOf is a variable of a command.
func (f *frame) variableOf(c *invocation.Command, name string) value {
	text, has := c.Env[name]
	open := c.OpenEnv[name]
	if !has {
		if text, has = c.Exported[name]; !has {
			return value{is: f.missing(name)}
		}
		if invocation.Unknown(text) {
			open = invocation.OneWord
		}
	}
	switch {
	case open == invocation.Whole || f.written:
		return known(text)
	case open == invocation.OneWord && effect.Expands(text):
		return value{is: partly, text: text}
	default:
		return value{is: f.note(textPart, text)}
	}
}

// byVariable adds the values that variables of the environment give an option. An option that is
// given takes their place.
func (f *frame) byVariable(c *invocation.Command, option string, s *list) {
	if len(c.Env)+len(c.Exported) == 0 {
		return
	}
	for _, name := range f.programs().OptionVariables(c.Name, option) {
		if value := c.Env[name]; value != "" {
			s.texts, s.open = append(s.texts, value), append(s.open, c.OpenEnv[name])
		} else if value := c.Exported[name]; value != "" {
			s.texts, s.open = append(s.texts, value), append(s.open, invocation.OneWord)
		}
	}
}
