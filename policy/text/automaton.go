package text

import (
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"
)

// A cell of the table is 0 if the step was never taken, or the row of the state
// that it leads to, with cellHit added if a pattern matches by it.
const cellHit = 1 << 31

// automaton reads a text through the patterns of all rules at once. It does not
// say what matches where; it says where no match is in progress, and that
// something matches. A state is the set of instructions at which threads wait,
// together with the kind of the last character and the mode.
//
// States are made when they are first needed and shared by all streams of a
// chain. It is safe for concurrent use.
type automaton struct {
	prog *program
	// width is the number of cells in a row: one for each class, and one that
	// stays unknown, for bytes that are not characters.
	width  int
	states int    // how many states a table may have
	idle   uint32 // the last row of the states in which no match is in progress

	current atomic.Pointer[table]

	mu      sync.Mutex // guards what follows, and the states and index of the current table
	mark    []uint32
	turn    uint32
	reached []uint32
	seeds   []uint32
	key     []byte
}

// table is the steps known so far. It grows by being replaced; a stream that
// still has the old one finds the same states in the same rows.
//
// When it is full, an empty table of the next generation takes its place, with
// other states in its rows.
type table struct {
	generation int
	cells      []uint32 // by row and class; read and written atomically
	states     []state  // by row / width
	index      map[string]uint32
	weight     int // how many seeds all states have
}

// mode says where matches may begin.
type mode uint8

const (
	anywhere mode = iota // at every character
	here                 // at the next character only
	nowhere              // matches in progress are followed, no other begins
	modes
)

// state is a row of the table. It is immutable.
type state struct {
	mode   mode
	before kind
	seeds  []uint32 // instructions of threads that wait, ascending
}

func newAutomaton(p *program, tune tuning) *automaton {
	a := &automaton{prog: p, mark: make([]uint32, len(p.insts)), width: p.alphabet.size() + 1}
	a.idle = uint32(int(kinds) * a.width)
	a.states = max(tune.cells/a.width, tune.states)
	a.current.Store(a.empty(0))
	return a
}

// empty makes a table with only the states in which no match is in progress, in
// rows that are the same in every table. Row 0 is not used: a cell of 0 means
// unknown.
func (a *automaton) empty(generation int) *table {
	t := &table{generation: generation, index: map[string]uint32{}}
	t.cells = make([]uint32, 32*a.width)
	t.states = make([]state, 1, 32)
	for m := range modes {
		for k := range kinds {
			if a.usedKind(k) == k {
				a.intern(t, m, k, nil)
			} else { // its row is never used
				t.states = append(t.states, state{mode: m, before: k})
			}
		}
	}
	return t
}

// usedKind maps kinds that no assertion of the program distinguishes to one, so
// that there are fewer states.
func (a *automaton) usedKind(k kind) kind {
	for earlier := range k {
		same := true
		for after := range kinds {
			same = same && a.prog.flags[earlier][after]&a.prog.asserts == a.prog.flags[k][after]&a.prog.asserts
		}
		if same {
			return earlier
		}
	}
	return k
}

// rest is the state after a character of the given kind with no match in
// progress, in every table.
func (a *automaton) rest(m mode, before kind) uint32 {
	return uint32((1 + int(m)*int(kinds) + int(a.usedKind(before))) * a.width)
}

// dead reports that in a state of mode nowhere no match is in progress.
func (a *automaton) dead(row uint32) bool {
	return a.rest(nowhere, 0) <= row && row <= uint32(int(modes)*int(kinds)*a.width)
}

// step takes a step that t does not know yet. It returns the table in which the
// new state is and the cell that leads to it.
func (a *automaton) step(t *table, row uint32, class uint16) (*table, uint32) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.current.Load()
	from := t.states[int(row)/a.width]
	if t.generation == now.generation {
		if cell := atomic.LoadUint32(&now.cells[int(row)+int(class)]); cell != 0 {
			return now, cell // another stream was faster
		}
	}
	hit := a.move(from, class)
	if len(now.states) >= a.states || now.weight >= maxWeight {
		now = a.empty(now.generation + 1)
	}
	to := from.mode
	if to == here {
		to = nowhere
	}
	cell := a.intern(now, to, a.usedKind(a.prog.alphabet.kinds[class]), a.seeds)
	if need := len(now.states) * a.width; need > len(now.cells) {
		grown := *now
		grown.cells = make([]uint32, 2*len(now.cells))
		for i := range now.cells {
			grown.cells[i] = atomic.LoadUint32(&now.cells[i])
		}
		now = &grown
	}
	if hit {
		cell |= cellHit
	}
	if t.generation == now.generation {
		atomic.StoreUint32(&now.cells[int(row)+int(class)], cell)
	}
	a.current.Store(now)
	return now, cell
}

// intern finds or makes the row of a state.
func (a *automaton) intern(t *table, m mode, before kind, seeds []uint32) uint32 {
	a.key = append(a.key[:0], byte(m), byte(before))
	for _, pc := range seeds {
		a.key = binary.LittleEndian.AppendUint32(a.key, pc)
	}
	if row, ok := t.index[string(a.key)]; ok {
		return row
	}
	row := uint32(len(t.states) * a.width)
	t.weight += len(seeds)
	t.index[string(a.key)] = row
	t.states = append(t.states, state{mode: m, before: before, seeds: slices.Clone(seeds)})
	return row
}

// move eats a character: it sets a.seeds to what waits after it and reports
// whether a pattern matches before or after the character.
func (a *automaton) move(from state, class uint16) (hit bool) {
	flags := a.prog.flags[from.before][a.prog.alphabet.kinds[class]]
	a.begin()
	for _, pc := range from.seeds {
		hit = a.follow(pc, flags, true) || hit
	}
	for i := range a.prog.rules {
		if from.mode == nowhere {
			break
		}
		for _, s := range a.prog.rules[i].starts[from.before][class] {
			a.follow(s.pc, flags, true)
		}
	}
	a.reached, a.seeds = a.seeds, a.reached
	a.begin()
	for _, pc := range a.reached {
		if in := &a.prog.insts[pc]; a.prog.sets[in.arg].has(class) {
			hit = a.follow(in.out, 0, false) || hit
		}
	}
	slices.Sort(a.seeds)
	return hit
}

// begin starts an empty set of seeds.
func (a *automaton) begin() {
	a.seeds = a.seeds[:0]
	a.turn++
	if a.turn == 0 {
		clear(a.mark)
		a.turn = 1
	}
}

// follow adds to the seeds what is reached from pc without eating a character,
// and reports that a match is. Assertions are waited for unless known.
func (a *automaton) follow(pc, flags uint32, known bool) (hit bool) {
	for a.mark[pc] != a.turn {
		a.mark[pc] = a.turn
		in := &a.prog.insts[pc]
		switch in.op {
		case opSplit:
			hit = a.follow(in.out, flags, known) || hit
			pc = in.arg
			continue
		case opGo, opCapture:
			pc = in.out
			continue
		case opAssert:
			if !known {
				a.seeds = append(a.seeds, pc)
			} else if in.arg&^flags == 0 {
				pc = in.out
				continue
			}
		case opChar:
			a.seeds = append(a.seeds, pc)
		case opMatch:
			return true
		case opFail:
		}
		return hit
	}
	return hit
}

// endsInMatch reports whether a pattern matches if the text ends in a state.
func (a *automaton) endsInMatch(t *table, row uint32) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	from := t.states[int(row)/a.width]
	hit := false
	a.begin()
	for _, pc := range from.seeds {
		hit = a.follow(pc, a.prog.flags[from.before][edge], true) || hit
	}
	return hit
}
