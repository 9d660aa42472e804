package javascript

import "slices"

// change is what was before a branch changed it.
type change struct{ cell, was *cell }

// keep notes what is about to be changed, once in each branch.
func (e *evaluator) keep(c *cell) {
	if e.branch == c.kept && (e.tries == 0 || c.isList) {
		return
	}
	c.kept = e.branch
	c.all = slices.Clip(c.all) // what is appended goes elsewhere
	e.log = append(e.log, change{c, c.now()})
}

// now is what a cell has.
func (c *cell) now() *cell {
	was := *c
	return &was
}

func (c *cell) put(was *cell) { c.value, c.all, c.open = was.value, was.all, was.open }

// either makes it one of what it is and what it was.
func (c *cell) either(was *cell) {
	if !c.isList {
		c.value = oneOf(was.value, c.value)
		return
	}
	if len(was.all) > len(c.all) {
		c.all = slices.Concat(c.all, was.all)
	}
	c.open = true
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
	changed := map[*cell]int{} // in how many ways
	before := map[*cell]change{}
	for _, way := range ways {
		e.newBranch()
		way()
		ended = ended || e.end != goesOn || len(e.marks) > marks
		e.end, e.marks = goesOn, e.marks[:marks]
		seen := map[*cell]bool{}
		for i := len(e.log) - 1; i >= mark; i-- {
			c := e.log[i]
			if e.tries > 0 { // it may have been left in between
				results = append(results, c)
			}
			if !seen[c.cell] {
				seen[c.cell] = true
				changed[c.cell]++
				results = append(results, change{c.cell, c.cell.now()})
			}
			c.cell.put(c.was)
			before[c.cell] = c // the first of them is the oldest
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
func (e *evaluator) unite(results []change, before map[*cell]change) {
	done := map[*cell]bool{}
	for _, r := range results {
		if done[r.cell] {
			r.cell.either(r.was)
			continue
		}
		done[r.cell] = true
		if e.branch != 0 {
			e.log = append(e.log, before[r.cell])
		}
		r.cell.put(r.was)
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
			e.log[i].cell.either(e.log[i].was)
		}
	}
}
