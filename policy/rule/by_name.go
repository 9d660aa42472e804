package rule

import "slices"

// byName are the alternatives about a command, sorted by the names of which it
// must have one: most need not be looked at.
type byName struct {
	of    map[string]*node
	marks marks // of the names
	rest  *node // for all other names
}

// condition is the condition for a command with a name.
func (b *byName) condition(name string) *node {
	if b.marks.may(name) {
		if some, ok := b.of[name]; ok {
			return some
		}
	}
	return b.rest
}

// sortByName sorts the alternatives of a condition about the command in a slot.
func sortByName(n *node, slot int) *byName {
	alternatives := []*node{n}
	if n.op == opOr {
		alternatives = n.kids
	}
	sorted := &byName{of: map[string]*node{}, rest: &node{op: opOr}}
	names := make([][]string, len(alternatives))
	limited := make([]bool, len(alternatives))
	for i, kid := range alternatives {
		if names[i], limited[i] = programs(kid, slot); !limited[i] {
			sorted.rest.kids = append(sorted.rest.kids, kid)
		}
		for _, name := range names[i] {
			sorted.of[name] = &node{op: opOr}
			sorted.marks.add(name)
		}
	}
	for name, some := range sorted.of {
		for i, kid := range alternatives {
			if !limited[i] || slices.Contains(names[i], name) {
				some.kids = append(some.kids, kid)
			}
		}
	}
	return sorted
}

// programs returns the names of which the command in a slot needs one for a
// condition to be anything but no, and whether there are such names.
func programs(n *node, slot int) (names []string, limited bool) {
	return needed(n, &node{op: opOfSlot, slot: slot, text: "name"})
}

// verbsOf returns marks of the verbs of which the effect in a slot needs one for
// a condition to be anything but no, nil if any verb will do.
func verbsOf(n *node, slot int) *marks {
	verbs, limited := needed(n, &node{op: opOfEffect, slot: slot, text: "verb"})
	if !limited {
		return nil
	}
	m := &marks{}
	for _, verb := range verbs {
		m.add(verb)
	}
	return m
}

// needed returns the texts of which a field must be one for a condition to be
// anything but no, and whether there are such texts.
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
		return n.names, field.op == opOfSlot && n.slot == field.slot
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

// marks tell of most names that they are none of some others, without looking at
// these.
type marks [512 / 64]uint64

func (m *marks) add(name string) {
	at := markOf(name)
	m[at/64] |= 1 << (at % 64)
}

func (m *marks) may(name string) bool {
	at := markOf(name)
	return m[at/64]>>(at%64)&1 != 0
}

// markOf depends on the length of a name and on its first, middle and last
// letters.
func markOf(name string) uint {
	n := uint(len(name))
	if n == 0 {
		return 0
	}
	return (uint(name[0])*7 + uint(name[n/2])*31 + uint(name[n-1])*131 + n*61) % 512
}

// isField reports whether a node is a field of what is in a slot.
func (n *node) isField(field *node) bool {
	return n.op == field.op && n.slot == field.slot && n.text == field.text
}
