package rule

import (
	"slices"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/internal/bloom"
)

// Gates is a prefilter for many conditions: it rules out in one pass those that
// cannot hold. Most calls have nothing to do with most policies: a command is
// looked up by its name, an effect by its verb and the call by its kind, once for all of
// them, and only what refers to it is evaluated. Gates are immutable and safe for
// concurrent use.
//
// The gate of a condition are parts of it of which at least one must not be no:
// otherwise the condition is no, whatever else is unknown. It is weaker than the
// condition, never stronger.
type Gates struct {
	commands, effects, calls parts
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

// parts are those that are about commands, effects or calls, by the name, verb or kind that they
// need, filter a Bloom filter of these, and others those that need none.
type parts struct {
	named  map[string][]part
	filter bloom.Filter
	others []part
}

// part is a part of conditions that opens them if it is not no.
type part struct {
	*node
	slot    int // of the command or effect that it is about
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

// The fields by which parts are sorted.
var (
	nameOfCommand = fieldOf{"name", opOfOne}
	verbOfEffect  = fieldOf{"verb", opOfOne}
	kindOfCall    = fieldOf{"kind", opField}
)

type fieldOf struct {
	name string
	op   op
}

// add adds a part of a condition.
func (g *Gates) add(n *node, p part) {
	switch {
	case n.isOver(opCommands):
		g.ofCommands |= p.of
		p.slot = n.slot
		g.commands.add(n.kids[1], nameOfCommand, p)
	case n.isOver(opEffects): // which are those of commands, too
		g.ofCommands |= p.of
		p.slot = n.slot
		g.effects.add(n.kids[1], verbOfEffect, p)
	default:
		g.calls.add(n, kindOfCall, p)
	}
}

// add adds a part, specialised for each value of the field that it needs.
func (ps *parts) add(n *node, by fieldOf, p part) {
	if n.op == opOr {
		for _, kid := range n.kids {
			ps.add(kid, by, p)
		}
		return
	}
	values, limited := n.needs(by, p.slot)
	if p.node = n; !limited {
		ps.others = append(ps.others, p)
		return
	}
	for _, value := range slices.Compact(slices.Sorted(slices.Values(values))) {
		if ps.named == nil {
			ps.named = map[string][]part{}
		}
		p.node = n.given(by, p.slot, value)
		ps.named[value] = append(ps.named[value], p)
		ps.filter.Add(value)
	}
}

// needs returns the values of which a field must have one for a condition to
// be anything but no, and whether there are such values.
func (n *node) needs(by fieldOf, slot int) (values []string, limited bool) {
	switch n.op {
	case opAnd:
		for _, kid := range n.kids {
			if values, limited = kid.needs(by, slot); limited {
				return values, true
			}
		}
	case opOr:
		for _, kid := range n.kids {
			some, limited := kid.needs(by, slot)
			if !limited {
				return nil, false
			}
			values = append(values, some...)
		}
		return values, true
	case opIs:
		return n.names, n.names != nil && by == nameOfCommand && n.isOf(slot)
	case opEqual, opIn:
		for i, kid := range n.kids {
			switch other := n.kids[1-i]; {
			case kid.op != by.op || kid.text != by.name || by.op == opOfOne && !kid.isOf(slot):
			case other.op == opText && n.op == opEqual:
				return []string{other.text}, true
			case other.op == opNames && n.op == opIn:
				return other.names, true
			}
		}
	}
	return nil, false
}

// given is a condition for a known value of a field.
func (n *node) given(by fieldOf, slot int, value string) *node {
	if n.op != opAnd && n.op != opOr && n.op != opNot {
		if values, limited := n.needs(by, slot); limited { // it depends on nothing else
			return &node{op: opConst, answer: answerOf(slices.Contains(values, value))}
		}
		return n
	}
	some := *n
	some.kids = nil
	for _, kid := range n.kids {
		kid = kid.given(by, slot, value)
		switch {
		case n.op == opNot && kid.op == opConst:
			return &node{op: opConst, answer: kid.answer.not()}
		case kid.op != opConst || kid.answer != answerOf(n.op == opAnd): // else it changes nothing
			some.kids = append(some.kids, kid)
		}
	}
	if len(some.kids) == 0 {
		return &node{op: opConst, answer: answerOf(n.op == opAnd)}
	}
	return &some
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
		open = g.commands.open(&f, of.Name, of, open)
	}
	for i := range c.Effects {
		if of := &c.Effects[i]; i == 0 || !sameEffect(of, &c.Effects[i-1]) {
			open = g.effects.open(&f, string(of.Verb), of, open)
		}
	}
	return g.calls.open(&f, string(c.Kind), nil, open)
}

// open adds the conditions that parts about something open.
func (ps *parts) open(f *frame, name string, of any, open conditions) conditions {
	var named []part
	if ps.filter.May(bloom.HashOf(name)) {
		named = ps.named[name]
	}
	for _, list := range [...][]part{named, ps.others} {
		for i := range list {
			p := &list[i]
			if p.of&^open == 0 {
				continue
			}
			f.slots[p.slot], f.written = slot{value: value{is: yes, of: of}}, p.written
			if p.holds(f) != no {
				open |= p.of
			}
		}
	}
	return open
}
