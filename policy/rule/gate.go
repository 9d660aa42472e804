package rule

import (
	"slices"

	"github.com/sluice-project/sluice/policy/internal/pattern"
	"github.com/sluice-project/sluice/policy/invocation"
)

// gate is a prefilter for a condition: parts of which at least one must not be no:
// otherwise the condition is no, whatever else is unknown. It is weaker than the
// condition, never stronger.
type gate struct {
	// tests are on the call as a whole.
	tests []*node
	// commands and effects are on a command or an effect of the call.
	commands, effects []alternative
	ofCommands        bool // it has some, or could have
}

// alternative is a condition on the command or effect in a slot, with cheap tests
// that rule most of them out: their name or verb, which is the field, is none of
// the texts, if it is named; a command's name or source cannot match a pattern, if
// there is one; or it has no variables of its own, if it needs some.
type alternative struct {
	*node

	slot           int
	field          *node
	named          bool
	texts          []string
	inName, inText *pattern.Pattern
	withEnv        bool
}

// newGate returns the gate of a condition, nil if there is none that could ever
// be shut.
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
		switch n.kids[1].op {
		case opCommands:
			g.commands, g.ofCommands = alternatives(g.commands, n.kids[0], nameOf(n.slot)), true
			return true
		case opEffects: // which are those of commands, too
			g.effects, g.ofCommands = alternatives(g.effects, n.kids[0], verbOf(n.slot)), true
			return true
		default:
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
		own := newGate(kid)
		if own == nil {
			continue
		}
		g.tests = append(g.tests, own.tests...)
		g.commands = append(g.commands, own.commands...)
		g.effects = append(g.effects, own.effects...)
		g.ofCommands = g.ofCommands || own.ofCommands
		return true
	}
	return false
}

// isOfCall reports whether a condition is on a call as a whole, and cheap.
func (n *node) isOfCall() bool {
	if n.op == opCommands || n.op >= opValue || n.of != nil {
		return false
	}
	for _, kid := range n.kids {
		if !kid.isOfCall() {
			return false
		}
	}
	return true
}

// alternatives appends those of a condition on the command or effect that has a
// field.
func alternatives(list []alternative, n, field *node) []alternative {
	if n.op == opOr {
		for _, kid := range n.kids {
			list = alternatives(list, kid, field)
		}
		return list
	}
	a := alternative{node: n, slot: field.slot, field: field}
	if a.texts, a.named = needed(n, field); !a.named {
		a.addPattern(n)
		a.withEnv = n.needsEnv(a.slot)
	}
	return append(list, a)
}

// needsEnv reports whether a condition is no for every command without variables of
// its own: one of some names must be among them.
func (n *node) needsEnv(slot int) bool {
	if n.op == opAnd {
		return slices.ContainsFunc(n.kids, func(kid *node) bool { return kid.needsEnv(slot) })
	}
	if n.op != opSome || n.kids[1].op != opNames {
		return false
	}
	for _, kid := range allOf(n.kids[0]) {
		if kid.op == opIn && kid.kids[0].op == opLocal && kid.kids[0].slot == n.slot && kid.kids[1].op == opEnv && kid.kids[1].slot == slot {
			return true
		}
	}
	return false
}

// allOf are the conditions that must all hold for a condition to hold.
func allOf(n *node) []*node {
	if n.op == opAnd {
		return n.kids
	}
	return []*node{n}
}

// addPattern records a pattern that the command must match for a condition to
// be anything but no, if there is one.
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

// couldHold is false if an alternative is certainly no for a command, according
// to its pattern.
func (a *alternative) couldHold(c *invocation.Command) bool {
	return (!a.withEnv || len(c.Env)+len(c.Exported) > 0) && (a.inName == nil || a.inName.CouldMatch(c.Name)) && (a.inText == nil || a.inText.CouldMatch(c.Text))
}
