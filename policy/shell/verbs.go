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
		return r.taught(p, name)
	}
	return r.verbKnown(name)
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

// taught is what a program does that somebody has described: that, beside what is
// known of it anyway.
func (r *reader) taught(p *command.Program, name string) invocation.Verb {
	return func(a *invocation.Act) {
		does := r.verbKnown(name)
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
