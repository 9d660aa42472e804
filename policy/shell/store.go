package shell

import (
	"slices"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/sql"
)

// box is the container that a command runs in.
type box struct {
	// purpose is what its name, and those of its project and files, say.
	purpose effect.Purpose
	// here: it is one of this machine.
	here bool
	// env are the variables that it is given.
	env map[string]string
}

// data is the store that the command works on, made at its first use.
func (a *act) data() *sql.Store {
	if a.store == nil {
		a.store = &sql.Store{Away: a.Remote}
		a.store.Live = slices.ContainsFunc(a.Args, effect.IsLive)
		if in := a.r.from.within; in != nil {
			a.store.Away = false
			a.store.Here = in.here
			a.store.TestContainer = in.purpose == effect.ForTests || in.purpose == effect.ForTests|effect.ForWork
			a.store.Live = a.store.Live || in.purpose&effect.ForUse != 0
		}
	}
	return a.store
}

// Variable is what a variable of the command's environment holds, and whether
// the call sets it.
func (a *act) Variable(name string) (string, bool) {
	if a.Remote {
		if a.r.from.within == nil {
			return "", false
		}
		s, ok := a.r.from.within.env[name]
		return s, ok
	}
	if s, ok := a.Env[name]; ok {
		return s, true
	}
	v, ok := a.r.scope.vars[name]
	if !ok {
		return "", false
	}
	text, known := v.known()
	if !known {
		return "?", true
	}
	for i := len(a.r.reading.Effects) - 1; i >= 0; i-- {
		if e := &a.r.reading.Effects[i]; e.Object == name && (e.Verb == effect.SetVariable && e.How != "assignment" || e.Verb == effect.UnsetVariable) {
			return text, e.Verb == effect.SetVariable
		}
	}
	return text, effect.IsLive(text) // it may be exported already
}

// wasScratch reports whether the command, read with its variables in it, drops the
// same in something made for tests. If it is a variable that says so, as
// $TEST_DATABASE_URL does, it is not expected to be empty; but nothing in the call
// may set it.
func (r *reader) wasScratch(e *effect.Effect) bool {
	was := false
	for i := range r.reading.Effects {
		switch noted := &r.reading.Effects[i]; {
		case noted.Verb == effect.SetVariable && effect.PurposeOf(noted.Object)&effect.ForTests != 0:
			return false
		case noted.Verb == effect.Drop && !noted.Guess && noted.Command == len(r.reading.Commands)-1 && noted.Object == e.Object && noted.How == e.How:
			was = noted.Scratch
		}
	}
	return was && len(r.scope.refs) == 0
}
