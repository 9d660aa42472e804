package shell

import (
	"maps"

	"github.com/sluice-project/sluice/policy/command"
)

// verb says what a program does.
type verb func(a *act)

// verbs are the programs of which it is known what they do, by their name.
var verbs = func() map[string]verb {
	table := map[string]verb{}
	for _, part := range []map[string]verb{historyVerbs, testVerbs, {"wine": wine, "wine64": wine}} {
		maps.Copy(table, part)
	}
	for _, name := range command.Builtin().Names() {
		if others := table[name]; others != nil { // as long as other tables have it, too
			table[name] = others.and(described(name))
		} else {
			table[name] = described(name)
		}
	}
	for name, does := range secretVerbs { // beside what else they do
		table[name] = table[name].and(does)
	}
	for name, does := range alsoByAddress {
		table[name] = table[name].and(does)
	}
	for _, part := range []map[string]verb{moreReadVerbs, leakVerbs, verifyVerbs} {
		for name, does := range part {
			table[name] = otherwise(name, table[name]).and(does)
		}
	}
	for _, part := range []map[string]verb{fillVerbs, agentVerbs, guardVerbs, doorVerbs} {
		for name, does := range part {
			table[name] = besides(name, table[name], does)
		}
	}
	return table
}()

// verbOf is what is known of a program, nil if nothing is.
func (r *reader) verbOf(name string) verb {
	if p := r.set.Programs.Own(name); p != nil {
		return r.taught(p, name)
	}
	return r.verbKnown(name)
}

// isProgram reports whether a word is the name of a program of which it is known what it
// does, and of little else.
func (r *reader) isProgram(word string) bool {
	if r.verbOf(word) == nil {
		return false
	}
	f := r.facts(word)
	return !f.described || !command.Builtin().Program(f.name).Common
}

// taught is what a program does that somebody has described: that, beside what is
// known of it anyway.
func (r *reader) taught(p *command.Program, name string) verb {
	return func(a *act) {
		if !p.Replaces {
			if does := r.verbKnown(name); does != nil {
				does(a)
			}
		}
		a.resolve(p)
	}
}

func (r *reader) verbKnown(name string) verb {
	f := r.facts(name)
	if f.does != nil {
		return f.does
	}
	if command.Builtin().Has(name) { // one of a family: mkfs.ext4
		return described(name)
	}
	if !f.isCode() {
		return nil
	}
	return codeVerb(name)
}

// Knows reports whether a program is known without a description of the user's.
func Knows(name string) bool {
	_, ok := known[name]
	return ok
}
