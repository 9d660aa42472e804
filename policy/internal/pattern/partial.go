package pattern

import (
	"regexp/syntax"
	"unicode/utf8"

	"github.com/sluice-project/sluice/policy/internal/partial"
)

// simulated runs a regular expression over texts of which parts are not known.
type simulated struct{ prog *syntax.Prog }

// mostHoledSteps bounds the work for one text. Beyond it the answer is not known.
const mostHoledSteps = 2 << 20

// MatchPartial says whether a text matches: Yes if the known pieces do on their own,
// No if nothing in the holes could make it match.
func (p *Pattern) MatchPartial(h *partial.Text) partial.Answer {
	prog := p.prog()
	if prog == nil {
		return partial.Open
	}
	return (&simulated{prog}).match(h)
}

func (p *simulated) match(h *partial.Text) partial.Answer {
	known := 0
	for _, piece := range h.Pieces {
		known += len(piece)
	}
	if known*len(p.prog.Inst) > mostHoledSteps {
		return partial.Open
	}
	if p.run(h, false) {
		return partial.Yes
	}
	if p.run(h, true) {
		return partial.Open
	}
	return partial.No
}

// run simulates the expression. If it is generous, a hole is any text and an
// assertion that depends on one holds if it can; otherwise nothing matches across a
// hole, and an assertion holds only if it certainly does.
func (p *simulated) run(h *partial.Text, generous bool) bool {
	n := len(p.prog.Inst)
	m := machine{prog: p.prog, generous: generous, on: make([]bool, n), next: make([]bool, n)}
	for _, piece := range h.Pieces {
		m.left += len(piece)
	}
	before := edge
	for i, piece := range h.Pieces {
		for piece != "" {
			after, size := utf8.DecodeRuneInString(piece)
			if m.enter(before, after) {
				return true
			}
			m.step(after)
			before, piece = after, piece[size:]
			m.begun, m.left = true, m.left-size
		}
		if i == len(h.Pieces)-1 {
			return m.enter(before, edge)
		}
		if m.enter(before, hole) || m.cross() {
			return true
		}
		before = hole
	}
	return false
}

const (
	// edge is the neighbour of the first and the last character.
	edge rune = -1
	// hole is a neighbour that is not known.
	hole rune = -2
)

// machine is a simulation: the instructions that are reached before the next
// character.
type machine struct {
	prog     *syntax.Prog
	generous bool
	on, next []bool
	matched  bool
	begun    bool // known characters have been read
	left     int  // how many bytes of known characters follow
}

// enter follows what needs no character, from the beginning as well: a match may
// begin anywhere. It reports whether there is one.
func (m *machine) enter(before, after rune) bool {
	reached := m.next
	clear(reached)
	for pc, on := range m.on {
		if on {
			m.follow(uint32(pc), before, after, false, reached)
		}
	}
	m.follow(uint32(m.prog.Start), before, after, false, reached)
	m.on, m.next = reached, m.on
	return m.matched
}

// follow goes on from an instruction, in a hole also past those that need a
// character: it can have any.
func (m *machine) follow(pc uint32, before, after rune, inHole bool, reached []bool) {
	if reached[pc] {
		return
	}
	inst := &m.prog.Inst[pc]
	if inst.Op == syntax.InstEmptyWidth && !m.holds(syntax.EmptyOp(inst.Arg), before, after) {
		return
	}
	reached[pc] = true
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		m.follow(inst.Out, before, after, inHole, reached)
		m.follow(inst.Arg, before, after, inHole, reached)
	case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
		m.follow(inst.Out, before, after, inHole, reached)
	case syntax.InstMatch:
		m.matched = true
	case syntax.InstFail:
	default:
		if inHole {
			m.follow(inst.Out, before, after, inHole, reached)
		}
	}
}

// holds reports whether an assertion holds between two characters.
func (m *machine) holds(op syntax.EmptyOp, before, after rune) bool {
	if before != hole && after != hole {
		return op&^syntax.EmptyOpContext(before, after) == 0
	}
	ok := true
	if op&syntax.EmptyBeginText != 0 {
		ok = ok && (before == edge || m.generous && before == hole && !m.begun)
	}
	if op&syntax.EmptyEndText != 0 {
		ok = ok && (after == edge || m.generous && after == hole && m.left == 0)
	}
	if op&syntax.EmptyBeginLine != 0 {
		ok = ok && (before == edge || before == '\n' || m.generous && before == hole)
	}
	if op&syntax.EmptyEndLine != 0 {
		ok = ok && (after == edge || after == '\n' || m.generous && after == hole)
	}
	if op&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary) != 0 {
		ok = ok && m.generous
	}
	return ok
}

// step reads a character.
func (m *machine) step(r rune) {
	reached := m.next
	clear(reached)
	for pc, on := range m.on {
		if inst := &m.prog.Inst[pc]; on && inst.Op >= syntax.InstRune && inst.MatchRune(r) {
			reached[inst.Out] = true
		}
	}
	m.on, m.next = reached, m.on
}

// cross goes over a hole, and reports whether there can be a match before its end.
func (m *machine) cross() bool {
	reached := m.next
	clear(reached)
	if m.generous {
		for pc, on := range m.on {
			if on {
				m.follow(uint32(pc), hole, hole, true, reached)
			}
		}
		m.follow(uint32(m.prog.Start), hole, hole, true, reached)
	}
	m.on, m.next = reached, m.on
	return m.matched
}
