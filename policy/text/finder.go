package text

// thread is one possible match of a pattern in progress: it has consumed at
// least one character and waits for the next.
type thread struct {
	pc    uint32
	start int // where its match begins
	// depth counts the matches that come before it. Those from depth on are
	// possible only as long as this thread does not match.
	depth int
}

// threads is an ordered list, the preferred one first, with the group positions
// of each thread.
type threads struct {
	list  []thread
	slots []int
}

func (t *threads) clear() { t.list, t.slots = t.list[:0], t.slots[:0] }

// match is one match in the text that a finder reads.
type match struct {
	start, end int
	pattern    int
}

// finder finds the matches of one rule in a text that it is fed character by
// character: exactly those that searching again and again behind each match, as
// Go's regexp does, finds in the whole text.
//
// It is the well-known simulation of all threads in order of preference, with
// one addition. When a thread matches while preferred threads are still running,
// the match is only tentative. The search behind it starts at once anyway, with
// threads that come last in the order and are one match deeper. If a preferred
// thread matches after all, the match and everything behind it is dropped; once
// no preferred thread is left, it is certain. A state of the automaton needs to
// be followed only once, by the first thread that is in it, across all depths:
// whatever a later one could match, the first one would match as well, and take
// away the ground of the later one. So there are never more threads than
// instructions, and no text is read twice.
type finder struct {
	prog *program
	rule *rule

	pos    int
	before kind
	now    threads
	next   threads
	// waiting is true when a thread of now needs the next character to decide
	// an assertion. Then ate says which threads of next, which are those before
	// the last character, consumed it: what they reach, and in which order, is
	// computed again.
	waiting bool
	ate     []int

	*marks
	work []int // the group positions of the thread at hand

	// found lists the matches in order, certain ones first; gone counts those
	// that were taken. groups has the group positions of each.
	found  queue[match]
	groups queue[int]
	gone   int
}

// marks has, for each instruction, the round in which it was last reached. It
// is as long as the rule's program, and streams reuse it.
type marks struct {
	mark []uint32
	turn uint32
}

func newFinder(p *program, r *rule) *finder {
	m, ok := r.unused.Get().(*marks)
	if !ok {
		m = &marks{mark: make([]uint32, r.hi-r.lo)}
	}
	m.nextTurn()
	return &finder{prog: p, rule: r, marks: m, work: make([]int, r.slots)}
}

// dismiss gives up the finder, which must not be used any more.
func (f *finder) dismiss() {
	f.rule.unused.Put(f.marks)
	f.marks = nil
}

// idle reports that no match is in progress.
func (f *finder) idle() bool { return len(f.now.list) == 0 }

// undecided is the place from which on a match may begin or have begun.
func (f *finder) undecided() int {
	if f.idle() {
		return f.pos
	}
	return f.now.list[0].start
}

// certain is the number of found matches that no thread can take back.
func (f *finder) certain() int {
	if f.idle() {
		return f.found.size()
	}
	return f.now.list[0].depth - f.gone
}

// step eats a character.
func (f *finder) step(class uint16, width int) {
	after := f.prog.alphabet.kinds[class]
	flags := f.prog.flags[f.before][after]
	if f.waiting {
		f.decide(flags)
	}
	if starts := f.rule.starts[f.before][class]; len(starts) > 0 {
		f.begin(starts)
	}
	f.pos += width
	f.before = after
	f.next.clear()
	f.ate = f.ate[:0]
	f.nextTurn()
	f.waiting = false
	for i := range f.now.list {
		t := f.now.list[i]
		in := &f.prog.insts[t.pc]
		if !f.prog.sets[in.arg].has(class) {
			continue
		}
		f.load(&f.now, i)
		f.ate = append(f.ate, i)
		if f.follow(&f.next, in.out, t, 0, false) {
			break // it matches: what comes later in the order is cut off
		}
	}
	f.now, f.next = f.next, f.now
}

