package rule

// gate are the parts of a condition of which one must be anything but no, or the
// condition is no, whatever else is unknown. It says less than the condition,
// never more.
type gate struct {
	// tests are about the call as a whole.
	tests []*node
	// alternatives are about a command of the call.
	alternatives []alternative
	ofCommands   bool // it has alternatives, or could have
}

// alternative is a condition about the command in a slot, and what tells of most
// commands that it is no: that they have none of the names, where it is named,
// or that their name or source cannot match a pattern, where there is one.
type alternative struct {
	*node

	slot           int
	named          bool
	programs       []string
	inName, inText *pattern
}

// newGate returns the gate of a condition, nil if there is none that could be
// shut.
func newGate(n *node) *gate {
	g := &gate{}
	if !g.add(n) {
		return nil
	}
	return g
}

// add adds what a condition needs, and reports whether it could.
func (g *gate) add(n *node) bool {
	switch n.op {
	case opConst:
		return n.answer == no
	case opOr:
		for _, kid := range n.kids {
			if !g.add(kid) {
				return false
			}
		}
		return true
	case opSome:
		if n.kids[1].op == opCommands {
			g.addCommand(n.kids[0], n.slot)
			return true
		}
	default:
	}
	if n.isOfCall() {
		g.tests = append(g.tests, n)
		return true
	}
	if n.op != opAnd {
		return false
	}
	for _, kid := range n.kids { // where all are needed, one that is no is enough
		if own := newGate(kid); own != nil {
			g.tests = append(g.tests, own.tests...)
			g.alternatives = append(g.alternatives, own.alternatives...)
			g.ofCommands = g.ofCommands || own.ofCommands
			return true
		}
	}
	return false
}

// isOfCall reports whether a condition is about a call as a whole and can be
// evaluated without CEL.
func (n *node) isOfCall() bool {
	if n.op == opOpen || n.op == opCommands {
		return false
	}
	for _, kid := range n.kids {
		if !kid.isOfCall() {
			return false
		}
	}
	return true
}

// addCommand adds the alternatives of a condition about the command in a slot.
func (g *gate) addCommand(n *node, slot int) {
	g.ofCommands = true
	if n.op == opOr {
		for _, kid := range n.kids {
			g.addCommand(kid, slot)
		}
		return
	}
	a := alternative{node: n, slot: slot}
	if a.programs, a.named = programs(n, slot); !a.named {
		a.addPattern(n)
	}
	g.alternatives = append(g.alternatives, a)
}

// addPattern notes a pattern that the command must match for a condition to be
// anything but no, if there is one.
func (a *alternative) addPattern(n *node) {
	if n.op == opAnd {
		for _, kid := range n.kids {
			a.addPattern(kid)
		}
		return
	}
	if n.op != opMatches || n.pattern == nil {
		return
	}
	if text := n.kids[0]; text.op == opOfSlot && text.slot == a.slot {
		switch text.text {
		case "name":
			a.inName = n.pattern
		case "text":
			a.inText = n.pattern
		}
	}
}

// couldHold is false if an alternative is certainly no for a command, as far as
// its pattern tells.
func (a *alternative) couldHold(name, text string) bool {
	return (a.inName == nil || a.inName.couldMatch(name)) && (a.inText == nil || a.inText.couldMatch(text))
}
