package command

import "strings"

// arity says whether an option takes a value.
type arity uint8

const (
	// valued: the rest of the word, or the next word.
	valued arity = iota + 1
	// optional: only the rest of the word, after an equals sign or glued to a letter.
	optional
	// plain: none.
	plain
	// ambiguous: different commands, or versions, of the program disagree.
	ambiguous
)

// flag is an option as described.
type flag struct {
	// names are all its names without dashes, role the name of its value.
	names []string
	arity arity
	role  string
	kind  Kind
	// explicit: the role is not merely its last name.
	explicit bool
	// rest: its values are all words up to the next option.
	rest bool
	// then is the word behind its value, nil if it takes no more than one.
	then *flag
	// dry: it makes a dry run.
	dry bool
	// ends: what follows its value is no option of the program, but the program's own.
	ends bool
}

// flagTable are options by name.
type flagTable map[string]*flag

// add enters an option under all of its names and returns one that is there already.
func (t flagTable) add(f *flag) (twice string) {
	for _, name := range f.names {
		if t[name] != nil {
			return name
		}
		t[name] = f
	}
	return ""
}

// gives reports whether the value of an option has a role, or has it explicitly.
func (t flagTable) gives(role string, explicit bool) bool {
	for _, f := range t {
		if explicit && !f.explicit {
			continue
		}
		for ; f != nil; f = f.then {
			if f.role == role && f.arity != plain {
				return true
			}
		}
	}
	return false
}

// merge enters the options of another table; where both have a name and disagree on
// its value, the name becomes ambiguous.
func (t flagTable) merge(other flagTable) {
	for name, f := range other {
		switch old := t[name]; {
		case old == nil:
			t[name] = f
		case old.arity != f.arity:
			both := *old
			both.arity = ambiguous
			t[name] = &both
		}
	}
}

// look finds an option: in the first table that has it, by its whole name, or by
// the beginning of a long name if only one can be meant.
func look(name string, tables ...flagTable) *flag {
	for _, t := range tables {
		if f := t[name]; f != nil {
			return f
		}
	}
	if len(name) < 3 {
		return nil
	}
	var found *flag
	for _, t := range tables {
		for long, f := range t {
			if len(long) > len(name) && strings.HasPrefix(long, name) {
				if found != nil && found != f {
					return nil
				}
				found = f
			}
		}
	}
	if found == nil {
		return nil
	}
	short := *found // whether the program accepts abbreviations is not known
	if short.arity == valued {
		short.arity = ambiguous
	}
	return &short
}

// disputed are the options with a value of another table that have none everywhere.
func (t flagTable) disputed(of flagTable) flagTable {
	var list flagTable
	for name, f := range of {
		if f.arity == valued && t[name].arity == ambiguous {
			if list == nil {
				list = flagTable{}
			}
			list[name] = f
		}
	}
	return list
}
