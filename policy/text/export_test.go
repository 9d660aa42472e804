package text

// Cramp makes everything that only decides about speed as small as it can be, so
// that short texts meet full tables, streams without credit and early finders.
// It must be called before the chain is used.
func (c *Chain) Cramp(states, credit, blind, patience int) {
	c.tune = tuning{states: states + int(modes)*int(kinds) + 1, credit: credit, blind: blind, patience: patience}
	c.auto = newAutomaton(c.prog, c.tune)
}

// States is the number of states that the automaton has now, besides those that
// it always has.
func (c *Chain) States() int {
	c.auto.mu.Lock()
	defer c.auto.mu.Unlock()
	return len(c.auto.current.Load().states) - int(modes)*int(kinds) - 1
}
