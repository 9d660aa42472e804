package rule

import (
	"slices"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/internal/bloom"
)

// Gates is a prefilter for many conditions: it rules out in one pass those that
// cannot hold. Most calls have nothing to do with most policies: a command is
// looked up by its name and an effect by its verb, once for all of them, and
// only what refers to it is evaluated. Gates are immutable and safe for
// concurrent use.
type Gates struct {
	// commands and effects open conditions.
	commands, effects choices
	tests             []test
	// byKind are the tests specialised for a kind of call, without those that are
	// no for all calls of it.
	byKind []testsOf
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

// choices are alternatives by the names or verbs that they need, filter a Bloom
// filter of the names, and others the alternatives that need none.
type choices struct {
	named  map[string][]choice
	filter bloom.Filter
	others []choice
}

// choice is an alternative and the conditions that it opens.
type choice struct {
	alternative
	of      conditions
	written bool // texts are compared as they are written
}

// add adds alternatives of some conditions, specialised for each name.
func (c *choices) add(list []alternative, of conditions, written bool) {
	for _, a := range list {
		if !a.named {
			c.others = append(c.others, choice{a, of, written})
			continue
		}
		for _, name := range slices.Compact(slices.Sorted(slices.Values(a.texts))) {
			if c.named == nil {
				c.named = map[string][]choice{}
			}
			own := alternative{node: a.given(a.field, name), slot: a.slot}
			c.named[name] = append(c.named[name], choice{own, of, written})
			c.filter.Add(name)
		}
	}
}

// of are the choices of a name that are not for all.
func (c *choices) of(name string) []choice {
	if !c.filter.May(bloom.HashOf(name)) {
		return nil
	}
	return c.named[name]
}

// test is a test on the call as a whole and the conditions that it opens. over
// is the list of the call of which it needs an element, nil if it needs none.
type test struct {
	*node
	of      conditions
	written bool
	over    *node
}

// NewGates returns the gates of some conditions, numbered by their index in the
// list.
func NewGates(list []*Program) *Gates {
	g := &Gates{}
	if len(list) > 0 {
		g.programs = list[0].programs
	}
	for _, kind := range call.Kinds() {
		g.byKind = append(g.byKind, testsOf{kind: kind})
	}
	for i, p := range list[:min(len(list), mostGates)] {
		own := newGate(p.node)
		if of := conditions(1) << i; own != nil {
			g.add(own, of, p.written)
		} else {
			g.always |= of
		}
	}
	return g
}

func (g *Gates) add(own *gate, of conditions, written bool) {
	if own.ofCommands {
		g.ofCommands |= of
	}
	g.commands.add(own.commands, of, written)
	g.effects.add(own.effects, of, written)
	for _, n := range own.tests {
		g.tests = append(g.tests, newTest(n, of, written))
		for i := range g.byKind {
			own := &g.byKind[i]
			if n := n.given(kindOfCall, string(own.kind)); n.op != opConst || n.answer != no {
				own.tests = append(own.tests, newTest(n, of, written))
			}
		}
	}
}

// testsOf are the tests for a kind of call.
type testsOf struct {
	kind  call.Kind
	tests []test
}

// kindOfCall is the field that tests are specialised by.
var kindOfCall = &node{op: opField, text: "kind"}

// of are the tests of a call; for other blocks, all of them.
func (g *Gates) of(c *call.Call) []test {
	for i := range g.byKind {
		if g.byKind[i].kind == c.Kind {
			return g.byKind[i].tests
		}
	}
	return g.tests
}

func newTest(n *node, of conditions, written bool) test {
	t := test{node: n, of: of, written: written}
	if n.op == opSome && n.kids[1].op == opFiles {
		t.over = n.kids[1]
	}
	return t
}

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

// Limits on the calls that gates look at. Larger ones are rare, and whether a
// condition costs too much for them is decided by its evaluation.
const (
	mostGatedText     = 16 << 10
	mostGatedCommands = 512
)

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
		at := slot{command: &c.Commands[i], is: yes}
		open = f.opened(g.commands.of(at.command.Name), at, open)
		open = f.opened(g.commands.others, at, open)
	}
	for i := range c.Effects {
		if i > 0 && sameEffect(&c.Effects[i], &c.Effects[i-1]) {
			continue
		}
		at := slot{effect: &c.Effects[i], is: yes}
		open = f.opened(g.effects.of(string(at.effect.Verb)), at, open)
		open = f.opened(g.effects.others, at, open)
	}
	tests := g.of(c)
	for i := range tests {
		t := &tests[i]
		if f.written = t.written; t.of&^open != 0 && !t.lacks(v) && t.holds(&f) != no {
			open |= t.of
		}
	}
	return open
}

// opened adds the conditions that a command or an effect opens.
func (f *frame) opened(list []choice, at slot, open conditions) conditions {
	for i := range list {
		c := &list[i]
		if c.of&^open == 0 || at.command != nil && !c.couldHold(at.command) {
			continue
		}
		f.slots[c.slot], f.written = at, c.written
		if c.holds(f) != no {
			open |= c.of
		}
	}
	return open
}

// lacks reports whether the list that the test is about has nothing in it.
func (t *test) lacks(v *view) bool {
	if t.over == nil {
		return false
	}
	list, more := t.over.listOf(v)
	return len(list) == 0 && more == yes
}
