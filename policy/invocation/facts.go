package invocation

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
)

// Facts are what the tables say of a program. They are looked up together, as each
// of them is asked for in any command.
type Facts struct {
	Name string
	// listed: one of the tables has the name.
	Listed  bool
	Does    Verb
	Ordered bool // it takes orders from files
	Prints  bool // the catalogue says what can be read in what it prints, beside its description
	// described: the catalogue has it.
	Described bool
	// code: it runs programs that it is given, as far as that was asked.
	asked, code bool
}

// IsCode reports whether the name is that of an interpreter, or of a program of
// Windows that is not known by another table.
func (f *Facts) IsCode() bool {
	if !f.asked {
		f.asked, f.code = true, InterpreterName(f.Name) != "" || f.Does == nil && (IsForWindows(f.Name) || IsOfWindows(f.Name))
	}
	return f.code
}

// RunsVariable reports whether the program runs what is in a variable of the environment,
// by its description.
func (f *Facts) RunsVariable(name string) bool {
	return f.Described && command.Builtin().Program(f.Name).RunsVariable(name)
}

// Facts are those of a program, of which most are asked for again at once.
func (r *Reader) Facts(name string) *Facts {
	if r.last != nil && r.last.Name == name {
		return r.last
	}
	if r.last = r.Known[name]; r.last == nil {
		r.last = r.Known[plainName(name)]
	}
	if r.last == nil {
		r.other.Name, r.other.asked = name, false
		r.last = &r.other
	}
	return r.last
}

// Facts are those of the program.
func (a *Act) Facts() *Facts { return a.R.Facts(a.Name) }

// plainName is a name that is in no table as one may be: in small letters, as it is the
// same file where capitals do not count, and without a version, as pip3.12 is pip. It is
// empty if nothing is left that a program is called.
func plainName(name string) string {
	if name == "" || strings.IndexByte(name, '/') >= 0 {
		return ""
	}
	lower := strings.ToLower(name)
	plain := strings.TrimRight(lower, "0123456789.-")
	switch at := strings.LastIndexByte(plain, '_'); {
	case at > 0 && (at == len(plain)-1 && strings.IndexByte(lower[at:], '.') > 0 || plain[at:] == "_v"): // terraform_1.5.7
		plain = plain[:at]
	case strings.HasSuffix(plain, "-v"):
		plain = plain[:len(plain)-2]
	}
	if plain == name || len(plain) < 2 || !command.Builtin().Has(plain) {
		return ""
	}
	return plain
}

// Verb says what a program does.
type Verb func(a *Act)
