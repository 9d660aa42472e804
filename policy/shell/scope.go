package shell

import (
	"maps"
	"slices"

	"github.com/sluice-project/sluice/policy/invocation"
)

// subshell runs something that cannot change what follows it.
func (r *reader) subshell(run func() invocation.Flow) invocation.Flow {
	if !r.Pay(r.Scope.Size() + 1) {
		return invocation.Flow{Piped: true}
	}
	outer := r.Scope
	r.Scope = r.Sub(outer)
	out := run()
	for name, f := range r.Scope.Funcs { // that a function was called is known outside too
		if mine, ok := outer.Funcs[name]; ok && f.Called && !mine.Called {
			mine.Called = true
			outer.Funcs[name] = mine
		}
	}
	r.Scope = outer
	return out
}

// branch runs something that may not run.
func (r *reader) branch(run func() invocation.Flow) invocation.Flow {
	s := r.Scope
	s.Maybe++
	at, lost, dir, first, exports := s.At, s.Lost, s.Dir, len(s.Before), s.Exports
	out := run()
	s.Maybe--
	s.Exports = s.Exports.Since(exports)
	if s.At != at {
		s.At, s.Lost, s.Dir = at, lost, dir
	}
	s.Merge(first)
	return out
}

// leftovers reads the functions that were made and not called: somebody may
// call them later.
func (r *reader) leftovers() {
	if len(r.Scope.Funcs) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(r.Scope.Funcs)) {
		if f := r.Scope.Funcs[name]; !f.Called && !r.Full {
			r.call(name, f, nil, &invocation.Flow{}, true)
		}
	}
}
