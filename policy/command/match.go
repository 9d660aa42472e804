package command

import "slices"

// found is a command that the words call.
type found struct {
	command *Command
	way     way
	used    []bool
	weight  int // how specific it is
	at      int // the argument that is its first word
}

// match appends to all, which is empty, the commands that the words can call, without those
// that a more specific one explains better.
func (p *Program) match(l *line, all []found) []found {
	for e := range p.index.candidates(l.operands) {
		for begin := range e.way.begins(l.operands) {
			taken, used, weight := e.way.match(l.operands[begin:])
			if taken < 0 {
				continue
			}
			if begin > 0 {
				used = slices.Concat(make([]bool, begin), used)
			}
			f := found{command: e.command, way: e.way, used: used, weight: weight}
			if i := slices.Index(used, true); i >= 0 {
				f.at = l.operands[i].at
			}
			if n := len(all) - 1; n < 0 || all[n].command != e.command || begin > 0 && all[n].at != f.at {
				all = append(all, f)
			} else if weight > all[n].weight {
				all[n] = f
			}
		}
	}
	if len(p.commands) > 1 && hasSure(l.operands) {
		// The program itself takes no operands: this is a subcommand that is not known.
		all = slices.DeleteFunc(all, func(f found) bool { return len(f.way) == 0 && len(f.command.operands) == 0 })
	}
	if len(all) < 2 {
		return all
	}
	var kept []found
	for i := range all {
		beaten := false
		for j := range all {
			beaten = beaten || i != j && all[j].explains(&all[i], l.operands)
		}
		if !beaten {
			kept = append(kept, all[i])
		}
	}
	return kept
}

// match takes the words of the command among the operands of another reading of the same
// command line.
func (f *found) match(operands []operand) (taken int, used []bool) {
	begin := 0
	for begin < len(operands) && operands[begin].maybe && operands[begin].at < f.at {
		begin++
	}
	taken, used, _ = f.way.match(operands[begin:])
	if taken < 0 || begin == 0 {
		return taken, used
	}
	return begin + taken, slices.Concat(make([]bool, begin), used)
}

func hasSure(operands []operand) bool {
	for i := range operands {
		if !operands[i].maybe {
			return true
		}
	}
	return false
}

// explains reports whether f is about the same words as another command and more
// specific. Words that may be values of options explain nothing away.
func (f *found) explains(other *found, operands []operand) bool {
	if f.command.firstEnds && other.way.searches() && len(other.used) > len(f.used) && f.isSure(operands) {
		return true // the words behind it are another command's
	}
	if f.weight <= other.weight || f.command.below && !other.command.below { // which adds to it
		return false
	}
	if other.way.searches() && len(f.used) > len(other.used) {
		return false // words behind a command that was found are what it is given
	}
	for i, used := range f.used {
		if used && operands[i].maybe && (i >= len(other.used) || !other.used[i]) {
			return false
		}
	}
	for i, used := range other.used {
		if used && (i >= len(f.used) || !f.used[i]) {
			return false
		}
	}
	return true
}

// isSure reports whether none of its words may be the value of an option.
func (f *found) isSure(operands []operand) bool {
	for i := range f.used {
		if operands[i].maybe {
			return false
		}
	}
	return true
}
