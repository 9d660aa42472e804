package rule

import (
	"slices"

	"github.com/sluice-project/sluice/policy/invocation"
)

// The operands of a command are its arguments without options and their values. Where it is
// not known whether an option has a value, there are several ways to read them.

// operands are the operands of a command, in the reading that the slot is in.
func (n *node) operands(f *frame, s *span) answer {
	c, a := n.command(f)
	if a != yes {
		return a
	}
	places, a := n.placesOf(f, c)
	if a != yes {
		return a
	}
	s.more = complete(!f.more(c), commandArgs)
	unknown := -1
	if !f.written {
		unknown = slices.Index(c.Open, invocation.AnyWords)
	}
	for _, at := range places {
		switch {
		case at == unknown || unknown >= 0 && f.openness(c, at) == invocation.AnyWords:
			if s.more == yes && !f.known {
				s.more = f.note(commandArgs, c.Args[at])
			}
		default:
			if s.more == yes && unknown < 0 || unknown > at {
				s.sure++
			}
			s.texts, s.open = append(s.texts, c.Args[at]), append(s.open, f.openness(c, at))
		}
	}
	return yes
}

// placesOf are the places of the operands among the arguments.
func (n *node) placesOf(f *frame, c *invocation.Command) ([]int, answer) {
	var ways [][]int
	at := &slot{}
	if n.slot >= 0 {
		at = &f.slots[n.slot]
	}
	if ways = at.operands; ways == nil {
		if !f.spend(len(c.Args)) {
			return nil, tooMuch
		}
		if ways = f.programs().Operands(c.Name, c.Args); ways == nil {
			return nil, unknownOf(commandArgs)
		}
		at.operands = ways
	}
	switch {
	case len(ways) == 1 || f.written || f.known:
		return ways[0], yes
	case at.each:
		return ways[at.way], yes
	default:
		return nil, unknownOf(commandArgs)
	}
}