// begin adds the threads that can begin here.
func (f *finder) begin(starts []start) {
	t := thread{start: f.pos, depth: f.gone + f.found.size()}
	for i := range starts {
		s := &starts[i]
		if f.mark[s.pc-f.rule.lo] == f.turn {
			continue
		}
		f.mark[s.pc-f.rule.lo] = f.turn
		for j := range f.work {
			f.work[j] = -1
		}
		for _, slot := range s.slots {
			if int(slot) < len(f.work) {
				f.work[slot] = f.pos
			}
		}
		f.wait(&f.now, s.pc, t)
	}
}

// end is called when no character follows.
func (f *finder) end() {
	if f.waiting {
		f.decide(f.prog.flags[f.before][edge])
	}
	f.now.clear()
	f.waiting = false
}

// decide follows the threads that ate the last character again, now that it is
// known which assertions hold behind it. It is not enough to let those go on
// that wait: where a loop can run empty, an assertion inside it changes which
// thread comes first to the instructions behind it.
func (f *finder) decide(flags uint32) {
	f.now.clear()
	f.nextTurn()
	f.waiting = false
	for _, i := range f.ate {
		f.load(&f.next, i)
		t := f.next.list[i]
		if f.follow(&f.now, f.prog.insts[t.pc].out, t, flags, true) {
			break
		}
	}
}

// load takes the group positions of thread i of a list to hand.
func (f *finder) load(from *threads, i int) {
	if n := f.rule.slots; n > 0 {
		copy(f.work, from.slots[i*n:(i+1)*n])
	}
}

// follow adds to list what thread t reaches from pc without eating a character.
// If known is false the assertions at this place are not decided yet and the
// thread waits at them. It reports that the thread has matched.
func (f *finder) follow(list *threads, pc uint32, t thread, flags uint32, known bool) bool {
	for {
		if f.mark[pc-f.rule.lo] == f.turn {
			return false
		}
		f.mark[pc-f.rule.lo] = f.turn
		in := &f.prog.insts[pc]
		switch in.op {
		case opSplit:
			if f.follow(list, in.out, t, flags, known) {
				return true
			}
			pc = in.arg
		case opGo:
			pc = in.out
		case opCapture:
			if int(in.arg) >= f.rule.slots {
				pc = in.out
				continue
			}
			old := f.work[in.arg]
			f.work[in.arg] = f.pos
			matched := f.follow(list, in.out, t, flags, known)
			f.work[in.arg] = old
			return matched
		case opAssert:
			if known {
				if in.arg&^flags != 0 {
					return false
				}
				pc = in.out
				continue
			}
			f.waiting = true
			f.wait(list, pc, t)
			return false
		case opChar:
			f.wait(list, pc, t)
			return false
		case opMatch:
			f.matched(t, int(in.arg))
			return true
		default:
			return false
		}
	}
}

// wait adds a thread to a list, with the group positions at hand.
func (f *finder) wait(list *threads, pc uint32, t thread) {
	t.pc = pc
	list.list = append(list.list, t)
	list.slots = append(list.slots, f.work...)
}

// matched notes that t matches the text before pos, and drops the matches that
// were possible only as long as it did not.
func (f *finder) matched(t thread, pattern int) {
	keep := t.depth - f.gone
	f.found.truncate(keep)
	f.found.push(match{start: t.start, end: f.pos, pattern: pattern})
	if n := f.rule.slots; n > 0 {
		f.work[0], f.work[1] = t.start, f.pos
		f.groups.truncate(keep * n)
		f.groups.push(f.work...)
	}
}

// take forgets the first n found matches.
func (f *finder) take(n int) {
	f.gone += n
	f.found.drop(n)
	f.groups.drop(n * f.rule.slots)
}

// nextTurn begins a round in which every instruction counts as not reached.
func (m *marks) nextTurn() {
	m.turn++
	if m.turn == 0 { // after 2^32 rounds: old marks would look new
		clear(m.mark)
		m.turn = 1
	}
}
