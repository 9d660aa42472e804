package shell

import (
	"slices"

	"maps"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/command/hook"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// known are the programs that are in a table, by their name. Readers carry it,
// because verbs read further texts in turn.
var known = func() map[string]*invocation.Facts {
	table := make(map[string]*invocation.Facts, 2*len(verbs))
	of := func(name string) *invocation.Facts {
		f := table[name]
		if f == nil {
			f = &invocation.Facts{Name: name, Listed: true, Does: verbs[name]}
			f.IsCode()
			table[name] = f
		}
		return f
	}
	for name := range verbs {
		of(name)
	}
	for _, name := range command.Builtin().Names() {
		of(name).Described = true
	}
	for _, name := range command.Builtin().Ordered() {
		of(name).Ordered = true
	}
	for _, name := range command.Builtin().Printing() {
		of(name).Prints = true
	}
	return table
}()

// verbs are the programs of which it is known what they do, by their name.
var verbs = func() map[string]invocation.Verb {
	table := map[string]invocation.Verb{}
	for _, part := range []map[string]invocation.Verb{builtinVerbs, hook.TestVerbs} {
		maps.Copy(table, part)
	}
	for _, name := range command.Builtin().Names() {
		if others := table[name]; others != nil { // as long as other tables have it, too
			table[name] = others.And(hook.Described(name))
		} else {
			table[name] = hook.Described(name)
		}
	}
	for name, does := range hook.LeakVerbs {
		others := table[name]
		if others == nil {
			others = guard.Otherwise
		}
		table[name] = others.And(does)
	}
	return table
}()

// VerbOf is what is known of a program, nil if nothing is.
func (r *reader) VerbOf(name string) invocation.Verb {
	if p := r.Set.Programs.Own(name); p != nil {
		does := r.verbKnown(name)
		if does == nil && p.Base() == name {
			does = r.Stranger
		}
		return func(a *invocation.Act) { r.taught(p, does, a) }
	}
	return r.verbKnown(name)
}

// addsTo does what a description adds to a program that the shell itself runs.
func (r *reader) addsTo(a *invocation.Act) {
	p := a.Own
	if p == nil {
		p = r.Set.Programs.Own(a.Name)
	}
	if p != nil && p.Base() == a.Name {
		r.taught(p, func(*invocation.Act) {}, a)
	}
}

// IsProgram reports whether a word is the name of a program of which it is known what it
// does, and of little else.
func (r *reader) IsProgram(word string) bool {
	if r.VerbOf(word) == nil {
		return false
	}
	f := r.Facts(word)
	return !f.Described || !command.Builtin().Program(f.Name).Common
}

// taught does what somebody has described of a program: that, beside what is known of it
// anyway, or of the one that it is like.
func (r *reader) taught(p *command.Program, does invocation.Verb, a *invocation.Act) {
	if p.Replaces || does == nil {
		hook.Resolve(a, p)
		return
	}
	before := r.IsStrange(a.Name) // in another command of the text
	does(a)
	known := before || !r.IsStrange(a.Name)
	hook.Resolve(a, p)
	if !before && r.IsStrange(a.Name) && (known || p.Knows(output.Invocation(a, a.Args))) {
		r.NotStrange(a.Name)
	}
}

// asLike makes a command one of the program that its own is described to be like, and
// returns what it does; nil if it is like none. It stays what it was called for the
// policies, which were told of it already.
func (r *reader) asLike(a *invocation.Act) invocation.Verb {
	p := r.Set.Programs.Own(a.Name)
	if p == nil || p.Base() == "" || p.Base() == a.Name || r.verbKnown(a.Name) != nil {
		return nil
	}
	if p.IsDry(output.Invocation(a, a.Args)) {
		return func(*invocation.Act) {}
	}
	a.Own, a.Name = p, p.Base()
	does := r.verbKnown(a.Name)
	if does == nil {
		does = r.Stranger
	}
	return func(a *invocation.Act) { r.taught(p, does, a) }
}

func (r *reader) verbKnown(name string) invocation.Verb {
	f := r.Facts(name)
	if f.Does != nil {
		return f.Does
	}
	if command.Builtin().Has(name) { // one of a family: mkfs.ext4
		return hook.Described(name)
	}
	if !f.IsCode() {
		return nil
	}
	return follow.CodeVerb(name)
}

// Understands reports whether it is known what a program does: it is described, or it
// changes and sends nothing. Of others policies see the name and the arguments alone.
func Understands(name string, programs *command.Catalogue) bool {
	if programs == nil {
		programs = command.Builtin()
	}
	return Knows(name) || programs.Has(name) || follow.CodeVerb(name) != nil || follow.IsShell(name) || isReader[name] || knowsPaths[name] || slices.Contains(command.Builtin().Set("plain"), name)
}

// Knows reports whether a program is known without a description of the user's.
func Knows(name string) bool {
	_, ok := known[name]
	return ok
}
