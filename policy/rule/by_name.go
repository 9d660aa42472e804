package rule

import (
	"slices"

	"github.com/sluice-project/sluice/policy/internal/bloom"
)

// byName is a condition on a command or an effect, specialised for each of the
// names or verbs that it mentions: most of it need not be evaluated.
type byName struct {
	of     map[string]*node
	filter bloom.Filter // of the names
	rest   *node        // for all other names
}

// condition is the condition for a name.
func (b *byName) condition(name string) *node {
	if b.filter.May(bloom.HashOf(name)) {
		if some, ok := b.of[name]; ok {
			return some
		}
	}
	return b.rest
}

// sortByName specialises a condition by a field of the command or effect that
// it tests.
func sortByName(n, field *node) *byName {
	kids := []*node{n}
	if n.op == opOr {
		kids = n.kids
	}
	sorted := &byName{of: map[string]*node{}, rest: &node{op: opOr, mixed: n.mixed}}
	for _, kid := range kids {
		names, limited := needed(kid, field)
		if !limited {
			sorted.rest.kids = append(sorted.rest.kids, kid)
		}
		for _, name := range names {
			sorted.of[name] = n.given(field, name)
			sorted.filter.Add(name)
		}
	}
	return sorted
}

// nameOf and verbOf are the fields that conditions are specialised by.
func nameOf(slot int) *node { return &node{op: opOfSlot, slot: slot, text: "name"} }
func verbOf(slot int) *node { return &node{op: opOfEffect, slot: slot, text: "verb"} }

// given partially evaluates a condition for a known field.
func (n *node) given(field *node, text string) *node {
	switch n.op {
	case opAnd, opOr:
		decides := no
		if n.op == opOr {
			decides = yes
		}
		some := &node{op: n.op, mixed: n.mixed}
		for _, kid := range n.kids {
			kid = kid.given(field, text)
			if kid.op != opConst {
				some.kids = append(some.kids, kid)
			} else if kid.answer == decides {
				return kid
			}
		}
		switch len(some.kids) {
		case 0:
			return &node{op: opConst, answer: decides.not()}
		case 1:
			return some.kids[0]
		default:
			return some
		}
	case opNot:
		kid := n.kids[0].given(field, text)
		if kid.op == opConst {
			return &node{op: opConst, answer: kid.answer.not()}
		}
		return &node{op: opNot, kids: []*node{kid}}
	case opIs, opEqual, opIn:
		if texts, known := needed(n, field); known { // it depends on nothing else
			return &node{op: opConst, answer: answerOf(slices.Contains(texts, text))}
		}
	default:
	}
	return n
}

// needed returns the values of which a field must have one for a condition to
// be anything but no, and whether there are such values.
func needed(n, field *node) (texts []string, limited bool) {
	switch n.op {
	case opAnd:
		for _, kid := range n.kids {
			if texts, limited = needed(kid, field); limited {
				return texts, true
			}
		}
	case opOr:
		for _, kid := range n.kids {
			some, limited := needed(kid, field)
			if !limited {
				return nil, false
			}
			texts = append(texts, some...)
		}
		return texts, true
	case opIs:
		return n.names, n.kids == nil && field.op == opOfSlot && n.slot == field.slot
	case opEqual:
		for i, kid := range n.kids {
			if other := n.kids[1-i]; kid.isField(field) && other.op == opText {
				return []string{other.text}, true
			}
		}
	case opIn:
		if n.kids[0].isField(field) && n.kids[1].op == opNames {
			return n.kids[1].names, true
		}
	default:
	}
	return nil, false
}

// isField reports whether a node is a field of what is in a slot.
func (n *node) isField(field *node) bool {
	return n.op == field.op && n.slot == field.slot && n.text == field.text
}
