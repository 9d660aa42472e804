package invocation

import (
	"maps"
	"slices"
)

// Exports are the variables that a shell hands to the programs that it starts, by name:
// whether it surely does. They are never changed, so that scopes can share them.
type Exports map[string]bool

// Export notes that a variable is handed to programs from now on.
func (s *Scope) Export(name string) {
	if s.Exports[name] || len(s.Exports) >= MaxEnv {
		return
	}
	s.Exports = maps.Clone(s.Exports)
	if s.Exports == nil {
		s.Exports = Exports{}
	}
	s.Exports[name] = true
}

// Withhold notes that a variable is not handed to programs any more.
func (s *Scope) Withhold(name string) {
	if _, is := s.Exports[name]; is {
		s.Exports = maps.Clone(s.Exports)
		delete(s.Exports, name)
	}
}

// Since are the exports behind a branch that may not have been taken, before which there
// were others: what only one of the two has is not sure.
func (e Exports) Since(before Exports) Exports {
	if maps.Equal(e, before) {
		return e
	}
	merged := Exports{}
	for _, some := range []Exports{e, before} {
		for name := range some {
			merged[name] = e[name] && before[name]
		}
	}
	return merged
}

// Exported are the variables that the shell hands to a command besides its own. What is not
// known of them stands as written.
func (a *Act) Exported() map[string]string {
	s := a.R.Scope
	if len(s.Exports) == 0 || a.Remote || !a.R.Pay(ArgumentSteps*len(s.Exports)) {
		return nil
	}
	exported := make(map[string]string, len(s.Exports))
	for name, sure := range s.Exports {
		if _, own := a.Env[name]; own || a.Lacks(name) {
			continue
		}
		exported[name] = "$" + name
		v, set := s.Vars[name]
		if text, known := v.Known(); set && known && sure && !a.Sudo {
			exported[name] = text
		}
	}
	return exported
}

// Lacks reports whether what starts the command takes a variable from it.
func (c *Command) Lacks(name string) bool {
	for _, without := range c.Without {
		if without == name || without == "*" {
			return true
		}
	}
	return false
}

// Lose notes that a variable, or * for all of them, is taken from a command by what starts
// it. Until the variables are the command's own, others may have the same.
func (c *Command) Lose(name string, owned *bool) {
	c.Without = append(slices.Clip(c.Without), name)
	if !*owned {
		c.Env, c.OpenEnv, *owned = maps.Clone(c.Env), maps.Clone(c.OpenEnv), true
	}
	if name == "*" {
		clear(c.Env)
		clear(c.OpenEnv)
		return
	}
	delete(c.Env, name)
	delete(c.OpenEnv, name)
}
