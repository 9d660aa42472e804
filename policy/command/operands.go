package command

import (
	"slices"
)

// mostReadings is in how many ways the operands of a command line are told.
const mostReadings = 16

// Operands are the arguments of a command line that are no options and no values of options,
// by their places: one list for each way in which it can be read, the first of them the one
// in which no word may be the value of an option that is not known. They are nil if there
// are too many ways.
func (c *Catalogue) Operands(program string, args []string) [][]int {
	var all [][]int
	described := c.described(program)
	if len(described) == 0 {
		l := parse(args, syntax{})
		return l.ways(nil, nil)
	}
	for _, p := range described {
		of := [][]int{nil} // one command after another
		for from, part := range p.separate(&Invocation{Name: program, Args: args}) {
			var ways, joined [][]int
			many := false
			p.eachLine(part, placesFrom(from, len(part.Args)), nil, 0, func(l *line, at, ahead []int) {
				more := l.ways(at, ahead)
				many, ways = many || more == nil, union(ways, more)
			})
			for _, before := range of {
				for _, behind := range ways {
					joined = append(joined, slices.Concat(before, behind))
				}
			}
			if of = joined; many || len(of) == 0 || len(of) > mostReadings {
				return nil
			}
		}
		all = union(all, of)
	}
	if len(all) > mostReadings {
		return nil
	}
	return all
}

// placesFrom are the places of some arguments that stand behind one another.
func placesFrom(from, n int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = from + i
	}
	return at
}

// eachLine calls f with each way in which an invocation can be taken apart: with where its
// arguments stand in the whole command line, -1 for one that does not, and those ahead of
// them that are operands already, if it was handed on to another program.
func (p *Program) eachLine(in *Invocation, at, ahead []int, depth int, f func(l *line, at, ahead []int)) {
	t := in.takenApart(p)
	if len(t.matches) == 0 {
		f(&t.first, at, ahead)
	}
	for i := range t.matches {
		m := &t.matches[i]
		if m.command.program == "" || depth == mostPrograms {
			f(&t.reading(in, i, nil).line, at, ahead)
		} else if other := p.other(m.command.program); other != nil {
			words := slices.Clone(ahead)
			for j := range m.used {
				if m.used[j] {
					words = append(words, at[t.first.operands[j].at])
				}
			}
			rest, kept := p.handedOn(in, t, m)
			for j, from := range kept {
				if from >= 0 {
					kept[j] = at[from]
				}
			}
			other.eachLine(rest, kept, words, depth+1, f)
		}
	}
}

// ways are the ways in which the operands of a command line can be read: each that may be the
// value of an option is one or is not.
func (l *line) ways(at, ahead []int) [][]int {
	ways := [][]int{slices.Clone(ahead)}
	for i := range l.operands {
		o := &l.operands[i]
		place := o.at
		if at != nil {
			place = at[o.at]
		}
		if place < 0 {
			continue
		}
		n := len(ways)
		if o.maybe && 2*n > mostReadings {
			return nil
		}
		for j := range n {
			with := append(slices.Clone(ways[j]), place)
			if o.maybe {
				ways = append(ways, with)
			} else {
				ways[j] = with
			}
		}
	}
	for _, way := range ways {
		slices.Sort(way)
	}
	return ways
}

// union adds the ways that a list does not have.
func union(list, more [][]int) [][]int {
	for _, way := range more {
		if !slices.ContainsFunc(list, func(known []int) bool { return slices.Equal(known, way) }) {
			list = append(list, way)
		}
	}
	return list
}
