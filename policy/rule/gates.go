package rule

import (
	"sync"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/effect"
)

// Gates tell of many conditions at once that they do not hold. Most calls have
// nothing to do with most policies: a command is looked up by its name once for
// all of them, and only what is about it is evaluated. Gates never change and
// can be used by any number of goroutines at once.
type Gates struct {
	// named are the alternatives by the names that they need, marks those of the
	// names, and others the alternatives that need none.
	named  map[string][]choice
	marks  marks
	others []choice
	tests  []test
	// ofCommands are the conditions that a command opens of which nothing is
	// known, always those that have no gate.
	ofCommands, always conditions
}

// conditions is a set of conditions by their numbers.
type conditions uint64

// mostGates is how many conditions can have a gate. Further ones are evaluated.
const mostGates = 64

func (c conditions) have(number int) bool { return number >= mostGates || c>>number&1 != 0 }

// choice is an alternative and the conditions that it opens.
type choice struct {
	alternative
	of conditions
}

// test is a part about the call as a whole and the conditions that it opens.
// over is the list of the call of which it needs an element, nil if it needs
// none.
type test struct {
	*node
	of   conditions
	over *node
	// ofEffects: it needs an effect of the call.
	ofEffects bool
}

// NewGates returns the gates of some conditions, which have the numbers of their
// places in the list.
func NewGates(list []*Program) *Gates {
	g := &Gates{named: map[string][]choice{}}
	for i, p := range list[:min(len(list), mostGates)] {
		var own *gate
		if p.direct != nil {
			own = newGate(p.direct)
		}
		if of := conditions(1) << i; own != nil {
			g.add(own, of)
		} else {
			g.always |= of
		}
	}
	return g
}

func (g *Gates) add(own *gate, of conditions) {
	if own.ofCommands {
		g.ofCommands |= of
	}
	for _, a := range own.alternatives {
		for _, name := range a.programs {
			g.named[name] = append(g.named[name], choice{a, of})
			g.marks.add(name)
		}
		if !a.named {
			g.others = append(g.others, choice{a, of})
		}
	}
	for _, n := range own.tests {
		t := test{node: n, of: of}
		if n.op == opSome && n.kids[1].op == opFiles {
			t.over = n.kids[1]
		}
		t.ofEffects = n.op == opSome && n.kids[1].op == opEffects
		g.tests = append(g.tests, t)
	}
}

// Shut reports whether the condition with a number is certainly false for a
// subject: Match would say False. Where it is false, Match decides.
func (g *Gates) Shut(number int, s *policy.Subject) bool {
	v := viewOf(s)
	v.gates.once.Do(func() { v.gates.by, v.gates.open = g, g.open(v) })
	return v.gates.by == g && !v.gates.open.have(number)
}

// opened is what the gates said that looked at a subject first.
type opened struct {
	once sync.Once
	by   *Gates
	open conditions
}

// The calls that gates look at. Larger ones are rare, and whether a condition
// costs too much for them is for its evaluation to say.
const (
	mostGatedText     = 16 << 10
	mostGatedCommands = 512
)

// open returns the conditions that have to be evaluated.
func (g *Gates) open(v *view) conditions {
	c := v.read()
	if len(c.Raw) > mostGatedText || len(c.Commands) > mostGatedCommands {
		return ^conditions(0)
	}
	f := frame{view: v, steps: mostSteps}
	open := g.always
	if c.Incomplete.Commands {
		open |= g.ofCommands
	}
	for i := range c.Commands {
		command := &c.Commands[i]
		if g.marks.may(command.Name) {
			open = f.opened(g.named[command.Name], slot{command: command}, open)
		}
		open = f.opened(g.others, slot{command: command}, open)
	}
	for i := range g.tests {
		if t := &g.tests[i]; t.of&^open != 0 && !t.lacks(v) && t.holds(&f) != no {
			open |= t.of
		}
	}
	return open
}

// opened adds the conditions that a command opens.
func (f *frame) opened(list []choice, command slot, open conditions) conditions {
	for i := range list {
		c := &list[i]
		if c.of&^open == 0 || !c.couldHold(command.command.Name, command.command.Text) {
			continue
		}
		f.slots[c.slot] = command
		if c.holds(f) != no {
			open |= c.of
		}
	}
	return open
}

// hasVerb reports whether an effect may have one of the verbs that the test is
// about.
func (t *test) hasVerb(effects []effect.Effect) bool {
	if t.verbs == nil {
		return len(effects) > 0
	}
	for i := range effects {
		if t.verbs.may(string(effects[i].Verb)) {
			return true
		}
	}
	return false
}

// lacks reports whether the list that the test is about has nothing in it.
func (t *test) lacks(v *view) bool {
	if t.ofEffects {
		c := v.read()
		return !c.Incomplete.Commands && !t.hasVerb(c.Effects)
	}
	if t.over == nil {
		return false
	}
	list, more := t.over.list(v)
	return len(list) == 0 && more == yes
}
