package rule

import (
	"slices"

	"github.com/sluice-project/sluice/policy/internal/bloom"
)

// byName is a condition on a command, an effect or a call, specialised for each of the names, verbs
// or kinds that it mentions: most of it need not be evaluated.
type byName struct {
	of     map[string]*node
	filter bloom.Filter // of the names
	rest   *node        // for all other names
}

// fieldOf is a field of what is in a slot, or of the call.
type fieldOf struct {
	name string
	op   op
	slot int
}

// sorted specialises a condition by a field.
func (n *node) sorted(by fieldOf) *byName {
	kids := []*node{n}
	if n.op == opOr {
		kids = n.kids
	}
	s := &byName{of: map[string]*node{}, rest: &node{op: opOr, mixed: n.mixed}}
	for _, kid := range kids {
		names, limited := kid.needs(by)
		if !limited {
			s.rest.kids = append(s.rest.kids, kid)
		}
		for _, name := range names {
			s.of[name] = n.given(by, name)
			s.filter.Add(name)
		}
	}
	return s
}

// given is the condition for a name with a hash.
func (s *byName) given(name string, hash bloom.Hash) *node {
	if s.filter.May(hash) {
		if n := s.of[name]; n != nil {
			return n
		}
	}
	return s.rest
}

// needs returns the values of which a field must have one for a condition to
// be anything but no, and whether there are such values.
func (n *node) needs(by fieldOf) (values []string, limited bool) {
	switch n.op {
	case opAnd:
		for _, kid := range n.kids {
			if values, limited = kid.needs(by); limited {
				return values, true
			}
		}
	case opOr:
		for _, kid := range n.kids {
			some, limited := kid.needs(by)
			if !limited {
				return nil, false
			}
			values = append(values, some...)
		}
		return values, true
	case opIs:
		return n.names, n.names != nil && by.name == "name" && n.isOf(by.slot)
	case opEqual, opIn:
		for i, kid := range n.kids {
			switch other := n.kids[1-i]; {
			case kid.op != by.op || kid.text != by.name || by.op == opOfOne && !kid.isOf(by.slot):
			case other.op == opText && n.op == opEqual:
				return []string{other.text}, true
			case other.op == opNames && n.op == opIn:
				return other.names, true
			}
		}
	default:
	}
	return nil, false
}

// given is a condition for a known value of a field.
func (n *node) given(by fieldOf, value string) *node {
	if n.op != opAnd && n.op != opOr && n.op != opNot {
		if values, limited := n.needs(by); limited { // it depends on nothing else
			return &node{op: opConst, answer: answerOf(slices.Contains(values, value))}
		}
		return n
	}
	some := *n
	some.kids = nil
	decides := answerOf(n.op == opOr)
	for _, kid := range n.kids {
		kid = kid.given(by, value)
		switch {
		case n.op == opNot && kid.op == opConst:
			return &node{op: opConst, answer: kid.answer.not()}
		case kid.op != opConst:
			some.kids = append(some.kids, kid)
		case kid.answer == decides:
			return kid
		}
	}
	switch {
	case len(some.kids) == 0:
		return &node{op: opConst, answer: decides.not()}
	case len(some.kids) == 1 && n.op != opNot:
		return some.kids[0]
	default:
		return &some
	}
}
