package rule

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/shell"
)

// mostSlots is how many local variables can be in scope at once.
const mostSlots = mostNesting

// slot is the value of a local variable: a command, an effect or a text.
type slot struct {
	command *shell.Command
	effect  *effect.Effect
	text    string
	unknown answer // if it is an element about which nothing is known
}

// frame is one evaluation.
type frame struct {
	view  *view
	known bool // use the known part of incomplete lists
	steps int  // remaining budget
	slots [mostSlots]slot
	// path is a cache of the last path looked up: usually several sets are
	// asked about the same one.
	path effect.Path
}

// mostSteps is the budget without CEL. Beyond it CEL takes over, and fails if
// the condition costs too much for it as well.
const mostSteps = mostCost

// direct evaluates a condition without CEL.
func direct(n *node, v *view, known bool) answer {
	f := frame{view: v, known: known, steps: mostSteps}
	return n.holds(&f)
}

// spend uses up steps, and reports whether there were enough.
func (f *frame) spend(n int) bool {
	f.steps -= n
	return f.steps >= 0
}

// holds evaluates a condition.
func (n *node) holds(f *frame) answer {
	if !f.spend(1) {
		return open
	}
	switch n.op {
	case opConst:
		return n.answer
	case opAnd:
		all := yes
		for _, kid := range n.kids {
			a := kid.holds(f)
			if a == no {
				return no
			}
			all = merge(all, a, yes)
		}
		return all
	case opOr:
		some := no
		for _, kid := range n.kids {
			a := kid.holds(f)
			if a == yes {
				return yes
			}
			some = merge(some, a, no)
		}
		return some
	case opNot:
		return n.kids[0].holds(f).not()
	case opSome, opAll:
		return n.quantified(f)
	case opIs, opHas, opSudo, opRemote, opTold:
		return n.ofCommand(f)
	case opEffectIs, opTouches, opAround, opCarries, opWithin:
		return n.ofEffect(f)
	case opKnows:
		return answerOf(n.get(f.view) != "")
	case opSize:
		return n.sized(f)
	case opMatches:
		return n.matched(f)
	case opLength:
		text, a := n.kids[0].value(f)
		if a != yes {
			return a
		}
		return n.lengthCompared(f, text)
	case opEqual, opPrefix, opSuffix, opContains, opUnder, opGlob:
		return n.ofTexts(f)
	case opIn:
		return n.isIn(f)
	default:
		return open
	}
}

// quantified is exists and all, over the known elements and, if there may be
// more, one about which nothing is known.
func (n *node) quantified(f *frame) answer {
	decides, rest := yes, no
	if n.op == opAll {
		decides, rest = no, yes
	}
	all := rest
	at := &f.slots[n.slot]
	list := n.kids[1]
	switch list.op {
	case opCommands:
		c := f.view.read()
		for i := range c.Commands {
			*at = slot{command: &c.Commands[i]}
			a := n.byName.condition(c.Commands[i].Name).holds(f)
			if a == decides {
				return a
			}
			if all = merge(all, a, rest); f.steps < 0 {
				return open
			}
		}
		if !c.Incomplete.Commands || f.known {
			return all
		}
		*at = slot{unknown: unknownOf(someCommands)}
	case opEffects:
		c := f.view.read()
		for i := range c.Effects {
			if i > 0 && sameEffect(&c.Effects[i], &c.Effects[i-1]) {
				continue
			}
			*at = slot{effect: &c.Effects[i]}
			a := n.byName.condition(string(c.Effects[i].Verb)).holds(f)
			if a == decides {
				return a
			}
			if all = merge(all, a, rest); f.steps < 0 {
				return open
			}
		}
		if !c.Incomplete.Commands || f.known {
			return all
		}
		*at = slot{unknown: unknownOf(someEffects)}
	default:
		texts, more, a := list.elements(f)
		if a != yes {
			return a
		}
		for _, text := range texts {
			*at = slot{text: text}
			a := n.kids[0].holds(f)
			if a == decides {
				return a
			}
			if all = merge(all, a, rest); f.steps < 0 {
				return open
			}
		}
		if more == yes {
			return all
		}
		*at = slot{unknown: more}
	}
	a := n.kids[0].holds(f)
	if a == decides {
		return a
	}
	return merge(all, a, rest)
}

// sameEffect reports whether two effects are indistinguishable to a condition:
// they get the same answer.
func sameEffect(a, b *effect.Effect) bool {
	return a.Object == b.Object && a.Verb == b.Verb && a.From == b.From && a.Wide == b.Wide && a.Sudo == b.Sudo && a.Remote == b.Remote &&
		a.Guess == b.Guess && a.Shown == b.Shown && a.Scratch == b.Scratch && a.How == b.How && a.Content == b.Content
}

