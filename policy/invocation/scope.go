package invocation

import (
	"maps"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/effect"
)

// Scope is what the shell knows at one point of a text.
type Scope struct {
	Vars    map[string]Value
	Arrays  map[string][]Value
	Funcs   map[string]Function
	Aliases map[string]string
	// refs are names of other variables (declare -n), fds what is open under
	// a number.
	Refs map[string]string
	// Exports are the variables that programs are given.
	Exports Exports
	Fds     map[string]Descriptor
	// params are $1, $2, ...; nil if they are not known.
	Params []Value
	// at is the working directory and home; lost if a cd went somewhere that
	// cannot be read.
	At   effect.Place
	Lost bool
	// moved: a cd changed the directory.
	Dir string
	// away: at is of another machine, of which only what a cd there says is known.
	away bool
	// perhaps is where a cd went to if a variable is empty.
	Perhaps string
	// maybe counts branches: what happens in one may not happen. before are the
	// values that variables had when they were set in one.
	Maybe  int
	Before []Local
}

// Descriptor is a file or a text that is open under a number.
type Descriptor struct {
	Path string
	In   Flow
	// given is the command that gets what is written to it: exec 3> >(command).
	Given *syntax.ProcSubst
}

// Function is a function with the text that it is in.
type Function struct {
	Body   *syntax.Stmt
	Src    string
	Called bool
}

// Sub is a scope for what cannot change the one around it.
func (r *Reader) Sub(s *Scope) *Scope {
	of := *s
	in := &of
	in.Vars, in.Arrays, in.Funcs, in.Aliases = maps.Clone(s.Vars), maps.Clone(s.Arrays), maps.Clone(s.Funcs), maps.Clone(s.Aliases)
	in.Refs, in.Fds = maps.Clone(s.Refs), maps.Clone(s.Fds)
	in.Before = nil
	return in
}

// Away reads a text of another machine: it begins nowhere that is known, and where
// it goes is no place here.
func (r *Reader) Away(read func()) {
	here := r.Scope
	r.Scope = r.Sub(here)
	r.Scope.At, r.Scope.Dir, r.Scope.Lost, r.Scope.Perhaps, r.Scope.away = effect.Place{}, "", false, "", true
	read()
	r.Scope = here
}

// Size is what a sub costs.
func (s *Scope) Size() int { return len(s.Vars) + len(s.Arrays) + len(s.Funcs) + len(s.Aliases) }

// MostNames is how many variables, arrays, functions and aliases are followed,
// each.
const MostNames = 512

// Set gives a variable a value. Behind a branch it may have the one that it had
// before.
func (s *Scope) Set(name string, v Value) {
	if s.Vars == nil {
		s.Vars = map[string]Value{}
	}
	old, known := s.Vars[name]
	if !known && len(s.Vars) >= MostNames {
		return
	}
	if s.Maybe > 0 {
		s.Before = append(s.Before, Local{name, old, known})
	}
	for i := range v.Texts {
		if len(v.Texts[i].As) > MostKnown {
			v.Texts = Open("$" + name).Texts
			break
		}
	}
	s.Vars[name] = v
}

// Merge adds to the variables that were set since then what they were before.
func (s *Scope) Merge(since int) {
	for i := range s.Before[since:] {
		b := &s.Before[since+i]
		now, known := s.Vars[b.Name]
		switch {
		case !known:
		case b.Set:
			s.Vars[b.Name] = b.Value.Or(now)
		default:
			s.Vars[b.Name] = now.Or(Open("$" + b.Name))
		}
	}
	if s.Maybe == 0 {
		s.Before = nil
	}
}
