package shell

import (
	"maps"
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/effect"
)

// scope is what the shell knows at one point of a text.
type scope struct {
	vars    map[string]value
	arrays  map[string][]value
	funcs   map[string]function
	aliases map[string]string
	// refs are names of other variables (declare -n), fds what is open under
	// a number.
	refs map[string]string
	fds  map[string]descriptor
	// params are $1, $2, ...; nil if they are not known.
	params []value
	// at is the working directory and home; lost if a cd went somewhere that
	// cannot be read.
	at   effect.Place
	lost bool
	// moved: a cd changed the directory.
	dir string
	// away: at is of another machine, of which only what a cd there says is known.
	away bool
	// perhaps is where a cd went to if a variable is empty.
	perhaps string
	// maybe counts branches: what happens in one may not happen. before are the
	// values that variables had when they were set in one.
	maybe  int
	before []local
}

// descriptor is a file or a text that is open under a number.
type descriptor struct {
	path string
	in   flow
	// given is the command that gets what is written to it: exec 3> >(command).
	given *syntax.ProcSubst
}

// function is a function with the text that it is in.
type function struct {
	body   *syntax.Stmt
	src    string
	called bool
}

// sub is a scope for what cannot change the one around it.
func (r *reader) sub(s *scope) *scope {
	in := &r.scopes.take(1)[0]
	*in = *s
	in.vars, in.arrays, in.funcs, in.aliases = maps.Clone(s.vars), maps.Clone(s.arrays), maps.Clone(s.funcs), maps.Clone(s.aliases)
	in.refs, in.fds = maps.Clone(s.refs), maps.Clone(s.fds)
	in.before = nil
	return in
}

// away reads a text of another machine: it begins nowhere that is known, and where
// it goes is no place here.
func (r *reader) away(read func()) {
	here := r.scope
	r.scope = r.sub(here)
	r.scope.at, r.scope.dir, r.scope.lost, r.scope.perhaps, r.scope.away = effect.Place{}, "", false, "", true
	read()
	r.scope = here
}

// size is what a sub costs.
func (s *scope) size() int { return len(s.vars) + len(s.arrays) + len(s.funcs) + len(s.aliases) }

// mostNames is how many variables, arrays, functions and aliases are followed,
// each.
const mostNames = 512

// set gives a variable a value. Behind a branch it may have the one that it had
// before.
func (s *scope) set(name string, v value) {
	if s.vars == nil {
		s.vars = map[string]value{}
	}
	old, known := s.vars[name]
	if !known && len(s.vars) >= mostNames {
		return
	}
	if s.maybe > 0 {
		s.before = append(s.before, local{name, old, known})
	}
	for i := range v.texts {
		if len(v.texts[i].as) > mostKnown {
			v.texts = open("$" + name).texts
			break
		}
	}
	s.vars[name] = v
}

// merge adds to the variables that were set since then what they were before.
func (s *scope) merge(since int) {
	for i := range s.before[since:] {
		b := &s.before[since+i]
		now, known := s.vars[b.name]
		switch {
		case !known:
		case b.set:
			s.vars[b.name] = b.value.or(now)
		default:
			s.vars[b.name] = now.or(open("$" + b.name))
		}
	}
	if s.maybe == 0 {
		s.before = nil
	}
}

// subshell runs something that cannot change what follows it.
func (r *reader) subshell(run func() flow) flow {
	if !r.pay(r.scope.size() + 1) {
		return flow{piped: true}
	}
	outer := r.scope
	r.scope = r.sub(outer)
	out := run()
	for name, f := range r.scope.funcs { // that a function was called is known outside too
		if mine, ok := outer.funcs[name]; ok && f.called && !mine.called {
			mine.called = true
			outer.funcs[name] = mine
		}
	}
	r.scope = outer
	return out
}

// branch runs something that may not run.
func (r *reader) branch(run func() flow) flow {
	s := r.scope
	s.maybe++
	at, lost, dir, first := s.at, s.lost, s.dir, len(s.before)
	out := run()
	s.maybe--
	if s.at != at {
		s.at, s.lost, s.dir = at, lost, dir
	}
	s.merge(first)
	return out
}

// leftovers reads the functions that were made and not called: somebody may
// call them later.
func (r *reader) leftovers() {
	if len(r.scope.funcs) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(r.scope.funcs)) {
		if f := r.scope.funcs[name]; !f.called && !r.full {
			r.call(name, f, nil, &flow{}, true)
		}
	}
}
