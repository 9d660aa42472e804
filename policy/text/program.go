package text

import (
	"regexp/syntax"
	"slices"
	"unicode"
)

// opcode says what an instruction does.
type opcode uint8

const (
	opFail    opcode = iota // leads nowhere
	opSplit                 // goes on at out, or if that fails at arg
	opGo                    // goes on at out
	opCapture               // notes the position in slot arg, goes on at out
	opAssert                // goes on at out if the assertions in arg hold here
	opChar                  // eats one character of set arg, goes on at out
	opMatch                 // pattern arg has matched
)

// inst is one instruction of the nondeterministic automaton.
type inst struct {
	op       opcode
	out, arg uint32
}

// program is the patterns of all rules of a chain. It is immutable.
type program struct {
	insts    []inst
	rules    []rule
	sets     []charset
	alphabet *alphabet
	flags    [kinds][kinds]uint32 // which assertions hold between two kinds of characters
	asserts  uint32               // which assertions are used at all
}

// span is a range of instructions.
type span struct{ lo, hi uint32 }

// load appends one compiled pattern and returns its entry.
func (p *program) load(prog *syntax.Prog, pattern int, sets *alphabetBuilder) uint32 {
	base := uint32(len(p.insts))
	for i := range prog.Inst {
		from := &prog.Inst[i]
		to := inst{out: base + from.Out}
		switch from.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			to.op, to.arg = opSplit, base+from.Arg
		case syntax.InstNop:
			to.op = opGo
		case syntax.InstCapture:
			to.op, to.arg = opCapture, from.Arg
		case syntax.InstEmptyWidth:
			to.op, to.arg = opAssert, from.Arg
			p.asserts |= from.Arg
		case syntax.InstMatch:
			to.op, to.arg = opMatch, uint32(pattern)
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			to.op, to.arg = opChar, sets.add(rangesOf(from))
		case syntax.InstFail:
			to.op = opFail
		}
		p.insts = append(p.insts, to)
	}
	return base + uint32(prog.Start)
}

// rangesOf lists the characters that an instruction eats, as pairs of first and
// last in ascending order.
func rangesOf(in *syntax.Inst) []rune {
	switch in.Op {
	case syntax.InstRuneAny:
		return []rune{0, unicode.MaxRune}
	case syntax.InstRuneAnyNotNL:
		return []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}
	default:
	}
	if len(in.Rune) != 1 {
		return in.Rune
	}
	chars := []rune{in.Rune[0]}
	if syntax.Flags(in.Arg)&syntax.FoldCase != 0 {
		for r := unicode.SimpleFold(chars[0]); r != chars[0]; r = unicode.SimpleFold(r) {
			chars = append(chars, r)
		}
		slices.Sort(chars)
	}
	pairs := make([]rune, 0, 2*len(chars))
	for _, r := range chars {
		pairs = append(pairs, r, r)
	}
	return pairs
}

// assertionsBetween returns the assertions that hold between two characters.
func assertionsBetween(before, after kind) uint32 {
	var flags syntax.EmptyOp
	switch before {
	case edge:
		flags |= syntax.EmptyBeginText | syntax.EmptyBeginLine
	case newline:
		flags |= syntax.EmptyBeginLine
	default:
	}
	switch after {
	case edge:
		flags |= syntax.EmptyEndText | syntax.EmptyEndLine
	case newline:
		flags |= syntax.EmptyEndLine
	default:
	}
	if (before == word) != (after == word) {
		flags |= syntax.EmptyWordBoundary
	} else {
		flags |= syntax.EmptyNoWordBoundary
	}
	return uint32(flags)
}

// finish computes the tables once all patterns are loaded.
func (p *program) finish(sets *alphabetBuilder) {
	p.alphabet, p.sets = sets.build()
	for before := range kinds {
		for after := range kinds {
			p.flags[before][after] = assertionsBetween(before, after)
		}
	}
	for i := range p.rules {
		r := &p.rules[i]
		for before := range kinds {
			r.starts[before] = make([][]start, p.alphabet.size())
			for _, entry := range r.entries {
				p.addStarts(r.starts[before], entry, before)
			}
		}
	}
}

// addStarts adds the ways in which a pattern can begin behind a character of kind
// before.
func (p *program) addStarts(starts [][]start, entry uint32, before kind) {
	for after := newline; after < kinds; after++ {
		var firsts []start
		p.addFirsts(&firsts, entry, nil, p.flags[before][after], map[uint32]bool{})
		for class, k := range p.alphabet.kinds {
			if k != after {
				continue
			}
			for _, first := range firsts {
				if p.sets[p.insts[first.pc].arg].has(uint16(class)) {
					starts[class] = append(starts[class], first)
				}
			}
		}
	}
}

// addFirsts lists what is reached from pc without eating a character where the
// assertions in flags hold, the preferred one first.
func (p *program) addFirsts(list *[]start, pc uint32, slots []uint32, flags uint32, seen map[uint32]bool) {
	for !seen[pc] {
		seen[pc] = true
		in := &p.insts[pc]
		switch in.op {
		case opSplit:
			p.addFirsts(list, in.out, slots, flags, seen)
			pc = in.arg
			continue
		case opGo:
		case opCapture:
			slots = append(slices.Clip(slots), in.arg)
		case opAssert:
			if in.arg&^flags != 0 {
				return
			}
		case opChar:
			*list = append(*list, start{pc: pc, slots: slots})
			return
		case opMatch, opFail:
			return
		}
		pc = in.out
	}
}

// shortest is the least number of characters that an expression can match, with
// every assertion taken to hold.
func shortest(re *syntax.Regexp) int {
	const many = 1 << 20 // enough to say "not empty", and no product of two overflows
	switch re.Op {
	case syntax.OpNoMatch, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return shortest(re.Sub[0])
	case syntax.OpRepeat:
		return min(many, re.Min*shortest(re.Sub[0]))
	case syntax.OpConcat:
		n := 0
		for _, sub := range re.Sub {
			n = min(many, n+shortest(sub))
		}
		return n
	case syntax.OpAlternate:
		n := many
		for _, sub := range re.Sub {
			n = min(n, shortest(sub))
		}
		return n
	default: // assertions, stars, options, the empty expression
		return 0
	}
}
