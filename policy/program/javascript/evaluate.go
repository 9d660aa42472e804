package javascript

import "github.com/sluice-project/sluice/policy/program/javascript/syntax"

// evaluator runs a program on what is known.
type evaluator struct {
	out   Program
	steps int
	// args are the arguments of the program.
	args  []string
	depth int // of expressions and calls that are under way
	calls int // of functions that are under way
	evals int // of texts that are run as programs
	// level is how many conditions that are not known hold where the program
	// is, branch the part of the program in which what is changed is noted in
	// the log, so that it has one of two values afterwards.
	level, branch, branches int

	log     []change
	marks   []int // of the log, where a function may have ended; ^mark where it only waits
	begun   int   // how many of them there were when the function under way began
	tries   int   // how many try statements are under way: every change is noted
	top     *scope
	scope   *scope
	this    value
	end     ending
	result  []value // what the function under way may return
	pending []*closure
	seen    map[string]bool // calls and uses that were noted
	dir     string          // of the process, if the program changes it

	// told: something that is not known goes into a shell that takes what it does from
	// its input. connected is the last address of a connection, serves says that
	// others can connect.
	told, serves bool
	connected    string
	prints       []string // calls that print, if that is asked for
	clouds       bool     // it has a library by which programs talk to a cloud

	// What programs are read with: an evaluator has it, because it reads programs in turn.
	operations map[string]operation
	computes   map[string]func(e *evaluator, path string, args []value) value
}

// ending is how a statement ended.
type ending uint8

const (
	goesOn ending = iota
	broke
	continued
	returned
)

// scope holds variables.
type scope struct {
	vars     map[string]*cell
	outer    *scope
	function bool
}

// again is a scope with the same variables, which change by themselves.
func (s *scope) again() *scope {
	if s.function {
		return s
	}
	next := &scope{outer: s.outer, vars: make(map[string]*cell, len(s.vars))}
	for name, c := range s.vars {
		next.vars[name] = &cell{value: c.value, kept: c.kept}
	}
	return next
}

const (
	maxCallDepth = 24
	maxEvals     = 8
	maxEvalDepth = 1500
	maxRounds    = 256 // of a loop
)

func newEvaluator() *evaluator {
	top := newScope(nil)
	return &evaluator{steps: MaxSteps, top: top, scope: top, seen: map[string]bool{}, this: nativeValue(global), operations: operations, computes: computes}
}

// step does n steps of work and reports whether they are allowed.
func (e *evaluator) step(n int) bool {
	if e.steps -= n; e.steps < 0 {
		e.doubt(syntax.Steps)
		return false
	}
	return true
}

// room reports whether a text of n bytes may be made. Long ones cost steps.
func (e *evaluator) room(n int) bool {
	if n > MaxText {
		e.doubt(Long)
		return false
	}
	return e.step(1 + n/256)
}

// program reads a text as a program in the present scope and returns what its
// last statement gives.
func (e *evaluator) program(src string) value {
	list, doubts := syntax.Parse(src, &e.steps)
	for _, reason := range doubts {
		e.doubt(reason)
	}
	return e.block(list)
}

// finish reads the functions that nobody was seen to call.
func (e *evaluator) finish() {
	for i := 0; i < len(e.pending) && e.step(1); i++ {
		if f := e.pending[i]; !f.called {
			e.escape(value{kind: function, ref: f})
		}
	}
	e.shape()
}

func (e *evaluator) inScope(f func()) {
	outer := e.scope
	e.scope = &scope{outer: outer}
	f()
	e.scope = outer
}

// find returns a variable of the program.
func (e *evaluator) find(name string) *cell {
	for s := e.scope; s != nil; s = s.outer {
		if c, ok := s.vars[name]; ok {
			return c
		}
	}
	return nil
}

// declare makes a variable. Those of var belong to the function.
func (e *evaluator) declare(how, name string, v value) {
	s := e.scope
	for how == "var" && !s.function && s.outer != nil {
		s = s.outer
	}
	if s.vars == nil {
		s.vars = map[string]*cell{}
	}
	if how != "var" {
		s.vars[name] = &cell{value: v, kept: e.branch}
		return
	}
	if s.vars[name] == nil {
		s.vars[name] = &cell{value: value{kind: undefined}}
	}
	e.keep(s.vars[name])
	s.vars[name].value = v
}

// set gives a variable a value.
func (e *evaluator) set(name string, v value) {
	c := e.find(name)
	if c == nil {
		if isBuiltin(name) { // it is replaced
			e.doubt(syntax.Reach)
			e.escape(v)
		}
		c = &cell{value: value{kind: undefined}}
		e.top.vars[name] = c
	}
	e.keep(c)
	c.value = v
}

func newScope(outer *scope) *scope {
	return &scope{vars: map[string]*cell{}, outer: outer, function: true}
}
