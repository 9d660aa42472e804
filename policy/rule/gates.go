package rule

import (
	"slices"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/internal/bloom"
)

// Gates is a prefilter for many conditions: it rules out in one pass those that
// cannot hold. Most calls have nothing to do with most policies: of a
// command, an effect and the call only what refers to its name, its verb or its kind is
// evaluated, once for all of them. Gates are immutable and safe for
// concurrent use.
//
// The gate of a condition are parts of it of which at least one must not be no:
// otherwise the condition is no, whatever else is unknown. It is weaker than the
// condition, never stronger.
type Gates struct {
	// commands, effects and calls are parts that are about one of these.
	commands, effects, calls []part
	// ofCommands are the conditions that a command opens about which nothing is
	// known, always those that have no gate.
	ofCommands, always conditions
	programs           *command.Catalogue // of the conditions
}

// conditions is a bit set of conditions by number.
type conditions uint64

// mostGates is how many conditions can have a gate. Further ones are always
// evaluated.
const mostGates = 64

// part is a part of a condition that opens it if it is not no.
type part struct {
	*byName

	of      conditions
	written bool // texts are compared as they are written
}

// NewGates returns the gates of some conditions, numbered by their index in the
// list.
func NewGates(list []*Program) *Gates {
	g := &Gates{}
	if len(list) > 0 {
		g.programs = list[0].programs
	}
	for i, p := range list[:min(len(list), mostGates)] {
		of := conditions(1) << i
		if needed := neededParts(p.node); needed != nil {
			for _, n := range needed {
				g.add(n, part{of: of, written: p.written})
			}
		} else {
			g.always |= of
		}
	}
	return g
}

// neededParts are parts of a condition of which one must not be no for it to be anything but no,
// nil if there are none that could ever be.
func neededParts(n *node) []*node {
	switch {
	case n.op == opConst && n.answer == no:
		return []*node{}
	case n.op == opOr:
		all := []*node{}
		for _, kid := range n.kids {
			some := neededParts(kid)
			if some == nil {
				return nil
			}
			all = append(all, some...)
		}
		return all
	case n.isOver(opCommands, opEffects), n.op != opConst && n.isCheap():
		return []*node{n}
	case n.op == opAnd: // where all are needed, one that is no is enough
		for _, kid := range n.kids {
			if some := neededParts(kid); some != nil {
				return some
			}
		}
	}
	return nil
}

// isOver reports whether a node is exists over one of some lists.
func (n *node) isOver(lists ...op) bool {
	return n.op == opSome && slices.Contains(lists, n.kids[0].op)
}

// isCheap reports whether a condition on a call as a whole is evaluated quickly.
func (n *node) isCheap() bool {
	return n.op != opCommands && !n.op.isRare() && !slices.ContainsFunc(n.kids, func(kid *node) bool { return !kid.isCheap() })
}

// add adds a part of a condition.
func (g *Gates) add(n *node, p part) {
	switch p.byName = n.byName; {
	case n.isOver(opCommands):
		g.ofCommands |= p.of
		g.commands = append(g.commands, p)
	case n.isOver(opEffects): // which are those of commands, too
		g.ofCommands |= p.of
		g.effects = append(g.effects, p)
	default:
		p.byName = n.sorted(fieldOf{name: "kind", op: opField})
		g.calls = append(g.calls, p)
	}
}

// Limits on the calls that gates look at. Larger ones are rare, and whether a
// condition costs too much for them is decided by its evaluation.
const (
	mostGatedText     = 16 << 10
	mostGatedCommands = 512
)

// Open returns the conditions that may hold for a subject, as a bit set by
// number. For all others Match would return False; conditions without a bit may
// hold.
func (g *Gates) Open(s *policy.Subject) uint64 {
	v := viewOf(s, g.programs)
	open := g.open(v)
	for _, other := range v.others() {
		open |= g.open(other)
	}
	return uint64(open)
}

// open returns the conditions that have to be evaluated.
func (g *Gates) open(v *view) conditions {
	c := v.read()
	if len(c.Raw) > mostGatedText || len(c.Commands) > mostGatedCommands || v.toolKnown() != yes {
		return ^conditions(0)
	}
	f := frame{view: v, steps: mostCost}
	open := g.always
	if c.Incomplete.Commands || len(c.Strange) > 0 {
		open |= g.ofCommands
	}
	for i := range c.Commands {
		of := &c.Commands[i]
		open = f.opened(g.commands, of.Name, of, open)
	}
	for i := range c.Effects {
		if of := &c.Effects[i]; i == 0 || !sameEffect(of, &c.Effects[i-1]) {
			open = f.opened(g.effects, string(of.Verb), of, open)
		}
	}
	return f.opened(g.calls, string(c.Kind), nil, open)
}

// opened adds the conditions that parts about something open.
func (f *frame) opened(parts []part, name string, of any, open conditions) conditions {
	// exists over the commands or the effects of a call that is a part is inside of no other one.
	f.locals[0], f.readings[0] = value{is: yes, of: of}, readings{}
	hash := bloom.HashOf(name)
	for i := range parts {
		p := &parts[i]
		if p.of&^open == 0 {
			continue
		}
		if f.written = p.written; p.given(name, hash).couldHold(f) {
			open |= p.of
		}
	}
	return open
}

// couldHold reports whether a condition is not no. Where one of several is enough, it is enough
// that one of them could hold.
func (n *node) couldHold(f *frame) bool {
	if n.op == opOr {
		return slices.ContainsFunc(n.kids, func(kid *node) bool { return kid.couldHold(f) })
	}
	return n.holds(f) != no
}
