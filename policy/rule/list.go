package rule

import (
	"maps"
	"slices"
	"unicode/utf8"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/bloom"
	"github.com/sluice-project/sluice/policy/internal/celvalue"
	"github.com/sluice-project/sluice/policy/internal/partial"
	"github.com/sluice-project/sluice/policy/invocation"
)

// list is what a list consists of: one of commands, effects, texts and values.
type list struct {
	commands []invocation.Command
	effects  []effect.Effect
	texts    []string
	values   []value
	// open is how much of each text is not known, if that is told; otherwise it
	// is known in part if expands is set and it has variables.
	open    []invocation.Openness
	expands bool
	// strange are the programs that may have the further effects, nil if anything may.
	strange []string
	// sure is how many of the elements surely come first, also if there is more.
	sure int
	// more is yes if the list is complete, else what is unknown of it: it counts
	// as going on with elements about which nothing is known.
	more answer
}

func (s *list) size() int { return len(s.commands) + len(s.effects) + len(s.texts) + len(s.values) }

// at is an element.
func (s *list) at(f *frame, i int) value {
	switch {
	case s.commands != nil:
		return value{is: yes, of: &s.commands[i]}
	case s.effects != nil:
		return value{is: yes, of: &s.effects[i]}
	case s.values != nil:
		return s.values[i]
	}
	text, open := s.texts[i], invocation.Whole
	if i < len(s.open) {
		open = s.open[i]
	}
	switch {
	case open == invocation.AnyWords:
		return value{is: f.note(commandArgs, text)}
	case open == invocation.Names:
		return value{is: partly, text: partial.Wild(text)}
	case (s.expands || open == invocation.OneWord) && effect.Expands(text):
		return value{is: partly, text: text}
	default:
		return known(text)
	}
}

// further are values for the elements that may follow those of an incomplete list: one of
// which nothing is known, or an effect for each program that may have it.
func (s *list) further(i int) (v value, ok bool) {
	if s.more == yes || i >= max(1, len(s.strange)) {
		return value{}, false
	}
	v.is = s.more
	if s.strange != nil {
		v.of = &effect.Effect{How: s.strange[i]}
	}
	return v, true
}

// strings are the texts of a list that a function takes.
func (n *node) strings(f *frame) ([]string, answer) {
	var s list
	if a := n.elements(f, &s); a != yes || s.more != yes {
		return nil, merge(a, s.more, yes)
	}
	texts := make([]string, s.size())
	for i := range texts {
		v := f.asText(s.at(f, i))
		if v.is != yes {
			return nil, f.whole(v)
		}
		texts[i] = v.text
	}
	return texts, yes
}

// whole is a list as a value of CEL: it must be known as a whole. Of numbers that are added
// up, some need not be there.
func (n *node) whole(f *frame, added bool) (ref.Val, answer) {
	var s list
	if a := n.elements(f, &s); a != yes || s.more != yes {
		return nil, merge(a, s.more, yes)
	}
	if !f.spend(s.size()) {
		return nil, tooMuch
	}
	if s.texts != nil && s.open == nil && !s.expands {
		return types.NewStringList(celvalue.Adapter{}, s.texts), yes
	}
	values, all := make([]ref.Val, 0, s.size()), yes
	for i := range s.size() {
		switch v, a := f.inCEL(s.at(f, i)); {
		case a.isMissing() && added:
		case a.isFailed() && !a.isMissing():
			return nil, a
		default:
			values, all = append(values, v), merge(all, a, yes)
		}
	}
	return types.NewRefValList(celvalue.Adapter{}, values), all
}

// elements evaluates a list, or the keys of a map. The answer is yes if something is known
// of it.
func (n *node) elements(f *frame, s *list) answer {
	if !f.spend(1) {
		return tooMuch
	}
	s.more = yes
	switch n.op {
	case opNames:
		s.texts = n.names
		return yes
	case opFiles, opCommands, opEffects:
		return n.ofCall(f, s)
	case opArgs, opOperands, opFlags, opBelow, opEnv:
		c, a := f.command(n.kids[0])
		if a != yes {
			return a
		}
		switch n.op {
		case opArgs:
			f.arguments(c, s)
		case opOperands:
			return n.operands(f, c, s)
		case opFlags:
			_, a := n.flags(f, c, s)
			return a
		case opBelow:
			return f.effectsOf(c, s)
		default:
			s.texts = slices.Sorted(maps.Keys(variables(c)))
		}
		return yes
	case opList:
		return n.made(f, s)
	case opMapped:
		return n.mapped(f, s)
	case opChoice:
		if a := n.kids[0].holds(f); a != yes && a != no {
			return a
		} else if a == yes {
			return n.kids[1].elements(f, s)
		}
		return n.kids[2].elements(f, s)
	default:
	}
	return f.iterate(n.eval(f), s)
}

// iterate adds the elements of a list of CEL, or the keys of a map.
func (f *frame) iterate(v value, s *list) answer {
	of, ok := v.of.(traits.Iterable)
	if v.is != yes || !ok {
		return merge(f.whole(v), f.fail(errOtherType), yes)
	}
	for it := of.Iterator(); it.HasNext() == types.True; {
		if !f.spend(1) {
			return tooMuch
		}
		s.values = append(s.values, f.fromCEL(it.Next()))
	}
	return yes
}

