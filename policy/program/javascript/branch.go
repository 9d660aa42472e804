package javascript

import "slices"

// change is what a variable, a member or a list was before a branch changed it.
type change struct {
	cell *cell
	rec  *members
	name string
	list *items

	old  value
	had  bool // the member was there
	all  []value
	open bool
}

// target tells changes of the same thing.
type target struct {
	at   any
	name string
}

func (c *change) target() target {
	switch {
	case c.cell != nil:
		return target{at: c.cell}
	case c.rec != nil:
		return target{at: c.rec, name: c.name}
	}
	return target{at: c.list}
}

// now is the thing as it is.
func (c *change) now() change {
	n := *c
	switch {
	case c.cell != nil:
		n.old = c.cell.value
	case c.rec != nil:
		n.old, n.had = c.rec.by[c.name]
		n.open = c.rec.open
	default:
		n.all, n.open = c.list.all, c.list.open
	}
	return n
}

// restore makes the thing what it was.
func (c *change) restore() {
	switch {
	case c.cell != nil:
		c.cell.value = c.old
	case c.rec != nil:
		if !c.had {
			c.old = value{kind: undefined}
		}
		c.rec.set(c.name, c.old)
	default:
		c.list.all, c.list.open = c.all, c.open
	}
}

// merge makes the thing one of what it was and what it is.
func (c *change) merge() {
	switch {
	case c.cell != nil:
		c.cell.value = oneOf(c.old, c.cell.value)
	case c.rec != nil:
		if !c.had {
			c.old = value{kind: undefined}
		}
		c.rec.set(c.name, oneOf(c.old, c.rec.by[c.name]))
	default:
		l := c.list
		if len(c.all) > len(l.all) {
			l.all = slices.Concat(l.all, c.all)
		}
		l.open = true
	}
}

// keepCell, keepMember and keepList note what is about to be changed.
func (e *evaluator) keepCell(c *cell) {
	if e.branch != c.kept || e.tries > 0 {
		c.kept = e.branch
		e.log = append(e.log, change{cell: c, old: c.value})
	}
}

func (e *evaluator) keepMember(m *members, name string) {
	if e.branch != m.kept {
		old, had := m.by[name]
		e.log = append(e.log, change{rec: m, name: name, old: old, had: had})
	}
}

func (e *evaluator) keepList(l *items) {
	if e.branch != l.kept {
		l.kept = e.branch
		l.all = slices.Clip(l.all) // what is appended goes elsewhere
		e.log = append(e.log, change{list: l, all: l.all, open: l.open})
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
				results = append(results, c.now())
			}
			c.restore()
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
		to := r.target()
		if done[to] {
			r.merge()
			continue
		}
		done[to] = true
		if e.branch != 0 {
			e.log = append(e.log, before[to])
		}
		r.restore()
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
	for _, mark := range e.marks[marks:] {
		if mark >= 0 {
			return true
		}
	}
	return false
}

// leaveLoop ends a loop that may have been left before.
func (e *evaluator) leaveLoop(marks int) {
	if len(e.marks) > marks {
		left := e.mayHaveLeft(marks)
		e.settle(marks)
		e.newBranch() // and the function may have ended, or an outer loop
		if left {
			e.marks = append(e.marks, len(e.log))
		} else {
			e.marks = append(e.marks, ^len(e.log))
		}
	}
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
			e.log[i].merge()
		}
	}
}
