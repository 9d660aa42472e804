package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
)

// facts are what the tables say of a program. They are looked up together, as each
// of them is asked for in any command.
type facts struct {
	name string
	// listed: one of the tables has the name.
	listed bool
	does   verb
	values []string // its flags with a value before a subcommand
	files  []projectFile
	dumps  bool // it prints what a database holds
	// described: the catalogue has it.
	described bool
	// code: it runs programs that it is given, as far as that was asked.
	asked, code bool
}

// isCode reports whether the name is that of an interpreter, or of a program of
// Windows that is not known by another table.
func (f *facts) isCode() bool {
	if !f.asked {
		f.asked, f.code = true, interpreterName(f.name) != "" || f.does == nil && (isForWindows(f.name) || isOfWindows(f.name))
	}
	return f.code
}

// runsVariable reports whether the program runs what is in a variable of the environment,
// by its description.
func (f *facts) runsVariable(name string) bool {
	return f.described && command.Builtin().Program(f.name).RunsVariable(name)
}

// known are the programs that are in a table, by their name. Readers carry it,
// because verbs read further texts in turn.
var known = func() map[string]*facts {
	table := make(map[string]*facts, 2*len(verbs))
	of := func(name string) *facts {
		f := table[name]
		if f == nil {
			f = &facts{name: name, listed: true, does: verbs[name]}
			f.isCode()
			table[name] = f
		}
		return f
	}
	for name := range verbs {
		of(name)
	}
	for _, name := range command.Builtin().Names() {
		of(name).described = true
	}
	for name, flags := range valueFlags {
		of(name).values = flags
	}
	for name, files := range projectFiles {
		of(name).files = files
	}
	for name := range dumpPrograms {
		of(name).dumps = true
	}
	return table
}()

// facts are those of a program, of which most are asked for again at once.
func (r *reader) facts(name string) *facts {
	if r.last != nil && r.last.name == name {
		return r.last
	}
	if r.last = r.known[name]; r.last == nil {
		r.last = r.known[plainName(name)]
	}
	if r.last == nil {
		r.other.name, r.other.asked = name, false
		r.last = &r.other
	}
	return r.last
}

func (a *act) facts() *facts { return a.r.facts(a.Name) }

// plainName is a name that is in no table as one may be: in small letters, as it is the
// same file where capitals do not count, and without a version, as pip3.12 is pip. It is
// empty if nothing is left that a program is called.
func plainName(name string) string {
	if name == "" || strings.IndexByte(name, '/') >= 0 {
		return ""
	}
	plain := strings.TrimRight(strings.ToLower(name), "0123456789.-")
	if plain == name || len(plain) < 2 || !command.Builtin().Has(plain) {
		return ""
	}
	return plain
}