// ofCall is a list of the call, or of another global variable.
func (n *node) ofCall(f *frame, s *list) answer {
	v, a := n.subject(f)
	if a != yes {
		return a
	}
	if n.op == opFiles {
		s.texts, s.more = n.list(v)
		s.expands = n.open && !f.written
		if s.more == unknownOf(requestAll) {
			return s.more
		}
		return yes
	}
	c := v.read()
	if n.op == opCommands {
		s.commands, s.more = c.Commands, complete(!c.Incomplete.Commands, someCommands)
		return yes
	}
	s.effects, s.more = c.Effects, complete(!c.Incomplete.Commands, someEffects)
	if s.more == yes && !f.written && len(c.Strange) > 0 {
		s.strange, s.more = c.Strange, unknownOf(someEffects)
	}
	return yes
}

// made is a list of expressions. As in CEL, nothing is known of it if one of them is unknown.
func (n *node) made(f *frame, s *list) answer {
	all := yes
	for _, kid := range n.kids {
		v := kid.eval(f)
		if v.is.isFailed() && !v.is.isMissing() {
			return v.is
		}
		if v.is.isUnknown() {
			all = merge(all, v.is, yes)
		}
		s.values = append(s.values, v)
	}
	return all
}

// mapped is map and filter. Elements about which it is not known whether they are left out may
// follow those that are not.
func (n *node) mapped(f *frame, s *list) answer {
	var from list
	if a := n.kids[0].elements(f, &from); a != yes {
		return a
	}
	inOrder := true
	for i := range from.size() {
		f.locals[n.slot] = from.at(f, i)
		switch a := n.kids[1].inEach(f, n.slot); {
		case f.steps < 0:
			return tooMuch
		case a == yes:
			v := n.kids[2].eval(f)
			if v.is.isFailed() && !v.is.isMissing() {
				return v.is
			}
			s.values = append(s.values, v)
		case a.isFailed():
			return a
		case a != no:
			s.more, inOrder = merge(s.more, a, yes), false
		}
		if inOrder && (from.more == yes || i < from.sure) {
			s.sure = len(s.values)
		}
	}
	for i := 0; ; i++ {
		v, ok := from.further(i)
		if !ok {
			return yes
		}
		f.locals[n.slot] = v
		if a := n.kids[1].holds(f); a != no {
			s.more = merge(s.more, from.more, yes)
		}
	}
}

// quantified is exists and all, over the known elements and, if there may be
// more, one about which nothing is known.
func (n *node) quantified(f *frame) answer {
	decides, all := yes, no
	if n.op == opAll {
		decides, all = no, yes
	}
	if over := n.kids[0]; over.op == opFiles && f.view != nil {
		if texts, more := over.list(f.view); len(texts) == 0 && more == yes { // as most are
			return all
		}
	}
	var s list
	if a := n.kids[0].elements(f, &s); a != yes {
		return a
	}
	rest := all
	for i := range s.size() {
		if s.effects != nil && i > 0 && sameEffect(&s.effects[i], &s.effects[i-1]) {
			continue
		}
		kid := n.kids[1]
		if n.byName != nil {
			var name string
			if s.commands != nil {
				name = s.commands[i].Name
			} else {
				name = string(s.effects[i].Verb)
			}
			kid = n.byName.given(name, bloom.HashOf(name))
		}
		f.locals[n.slot] = s.at(f, i)
		a := kid.inEach(f, n.slot)
		if a == decides {
			return a
		}
		if all = merge(all, a, rest); f.steps < 0 {
			return tooMuch
		}
	}
	for i := 0; ; i++ {
		v, ok := s.further(i)
		if !ok {
			return all
		}
		f.locals[n.slot] = v
		a := n.kids[1].holds(f)
		if a == decides {
			return a
		}
		all = merge(all, a, rest)
	}
}

// inEach evaluates a condition on what is in a slot in all readings of it. If they
// disagree, it is not known.
func (n *node) inEach(f *frame, slot int) answer {
	if _, isCommand := f.locals[slot].of.(*invocation.Command); !isCommand {
		return n.holds(f)
	}
	r := &f.readings[slot]
	*r = readings{each: true}
	a := n.holds(f)
	for f.steps >= 0 {
		if r.sub++; r.sub >= len(r.subs) {
			r.sub, r.way = 0, r.way+1
		}
		if r.way > 0 && r.way >= len(r.operands) {
			break
		}
		if b := n.holds(f); a != b {
			a = merge(a, merge(b, unknownOf(commandArgs), no), no)
		}
	}
	r.each, r.sub, r.way = false, 0, 0
	return a
}

// size is the size of a list, and what is unknown of it if there may be more, or the length of a
// text in characters.
func (n *node) size(f *frame) (size int, more, a answer) {
	of := n.kids[0]
	if of.typ.Kind() != types.StringKind {
		var s list
		a = of.elements(f, &s)
		return s.size(), s.more, a
	}
	v := f.asText(of.eval(f))
	if a = f.whole(v); a == yes && !f.spend(len(v.text)/10) {
		a = tooMuch
	}
	return utf8.RuneCountInString(v.text), yes, a
}

// sized compares a size with a number. If there may be more, it is known where any larger size
// gives the same answer.
func (n *node) sized(f *frame) answer {
	size, more, a := n.size(f)
	if a != yes {
		return a
	}
	compare := comparisons[n.text]
	is := compare(size, n.number)
	if more == yes || size >= n.number && compare(size+1, n.number) == is {
		return answerOf(is)
	}
	return more
}

// sameEffect reports whether two effects are indistinguishable to a condition:
// they get the same answer.
func sameEffect(a, b *effect.Effect) bool {
	if a.Verb != b.Verb || a.Object != b.Object {
		return false
	}
	of := *a
	of.Command = b.Command
	return of == *b
}
