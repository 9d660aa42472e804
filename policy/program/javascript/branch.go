package javascript

import "slices"

// change is what a variable, a member or a list was before a branch changed it.
type change struct {
	at   place
	name string // of the member
	was  state
}

// keepCell, keepMember and keepList note it once in each branch.
func (e *evaluator) keepCell(c *cell) {
	if e.branch != c.kept || e.tries > 0 {
		c.kept = e.branch
		e.keep(c, "")
	}
}

func (e *evaluator) keepMember(m *members, name string) {
	if e.branch != m.kept {
		e.keep(m, name)
	}
}

func (e *evaluator) keepList(l *items) {
	if e.branch != l.kept {
		l.kept = e.branch
		l.all = slices.Clip(l.all) // what is appended goes elsewhere
		e.keep(l, "")
	}
}

// newBranch begins a part of the program in which changes are noted anew.
func (e *evaluator) newBranch() {
	e.branches++
	e.branch = e.branches
}

// fork goes all of several ways. What they change has afterwards one of the
// values that they gave it.
func (e *evaluator) fork(ways ...func()) {
	if !e.step(1) {
		return
	}
	mark, branch, marks, ended := len(e.log), e.branch, len(e.marks), false
	e.level++
	var results []change
	changed := map[target]int{} // in how many ways
	before := map[target]change{}
	for _, way := range ways {
		e.newBranch()
		way()
		ended = ended || e.end != goesOn || len(e.marks) > marks
		e.end, e.marks = goesOn, e.marks[:marks]
		seen := map[target]bool{}
		for i := len(e.log) - 1; i >= mark; i-- {
			c := &e.log[i]
			to := c.target()
			if e.tries > 0 { // it may have been left in between
				results = append(results, *c)
			}
			if !seen[to] {
				seen[to] = true
				changed[to]++
				results = append(results, change{c.at, c.name, c.at.state(c.name)})
			}
			c.at.put(c.name, c.was)
			before[to] = *c // the first of them is the oldest
		}
		if !e.step(len(e.log) - mark) {
			break
		}
		e.log = e.log[:mark]
	}
	e.level--
	e.branch = branch
	for to, c := range before {
		if changed[to] < len(ways) {
			results = append(results, c)
		}
	}
	e.unite(results, before)
	if ended { // the rest of the function may not happen
		e.newBranch()
		e.marks = append(e.marks, len(e.log))
	}
}

// unite gives everything that was changed one of its results.
func (e *evaluator) unite(results []change, before map[target]change) {
	done := map[target]bool{}
	for i := range results {
		r := &results[i]
		if to := r.target(); !done[to] {
			done[to] = true
			if e.branch != 0 {
				e.log = append(e.log, before[to])
			}
			r.at.put(r.name, r.was)
			continue
		}
		r.at.either(r.name, r.was)
	}
}

// maybe goes a way that may not be gone.
func (e *evaluator) maybe(way func()) { e.fork(way, func() {}) }

// pause notes that a function waits: whoever called it may go on before it does.
// A promise is otherwise never told from its value.
func (e *evaluator) pause() {
	if e.calls == 0 {
		return
	}
	e.newBranch()
	if len(e.marks) == e.begun {
		e.marks = append(e.marks, ^len(e.log))
	}
}

// mayHaveLeft reports whether a function or loop may have ended before the
// current place, by more than the waiting of a caller.
func (e *evaluator) mayHaveLeft(marks int) bool {
	return slices.ContainsFunc(e.marks[marks:], func(mark int) bool { return mark >= 0 })
}

// leaveLoop ends a loop that may have been left before.
func (e *evaluator) leaveLoop(marks int) {
	if len(e.marks) == marks {
		return
	}
	left := e.mayHaveLeft(marks)
	e.settle(marks)
	e.newBranch() // and the function may have ended, or an outer loop
	mark := len(e.log)
	if !left {
		mark = ^mark
	}
	e.marks = append(e.marks, mark)
}

// settle ends a function: what happened after it may have ended may not have
// happened.
func (e *evaluator) settle(marks int) {
	for len(e.marks) > marks {
		mark := e.marks[len(e.marks)-1]
		e.marks = e.marks[:len(e.marks)-1]
		mark = max(mark, ^mark)
		if mark > len(e.log) || !e.step(len(e.log)-mark) {
			continue
		}
		for i := len(e.log) - 1; i >= mark; i-- {
			e.log[i].at.either(e.log[i].name, e.log[i].was)
		}
	}
}

// place is what can be changed: a variable, an object or a list.
type place interface {
	// state is what it has under a name, and put gives it that again.
	state(name string) state
	put(name string, s state)
	// either makes it one of what it is and what it was.
	either(name string, was state)
}

// state is what a place has: a value, or elements of a list.
type state struct {
	value value
	all   []value
	open  bool
}

func (c *cell) state(string) state { return state{value: c.value} }

func (c *cell) put(_ string, s state) { c.value = s.value }

func (c *cell) either(_ string, was state) { c.value = oneOf(was.value, c.value) }

func (m *members) state(name string) state {
	if v, ok := m.by[name]; ok {
		return state{value: v}
	}
	return state{value: value{kind: undefined}}
}

func (m *members) put(name string, s state) { m.set(name, s.value) }

func (m *members) either(name string, was state) { m.set(name, oneOf(was.value, m.by[name])) }

func (l *items) state(string) state { return state{all: l.all, open: l.open} }

func (l *items) put(_ string, s state) { l.all, l.open = s.all, s.open }

func (l *items) either(_ string, was state) {
	if len(was.all) > len(l.all) {
		l.all = slices.Concat(l.all, was.all)
	}
	l.open = true
}

// target tells changes of the same thing.
type target struct {
	at   place
	name string
}

func (c *change) target() target { return target{c.at, c.name} }

// keep notes what is about to be changed.
func (e *evaluator) keep(at place, name string) {
	e.log = append(e.log, change{at, name, at.state(name)})
}