func (n *node) ofCommand(f *frame) answer {
	at := &f.slots[n.slot]
	c := at.command
	if c == nil {
		return at.unknown
	}
	switch n.op {
	case opIs:
		return answerOf(slices.Contains(n.names, c.Name))
	case opSudo:
		return answerOf(c.Sudo)
	case opRemote:
		return answerOf(c.Remote)
	case opTold:
		if !n.written && (c.Open != nil || c.More) {
			return open
		}
		for _, arg := range c.Args {
			if !f.spend(n.paths.Steps(arg)) {
				return open
			}
		}
		return answerOf(names(c, n.paths, (*sessionView)(&f.view.exchange.Session).place(), &f.path))
	default:
		if !f.spend(len(c.Args)) {
			return open
		}
		if c.Has(n.text) {
			return yes
		}
		if !n.written && c.Open != nil {
			return open
		}
		if c.More && !f.known {
			return unknownOf(commandArgs)
		}
		return no
	}
}

// ofEffect is a property of an effect, or whether it touches some paths.
func (n *node) ofEffect(f *frame) answer {
	at := &f.slots[n.slot]
	if at.effect == nil {
		return at.unknown
	}
	if n.op == opEffectIs {
		return answerOf(n.effectMark(at.effect))
	}
	if n.op == opWithin {
		return n.lies(f, at.effect)
	}
	path := at.effect.Object
	if n.op == opCarries {
		path = at.effect.From
	}
	if !f.spend(n.paths.Steps(path)) {
		return open
	}
	if n.op == opCarries && path == "" {
		return no
	}
	place := (*sessionView)(&f.view.exchange.Session).place()
	f.path.Set(path, place)
	wide := at.effect.Wide || n.op == opAround
	if n.op == opCarries {
		wide = at.effect.FromWide(place)
	}
	if n.paths.Touched(&f.path, wide) {
		return yes
	}
	if !n.written && couldTouch(at.effect, n.paths, path, wide, place) {
		return unknownOf(leftOpen(path))
	}
	return no
}

// lies reports whether all of an effect is in the directories.
func (n *node) lies(f *frame, e *effect.Effect) answer {
	if !f.spend(n.dirs.Steps()) {
		return open
	}
	lies := n.dirs.Within(e, (*sessionView)(&f.view.exchange.Session).place())
	if missing, unknown := missingOf(lies); unknown {
		return unknownOf(missing)
	}
	return answerOf(lies == effect.Inside)
}

// sized compares the size of a list, which must be known as a whole.
func (n *node) sized(f *frame) answer {
	list := n.kids[0]
	if list.op == opCommands {
		c := f.view.read()
		if c.Incomplete.Commands && !f.known {
			return unknownOf(someCommands)
		}
		return n.compared(f, len(c.Commands))
	}
	if list.op == opEffects {
		return open
	}
	texts, more, a := list.elements(f)
	if a = merge(a, more, yes); a != yes {
		return a
	}
	return n.compared(f, len(texts))
}

func (n *node) compared(f *frame, size int) answer {
	if f.steps < 0 {
		return open
	}
	return answerOf(n.compare(size, n.number))
}

func (n *node) matched(f *frame) answer {
	text, a := n.kids[0].value(f)
	if a != yes {
		return a
	}
	p := n.pattern
	if p == nil {
		p = n.patterns[f.slots[n.slot].text]
	}
	if !f.spend(len(text) / 20) {
		return open
	}
	if !p.couldMatch(text) {
		return no
	}
	if !f.spend(p.cost(text)) {
		return open
	}
	return answerOf(p.re.MatchString(text))
}

func (n *node) ofTexts(f *frame) answer {
	left, a := n.kids[0].value(f)
	right, b := n.kids[1].value(f)
	if a = merge(a, b, yes); a != yes {
		return a
	}
	if !f.spend(min(len(left), len(right)) / 10) {
		return open
	}
	switch n.op {
	case opEqual:
		return answerOf(left == right)
	case opPrefix:
		return answerOf(strings.HasPrefix(left, right))
	case opSuffix:
		return answerOf(strings.HasSuffix(left, right))
	case opContains:
		if !f.spend(len(left) / 10) {
			return open
		}
		return answerOf(strings.Contains(left, right))
	case opUnder:
		if !f.spend(max(len(left), len(right)) / 10) {
			return open
		}
		return answerFrom(under(left, right, (*sessionView)(&f.view.exchange.Session)))
	default:
		if !f.spend(len(left) / 10 * (1 + len(right)/4)) {
			return open
		}
		return answerFrom(glob(left, right, (*sessionView)(&f.view.exchange.Session)))
	}
}

func (n *node) isIn(f *frame) answer {
	text, a := n.kids[0].value(f)
	if n.kids[1].op == opEnv {
		at := &f.slots[n.kids[1].slot]
		if at.command == nil {
			return merge(a, at.unknown, open)
		}
		if a != yes {
			return a
		}
		_, has := at.command.Env[text]
		return answerOf(has)
	}
	list, more, b := n.kids[1].elements(f)
	if a = merge(a, b, yes); a != yes {
		return a
	}
	if !f.spend(len(list)) {
		return open
	}
	if slices.Contains(list, text) {
		return yes
	}
	if more != yes {
		return more
	}
	return no
}
