package rule

import "github.com/sluice-project/sluice/policy/effect"

// quantified is exists and all, over the known elements and, if there may be
// more, one about which nothing is known.
func (n *node) quantified(f *frame) answer {
	decides, rest := yes, no
	if n.op == opAll {
		decides, rest = no, yes
	}
	var s span
	if a := n.kids[1].span(f, &s); a != yes {
		return a
	}
	all := rest
	at := &f.slots[n.slot]
	for i := range s.size() {
		kid := n.kids[0]
		switch {
		case s.commands != nil:
			kid = n.byName.condition(s.commands[i].Name)
		case s.effects != nil:
			if i > 0 && sameEffect(&s.effects[i], &s.effects[i-1]) {
				continue
			}
			kid = n.byName.condition(string(s.effects[i].Verb))
		}
		s.load(f, i, at)
		a := kid.inEach(f, at)
		if a == decides {
			return a
		}
		if all = merge(all, a, rest); f.steps < 0 {
			return tooMuch
		}
	}
	if s.more == yes {
		return all
	}
	for i := range max(1, len(s.strange)) {
		if *at = (slot{is: s.more}); s.strange != nil {
			at.effect = &effect.Effect{How: s.strange[i]}
		}
		a := n.kids[0].holds(f)
		if a == decides {
			return a
		}
		all = merge(all, a, rest)
	}
	return all
}

// sameEffect reports whether two effects are indistinguishable to a condition:
// they get the same answer.
func sameEffect(a, b *effect.Effect) bool {
	return a.Object == b.Object && a.Verb == b.Verb && a.From == b.From && a.Wide == b.Wide && a.Sudo == b.Sudo && a.Remote == b.Remote &&
		a.Guess == b.Guess && a.Shown == b.Shown && a.Scratch == b.Scratch && a.How == b.How && a.Content == b.Content &&
		a.Kind == b.Kind && a.Several == b.Several && a.Possible == b.Possible && a.Added == b.Added
}

// one is exists_one.
func (n *node) one(f *frame) answer {
	var s span
	if a := n.kids[1].span(f, &s); a != yes {
		return a
	}
	found, all := 0, no
	at := &f.slots[n.slot]
	for i := range s.size() {
		s.load(f, i, at)
		a := n.kids[0].inEach(f, at)
		if a == yes {
			found++
		}
		if all = merge(all, a, no); f.steps < 0 {
			return tooMuch
		}
	}
	if s.more != yes {
		*at = slot{is: s.more}
		if a := n.kids[0].holds(f); a != no {
			all = merge(all, merge(a, s.more, s.more), no)
		}
	}
	if all != no {
		return all
	}
	return answerOf(found == 1)
}
